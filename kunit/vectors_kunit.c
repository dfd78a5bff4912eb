// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit suite chacha_simd_vectors: every driver and core against vectors that
 * are published, or made by scripts/gen-vectors.py, which checks itself
 * against the published ones.
 *
 * Deliberately absent: the oracle.  These cases are what makes it one.
 */
#include <crypto/sha2.h>
#include <linux/string.h>
#include "stream_test.h"
#include "vectors.h"

KUNIT_ARRAY_PARAM(driver, test_drivers.all, stream_driver_desc);
KUNIT_ARRAY_PARAM(core, test_cores.all, stream_core_desc);
KUNIT_ARRAY_PARAM(salsa_core, test_cores.salsa, stream_core_desc);

static bool is_for(const char *alg, const struct stream_test *t)
{
	return !strcmp(alg, t->driver->alg->name);
}

/* The message of a vector: zeroes, then the plaintext */
static void plaintext(const struct stream_vector *v, u8 *message)
{
	memset(message, 0, v->offset + v->len);
	if (v->ptext)
		memcpy(message + v->offset, v->ptext, v->len);
}

static void check_vector(struct kunit *test, struct stream_test *t,
			 const struct stream_vector *v)
{
	unsigned int len = v->offset + v->len;
	const u8 *iv = (const u8 *)v->iv;

	stream_set_key(test, v->key, v->keylen);
	plaintext(v, t->src);
	t->decrypt = false;
	KUNIT_ASSERT_EQ(test, stream_crypt(t, t->dst, t->src, len, iv), 0);
	KUNIT_ASSERT_TRUE_MSG(test,
			      !memcmp(t->dst + v->offset, v->ctext, v->len),
			      "%s: %s, %u bytes at %u", t->driver->name,
			      v->source, v->len, v->offset);

	/* decrypted in place */
	t->decrypt = true;
	KUNIT_ASSERT_EQ(test, stream_crypt(t, t->dst, t->dst, len, iv), 0);
	KUNIT_ASSERT_TRUE_MSG(test, !memcmp(t->dst, t->src, len),
			      "%s: %s, decrypted in place", t->driver->name,
			      v->source);
}

static void vectors(struct kunit *test)
{
	struct stream_test *t = test->priv;
	unsigned int i, found = 0;

	for (i = 0; i < ARRAY_SIZE(stream_vectors); i++) {
		if (!is_for(stream_vectors[i].alg, t))
			continue;
		check_vector(test, t, &stream_vectors[i]);
		found++;
	}
	KUNIT_EXPECT_GT_MSG(test, found, 0U, "no vector of %s",
			    t->driver->alg->name);
}

/* As message() of scripts/gen-vectors.py */
static void long_message(u8 *message, unsigned int len)
{
	unsigned int i;

	for (i = 0; i < len; i++)
		message[i] = i * 7 + (i >> 8);
}

static const struct stream_digest *
digest_of(struct kunit *test, const struct stream_digest *rows,
	  unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		if (is_for(rows[i].alg, test->priv))
			return &rows[i];
	KUNIT_ASSERT_LT_MSG(test, i, count, "no digest");
	return NULL;
}

static void expect_digest(struct kunit *test, const u8 *data,
			  unsigned int len, const void *want)
{
	u8 got[SHA256_DIGEST_SIZE];

	sha256(data, len, got);
	KUNIT_EXPECT_TRUE_MSG(test, !memcmp(got, want, sizeof(got)),
			      "SHA-256 of %u bytes is %*phN", len,
			      SHA256_DIGEST_SIZE, got);
}

/* Hundreds of blocks in one message; ChaCha's counter wraps in it. */
static void long_digest(struct kunit *test)
{
	struct stream_test *t = test->priv;
	const struct stream_digest *d =
		digest_of(test, stream_long_digests,
			  ARRAY_SIZE(stream_long_digests));

	stream_set_key(test, d->key, STREAM_MAX_KEY);
	long_message(t->src, d->len);
	KUNIT_ASSERT_EQ(test, stream_crypt(t, t->dst, t->src, d->len,
					   (const u8 *)d->iv), 0);
	expect_digest(test, t->dst, d->len, d->sha256);
}

/* All lengths from 0 to d->len, the results one behind the other */
static void tails_digest(struct kunit *test)
{
	struct stream_test *t = test->priv;
	const struct stream_digest *d =
		digest_of(test, stream_tail_digests,
			  ARRAY_SIZE(stream_tail_digests));
	unsigned int len, total = 0;

	stream_set_key(test, d->key, STREAM_MAX_KEY);
	long_message(t->src, d->len);
	for (len = 0; len <= d->len; len++) {
		KUNIT_ASSERT_LE(test, total + len, (u32)STREAM_TEST_BYTES);
		KUNIT_ASSERT_EQ(test, stream_crypt(t, t->dst + total, t->src,
						   len, (const u8 *)d->iv), 0);
		total += len;
	}
	expect_digest(test, t->dst, total, d->sha256);
}

