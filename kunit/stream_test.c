// SPDX-License-Identifier: GPL-2.0
/*
 * What the KUnit suites share: see stream_test.h.
 *
 * Deliberately absent: test cases.
 */
#include <linux/err.h>
#include <linux/module.h>
#include <linux/string.h>
#include "../compat.h"
#include "stream_test.h"

#define CHACHA_ALG(n, r) {					\
	.name = n, .rounds = (r), .ivsize = 16,			\
	.min_keysize = 32, .chacha = true,			\
}

#define XCHACHA_ALG(n, r) {					\
	.name = n, .rounds = (r), .ivsize = 32,			\
	.min_keysize = 32, .chacha = true,			\
	.extended = true, .counter = 24,			\
}

#define SALSA_ALG(n, r) {					\
	.name = n, .rounds = (r), .ivsize = 8,			\
	.min_keysize = 16,					\
}

static const struct test_alg chacha20 = CHACHA_ALG("chacha20", 20);
static const struct test_alg chacha12 = CHACHA_ALG("chacha12", 12);
static const struct test_alg chacha8 = CHACHA_ALG("chacha8", 8);
static const struct test_alg xchacha20 = XCHACHA_ALG("xchacha20", 20);
static const struct test_alg xchacha12 = XCHACHA_ALG("xchacha12", 12);
static const struct test_alg xchacha8 = XCHACHA_ALG("xchacha8", 8);
static const struct test_alg salsa20 = SALSA_ALG("salsa20", 20);
static const struct test_alg salsa12 = SALSA_ALG("salsa12", 12);
static const struct test_alg salsa8 = SALSA_ALG("salsa8", 8);
static const struct test_alg xsalsa20 = {
	.name = "xsalsa20", .rounds = 20, .ivsize = 24, .min_keysize = 32,
	.extended = true,
};

/* By the suffix of a driver's name. */
#define ISA_scalar	STREAM_SCALAR
#define ISA_sse2	STREAM_SSE2
#define ISA_ssse3	STREAM_SSSE3
#define ISA_avx2	STREAM_AVX2
#define ISA_avx512vl	STREAM_AVX512VL
#define ISA_avx512	STREAM_AVX512

#define DRIVER(alg, isa) { #alg "-" #isa, &(alg), ISA_##isa }

const union test_drivers test_drivers = {
	.all = {
		DRIVER(chacha20, scalar),
		DRIVER(chacha20, sse2),
		DRIVER(chacha20, ssse3),
		DRIVER(chacha20, avx2),
		DRIVER(chacha20, avx512vl),
		DRIVER(chacha20, avx512),
		DRIVER(xchacha20, scalar),
		DRIVER(xchacha20, sse2),
		DRIVER(xchacha20, ssse3),
		DRIVER(xchacha20, avx2),
		DRIVER(xchacha20, avx512vl),
		DRIVER(xchacha20, avx512),
		DRIVER(xchacha12, scalar),
		DRIVER(xchacha12, sse2),
		DRIVER(xchacha12, ssse3),
		DRIVER(xchacha12, avx2),
		DRIVER(xchacha12, avx512vl),
		DRIVER(xchacha12, avx512),
		DRIVER(chacha12, scalar),
		DRIVER(chacha12, sse2),
		DRIVER(chacha12, ssse3),
		DRIVER(chacha12, avx2),
		DRIVER(chacha12, avx512vl),
		DRIVER(chacha12, avx512),
		DRIVER(chacha8, scalar),
		DRIVER(chacha8, sse2),
		DRIVER(chacha8, ssse3),
		DRIVER(chacha8, avx2),
		DRIVER(chacha8, avx512vl),
		DRIVER(chacha8, avx512),
		DRIVER(xchacha8, scalar),
		DRIVER(xchacha8, sse2),
		DRIVER(xchacha8, ssse3),
		DRIVER(xchacha8, avx2),
		DRIVER(xchacha8, avx512vl),
		DRIVER(xchacha8, avx512),
		DRIVER(salsa20, scalar),
		DRIVER(salsa20, sse2),
		DRIVER(salsa20, ssse3),
		DRIVER(salsa20, avx2),
		DRIVER(salsa20, avx512vl),
		DRIVER(salsa20, avx512),
		DRIVER(salsa12, scalar),
		DRIVER(salsa12, sse2),
		DRIVER(salsa12, ssse3),
		DRIVER(salsa12, avx2),
		DRIVER(salsa12, avx512vl),
		DRIVER(salsa12, avx512),
		DRIVER(salsa8, scalar),
		DRIVER(salsa8, sse2),
		DRIVER(salsa8, ssse3),
		DRIVER(salsa8, avx2),
		DRIVER(salsa8, avx512vl),
		DRIVER(salsa8, avx512),
		DRIVER(xsalsa20, scalar),
		DRIVER(xsalsa20, sse2),
		DRIVER(xsalsa20, ssse3),
		DRIVER(xsalsa20, avx2),
		DRIVER(xsalsa20, avx512vl),
		DRIVER(xsalsa20, avx512),
	},
};

