// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit suites chacha_simd_chain_chacha and chacha_simd_chain_salsa: what a
 * request leaves for the next one, and the block counter's wrap.
 *
 * ChaCha writes the advanced counter into the IV; Salsa20, whose counter is
 * not there, carries it through export and import where the kernel has
 * CRYPTO_SKCIPHER_REQ_CONT (6.8 and later).
 *
 * Deliberately absent: Salsa20's 64-bit carry at every place of a batch
 * (core_kunit.c); here it is reached by an imported counter only.
 */
#include <linux/math.h>
#include <linux/string.h>
#include "stream_test.h"

KUNIT_ARRAY_PARAM(chacha, test_drivers.chacha, stream_driver_desc);
KUNIT_ARRAY_PARAM(salsa, test_drivers.salsa, stream_driver_desc);

static u32 get_counter(const struct stream_test *t, const u8 *iv)
{
	const u8 *p = iv + t->driver->alg->counter;

	return p[0] | p[1] << 8 | p[2] << 16 | (u32)p[3] << 24;
}

static void set_counter(const struct stream_test *t, u8 *iv, u32 counter)
{
	u8 *p = iv + t->driver->alg->counter;

	p[0] = counter;
	p[1] = counter >> 8;
	p[2] = counter >> 16;
	p[3] = counter >> 24;
}

/* One request from t->src + @at to t->dst + @at */
static int crypt_piece(struct stream_test *t, unsigned int at,
		       unsigned int len, u8 *iv)
{
	struct scatterlist in, out;

	sg_init_one(&in, t->src + at, len);
	sg_init_one(&out, t->dst + at, len);
	return stream_crypt_sg(t, &out, &in, len, iv);
}

static void check_write_back(struct kunit *test, u32 start, unsigned int len)
{
	struct stream_test *t = test->priv;
	unsigned int ivsize = t->driver->alg->ivsize;
	u8 iv[STREAM_MAX_IV], want[STREAM_MAX_IV];

	memcpy(iv, t->iv, ivsize);
	set_counter(t, iv, start);
	memcpy(want, iv, ivsize);
	set_counter(t, want, start + DIV_ROUND_UP(len, STREAM_BLOCK_BYTES));
	KUNIT_ASSERT_EQ(test, crypt_piece(t, 0, len, iv), 0);
	KUNIT_ASSERT_TRUE_MSG(test, !memcmp(iv, want, ivsize),
			      "%s: counter %#x, length %u: IV is %*phN, not %*phN",
			      t->driver->name, start, len, (int)ivsize, iv,
			      (int)ivsize, want);
}

/* By the blocks begun, modulo 2^32, and nothing else of the IV */
static void iv_write_back(struct kunit *test)
{
	static const u32 start[] = { 0, 1, 0x12345678, 0x7ffffff8,
				     0xfffffff8, 0xffffffff };
	unsigned int i, len;

	for (i = 0; i < ARRAY_SIZE(start); i++)
		for (len = 0; len <= 4200; len += len < 300 ? 1 : 37)
			check_write_back(test, start[i], len);
}

/* The in-tree layout: words 12 and 13 are the position, only 12 counts. */
static void iv_write_back_decrypting(struct kunit *test)
{
	struct stream_test *t = test->priv;

	t->decrypt = true;
	check_write_back(test, 0xffffffff, 65);
	check_write_back(test, 0x00ffffff, 64);
}

/* Lengths of pieces: multiples of 64, each number of blocks up to 41 */
static unsigned int piece(unsigned int i)
{
	return (1 + i * 17 % 41) * STREAM_BLOCK_BYTES;
}

static void pieces_equal_one_request(struct kunit *test)
{
	struct stream_test *t = test->priv;
	unsigned int at = 0, i = 0, len, total = STREAM_TEST_BYTES - 27;
	u8 iv[STREAM_MAX_IV];

	memcpy(iv, t->iv, sizeof(iv));
	for (; at < total; at += len, i++) {
		len = min(piece(i), total - at);
		KUNIT_ASSERT_EQ(test, crypt_piece(t, at, len, iv), 0);
	}
	KUNIT_EXPECT_EQ_MSG(test, stream_wrong(t->dst, t->src, t->keystream,
					       total), total,
			    "%s: first wrong byte", t->driver->name);
}

