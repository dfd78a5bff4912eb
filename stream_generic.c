// SPDX-License-Identifier: GPL-2.0
/*
 * ChaCha and Salsa20 in plain C: the fallback wherever SIMD may not be used,
 * the code for messages that are too short for an FPU section, and the oracle
 * that the tests hold the vector code against.
 *
 * Sources: RFC 8439 (ChaCha20), draft-irtf-cfrg-xchacha-03 (HChaCha20),
 * D. J. Bernstein, "The Salsa20 family of stream ciphers" and "Extending the
 * Salsa20 nonce" (HSalsa20).
 *
 * Deliberately absent: lanes.h and every other trick of the vector code.
 */
#include "stream_simd.h"

#define UNROLL	_Pragma("GCC unroll 16")

typedef void (*stream_block_fn)(struct stream_state *state, u8 *dst,
				const u8 *src, unsigned int rounds);

static inline u32 rotl(u32 x, unsigned int n)
{
	return x << n | x >> (32 - n);
}

/* GCC makes a single load and a single store of these. */
static inline u32 load_le32(const u8 *p)
{
	return p[0] | p[1] << 8 | p[2] << 16 | (u32)p[3] << 24;
}

static inline void store_le32(u8 *p, u32 x)
{
	p[0] = x;
	p[1] = x >> 8;
	p[2] = x >> 16;
	p[3] = x >> 24;
}

static inline void xor_word(u8 *dst, const u8 *src, unsigned int i, u32 x)
{
	store_le32(dst + 4 * i, load_le32(src + 4 * i) ^ x);
}

/* RFC 8439, section 2.1 */
#define CHACHA_QUARTER(a, b, c, d) do {	\
	a += b; d = rotl(d ^ a, 16);	\
	c += d; b = rotl(b ^ c, 12);	\
	a += b; d = rotl(d ^ a, 8);	\
	c += d; b = rotl(b ^ c, 7);	\
} while (0)

/* The rounds without the final addition, x in the order of RFC 8439. */
static inline void chacha_permute(u32 x[16], unsigned int rounds)
{
	for (; rounds; rounds -= 2) {
		CHACHA_QUARTER(x[0], x[4], x[8], x[12]);
		CHACHA_QUARTER(x[1], x[5], x[9], x[13]);
		CHACHA_QUARTER(x[2], x[6], x[10], x[14]);
		CHACHA_QUARTER(x[3], x[7], x[11], x[15]);

		CHACHA_QUARTER(x[0], x[5], x[10], x[15]);
		CHACHA_QUARTER(x[1], x[6], x[11], x[12]);
		CHACHA_QUARTER(x[2], x[7], x[8], x[13]);
		CHACHA_QUARTER(x[3], x[4], x[9], x[14]);
	}
}

/* Salsa20 specification, section 3 */
#define SALSA_QUARTER(a, b, c, d) do {	\
	b ^= rotl(a + d, 7);		\
	c ^= rotl(b + a, 9);		\
	d ^= rotl(c + b, 13);		\
	a ^= rotl(d + c, 18);		\
} while (0)

/* The rounds without the final addition, x in the specification's order. */
static inline void salsa_permute(u32 x[16], unsigned int rounds)
{
	for (; rounds; rounds -= 2) {
		SALSA_QUARTER(x[0], x[4], x[8], x[12]);
		SALSA_QUARTER(x[5], x[9], x[13], x[1]);
		SALSA_QUARTER(x[10], x[14], x[2], x[6]);
		SALSA_QUARTER(x[15], x[3], x[7], x[11]);

		SALSA_QUARTER(x[0], x[1], x[2], x[3]);
		SALSA_QUARTER(x[5], x[6], x[7], x[4]);
		SALSA_QUARTER(x[10], x[11], x[8], x[9]);
		SALSA_QUARTER(x[15], x[12], x[13], x[14]);
	}
}

/*
 * One block, message to result.  x stays in registers, for want of which a
 * round trip through memory cost a fifth of the speed; hence the unrolling.
 */
static void chacha_block(struct stream_state *state, u8 *dst, const u8 *src,
			 unsigned int rounds)
{
	u32 x[STREAM_STATE_WORDS];
	unsigned int i;

	UNROLL
	for (i = 0; i < 16; i++)
		x[i] = state->word[i];
	chacha_permute(x, rounds);
	UNROLL
	for (i = 0; i < 16; i++)
		xor_word(dst, src, i, x[i] + state->word[i]);
	state->word[CHACHA_COUNTER]++;
}