#define CORE(cipher, isa) { #cipher "-" #isa, ISA_##isa, false }
#define CHACHA_CORE(isa) { "chacha-" #isa, ISA_##isa, true }

const union test_cores test_cores = {
	.all = {
		CHACHA_CORE(scalar),
		CHACHA_CORE(sse2),
		CHACHA_CORE(ssse3),
		CHACHA_CORE(avx2),
		CHACHA_CORE(avx512vl),
		CHACHA_CORE(avx512),
		CORE(salsa, scalar),
		CORE(salsa, sse2),
		CORE(salsa, ssse3),
		CORE(salsa, avx2),
		CORE(salsa, avx512vl),
		CORE(salsa, avx512),
	},
};

const struct test_core test_mixes[] = {
	CORE(mix, scalar),
	CORE(mix, sse2),
	CORE(mix, ssse3),
	CORE(mix, avx2),
	CORE(mix, avx512vl),
	CORE(mix, avx512),
};

void stream_driver_desc(const struct test_driver *driver, char *desc)
{
	strscpy(desc, driver->name, KUNIT_PARAM_DESC_SIZE);
}

void stream_core_desc(const struct test_core *core, char *desc)
{
	strscpy(desc, core->name, KUNIT_PARAM_DESC_SIZE);
}

/* What this CPU cannot run is counted as skipped, never as passed. */
static void skip_unless_usable(struct kunit *test, enum stream_isa_id id)
{
	if (!stream_isas[id].usable)
		kunit_skip(test, "the CPU or the kernel lacks %s",
			   stream_isas[id].name);
}

static void open_driver(struct kunit *test, struct stream_test *t)
{
	const char *name = t->driver->name;

	t->tfm = crypto_alloc_skcipher(name, 0, 0);
	if (IS_ERR(t->tfm)) {
		long err = PTR_ERR(t->tfm);

		t->tfm = NULL;
		KUNIT_ASSERT_EQ_MSG(test, err, 0L, "%s cannot be had", name);
	}
	KUNIT_ASSERT_STREQ(test, name,
			   crypto_tfm_alg_driver_name(&t->tfm->base));
	t->req = skcipher_request_alloc(t->tfm, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, t->req);
}

static void fill_buffers(struct kunit *test, struct stream_test *t)
{
	const struct test_alg *alg = t->driver->alg;
	size_t room = STREAM_TEST_BYTES + 2 * STREAM_MARGIN;
	struct stream_state state;

	t->keystream = kunit_kzalloc(test, STREAM_TEST_BYTES, GFP_KERNEL);
	t->src = kunit_kzalloc(test, room, GFP_KERNEL);
	t->dst = kunit_kzalloc(test, room, GFP_KERNEL);
	KUNIT_ASSERT_TRUE(test, t->keystream && t->src && t->dst);

	prandom_seed_state(&t->rnd, 0x5eed);
	prandom_bytes_state(&t->rnd, t->key, sizeof(t->key));
	prandom_bytes_state(&t->rnd, t->iv, sizeof(t->iv));
	prandom_bytes_state(&t->rnd, t->src, room);
	stream_oracle_init(alg, &state, t->key, STREAM_MAX_KEY, t->iv);
	stream_oracle_xor(alg, &state, t->keystream, t->keystream,
			  STREAM_TEST_BYTES);
}

