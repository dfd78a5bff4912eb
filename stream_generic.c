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

#define for_each_unrolled(i, n) \
	_Pragma("GCC unroll 16") for ((i) = 0; (i) < (n); (i)++)

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

/*
 * The quarter rounds of a round go side by side, step by step, and not one
 * after the other: their results are waited for less (8 % on Zen 4).  In this
 * order, 2, 1, 0, 3, because what GCC 12 has to spill it then spills where it
 * is waited for least (10 % for ChaCha, 17 % for Salsa20, over 0, 1, 2, 3).
 */
static inline unsigned int nth_quarter(unsigned int n)
{
	return (6 - n) % 4;
}

/*
 * Overwrites the stack below the caller: what the compiler spilled in the
 * functions that have run there is key, state and keystream.  So whatever has
 * these in its variables is a function of its own, and its caller has none.
 */
static noinline void wipe_stack(void)
{
	u64 frame[48];

	stream_wipe(frame, sizeof(frame));
}

enum { A, B, C, D };

/* RFC 8439, section 2.3: the word of a role, in column or diagonal i. */
static inline unsigned int chacha_at(unsigned int role, unsigned int i,
				     unsigned int diagonal)
{
	return 4 * role + (i + diagonal * role) % 4;
}

/* RFC 8439, section 2.1: a += b, d = (d ^ a) <<< n. */
static inline void chacha_step(u32 x[16], unsigned int diagonal,
			       unsigned int a, unsigned int b, unsigned int d,
			       unsigned int n)
{
	unsigned int nth;

	for_each_unrolled(nth, 4) {
		unsigned int i = nth_quarter(nth);
		u32 *sum = &x[chacha_at(a, i, diagonal)];
		u32 *target = &x[chacha_at(d, i, diagonal)];

		*sum += x[chacha_at(b, i, diagonal)];
		*target = rotl(*target ^ *sum, n);
	}
}

static inline void chacha_round(u32 x[16], unsigned int diagonal)
{
	chacha_step(x, diagonal, A, B, D, 16);
	chacha_step(x, diagonal, C, D, B, 12);
	chacha_step(x, diagonal, A, B, D, 8);
	chacha_step(x, diagonal, C, D, B, 7);
}

/* The rounds without the final addition, x in the order of RFC 8439. */
static inline void chacha_permute(u32 x[16], unsigned int rounds)
{
	for (; rounds; rounds -= 2) {
		chacha_round(x, 0);
		chacha_round(x, 1);
	}
}

/* Salsa20 specification, sections 4 and 5: the same, in column or row i. */
static inline unsigned int salsa_at(unsigned int role, unsigned int i,
				    unsigned int row)
{
	if (row)
		return 4 * i + (i + role) % 4;
	return (5 * i + 4 * role) % 16;
}

/* Salsa20 specification, section 3: d ^= (a + b) <<< n. */
static inline void salsa_step(u32 x[16], unsigned int row, unsigned int d,
			      unsigned int a, unsigned int b, unsigned int n)
{
	unsigned int nth;

	for_each_unrolled(nth, 4) {
		unsigned int i = nth_quarter(nth);

		x[salsa_at(d, i, row)] ^= rotl(x[salsa_at(a, i, row)] +
					       x[salsa_at(b, i, row)], n);
	}
}

static inline void salsa_round(u32 x[16], unsigned int row)
{
	salsa_step(x, row, B, A, D, 7);
	salsa_step(x, row, C, B, A, 9);
	salsa_step(x, row, D, C, B, 13);
	salsa_step(x, row, A, D, C, 18);
}

/* The rounds without the final addition, x in the specification's order. */
static inline void salsa_permute(u32 x[16], unsigned int rounds)
{
	for (; rounds; rounds -= 2) {
		salsa_round(x, 0);
		salsa_round(x, 1);
	}
}

/*
 * Word i of a block, or as much of it as the message takes.  Returns whether
 * the message goes on.
 */
static inline bool xor_word(u8 *dst, const u8 *src, size_t bytes,
			    unsigned int i, u32 keystream)
{
	size_t at = i * sizeof(u32);

	if (bytes >= at + sizeof(u32)) {
		store_le32(dst + at, load_le32(src + at) ^ keystream);
		return true;
	}
	for (; at < bytes; at++, keystream >>= 8)
		dst[at] = src[at] ^ (u8)keystream;
	return false;
}

/*
 * One block, message to result, or less at the end of the message.  x stays in
 * registers, for want of which a round trip through memory cost a fifth of the
 * speed; hence the unrolling.
 */
static __always_inline void chacha_block(struct stream_state *state, u8 *dst,
					 const u8 *src, size_t bytes,
				unsigned int rounds)
{
	u32 x[STREAM_STATE_WORDS];
	unsigned int i;

	for_each_unrolled(i, 16)
		x[i] = state->word[i];
	chacha_permute(x, rounds);
	for_each_unrolled(i, 16) {
		if (!xor_word(dst, src, bytes, i, x[i] + state->word[i]))
			break;
	}
	state->word[CHACHA_COUNTER]++;
}

static __always_inline void salsa_block(struct stream_state *state, u8 *dst,
					const u8 *src, size_t bytes,
			       unsigned int rounds)
{
	u32 x[STREAM_STATE_WORDS];
	unsigned int i;

	for_each_unrolled(i, 16)
		x[i] = state->word[salsa_index(i)];
	salsa_permute(x, rounds);
	for_each_unrolled(i, 16) {
		if (!xor_word(dst, src, bytes, i,
			      x[i] + state->word[salsa_index(i)]))
			break;
	}
	salsa_advance(state, 1);
}

/*
 * A whole block does not count bytes, and a function of its own leaves all
 * registers to the rounds.
 */