static void count_key(u8 key[STREAM_MAX_KEY])
{
	unsigned int i;

	for (i = 0; i < STREAM_MAX_KEY; i++)
		key[i] = i;
}

static void set_counter(u8 *iv, u32 counter)
{
	iv[0] = counter;
	iv[1] = counter >> 8;
	iv[2] = counter >> 16;
	iv[3] = counter >> 24;
}

/* The block in question after @earlier others, and @later behind it */
static void check_carry(struct kunit *test, const struct stream_carry *c,
			unsigned int earlier, unsigned int later)
{
	struct stream_test *t = test->priv;
	const struct test_alg *alg = t->driver->alg;
	unsigned int at = earlier * STREAM_BLOCK_BYTES;
	unsigned int len = at + (1 + later) * STREAM_BLOCK_BYTES;
	u8 iv[STREAM_MAX_IV];

	memcpy(iv, c->iv, alg->ivsize);
	if (alg->chacha)
		set_counter(iv + alg->counter, 15 - earlier);
	memset(t->src, 0, len);
	KUNIT_ASSERT_EQ(test, stream_crypt(t, t->dst, t->src, len, iv), 0);
	KUNIT_ASSERT_TRUE_MSG(test, !memcmp(t->dst + at + c->offset, c->want,
					    8),
			      "%s: block %u of %u is wrong: %*ph",
			      t->driver->name, earlier, earlier + 1 + later,
			      8, t->dst + at + c->offset);
}

/*
 * A sum that leaves its 32 bits would change the next word.  ChaCha messages
 * start up to 69 blocks before the one in question, so that it comes to every
 * place of a batch, in every form of the core; the counter of a Salsa20
 * message starts at 0 always.
 */
static void carry_out_of_the_lane(struct kunit *test)
{
	struct stream_test *t = test->priv;
	const struct stream_carry *c;
	unsigned int earlier, later, i = 0;
	u8 key[STREAM_MAX_KEY];

	while (!is_for(stream_carries[i].alg, t)) {
		i++;
		KUNIT_ASSERT_LT_MSG(test, i, ARRAY_SIZE(stream_carries),
				    "no vector");
	}
	c = &stream_carries[i];
	count_key(key);
	stream_set_key(test, key, sizeof(key));
	for (later = 0; later < 9; later++) {
		if (!t->driver->alg->chacha)
			check_carry(test, c, 15, later);
		for (earlier = 0; t->driver->alg->chacha && earlier < 70;
		     earlier++)
			check_carry(test, c, earlier, later);
	}
}

/* A driver's algorithm with the rounds of a core */
static const struct test_alg *alg_named(const char *name)
{
	unsigned int i;

	for (i = 0; i < STREAM_DRIVERS; i++)
		if (!strcmp(test_drivers.all[i].alg->name, name))
			return test_drivers.all[i].alg;
	return NULL;
}

static void check_core_carry(struct kunit *test, const struct stream_carry *c,
			     unsigned int earlier, u8 *out, unsigned int len)
{
	const struct test_core *core = test->param_value;
	const struct test_alg *alg = alg_named(c->alg);
	const u8 *got = out + earlier * STREAM_BLOCK_BYTES + c->offset;
	u64 counter = 15ULL - earlier;
	struct stream_state state;
	u8 key[STREAM_MAX_KEY];

	count_key(key);
	stream_oracle_init(alg, &state, key, sizeof(key), (const u8 *)c->iv);
	if (core->chacha) {
		state.word[CHACHA_COUNTER] = counter;
	} else {
		state.word[SALSA_COUNTER_LO] = counter;
		state.word[SALSA_COUNTER_HI] = counter >> 32;
	}
	memset(out, 0, len);
	stream_core_xor(core, &state, out, out, len, alg->rounds);
	KUNIT_ASSERT_TRUE_MSG(test, !memcmp(got, c->want, 8),
			      "%s, %s: block %u, length %u: %*ph", core->name,
			      c->alg, earlier, len, 8, got);
}

