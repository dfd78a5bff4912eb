/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The contract between the glue and the cores of ChaCha and Salsa20.
 *
 * Above it: stream_core.c, which chooses among the cores, and the glue, which
 * owns the FPU sections and knows the crypto API.  Below it: stream_generic.c
 * (plain C, always usable) and chacha_simd.c, salsa_simd.c and xor_simd.c, each
 * compiled once for every instruction set (Kbuild).  The cores build unchanged
 * in user space.
 *
 * Deliberately absent: anything of the crypto API, any vector type.
 */
#ifndef STREAM_SIMD_H
#define STREAM_SIMD_H

#ifdef __KERNEL__
#include <linux/compiler.h>
#include <linux/types.h>
#else
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
#ifndef __always_inline
#define __always_inline	inline __attribute__((__always_inline__))
#endif
#define noinline	__attribute__((__noinline__))
#define __maybe_unused	__attribute__((__unused__))
#define __aligned(n)	__attribute__((__aligned__(n)))
#endif

enum {
	STREAM_BLOCK_BYTES = 64,
	STREAM_STATE_WORDS = 16,
};

/* The widest batch of any core: two states of sixteen lanes. */
#define STREAM_BATCH_BYTES	(2 * 16 * STREAM_BLOCK_BYTES)

/* The blocks that a length takes up, a partial last one counted whole. */
#define STREAM_BLOCKS(bytes) \
	(((bytes) + STREAM_BLOCK_BYTES - 1) / STREAM_BLOCK_BYTES)

/**
 * struct stream_state - input block of ChaCha or Salsa20
 * @word: the sixteen words of the block, in the order in which its cipher
 *	  starts a block without a shuffle:
 *
 *	  ChaCha: word i of RFC 8439, section 2.3.  The block counter is
 *	  word[12]; it wraps modulo 2^32 and never carries into word[13].
 *
 *	  Salsa20: word 5 * i mod 16 of the Salsa20 specification, section 8,
 *	  so that each run of four is a diagonal of the specification's matrix.
 *	  The block counter is 64 bits wide: low half word[SALSA_COUNTER_LO],
 *	  high half word[SALSA_COUNTER_HI].
 */
struct stream_state {
	u32 word[STREAM_STATE_WORDS];
};

enum {
	CHACHA_COUNTER = 12,
	SALSA_COUNTER_LO = 8,	/* word 8 of the specification */
	SALSA_COUNTER_HI = 5,	/* word 9 of the specification */
};

/* Where struct stream_state keeps word i of the Salsa20 specification. */
static inline unsigned int salsa_index(unsigned int i)
{
	return 13 * i % 16;	/* 13 is the inverse of 5 modulo 16 */
}

/* Advances the counter of ChaCha, which wraps and carries nowhere. */
static inline void chacha_advance(struct stream_state *state, u32 blocks)
{
	state->word[CHACHA_COUNTER] += blocks;
}

/* Advances the counter of Salsa20, which carries into its high half. */
static inline void salsa_advance(struct stream_state *state, u32 blocks)
{
	state->word[SALSA_COUNTER_LO] += blocks;
	if (state->word[SALSA_COUNTER_LO] < blocks)
		state->word[SALSA_COUNTER_HI]++;
}

/**
 * typedef stream_xor_fn - XOR a message with the keystream of a state
 * @state: input block; the function advances its counter by the blocks begun,
 *	   a partial last block counted whole
 * @dst: where the result goes, any alignment; equal to @src or disjoint of it
 * @src: the message, any alignment
 * @bytes: length of the message, may be 0; nothing beyond it is read or written
 * @rounds: 20, 12 or 8
 *
 * Context: any for the scalar functions, which touch general registers only.
 *	    The SIMD functions run between kernel_fpu_begin() and
 *	    kernel_fpu_end() on a CPU with their instruction set, and do not
 *	    sleep.
 *
 * The function wipes what it and the compiler have put on the stack.  The caller
 * owns @state and wipes it.
 */
typedef void (*stream_xor_fn)(struct stream_state *state, u8 *dst,
			      const u8 *src, size_t bytes, unsigned int rounds);

/**
 * typedef keystream_xor_fn - XOR a message with keystream made earlier
 * @dst: where the result goes, any alignment; equal to @src or disjoint of it
 * @src: the message, any alignment
 * @keystream: the keystream, any alignment
 * @bytes: length of all three, may be 0
 *
 * Context: as for stream_xor_fn.
 */
typedef void (*keystream_xor_fn)(u8 *dst, const u8 *src, const u8 *keystream,
				 size_t bytes);

/* stream_generic.c */
void chacha_xor_scalar(struct stream_state *state, u8 *dst, const u8 *src,
		       size_t bytes, unsigned int rounds);
void salsa_xor_scalar(struct stream_state *state, u8 *dst, const u8 *src,
		      size_t bytes, unsigned int rounds);
void keystream_xor_scalar(u8 *dst, const u8 *src, const u8 *keystream,
			  size_t bytes);
void hchacha_scalar(const struct stream_state *state, u32 subkey[8],
		    unsigned int rounds);
void hsalsa_scalar(const struct stream_state *state, u32 subkey[8],
		   unsigned int rounds);

/* chacha_simd.c, salsa_simd.c and xor_simd.c, once for each instruction set */
#define STREAM_DECLARE_CORES(isa)					\
void chacha_xor_##isa(struct stream_state *state, u8 *dst,		\
		      const u8 *src, size_t bytes, unsigned int rounds); \
void salsa_xor_##isa(struct stream_state *state, u8 *dst,		\
		     const u8 *src, size_t bytes, unsigned int rounds);	\
void keystream_xor_##isa(u8 *dst, const u8 *src, const u8 *keystream,	\
			 size_t bytes)

STREAM_DECLARE_CORES(sse2);
STREAM_DECLARE_CORES(ssse3);
STREAM_DECLARE_CORES(avx2);
STREAM_DECLARE_CORES(avx512vl);
STREAM_DECLARE_CORES(avx512);

/**
 * stream_wipe() - overwrite secrets in a way that the compiler keeps
 * @p: what to overwrite with zeroes
 * @bytes: its length
 */
static inline void stream_wipe(void *p, size_t bytes)
{
	__builtin_memset(p, 0, bytes);
	asm volatile("" : : "r" (p) : "memory");
}

#endif /* STREAM_SIMD_H */