/* No bytes, no scatterlist: nothing happens. */
static void empty_request(struct kunit *test)
{
	struct stream_test *t = test->priv;
	u8 iv[STREAM_MAX_IV];

	memcpy(iv, t->iv, sizeof(iv));
	KUNIT_EXPECT_EQ(test, stream_crypt_sg(t, NULL, NULL, 0, iv), 0);
	t->decrypt = true;
	KUNIT_EXPECT_EQ(test, stream_crypt_sg(t, NULL, NULL, 0, iv), 0);
	KUNIT_EXPECT_TRUE(test, !memcmp(iv, t->iv, sizeof(iv)));
}

/* A message whose @at-th block has the counter @wrap */
static void check_wrap(struct kunit *test, u32 wrap, unsigned int at)
{
	struct stream_test *t = test->priv;
	unsigned int len = (at + 2 + at % 9) * STREAM_BLOCK_BYTES - 3;
	struct stream_state state;
	u8 iv[STREAM_MAX_IV];

	memcpy(iv, t->iv, sizeof(iv));
	set_counter(t, iv, wrap - at);
	stream_oracle_init(t->driver->alg, &state, t->key, sizeof(t->key), iv);
	memset(t->keystream, 0, len);
	stream_oracle_xor(t->driver->alg, &state, t->keystream, t->keystream,
			  len);
	KUNIT_ASSERT_EQ(test, stream_crypt(t, t->dst, t->src, len, iv), 0);
	KUNIT_ASSERT_EQ_MSG(test, stream_wrong(t->dst, t->src, t->keystream,
					       len), len,
			    "%s: counter from %#x: first wrong byte",
			    t->driver->name, get_counter(t, iv));
}

/* The wrap, and the change of sign, at every place of a batch */
static void counter_wrap(struct kunit *test)
{
	unsigned int at;

	for (at = 0; at <= 70; at++) {
		check_wrap(test, 0, at);
		check_wrap(test, 0x80000000, at);
		check_wrap(test, 0x00010000, at);
	}
}

/* Salsa20's counter starts at 0 in every request, the IV stays. */
static void iv_is_kept(struct kunit *test)
{
	struct stream_test *t = test->priv;
	unsigned int len;
	u8 iv[STREAM_MAX_IV];

	for (len = 0; len <= 4200; len += len < 300 ? 1 : 37) {
		memcpy(iv, t->iv, sizeof(iv));
		KUNIT_ASSERT_EQ(test, crypt_piece(t, 0, len, iv), 0);
		KUNIT_ASSERT_EQ_MSG(test, stream_wrong(t->dst, t->src,
						       t->keystream, len),
				    len, "%s: length %u", t->driver->name,
				    len);
		KUNIT_ASSERT_TRUE_MSG(test, !memcmp(iv, t->iv, sizeof(iv)),
				      "%s: length %u changed the IV",
				      t->driver->name, len);
	}
}

#ifdef CRYPTO_SKCIPHER_REQ_CONT

/* The flags of a piece: does one stand before it, does one follow? */
static u32 piece_flags(unsigned int at, unsigned int end, unsigned int total)
{
	return CRYPTO_TFM_REQ_MAY_SLEEP |
	       (at ? CRYPTO_SKCIPHER_REQ_CONT : 0) |
	       (end < total ? CRYPTO_SKCIPHER_REQ_NOTFINAL : 0);
}

/* The same request goes on, nothing is exported. */
static void continued_request(struct kunit *test)
{
	struct stream_test *t = test->priv;
	unsigned int at = 0, i = 0, len, total = STREAM_TEST_BYTES - 27;
	u8 iv[STREAM_MAX_IV];

	for (; at < total; at += len, i++) {
		len = min(piece(i), total - at);
		t->flags = piece_flags(at, at + len, total);
		memcpy(iv, t->iv, sizeof(iv));
		KUNIT_ASSERT_EQ(test, crypt_piece(t, at, len, iv), 0);
	}
	KUNIT_EXPECT_EQ_MSG(test, stream_wrong(t->dst, t->src, t->keystream,
					       total), total,
			    "%s: first wrong byte", t->driver->name);
}

