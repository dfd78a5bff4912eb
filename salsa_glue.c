// SPDX-License-Identifier: GPL-2.0
/*
 * Salsa20 and XSalsa20 for the crypto API.
 *
 *	cra_name		key		IV
 *	salsa20 salsa12 salsa8	16 or 32 bytes	8-byte nonce
 *	xsalsa20		32 bytes	24-byte nonce
 *
 * The counter is not in the IV: it starts at 0, and where the kernel can
 * continue a message in a further request (6.8 and later), it is exported and
 * imported, together with the IV.
 *
 * Deliberately absent: rounds (the cores), scatterlists (stream_glue.c),
 * registration (module.c).
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/string.h>
#include "compat.h"
#include "glue.h"

#define SALSA_KEY_BYTES		32
#define SALSA_SHORT_KEY_BYTES	16
#define SALSA_IV_BYTES		8
#define XSALSA_IV_BYTES		24

/* Word i of the Salsa20 specification. */
static u32 *salsa_word(struct stream_state *state, unsigned int i)
{
	return &state->word[salsa_index(i)];
}

/*
 * Salsa20 specification, section 9: the constant in words 0, 5, 10 and 15, the
 * key in words 1..4 and 11..14; a key of 16 bytes twice, with a constant of
 * its own.
 */
static int salsa_set_key(struct stream_state *keyed, const u8 *key,
			 unsigned int keylen)
{
	const bool whole = keylen == SALSA_KEY_BYTES;
	unsigned int i;

	if (!whole && keylen != SALSA_SHORT_KEY_BYTES)
		return -EINVAL;
	*salsa_word(keyed, 0) = 0x61707865;			/* "expa" */
	*salsa_word(keyed, 5) = whole ? 0x3320646e : 0x3120646e; /* "nd 3", "nd 1" */
	*salsa_word(keyed, 10) = whole ? 0x79622d32 : 0x79622d36; /* "2-by", "6-by" */
	*salsa_word(keyed, 15) = 0x6b206574;			/* "te k" */
	for (i = 0; i < 4; i++) {
		*salsa_word(keyed, 1 + i) = get_unaligned_le32(key + 4 * i);
		*salsa_word(keyed, 11 + i) =
			get_unaligned_le32(key + keylen - 16 + 4 * i);
	}
	return 0;
}

static void salsa_set_nonce(struct stream_state *state, const u8 *nonce)
{
	*salsa_word(state, 6) = get_unaligned_le32(nonce);
	*salsa_word(state, 7) = get_unaligned_le32(nonce + 4);
	state->word[SALSA_COUNTER_LO] = 0;
	state->word[SALSA_COUNTER_HI] = 0;
}

static void salsa_start(struct stream_state *state,
			const struct stream_state *keyed, const u8 *iv,
			unsigned int rounds)
{
	*state = *keyed;
	salsa_set_nonce(state, iv);
}

/* "Extending the Salsa20 nonce", section 2; in scalar code, as XChaCha's. */
static void xsalsa_start(struct stream_state *state,
			 const struct stream_state *keyed, const u8 *iv,
			 unsigned int rounds)
{
	u32 subkey[8];
	unsigned int i;

	*state = *keyed;
	for (i = 0; i < 4; i++)
		*salsa_word(state, 6 + i) = get_unaligned_le32(iv + 4 * i);
	hsalsa_scalar(state, subkey, rounds);
	for (i = 0; i < 4; i++) {
		*salsa_word(state, 1 + i) = subkey[i];
		*salsa_word(state, 11 + i) = subkey[4 + i];
	}
	stream_wipe(subkey, sizeof(subkey));
	salsa_set_nonce(state, iv + 16);
}

#ifdef CRYPTO_SKCIPHER_REQ_CONT
/*
 * Where a stream has got to, in the request's context: the counter of the block
 * to come, and the IV that it belongs to.
 */
struct salsa_position {
	u64 counter;
	u8 iv[XSALSA_IV_BYTES];
};

/*
 * AF_ALG also says "continue" when a new IV has come since.  That one begins a
 * stream of its own; the same IV again cannot be told from a continuation.
 */
static void salsa_continue(struct skcipher_request *req,
			   struct stream_state *state)
{
	const struct salsa_position *position = skcipher_request_ctx(req);
	struct crypto_skcipher *tfm = crypto_skcipher_reqtfm(req);

	if (!(req->base.flags & CRYPTO_SKCIPHER_REQ_CONT) ||
	    memcmp(position->iv, req->iv, crypto_skcipher_ivsize(tfm)))
		return;
	state->word[SALSA_COUNTER_LO] = position->counter;
	state->word[SALSA_COUNTER_HI] = position->counter >> 32;
}

static void salsa_save(struct skcipher_request *req,
		       const struct stream_state *state)
{
	struct salsa_position *position = skcipher_request_ctx(req);
	struct crypto_skcipher *tfm = crypto_skcipher_reqtfm(req);

	memset(position, 0, sizeof(*position));
	position->counter = state->word[SALSA_COUNTER_LO] |
			    (u64)state->word[SALSA_COUNTER_HI] << 32;
	memcpy(position->iv, req->iv, crypto_skcipher_ivsize(tfm));
}

static int salsa_export(struct skcipher_request *req, void *out)
{
	memcpy(out, skcipher_request_ctx(req), sizeof(struct salsa_position));
	return 0;
}

static int salsa_import(struct skcipher_request *req, const void *in)
{
	memcpy(skcipher_request_ctx(req), in, sizeof(struct salsa_position));
	return 0;
}

static int salsa_init_tfm(struct crypto_skcipher *tfm)
{
	crypto_skcipher_set_reqsize(tfm, sizeof(struct salsa_position));
	return 0;
}