static noinline void chacha_whole_block(struct stream_state *state, u8 *dst,
					const u8 *src, unsigned int rounds)
{
	chacha_block(state, dst, src, STREAM_BLOCK_BYTES, rounds);
}

static noinline void chacha_last_block(struct stream_state *state, u8 *dst,
				       const u8 *src, size_t bytes,
				       unsigned int rounds)
{
	chacha_block(state, dst, src, bytes, rounds);
}

/**
 * chacha_xor_scalar() - stream_xor_fn of ChaCha in general registers
 * @state: input block, its counter is advanced
 * @dst: result
 * @src: message
 * @bytes: length of the message
 * @rounds: 20, 12 or 8
 *
 * Context: any.  RFC 8439, section 2.4.
 */
void chacha_xor_scalar(struct stream_state *state, u8 *dst, const u8 *src,
		       size_t bytes, unsigned int rounds)
{
	for (; bytes >= STREAM_BLOCK_BYTES; bytes -= STREAM_BLOCK_BYTES) {
		chacha_whole_block(state, dst, src, rounds);
		dst += STREAM_BLOCK_BYTES;
		src += STREAM_BLOCK_BYTES;
	}
	if (bytes)
		chacha_last_block(state, dst, src, bytes, rounds);
	wipe_stack();
}

/*
 * A whole block does not count bytes, and a function of its own leaves all
 * registers to the rounds.
 */
static noinline void salsa_whole_block(struct stream_state *state, u8 *dst,
				       const u8 *src, unsigned int rounds)
{
	salsa_block(state, dst, src, STREAM_BLOCK_BYTES, rounds);
}

static noinline void salsa_last_block(struct stream_state *state, u8 *dst,
				      const u8 *src, size_t bytes,
				      unsigned int rounds)
{
	salsa_block(state, dst, src, bytes, rounds);
}

/**
 * salsa_xor_scalar() - stream_xor_fn of Salsa20 in general registers
 * @state: input block, its counter is advanced
 * @dst: result
 * @src: message
 * @bytes: length of the message
 * @rounds: 20, 12 or 8
 *
 * Context: any.  Salsa20 specification, section 10.
 */
void salsa_xor_scalar(struct stream_state *state, u8 *dst, const u8 *src,
		      size_t bytes, unsigned int rounds)
{
	for (; bytes >= STREAM_BLOCK_BYTES; bytes -= STREAM_BLOCK_BYTES) {
		salsa_whole_block(state, dst, src, rounds);
		dst += STREAM_BLOCK_BYTES;
		src += STREAM_BLOCK_BYTES;
	}
	if (bytes)
		salsa_last_block(state, dst, src, bytes, rounds);
	wipe_stack();
}

/**
 * keystream_xor_scalar() - keystream_xor_fn in general registers
 * @dst: result
 * @src: message
 * @keystream: keystream
 * @bytes: length of all three
 *
 * Context: any.
 */
void keystream_xor_scalar(u8 *dst, const u8 *src, const u8 *keystream,
			  size_t bytes)
{
	u64 x, k;

	for (; bytes >= sizeof(x); bytes -= sizeof(x)) {
		__builtin_memcpy(&x, src, sizeof(x));
		__builtin_memcpy(&k, keystream, sizeof(k));
		x ^= k;
		__builtin_memcpy(dst, &x, sizeof(x));
		dst += sizeof(x);
		src += sizeof(x);
		keystream += sizeof(x);
	}
	for (; bytes; bytes--)
		*dst++ = *src++ ^ *keystream++;
}

static noinline void hchacha_rounds(const struct stream_state *state,
				    u32 subkey[8], unsigned int rounds)
{
	u32 x[STREAM_STATE_WORDS];
	unsigned int i;

	for_each_unrolled(i, 16)
		x[i] = state->word[i];
	chacha_permute(x, rounds);
	for_each_unrolled(i, 4) {
		subkey[i] = x[i];
		subkey[i + 4] = x[i + 12];
	}
}

/**
 * hchacha_scalar() - HChaCha, XChaCha's derivation of a subkey
 * @state: the block with the key and the first 16 nonce bytes as words 12..15
 * @subkey: result, words 0..3 and 12..15 after the rounds; may be part of
 *	    @state
 * @rounds: 20, 12 or 8
 *
 * Context: any.  draft-irtf-cfrg-xchacha-03, section 2.2.  The caller wipes
 * @state and @subkey.
 */
void hchacha_scalar(const struct stream_state *state, u32 subkey[8],
		    unsigned int rounds)
{
	hchacha_rounds(state, subkey, rounds);
	wipe_stack();
}

static noinline void hsalsa_rounds(const struct stream_state *state,
				   u32 subkey[8], unsigned int rounds)
{
	u32 x[STREAM_STATE_WORDS];
	unsigned int i;

	for_each_unrolled(i, 16)
		x[i] = state->word[salsa_index(i)];
	salsa_permute(x, rounds);
	for_each_unrolled(i, 4) {
		subkey[i] = x[5 * i];
		subkey[i + 4] = x[i + 6];
	}
}

/**
 * hsalsa_scalar() - HSalsa20, XSalsa20's derivation of a subkey
 * @state: the block with the key and the first 16 nonce bytes as the
 *	   specification's words 6..9
 * @subkey: result, words 0, 5, 10, 15 and 6..9 after the rounds; may be part
 *	    of @state
 * @rounds: 20
 *
 * Context: any.  "Extending the Salsa20 nonce", section 2.  The caller wipes
 * @state and @subkey.
 */
void hsalsa_scalar(const struct stream_state *state, u32 subkey[8],
		   unsigned int rounds)
{
	hsalsa_rounds(state, subkey, rounds);
	wipe_stack();
}