static void salsa_block(struct stream_state *state, u8 *dst, const u8 *src,
			unsigned int rounds)
{
	u32 x[STREAM_STATE_WORDS];
	unsigned int i;

	UNROLL
	for (i = 0; i < 16; i++)
		x[i] = state->word[salsa_index(i)];
	salsa_permute(x, rounds);
	UNROLL
	for (i = 0; i < 16; i++)
		xor_word(dst, src, i, x[i] + state->word[salsa_index(i)]);
	salsa_advance(state, 1);
}

static inline void stream_xor(struct stream_state *state, u8 *dst,
			      const u8 *src, size_t bytes, unsigned int rounds,
			      stream_block_fn block)
{
	u8 last[STREAM_BLOCK_BYTES];

	for (; bytes >= STREAM_BLOCK_BYTES; bytes -= STREAM_BLOCK_BYTES) {
		block(state, dst, src, rounds);
		dst += STREAM_BLOCK_BYTES;
		src += STREAM_BLOCK_BYTES;
	}
	if (bytes) {
		__builtin_memcpy(last, src, bytes);
		block(state, last, last, rounds);
		__builtin_memcpy(dst, last, bytes);
		stream_wipe(last, sizeof(last));
	}
}

/**
 * chacha_simd_xor_scalar() - stream_xor_fn of ChaCha in general registers
 * @state: input block, its counter is advanced
 * @dst: result
 * @src: message
 * @bytes: length of the message
 * @rounds: 20, 12 or 8
 *
 * Context: any.  RFC 8439, section 2.4.
 */
void chacha_simd_xor_scalar(struct stream_state *state, u8 *dst, const u8 *src,
			    size_t bytes, unsigned int rounds)
{
	stream_xor(state, dst, src, bytes, rounds, chacha_block);
}

/**
 * salsa_simd_xor_scalar() - stream_xor_fn of Salsa20 in general registers
 * @state: input block, its counter is advanced
 * @dst: result
 * @src: message
 * @bytes: length of the message
 * @rounds: 20, 12 or 8
 *
 * Context: any.  Salsa20 specification, section 10.
 */
void salsa_simd_xor_scalar(struct stream_state *state, u8 *dst, const u8 *src,
			   size_t bytes, unsigned int rounds)
{
	stream_xor(state, dst, src, bytes, rounds, salsa_block);
}

/**
 * stream_simd_mix_scalar() - stream_mix_fn in general registers
 * @dst: result
 * @src: message
 * @keystream: keystream
 * @bytes: length of all three
 *
 * Context: any.
 */
void stream_simd_mix_scalar(u8 *dst, const u8 *src, const u8 *keystream,
			    size_t bytes)
{
	size_t i;

	for (i = 0; i < bytes; i++)
		dst[i] = src[i] ^ keystream[i];
}

/**
 * chacha_simd_hash() - HChaCha, XChaCha's derivation of a subkey
 * @state: the block with the key and the first 16 nonce bytes as words 12..15
 * @subkey: result, words 0..3 and 12..15 after the rounds
 * @rounds: 20, 12 or 8
 *
 * Context: any.  draft-irtf-cfrg-xchacha-03, section 2.2.  The caller wipes
 * @state and @subkey.
 */
void chacha_simd_hash(const struct stream_state *state, u32 subkey[8],
		      unsigned int rounds)
{
	u32 x[STREAM_STATE_WORDS];
	unsigned int i;

	for (i = 0; i < 16; i++)
		x[i] = state->word[i];
	chacha_permute(x, rounds);
	for (i = 0; i < 4; i++) {
		subkey[i] = x[i];
		subkey[i + 4] = x[i + 12];
	}
	stream_wipe(x, sizeof(x));
}

/**
 * salsa_simd_hash() - HSalsa20, XSalsa20's derivation of a subkey
 * @state: the block with the key and the first 16 nonce bytes as the
 *	   specification's words 6..9
 * @subkey: result, words 0, 5, 10, 15 and 6..9 after the rounds
 * @rounds: 20
 *
 * Context: any.  "Extending the Salsa20 nonce", section 2.  The caller wipes
 * @state and @subkey.
 */
void salsa_simd_hash(const struct stream_state *state, u32 subkey[8],
		     unsigned int rounds)
{
	u32 x[STREAM_STATE_WORDS];
	unsigned int i;

	for (i = 0; i < 16; i++)
		x[i] = state->word[salsa_index(i)];
	salsa_permute(x, rounds);
	for (i = 0; i < 4; i++) {
		subkey[i] = x[5 * i];
		subkey[i + 4] = x[i + 6];
	}
	stream_wipe(x, sizeof(x));
}
