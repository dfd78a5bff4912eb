// SPDX-License-Identifier: GPL-2.0
/*
 * ChaCha and XChaCha for the crypto API.
 *
 *	cra_name			IV
 *	chacha20 chacha12 chacha8	32-bit block counter, 12-byte nonce
 *	xchacha20 xchacha12 xchacha8	24-byte nonce, 64-bit stream position
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

#define CHACHA_KEY_BYTES	32
#define CHACHA_IV_BYTES		16
#define XCHACHA_IV_BYTES	32

#define CHACHA_KEY		4	/* its first word in the state */

/* The constants and the key, as words 0..11; RFC 8439, section 2.3. */
static int chacha_set_key(struct stream_state *keyed, const u8 *key,
			  unsigned int keylen)
{
	unsigned int i;

	if (keylen != CHACHA_KEY_BYTES)
		return -EINVAL;
	keyed->word[0] = 0x61707865;	/* "expa" */
	keyed->word[1] = 0x3320646e;	/* "nd 3" */
	keyed->word[2] = 0x79622d32;	/* "2-by" */
	keyed->word[3] = 0x6b206574;	/* "te k" */
	for (i = 0; i < 8; i++)
		keyed->word[CHACHA_KEY + i] = get_unaligned_le32(key + 4 * i);
	return 0;
}

/* The IV is words 12..15 as they stand. */
static void chacha_start(struct stream_state *state,
			 const struct stream_state *keyed, const u8 *iv,
			 unsigned int rounds)
{
	unsigned int i;

	memcpy(state->word, keyed->word, 12 * sizeof(u32));
	for (i = 0; i < 4; i++)
		state->word[12 + i] = get_unaligned_le32(iv + 4 * i);
}

/*
 * draft-irtf-cfrg-xchacha-03, section 2.3, with the position in words 12 and
 * 13 as in the kernel.  The subkey is derived in scalar code: one block, which
 * is not worth a section of its own.  It is written straight to its place: a copy
 * in wide moves would have to wait for the narrow stores before it.
 */
static void xchacha_start(struct stream_state *state,
			  const struct stream_state *keyed, const u8 *iv,
			  unsigned int rounds)
{
	chacha_start(state, keyed, iv, rounds);
	hchacha_scalar(state, &state->word[CHACHA_KEY], rounds);
	state->word[12] = get_unaligned_le32(iv + 24);
	state->word[13] = get_unaligned_le32(iv + 28);
	state->word[14] = get_unaligned_le32(iv + 16);
	state->word[15] = get_unaligned_le32(iv + 20);
}

/*
 * The advanced counter goes back into the IV, as ctr(aes) does it, so that
 * AF_ALG's MSG_MORE continues the stream.  Adiantum uses the other bytes of its
 * IV after the call: only the counter may change.
 */
static int chacha_crypt(struct skcipher_request *req)
{
	struct stream_state state;
	int err;

	chacha_start(&state, stream_keyed(req), req->iv, 0);
	err = stream_simd_crypt(req, &state);
	if (!err)
		put_unaligned_le32(state.word[CHACHA_COUNTER], req->iv);
	stream_wipe(&state, sizeof(state));
	return err;
}

static int xchacha_crypt(struct skcipher_request *req)
{
	struct stream_state state;
	int err;

	xchacha_start(&state, stream_keyed(req), req->iv,
		      stream_driver(req)->algorithm->rounds);
	err = stream_simd_crypt(req, &state);
	if (!err)
		put_unaligned_le32(state.word[CHACHA_COUNTER], req->iv + 24);
	stream_wipe(&state, sizeof(state));
	return err;
}

const struct stream_cores chacha_cores = STREAM_CORES(chacha);

CHACHA_SIMD_EXPORT_FOR_KUNIT(chacha_cores);

#define ALGORITHM(n, start_fn, answer) {	\
	.rounds		= (n),			\
	.cores		= &chacha_cores,	\
	.known_answer	= (answer),		\
	.setkey		= chacha_set_key,	\
	.start		= (start_fn),		\
}

static const struct stream_algorithm
	chacha20 = ALGORITHM(20, chacha_start, 0xf5e8d1ca64a5ad28),
	chacha12 = ALGORITHM(12, chacha_start, 0xdd464d89fb1413e8),
	chacha8 = ALGORITHM(8, chacha_start, 0x83c40b5e92d70ef6),
	xchacha20 = ALGORITHM(20, xchacha_start, 0xdfca910ff52b3444),
	xchacha12 = ALGORITHM(12, xchacha_start, 0x8359a05c3e7c4fcb),
	xchacha8 = ALGORITHM(8, xchacha_start, 0x85a5cf37c1f9f8d8);