/* A new request for each piece, as AF_ALG does it */
static int crypt_imported(struct stream_test *t, unsigned int at,
			  unsigned int len, u8 *state)
{
	struct skcipher_request *req = t->req;
	u8 iv[STREAM_MAX_IV];
	int err = -ENOMEM;

	memcpy(iv, t->iv, sizeof(iv));
	t->req = skcipher_request_alloc(t->tfm, GFP_KERNEL);
	if (t->req) {
		err = at ? crypto_skcipher_import(t->req, state) : 0;
		err = err ?: crypt_piece(t, at, len, iv);
		err = err ?: crypto_skcipher_export(t->req, state);
	}
	skcipher_request_free(t->req);
	t->req = req;
	return err;
}

static void exported_request(struct kunit *test)
{
	struct stream_test *t = test->priv;
	unsigned int at = 0, i = 0, len, total = STREAM_TEST_BYTES - 27;
	unsigned int size = crypto_skcipher_statesize(t->tfm);
	u8 *state;

	KUNIT_ASSERT_GT(test, size, 0U);
	state = kunit_kzalloc(test, size + STREAM_MARGIN, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, state);
	memset(state, STREAM_CANARY, size + STREAM_MARGIN);
	for (; at < total; at += len, i++) {
		len = min(piece(i), total - at);
		t->flags = piece_flags(at, at + len, total);
		KUNIT_ASSERT_EQ(test, crypt_imported(t, at, len, state), 0);
		KUNIT_ASSERT_TRUE(test, stream_untouched(state + size,
							 STREAM_MARGIN));
	}
	KUNIT_EXPECT_EQ_MSG(test, stream_wrong(t->dst, t->src, t->keystream,
					       total), total,
			    "%s: first wrong byte", t->driver->name);
}

/* The exported state begins with the number of the next block. */
static u64 next_block(struct kunit *test, u8 *state)
{
	struct stream_test *t = test->priv;
	u64 block = 0;

	KUNIT_EXPECT_EQ(test, crypto_skcipher_export(t->req, state), 0);
	memcpy(&block, state, sizeof(block));
	return block;
}

/* A message that goes on at block @start, in two requests, through 2^32 */
static void exported_wrap(struct kunit *test)
{
	const u64 start = 0xfffffffe;
	const unsigned int first = 5 * STREAM_BLOCK_BYTES, total = 1500;
	struct stream_test *t = test->priv;
	unsigned int size = crypto_skcipher_statesize(t->tfm);
	struct stream_state oracle;
	u8 iv[STREAM_MAX_IV], *state;

	KUNIT_ASSERT_GE(test, size, (unsigned int)sizeof(start));
	state = kunit_kzalloc(test, size, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, state);
	memcpy(iv, t->iv, sizeof(iv));
	stream_oracle_init(t->driver->alg, &oracle, t->key, sizeof(t->key), iv);
	*stream_salsa_word(&oracle, 8) = start;
	memset(t->keystream, 0, total);
	stream_oracle_xor(t->driver->alg, &oracle, t->keystream, t->keystream,
			  total);

	/* The IV belongs to the state, so have one of this IV. */
	t->flags = piece_flags(0, 64, total);
	KUNIT_ASSERT_EQ(test, crypt_piece(t, 0, 64, iv), 0);
	KUNIT_ASSERT_EQ(test, next_block(test, state), 1ULL);
	memcpy(state, &start, sizeof(start));
	KUNIT_ASSERT_EQ(test, crypto_skcipher_import(t->req, state), 0);
	KUNIT_EXPECT_EQ(test, next_block(test, state), start);

	t->flags = piece_flags(64, first, total);
	KUNIT_ASSERT_EQ(test, crypt_piece(t, 0, first, iv), 0);
	KUNIT_EXPECT_EQ(test, next_block(test, state), start + 5);
	KUNIT_ASSERT_EQ(test, crypt_imported(t, first, total - first, state),
			0);
	KUNIT_EXPECT_EQ_MSG(test, stream_wrong(t->dst, t->src, t->keystream,
					       total), total,
			    "%s: first wrong byte", t->driver->name);
}

