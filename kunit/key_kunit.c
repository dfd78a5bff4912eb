// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit suite chacha_simd_key: what the crypto API sees of each driver, its
 * keys and errors, and who holds the module.
 *
 * Deliberately absent: the bytes of messages, but for telling which key or IV
 * a transform has.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/string.h>
#include "stream_test.h"

KUNIT_ARRAY_PARAM(driver, test_drivers.all, stream_driver_desc);
KUNIT_ARRAY_PARAM(salsa, test_drivers.salsa, stream_driver_desc);

static const struct crypto_alg *alg_of(const struct stream_test *t)
{
	return t->tfm->base.__crt_alg;
}

/* The contract's two tables */
static void registration(struct kunit *test)
{
	struct stream_test *t = test->priv;
	const struct test_alg *want = t->driver->alg;
	const struct crypto_alg *alg = alg_of(t);

	KUNIT_EXPECT_STREQ(test, alg->cra_name, want->name);
	KUNIT_EXPECT_STREQ(test, alg->cra_driver_name, t->driver->name);
	KUNIT_EXPECT_EQ(test, alg->cra_blocksize, 1U);
	KUNIT_EXPECT_EQ(test, alg->cra_alignmask, 0U);
	KUNIT_EXPECT_EQ(test, alg->cra_flags & CRYPTO_ALG_ASYNC, 0U);
	KUNIT_EXPECT_EQ(test, alg->cra_flags & CRYPTO_ALG_INTERNAL, 0U);
	/* isa_kunit.c has the third table, of priorities. */
	KUNIT_EXPECT_EQ(test, alg->cra_priority,
			stream_isas[t->driver->isa].priority);
}

static void sizes(struct kunit *test)
{
	struct stream_test *t = test->priv;
	const struct test_alg *want = t->driver->alg;
	struct crypto_skcipher *tfm = t->tfm;

	KUNIT_EXPECT_EQ(test, crypto_skcipher_ivsize(tfm), want->ivsize);
	KUNIT_EXPECT_EQ(test, crypto_skcipher_chunksize(tfm),
			(u32)STREAM_BLOCK_BYTES);
	KUNIT_EXPECT_EQ(test, crypto_skcipher_min_keysize(tfm),
			want->min_keysize);
	KUNIT_EXPECT_EQ(test, crypto_skcipher_max_keysize(tfm), 32U);
	/* fscrypt and blk-crypto refuse a request of more than 384 bytes */
	KUNIT_EXPECT_LE(test, crypto_skcipher_reqsize(tfm) +
			(u32)sizeof(struct skcipher_request), 384U);
}

#ifdef CONFIG_KALLSYMS
/* Is @core that function of the module, by the kernel's table of symbols? */
static void expect_core(struct kunit *test, const void *core,
			const char *function, const char *isa)
{
	char name[64], want[64];

	snprintf(name, sizeof(name), "%ps", core);
	*strchrnul(name, ' ') = 0;		/* "NAME [chacha_simd]" */
	snprintf(want, sizeof(want), "%s_%s", function, isa);
	KUNIT_EXPECT_STREQ(test, name, want);
}

/* Others make the same bytes: nothing else tells that it is the right one. */
static void cores(struct kunit *test)
{
	struct stream_test *t = test->priv;
	const char *isa = strrchr(t->driver->name, '-') + 1;
	const char *function = t->driver->alg->chacha ? "chacha_xor" :
							"salsa_xor";
	const struct stream_driver *driver = stream_driver_of(t->tfm);
	const stream_xor_fn *xor = driver->algorithm->cores->xor;
	enum stream_isa_id id = driver->isa->id;

	expect_core(test, xor[id], function, isa);
	expect_core(test, xor[STREAM_SCALAR], function, "scalar");
	expect_core(test, stream_keystream_xor[id], "keystream_xor", isa);
}
#endif

/* Does the transform encrypt as with the key of stream_test_init()? */
static bool has_first_key(struct stream_test *t)
{
	return !stream_crypt(t, t->dst, t->src, 100, t->iv) &&
	       stream_wrong(t->dst, t->src, t->keystream, 100) == 100;
}