#define CHACHA(driver_name, alg_name, isa_id, alg)	\
	STREAM_DRIVER(driver_name, alg_name, isa_id, alg, \
		      .min_keysize = CHACHA_KEY_BYTES,	\
		      .ivsize = CHACHA_IV_BYTES,	\
		      .encrypt = chacha_crypt,		\
		      .decrypt = chacha_crypt)

#define XCHACHA(driver_name, alg_name, isa_id, alg)	\
	STREAM_DRIVER(driver_name, alg_name, isa_id, alg, \
		      .min_keysize = CHACHA_KEY_BYTES,	\
		      .ivsize = XCHACHA_IV_BYTES,	\
		      .encrypt = xchacha_crypt,		\
		      .decrypt = xchacha_crypt)

static struct stream_driver drivers[] = {
	CHACHA("chacha20-avx512", "chacha20", STREAM_AVX512, &chacha20),
	CHACHA("chacha20-avx512vl", "chacha20", STREAM_AVX512VL, &chacha20),
	CHACHA("chacha20-avx2", "chacha20", STREAM_AVX2, &chacha20),
	CHACHA("chacha20-ssse3", "chacha20", STREAM_SSSE3, &chacha20),
	CHACHA("chacha20-sse2", "chacha20", STREAM_SSE2, &chacha20),
	CHACHA("chacha20-scalar", "chacha20", STREAM_SCALAR, &chacha20),
	CHACHA("chacha12-avx512", "chacha12", STREAM_AVX512, &chacha12),
	CHACHA("chacha12-avx512vl", "chacha12", STREAM_AVX512VL, &chacha12),
	CHACHA("chacha12-avx2", "chacha12", STREAM_AVX2, &chacha12),
	CHACHA("chacha12-ssse3", "chacha12", STREAM_SSSE3, &chacha12),
	CHACHA("chacha12-sse2", "chacha12", STREAM_SSE2, &chacha12),
	CHACHA("chacha12-scalar", "chacha12", STREAM_SCALAR, &chacha12),
	CHACHA("chacha8-avx512", "chacha8", STREAM_AVX512, &chacha8),
	CHACHA("chacha8-avx512vl", "chacha8", STREAM_AVX512VL, &chacha8),
	CHACHA("chacha8-avx2", "chacha8", STREAM_AVX2, &chacha8),
	CHACHA("chacha8-ssse3", "chacha8", STREAM_SSSE3, &chacha8),
	CHACHA("chacha8-sse2", "chacha8", STREAM_SSE2, &chacha8),
	CHACHA("chacha8-scalar", "chacha8", STREAM_SCALAR, &chacha8),
	XCHACHA("xchacha20-avx512", "xchacha20", STREAM_AVX512, &xchacha20),
	XCHACHA("xchacha20-avx512vl", "xchacha20", STREAM_AVX512VL, &xchacha20),
	XCHACHA("xchacha20-avx2", "xchacha20", STREAM_AVX2, &xchacha20),
	XCHACHA("xchacha20-ssse3", "xchacha20", STREAM_SSSE3, &xchacha20),
	XCHACHA("xchacha20-sse2", "xchacha20", STREAM_SSE2, &xchacha20),
	XCHACHA("xchacha20-scalar", "xchacha20", STREAM_SCALAR, &xchacha20),
	XCHACHA("xchacha12-avx512", "xchacha12", STREAM_AVX512, &xchacha12),
	XCHACHA("xchacha12-avx512vl", "xchacha12", STREAM_AVX512VL, &xchacha12),
	XCHACHA("xchacha12-avx2", "xchacha12", STREAM_AVX2, &xchacha12),
	XCHACHA("xchacha12-ssse3", "xchacha12", STREAM_SSSE3, &xchacha12),
	XCHACHA("xchacha12-sse2", "xchacha12", STREAM_SSE2, &xchacha12),
	XCHACHA("xchacha12-scalar", "xchacha12", STREAM_SCALAR, &xchacha12),
	XCHACHA("xchacha8-avx512", "xchacha8", STREAM_AVX512, &xchacha8),
	XCHACHA("xchacha8-avx512vl", "xchacha8", STREAM_AVX512VL, &xchacha8),
	XCHACHA("xchacha8-avx2", "xchacha8", STREAM_AVX2, &xchacha8),
	XCHACHA("xchacha8-ssse3", "xchacha8", STREAM_SSSE3, &xchacha8),
	XCHACHA("xchacha8-sse2", "xchacha8", STREAM_SSE2, &xchacha8),
	XCHACHA("xchacha8-scalar", "xchacha8", STREAM_SCALAR, &xchacha8),
};

const struct stream_cipher chacha_cipher = {
	.drivers = drivers,
	.count = ARRAY_SIZE(drivers),
};