#define SALSA_POSITION						\
	.init		= salsa_init_tfm,			\
	.statesize	= sizeof(struct salsa_position),	\
	.export		= salsa_export,				\
	.import		= salsa_import,
#else
static void salsa_continue(struct skcipher_request *req,
			   struct stream_state *state)
{
}

static void salsa_save(struct skcipher_request *req,
		       const struct stream_state *state)
{
}

#define SALSA_POSITION
#endif

/* The rest of a request whose first input block stands in the state. */
static int salsa_crypt_from(struct skcipher_request *req,
			    struct stream_state *state)
{
	int err;

	salsa_continue(req, state);
	err = stream_simd_crypt(req, state);
	if (!err)
		salsa_save(req, state);
	stream_wipe(state, sizeof(*state));
	return err;
}

static int salsa_crypt(struct skcipher_request *req)
{
	struct stream_state state;

	salsa_start(&state, stream_keyed(req), req->iv, 0);
	return salsa_crypt_from(req, &state);
}

static int xsalsa_crypt(struct skcipher_request *req)
{
	struct stream_state state;

	xsalsa_start(&state, stream_keyed(req), req->iv,
		     stream_driver(req)->algorithm->rounds);
	return salsa_crypt_from(req, &state);
}

const struct stream_cores salsa_cores = STREAM_CORES(salsa);

CHACHA_SIMD_EXPORT_FOR_KUNIT(salsa_cores);

#define ALGORITHM(n, start_fn, answer) {	\
	.rounds		= (n),			\
	.cores		= &salsa_cores,		\
	.known_answer	= (answer),		\
	.setkey		= salsa_set_key,	\
	.start		= (start_fn),		\
}

static const struct stream_algorithm
	salsa20 = ALGORITHM(20, salsa_start, 0xc5f04b7e083f9eda),
	salsa12 = ALGORITHM(12, salsa_start, 0x06f7cb361be8534d),
	salsa8 = ALGORITHM(8, salsa_start, 0x9f8d3b691938b08f),
	xsalsa20 = ALGORITHM(20, xsalsa_start, 0x079635cd512ff468);

#define SALSA(driver_name, alg_name, isa_id, alg)	\
	STREAM_DRIVER(driver_name, alg_name, isa_id, alg, \
		      SALSA_POSITION			\
		      .min_keysize = SALSA_SHORT_KEY_BYTES, \
		      .ivsize = SALSA_IV_BYTES,		\
		      .encrypt = salsa_crypt,		\
		      .decrypt = salsa_crypt)

#define XSALSA(driver_name, alg_name, isa_id, alg)	\
	STREAM_DRIVER(driver_name, alg_name, isa_id, alg, \
		      SALSA_POSITION			\
		      .min_keysize = SALSA_KEY_BYTES,	\
		      .ivsize = XSALSA_IV_BYTES,	\
		      .encrypt = xsalsa_crypt,		\
		      .decrypt = xsalsa_crypt)

static struct stream_driver drivers[] = {
	SALSA("salsa20-avx512", "salsa20", STREAM_AVX512, &salsa20),
	SALSA("salsa20-avx512vl", "salsa20", STREAM_AVX512VL, &salsa20),
	SALSA("salsa20-avx2", "salsa20", STREAM_AVX2, &salsa20),
	SALSA("salsa20-ssse3", "salsa20", STREAM_SSSE3, &salsa20),
	SALSA("salsa20-sse2", "salsa20", STREAM_SSE2, &salsa20),
	SALSA("salsa20-scalar", "salsa20", STREAM_SCALAR, &salsa20),
	SALSA("salsa12-avx512", "salsa12", STREAM_AVX512, &salsa12),
	SALSA("salsa12-avx512vl", "salsa12", STREAM_AVX512VL, &salsa12),
	SALSA("salsa12-avx2", "salsa12", STREAM_AVX2, &salsa12),
	SALSA("salsa12-ssse3", "salsa12", STREAM_SSSE3, &salsa12),
	SALSA("salsa12-sse2", "salsa12", STREAM_SSE2, &salsa12),
	SALSA("salsa12-scalar", "salsa12", STREAM_SCALAR, &salsa12),
	SALSA("salsa8-avx512", "salsa8", STREAM_AVX512, &salsa8),
	SALSA("salsa8-avx512vl", "salsa8", STREAM_AVX512VL, &salsa8),
	SALSA("salsa8-avx2", "salsa8", STREAM_AVX2, &salsa8),
	SALSA("salsa8-ssse3", "salsa8", STREAM_SSSE3, &salsa8),
	SALSA("salsa8-sse2", "salsa8", STREAM_SSE2, &salsa8),
	SALSA("salsa8-scalar", "salsa8", STREAM_SCALAR, &salsa8),
	XSALSA("xsalsa20-avx512", "xsalsa20", STREAM_AVX512, &xsalsa20),
	XSALSA("xsalsa20-avx512vl", "xsalsa20", STREAM_AVX512VL, &xsalsa20),
	XSALSA("xsalsa20-avx2", "xsalsa20", STREAM_AVX2, &xsalsa20),
	XSALSA("xsalsa20-ssse3", "xsalsa20", STREAM_SSSE3, &xsalsa20),
	XSALSA("xsalsa20-sse2", "xsalsa20", STREAM_SSE2, &xsalsa20),
	XSALSA("xsalsa20-scalar", "xsalsa20", STREAM_SCALAR, &xsalsa20),
};

const struct stream_cipher salsa_cipher = {
	.drivers = drivers,
	.count = ARRAY_SIZE(drivers),
};