/*
 * The API refuses what lies outside the key sizes by itself and keeps the old
 * key; what a driver refuses leaves a transform that needs a key.
 */
static void check_key_length(struct kunit *test, unsigned int len)
{
	struct stream_test *t = test->priv;
	unsigned int min = t->driver->alg->min_keysize;
	u8 key[65];
	int err;

	prandom_bytes_state(&t->rnd, key, sizeof(key));
	stream_set_key(test, t->key, sizeof(t->key));
	err = crypto_skcipher_setkey(t->tfm, key, len);
	if (len == min || len == 32) {
		KUNIT_ASSERT_EQ_MSG(test, err, 0, "%s: key of %u bytes",
				    t->driver->name, len);
		KUNIT_ASSERT_FALSE(test, has_first_key(t));
		return;
	}
	KUNIT_ASSERT_EQ_MSG(test, err, -EINVAL, "%s: key of %u bytes",
			    t->driver->name, len);
	if (len < min || len > 32) {
		KUNIT_ASSERT_TRUE(test, has_first_key(t));
		return;
	}
	KUNIT_ASSERT_EQ_MSG(test, stream_crypt(t, t->dst, t->src, 100, t->iv),
			    -ENOKEY, "%s: after a key of %u bytes",
			    t->driver->name, len);
}

static void key_lengths(struct kunit *test)
{
	unsigned int len;

	for (len = 0; len <= 64; len++)
		check_key_length(test, len);
}

/*
 * Asked without the API before it, a driver keeps the key when it refuses.
 * XSalsa20 leaves it to the API to refuse 16 bytes.
 */
static void refused_key(struct kunit *test)
{
	struct stream_test *t = test->priv;
	unsigned int len;
	u8 key[65];
	int err;

	prandom_bytes_state(&t->rnd, key, sizeof(key));
	for (len = 0; len <= 64; len++) {
		if (len == 32 || (len == 16 && !t->driver->alg->chacha))
			continue;
		err = crypto_skcipher_alg(t->tfm)->setkey(t->tfm, key, len);
		KUNIT_ASSERT_EQ_MSG(test, err, -EINVAL, "%s: key of %u bytes",
				    t->driver->name, len);
		KUNIT_ASSERT_TRUE_MSG(test, has_first_key(t),
				      "%s: after a key of %u bytes",
				      t->driver->name, len);
	}
}

/* A fresh transform has no key; the request is refused and leaves no trace. */
static void no_key(struct kunit *test)
{
	struct stream_test *t = test->priv;
	struct crypto_skcipher *tfm = t->tfm;
	u8 *dst = t->dst, iv[STREAM_MAX_IV];
	struct scatterlist in, out;

	t->tfm = crypto_alloc_skcipher(t->driver->name, 0, 0);
	crypto_free_skcipher(tfm);
	skcipher_request_free(t->req);
	t->req = NULL;
	if (IS_ERR(t->tfm))
		t->tfm = NULL;
	KUNIT_ASSERT_NOT_NULL(test, t->tfm);
	t->req = skcipher_request_alloc(t->tfm, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, t->req);

	memset(dst, STREAM_CANARY, 1000);
	memcpy(iv, t->iv, sizeof(iv));
	sg_init_one(&in, t->src, 1000);
	sg_init_one(&out, dst, 1000);
	KUNIT_EXPECT_EQ(test, stream_crypt_sg(t, &out, &in, 1000, iv),
			-ENOKEY);
	t->decrypt = true;
	KUNIT_EXPECT_EQ(test, stream_crypt_sg(t, &out, &in, 1000, iv),
			-ENOKEY);
	KUNIT_EXPECT_TRUE(test, stream_untouched(dst, 1000));
	KUNIT_EXPECT_TRUE(test, !memcmp(iv, t->iv, sizeof(iv)));
}

