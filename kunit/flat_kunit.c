// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit suite chacha_simd_flat: every driver on messages in one piece, all
 * lengths and alignments, in place and not, canaries on both sides.
 *
 * Deliberately absent: scatterlists (sg_kunit.c), the IV that comes back
 * (chain_kunit.c).
 */
#include <linux/err.h>
#include <linux/string.h>
#include "stream_test.h"

KUNIT_ARRAY_PARAM(driver, test_drivers.all, stream_driver_desc);
KUNIT_ARRAY_PARAM(kernel_driver, test_drivers.kernel, stream_driver_desc);

/* One message from src + @so to dst + @to, both within the margin */
static void check(struct kunit *test, unsigned int len, unsigned int so,
		  unsigned int to)
{
	struct stream_test *t = test->priv;
	u8 *dst = t->dst + STREAM_MARGIN;
	const u8 *src = t->src + so;

	memset(t->dst, STREAM_CANARY, len + 2 * STREAM_MARGIN);
	t->decrypt = len & 1;
	KUNIT_ASSERT_EQ(test, stream_crypt(t, dst + to, src, len, t->iv), 0);
	KUNIT_ASSERT_EQ_MSG(test, stream_wrong(dst + to, src, t->keystream,
					       len), len,
			    "%s: length %u, src+%u, dst+%u: first wrong byte",
			    t->driver->name, len, so, to);
	KUNIT_ASSERT_TRUE_MSG(test,
			      stream_untouched(t->dst, STREAM_MARGIN + to) &&
			      stream_untouched(dst + to + len,
					       STREAM_MARGIN - to),
			      "%s: length %u, dst+%u: wrote outside",
			      t->driver->name, len, to);
}

static void check_in_place(struct kunit *test, unsigned int len,
			   unsigned int to)
{
	struct stream_test *t = test->priv;
	u8 *dst = t->dst + STREAM_MARGIN + to;

	memset(t->dst, STREAM_CANARY, len + 2 * STREAM_MARGIN);
	memcpy(dst, t->src, len);
	t->decrypt = len & 1;
	KUNIT_ASSERT_EQ(test, stream_crypt(t, dst, dst, len, t->iv), 0);
	KUNIT_ASSERT_EQ_MSG(test, stream_wrong(dst, t->src, t->keystream,
					       len), len,
			    "%s: length %u at +%u in place: first wrong byte",
			    t->driver->name, len, to);
	KUNIT_ASSERT_TRUE_MSG(test,
			      stream_untouched(t->dst, STREAM_MARGIN + to) &&
			      stream_untouched(dst + len, STREAM_MARGIN - to),
			      "%s: length %u at +%u in place: wrote outside",
			      t->driver->name, len, to);
}

/* Wrong after the first full batch, or in the last partial one */
static void all_lengths(struct kunit *test)
{
	unsigned int len;

	for (len = 0; len <= 4096; len++)
		check(test, len, len * 7 % 64, len * 13 % 64);
}

static void lengths_around(struct kunit *test, unsigned int middle)
{
	unsigned int len;

	for (len = middle - 130; len <= middle + 130; len++)
		check(test, len, len * 7 % 64, len * 13 % 64);
}

static void lengths_around_8192(struct kunit *test)
{
	lengths_around(test, 8192);
}

static void lengths_around_65536(struct kunit *test)
{
	lengths_around(test, 65536);
}

static void all_offsets(struct kunit *test)
{
	unsigned int so, to;

	for (so = 0; so < 64; so++)
		for (to = 0; to < 64; to++)
			check(test, (so * 67 + to * 29) % 2000 + 1, so, to);
}

static void all_lengths_in_place(struct kunit *test)
{
	unsigned int len;

	for (len = 0; len <= 4096; len++)
		check_in_place(test, len, len * 11 % 64);
}

/* The source is only read. */
static void source_is_kept(struct kunit *test)
{
	struct stream_test *t = test->priv;
	u8 *copy = kunit_kzalloc(test, 5000, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, copy);
	memcpy(copy, t->src, 5000);
	check(test, 4500, 17, 3);
	KUNIT_EXPECT_TRUE(test, !memcmp(copy, t->src, 5000));
}