int stream_test_init(struct kunit *test)
{
	const struct test_driver *driver = test->param_value;
	struct stream_test *t;

	skip_unless_usable(test, driver->isa);
	t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, t);
	t->driver = driver;
	t->flags = CRYPTO_TFM_REQ_MAY_SLEEP;
	test->priv = t;
	open_driver(test, t);
	fill_buffers(test, t);
	stream_set_key(test, t->key, sizeof(t->key));
	return 0;
}

void stream_test_exit(struct kunit *test)
{
	struct stream_test *t = test->priv;

	if (!t)
		return;
	if (t->req)
		skcipher_request_free(t->req);
	if (t->tfm)
		crypto_free_skcipher(t->tfm);
}

int stream_core_init(struct kunit *test)
{
	const struct test_core *core = test->param_value;

	skip_unless_usable(test, core->isa);
	return 0;
}

void stream_set_key(struct kunit *test, const void *key, unsigned int keylen)
{
	struct stream_test *t = test->priv;

	KUNIT_ASSERT_EQ_MSG(test, crypto_skcipher_setkey(t->tfm, key, keylen),
			    0, "%s: key of %u bytes", t->driver->name, keylen);
}

int stream_crypt_sg(struct stream_test *t, struct scatterlist *dst,
		    struct scatterlist *src, unsigned int len, u8 *iv)
{
	skcipher_request_set_callback(t->req, t->flags, NULL, NULL);
	skcipher_request_set_crypt(t->req, src, dst, len, iv);
	return t->decrypt ? crypto_skcipher_decrypt(t->req) :
			    crypto_skcipher_encrypt(t->req);
}

/* A flat message; the IV that comes back is thrown away. */
int stream_crypt(struct stream_test *t, u8 *dst, const u8 *src,
		 unsigned int len, const u8 *iv)
{
	struct scatterlist in, out;
	u8 copy[STREAM_MAX_IV];

	memcpy(copy, iv, t->driver->alg->ivsize);
	sg_init_one(&in, src, len);
	if (src == dst)
		return stream_crypt_sg(t, &in, &in, len, copy);
	sg_init_one(&out, dst, len);
	return stream_crypt_sg(t, &out, &in, len, copy);
}

static u32 get_le32(const u8 *p)
{
	return p[0] | p[1] << 8 | p[2] << 16 | (u32)p[3] << 24;
}

/* Word @i of the Salsa20 specification in a state that is kept by diagonals */
u32 *stream_salsa_word(struct stream_state *state, unsigned int i)
{
	return &state->word[13 * i % 16];
}

static void chacha_state(struct stream_state *state, const u32 key[8],
			 const u8 *last16)
{
	static const u8 constant[] = "expand 32-byte k";
	unsigned int i;

	for (i = 0; i < 4; i++) {
		state->word[i] = get_le32(constant + 4 * i);
		state->word[i + 4] = key[i];
		state->word[i + 8] = key[i + 4];
		state->word[i + 12] = get_le32(last16 + 4 * i);
	}
}

static void salsa_state(struct stream_state *state, const u32 key[8],
			unsigned int keylen, const u8 *middle16)
{
	static const u8 sigma[] = "expand 32-byte k";
	static const u8 tau[] = "expand 16-byte k";
	const u8 *constant = keylen == 16 ? tau : sigma;
	unsigned int i;

	for (i = 0; i < 4; i++) {
		*stream_salsa_word(state, 5 * i) = get_le32(constant + 4 * i);
		*stream_salsa_word(state, i + 1) = key[i];
		*stream_salsa_word(state, i + 6) = get_le32(middle16 + 4 * i);
		*stream_salsa_word(state, i + 11) = key[keylen / 4 - 4 + i];
	}
}