/* The last key counts, and two transforms have two keys. */
static void key_is_replaced(struct kunit *test)
{
	struct stream_test *t = test->priv;
	u8 key[STREAM_MAX_KEY];

	memcpy(key, t->key, sizeof(key));
	key[31] ^= 0x80;
	stream_set_key(test, key, sizeof(key));
	KUNIT_EXPECT_FALSE(test, has_first_key(t));
	stream_set_key(test, t->key, sizeof(t->key));
	KUNIT_EXPECT_TRUE(test, has_first_key(t));
}

/* The key is copied: the caller wipes its own afterwards. */
static void key_is_copied(struct kunit *test)
{
	struct stream_test *t = test->priv;
	u8 key[STREAM_MAX_KEY + 1];

	memcpy(key + 1, t->key, sizeof(t->key));	/* unaligned, too */
	stream_set_key(test, key + 1, sizeof(t->key));
	memset(key, 0, sizeof(key));
	KUNIT_EXPECT_TRUE(test, has_first_key(t));
}

/* A 128-bit key stands in both halves, under a constant of its own. */
static void short_key(struct kunit *test)
{
	struct stream_test *t = test->priv;
	struct stream_state state;
	u8 twice[32];

	if (t->driver->alg->min_keysize != 16) {
		KUNIT_EXPECT_EQ(test, crypto_skcipher_setkey(t->tfm, t->key,
							     16), -EINVAL);
		return;
	}
	memset(t->keystream, 0, 5000);
	stream_oracle_init(t->driver->alg, &state, t->key, 16, t->iv);
	stream_oracle_xor(t->driver->alg, &state, t->keystream, t->keystream,
			  5000);
	stream_set_key(test, t->key, 16);
	KUNIT_ASSERT_EQ(test, stream_crypt(t, t->dst, t->src, 5000, t->iv), 0);
	KUNIT_EXPECT_EQ(test, stream_wrong(t->dst, t->src, t->keystream,
					   5000), 5000U);
	memcpy(twice, t->key, 16);
	memcpy(twice + 16, t->key, 16);
	stream_set_key(test, twice, 32);
	KUNIT_EXPECT_FALSE(test, has_first_key(t));
}

#ifdef CONFIG_MODULE_UNLOAD
/* rmmod while a transform is open is the kernel's to refuse: it counts. */
static void module_is_held(struct kunit *test)
{
	struct stream_test *t = test->priv;
	struct module *owner = alg_of(t)->cra_module;
	struct crypto_skcipher *second;
	int before, during;

	KUNIT_ASSERT_NOT_NULL(test, owner);
	KUNIT_EXPECT_STREQ(test, owner->name, "chacha_simd");
	before = module_refcount(owner);
	second = crypto_alloc_skcipher(t->driver->name, 0, 0);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, second);
	during = module_refcount(owner);
	crypto_free_skcipher(second);
	KUNIT_EXPECT_EQ(test, during, before + 1);
	KUNIT_EXPECT_EQ(test, module_refcount(owner), before);
}
#endif

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(registration, driver_gen_params),
	KUNIT_CASE_PARAM(sizes, driver_gen_params),
#ifdef CONFIG_KALLSYMS
	KUNIT_CASE_PARAM(cores, driver_gen_params),
#endif
	KUNIT_CASE_PARAM(key_lengths, driver_gen_params),
	KUNIT_CASE_PARAM(refused_key, driver_gen_params),
	KUNIT_CASE_PARAM(no_key, driver_gen_params),
	KUNIT_CASE_PARAM(key_is_replaced, driver_gen_params),
	KUNIT_CASE_PARAM(key_is_copied, driver_gen_params),
	KUNIT_CASE_PARAM(short_key, salsa_gen_params),
#ifdef CONFIG_MODULE_UNLOAD
	KUNIT_CASE_PARAM(module_is_held, driver_gen_params),
#endif
	{}
};

static struct kunit_suite suite = {
	.name = "chacha_simd_key",
	.init = stream_test_init,
	.exit = stream_test_exit,
	.test_cases = cases,
};

kunit_test_suite(suite);