static void unaligned_iv(struct kunit *test)
{
	struct stream_test *t = test->priv;
	unsigned int off, ivsize = t->driver->alg->ivsize;
	u8 *dst = t->dst, room[STREAM_MAX_IV + 16];
	struct scatterlist in, out;

	sg_init_one(&in, t->src, 1000);
	sg_init_one(&out, dst, 1000);
	for (off = 0; off < 16; off++) {
		memset(room, STREAM_CANARY, sizeof(room));
		memcpy(room + off, t->iv, ivsize);
		KUNIT_ASSERT_EQ(test, stream_crypt_sg(t, &out, &in, 1000,
						      room + off), 0);
		KUNIT_ASSERT_EQ_MSG(test, stream_wrong(dst, t->src,
						       t->keystream, 1000),
				    1000U, "%s: IV at +%u", t->driver->name,
				    off);
		KUNIT_ASSERT_TRUE_MSG(test, stream_untouched(room, off) &&
				      stream_untouched(room + off + ivsize,
						       16 - off),
				      "%s: IV at +%u: wrote around it",
				      t->driver->name, off);
	}
}

/* The kernel's own driver of the algorithm, where it has one */
static struct crypto_skcipher *open_kernel_driver(const char *alg)
{
	static const char * const suffix[] = { "generic", "lib" };
	struct crypto_skcipher *tfm;
	unsigned int i;
	char name[32];

	for (i = 0; i < ARRAY_SIZE(suffix); i++) {
		snprintf(name, sizeof(name), "%s-%s", alg, suffix[i]);
		tfm = crypto_alloc_skcipher(name, 0, 0);
		if (!IS_ERR(tfm))
			return tfm;
	}
	return NULL;
}

/* The variants that the kernel has too agree with it, bit for bit. */
static void agrees_with_the_kernel(struct kunit *test)
{
	struct stream_test *t = test->priv;
	struct crypto_skcipher *ours = t->tfm;
	struct skcipher_request *req = t->req;
	int err = -ENOMEM;

	t->tfm = open_kernel_driver(t->driver->alg->name);
	if (!t->tfm) {
		t->tfm = ours;
		kunit_skip(test, "the kernel has no %s of its own",
			   t->driver->alg->name);
	}
	t->req = skcipher_request_alloc(t->tfm, GFP_KERNEL);
	if (t->req)
		err = crypto_skcipher_setkey(t->tfm, t->key, STREAM_MAX_KEY) ?:
		      stream_crypt(t, t->keystream, t->src, 20001, t->iv);
	skcipher_request_free(t->req);
	crypto_free_skcipher(t->tfm);
	t->tfm = ours;
	t->req = req;
	KUNIT_ASSERT_EQ(test, err, 0);

	KUNIT_ASSERT_EQ(test, stream_crypt(t, t->dst, t->src, 20001, t->iv), 0);
	KUNIT_EXPECT_TRUE_MSG(test, !memcmp(t->dst, t->keystream, 20001),
			      "%s differs from the kernel's driver",
			      t->driver->name);
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(all_lengths, driver_gen_params),
	KUNIT_CASE_PARAM(lengths_around_8192, driver_gen_params),
	KUNIT_CASE_PARAM(lengths_around_65536, driver_gen_params),
	KUNIT_CASE_PARAM(all_offsets, driver_gen_params),
	KUNIT_CASE_PARAM(all_lengths_in_place, driver_gen_params),
	KUNIT_CASE_PARAM(source_is_kept, driver_gen_params),
	KUNIT_CASE_PARAM(unaligned_iv, driver_gen_params),
	KUNIT_CASE_PARAM(agrees_with_the_kernel, kernel_driver_gen_params),
	{}
};

static struct kunit_suite suite = {
	.name = "chacha_simd_flat",
	.init = stream_test_init,
	.exit = stream_test_exit,
	.test_cases = cases,
};

kunit_test_suite(suite);