/*
 * HChaCha or HSalsa20 out of the block function: taking the input away again
 * from a block of keystream undoes the final addition.
 */
static void oracle_hash(const struct test_alg *alg,
			struct stream_state *state, u32 subkey[8])
{
	static const u8 chacha[] = { 0, 1, 2, 3, 12, 13, 14, 15 };
	static const u8 salsa[] = { 0, 5, 10, 15, 6, 7, 8, 9 };
	u8 block[STREAM_BLOCK_BYTES] = { };
	struct stream_state in = *state;
	unsigned int i, word;
	u32 start;

	stream_oracle_xor(alg, state, block, block, sizeof(block));
	for (i = 0; i < 8; i++) {
		word = alg->chacha ? chacha[i] : salsa[i];
		start = alg->chacha ? in.word[word] :
				      *stream_salsa_word(&in, word);
		subkey[i] = get_le32(block + 4 * word) - start;
	}
}

/* The state at the start of a message, from the contract's table of IVs */
void stream_oracle_init(const struct test_alg *alg,
			struct stream_state *state, const u8 *key,
			unsigned int keylen, const u8 *iv)
{
	u8 last16[16] = { };
	u32 words[8];
	unsigned int i;

	for (i = 0; i < keylen / 4; i++)
		words[i] = get_le32(key + 4 * i);
	if (alg->extended) {
		if (alg->chacha)
			chacha_state(state, words, iv);
		else
			salsa_state(state, words, keylen, iv);
		oracle_hash(alg, state, words);
	}
	if (!alg->chacha) {
		memcpy(last16, iv + alg->ivsize - 8, 8);
		salsa_state(state, words, keylen, last16);
		return;
	}
	if (alg->extended) {
		memcpy(last16, iv + 24, 8);
		memcpy(last16 + 8, iv + 16, 8);
	} else {
		memcpy(last16, iv, 16);
	}
	chacha_state(state, words, last16);
}

const struct stream_cores *stream_cores_of(bool chacha)
{
	return chacha ? &chacha_cores : &salsa_cores;
}

void stream_oracle_xor(const struct test_alg *alg,
		       struct stream_state *state, u8 *dst, const u8 *src,
		       unsigned int len)
{
	stream_cores_of(alg->chacha)->xor[STREAM_SCALAR](state, dst, src, len,
							 alg->rounds);
}

void stream_core_xor(const struct test_core *core,
		     struct stream_state *state, u8 *dst, const u8 *src,
		     unsigned int len, unsigned int rounds)
{
	stream_xor_fn xor = stream_cores_of(core->chacha)->xor[core->isa];

	kernel_fpu_begin();
	xor(state, dst, src, len, rounds);
	kernel_fpu_end();
}

/* Where @out differs from @in XOR @keystream; @len if nowhere */
unsigned int stream_wrong(const u8 *out, const u8 *in, const u8 *keystream,
			  unsigned int len)
{
	unsigned int i = 0;
	u64 a, b, c;

	for (; i + sizeof(a) <= len; i += sizeof(a)) {
		memcpy(&a, out + i, sizeof(a));
		memcpy(&b, in + i, sizeof(b));
		memcpy(&c, keystream + i, sizeof(c));
		if (a != (b ^ c))
			break;
	}
	while (i < len && out[i] == (in[i] ^ keystream[i]))
		i++;
	return i;
}

bool stream_untouched(const u8 *area, size_t bytes)
{
	return !memchr_inv(area, STREAM_CANARY, bytes);
}

MODULE_DESCRIPTION("KUnit tests of chacha-simd");
MODULE_LICENSE("GPL");
CHACHA_SIMD_IMPORT_FOR_KUNIT;