/* A list shorter than the request: it fails and may be tried again. */
static void failure_is_not_exported(struct kunit *test)
{
	struct stream_test *t = test->priv;
	unsigned int size = crypto_skcipher_statesize(t->tfm);
	u8 *state = kunit_kzalloc(test, size, GFP_KERNEL);
	struct scatterlist sg;
	u8 iv[STREAM_MAX_IV];

	KUNIT_ASSERT_NOT_NULL(test, state);
	memcpy(iv, t->iv, sizeof(iv));
	t->flags = piece_flags(0, 640, 2000);
	KUNIT_ASSERT_EQ(test, crypt_piece(t, 0, 640, iv), 0);
	KUNIT_ASSERT_EQ(test, next_block(test, state), 10ULL);
	t->flags = piece_flags(640, 1640, 2000);
	sg_init_one(&sg, t->dst + 640, 500);
	KUNIT_ASSERT_EQ(test, stream_crypt_sg(t, &sg, &sg, 1000, iv), -EINVAL);
	KUNIT_EXPECT_EQ(test, next_block(test, state), 10ULL);
}

/* Without the flag a request starts at block 0, whatever it did before. */
static void not_continued(struct kunit *test)
{
	struct stream_test *t = test->priv;
	unsigned int size = crypto_skcipher_statesize(t->tfm), len = 1000;
	u8 *state = kunit_kzalloc(test, size, GFP_KERNEL);
	u8 iv[STREAM_MAX_IV];

	KUNIT_ASSERT_NOT_NULL(test, state);
	memcpy(iv, t->iv, sizeof(iv));
	t->flags |= CRYPTO_SKCIPHER_REQ_NOTFINAL;
	KUNIT_ASSERT_EQ(test, crypt_piece(t, 0, 640, iv), 0);
	KUNIT_ASSERT_EQ(test, crypto_skcipher_export(t->req, state), 0);
	KUNIT_ASSERT_EQ(test, crypto_skcipher_import(t->req, state), 0);
	t->flags = CRYPTO_TFM_REQ_MAY_SLEEP;
	KUNIT_ASSERT_EQ(test, crypt_piece(t, 0, len, iv), 0);
	KUNIT_EXPECT_EQ_MSG(test, stream_wrong(t->dst, t->src, t->keystream,
					       len), len,
			    "%s: first wrong byte", t->driver->name);
}

#endif /* CRYPTO_SKCIPHER_REQ_CONT */

static struct kunit_case chacha_cases[] = {
	KUNIT_CASE_PARAM(iv_write_back, chacha_gen_params),
	KUNIT_CASE_PARAM(iv_write_back_decrypting, chacha_gen_params),
	KUNIT_CASE_PARAM(pieces_equal_one_request, chacha_gen_params),
	KUNIT_CASE_PARAM(empty_request, chacha_gen_params),
	KUNIT_CASE_PARAM(counter_wrap, chacha_gen_params),
	{}
};

static struct kunit_suite chacha_suite = {
	.name = "chacha_simd_chain_chacha",
	.init = stream_test_init,
	.exit = stream_test_exit,
	.test_cases = chacha_cases,
};

static struct kunit_case salsa_cases[] = {
	KUNIT_CASE_PARAM(iv_is_kept, salsa_gen_params),
	KUNIT_CASE_PARAM(empty_request, salsa_gen_params),
#ifdef CRYPTO_SKCIPHER_REQ_CONT
	KUNIT_CASE_PARAM(continued_request, salsa_gen_params),
	KUNIT_CASE_PARAM(exported_request, salsa_gen_params),
	KUNIT_CASE_PARAM(exported_wrap, salsa_gen_params),
	KUNIT_CASE_PARAM(failure_is_not_exported, salsa_gen_params),
	KUNIT_CASE_PARAM(not_continued, salsa_gen_params),
#endif
	{}
};

static struct kunit_suite salsa_suite = {
	.name = "chacha_simd_chain_salsa",
	.init = stream_test_init,
	.exit = stream_test_exit,
	.test_cases = salsa_cases,
};

kunit_test_suites(&chacha_suite, &salsa_suite);