/* The same at every place of a batch of Salsa20 too, which the API cannot */
static void core_carry_out_of_the_lane(struct kunit *test)
{
	const struct test_core *core = test->param_value;
	const struct stream_carry *c = stream_carries;
	u8 *out = kunit_kzalloc(test, 80 * STREAM_BLOCK_BYTES, GFP_KERNEL);
	unsigned int earlier, blocks;

	KUNIT_ASSERT_NOT_NULL(test, out);
	for (; c < stream_carries + ARRAY_SIZE(stream_carries); c++) {
		if (alg_named(c->alg)->chacha != core->chacha)
			continue;
		for (earlier = 0; earlier < 70; earlier++)
			for (blocks = earlier + 1; blocks < earlier + 10; blocks++)
				check_core_carry(test, c, earlier, out, blocks *
						 STREAM_BLOCK_BYTES);
	}
}

/* ChaCha20's counter wraps, Salsa20's carries: 256 bytes from 0xfffffffe on */
static void core_counter_wrap(struct kunit *test)
{
	const struct test_core *core = test->param_value;
	const struct test_alg *alg =
		alg_named(core->chacha ? "chacha20" : "salsa20");
	struct stream_state state;
	u8 key[STREAM_MAX_KEY];
	u8 iv[16] = { };
	u8 out[256] = { };

	count_key(key);
	stream_oracle_init(alg, &state, key, sizeof(key), iv);
	state.word[core->chacha ? CHACHA_COUNTER : SALSA_COUNTER_LO] =
		0xfffffffe;
	stream_core_xor(core, &state, out, out, sizeof(out), 20);
	expect_digest(test, out, sizeof(out), core->chacha ?
		      chacha20_wrap_sha256 : salsa20_wrap_sha256);
}

/* Salsa20/8 as scrypt wants it: the state is the whole input block. */
static void salsa8_core(const struct test_core *core,
			const u8 in[STREAM_BLOCK_BYTES],
			u8 out[STREAM_BLOCK_BYTES])
{
	struct stream_state state;
	unsigned int i;

	for (i = 0; i < STREAM_STATE_WORDS; i++)
		*stream_salsa_word(&state, i) =
			in[4 * i] | in[4 * i + 1] << 8 |
			in[4 * i + 2] << 16 | (u32)in[4 * i + 3] << 24;
	memset(out, 0, STREAM_BLOCK_BYTES);
	stream_core_xor(core, &state, out, out, STREAM_BLOCK_BYTES, 8);
}

/* RFC 7914, section 8 */
static void scrypt_salsa8(struct kunit *test)
{
	u8 out[STREAM_BLOCK_BYTES];

	salsa8_core(test->param_value, salsa8_core_in, out);
	KUNIT_EXPECT_TRUE_MSG(test,
			      !memcmp(out, salsa8_core_out, sizeof(out)),
			      "%*phN", (int)sizeof(out), out);
}

/* RFC 7914, section 9: scryptBlockMix of section 4 with r = 1 */
static void scrypt_blockmix(struct kunit *test)
{
	u8 x[STREAM_BLOCK_BYTES], y[2][STREAM_BLOCK_BYTES];
	unsigned int i, j;

	memcpy(x, blockmix_in + STREAM_BLOCK_BYTES, sizeof(x));
	for (i = 0; i < 2; i++) {
		for (j = 0; j < STREAM_BLOCK_BYTES; j++)
			x[j] ^= blockmix_in[i * STREAM_BLOCK_BYTES + j];
		salsa8_core(test->param_value, x, y[i]);
		memcpy(x, y[i], sizeof(x));
	}
	KUNIT_EXPECT_TRUE_MSG(test, !memcmp(y, blockmix_out, sizeof(y)),
			      "%*phN", (int)sizeof(x), x);
}

static struct kunit_case driver_cases[] = {
	KUNIT_CASE_PARAM(vectors, driver_gen_params),
	KUNIT_CASE_PARAM(long_digest, driver_gen_params),
	KUNIT_CASE_PARAM(tails_digest, driver_gen_params),
	KUNIT_CASE_PARAM(carry_out_of_the_lane, driver_gen_params),
	{}
};

static struct kunit_suite driver_suite = {
	.name = "chacha_simd_vectors",
	.init = stream_test_init,
	.exit = stream_test_exit,
	.test_cases = driver_cases,
};

static struct kunit_case core_cases[] = {
	KUNIT_CASE_PARAM(core_carry_out_of_the_lane, core_gen_params),
	KUNIT_CASE_PARAM(core_counter_wrap, core_gen_params),
	KUNIT_CASE_PARAM(scrypt_salsa8, salsa_core_gen_params),
	KUNIT_CASE_PARAM(scrypt_blockmix, salsa_core_gen_params),
	{}
};

static struct kunit_suite core_suite = {
	.name = "chacha_simd_core_vectors",
	.init = stream_core_init,
	.test_cases = core_cases,
};

kunit_test_suites(&driver_suite, &core_suite);
