/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Vectors of 32-bit lanes, spelled the same at every width.
 *
 *	LANES	vector	built with		for
 *	4	xmm	-msse2			any x86-64 CPU
 *	4	xmm	-mssse3			since Core 2, Bulldozer and Bobcat
 *	8	ymm	-mavx2			since Haswell and Zen
 *	8	ymm	-mavx512f -mavx512vl	CPUs on which zmm slows the core
 *	16	zmm	-mavx512f -mavx512vl	since Sapphire Rapids and Zen 4
 *
 * LANES is the width of the text that includes this file; the instruction set
 * is whatever the compiler was told, asked for by its own macros.  The two are
 * independent: sixteen lanes build with AVX2's or SSE2's flags as well.
 *
 * A vector is also a row of QUADS quads of four lanes, 128 bits each.
 * Addition, exclusive or and comparison are the operators of the vector types.
 *
 * Deliberately absent: intrinsics, which drag user-space headers into a kernel
 * build; constants of a cipher; which vectors make up a batch (batch.h).
 */
#ifndef LANES_H
#define LANES_H

#include "stream_simd.h"

#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ < 12
#error "the vectors need __builtin_shufflevector: gcc 12 or later, or clang"
#endif

#define LANES_BYTES	(4 * LANES)
#define QUADS		(LANES / 4)

#ifdef __AVX512VL__
#define LANES_REGISTERS	32
#else
#define LANES_REGISTERS	16
#endif

/* The entry point's name, from the suffix that Kbuild gives: name_avx2. */
#define LANES_JOIN(name, isa)	name##_##isa
#define LANES_SUFFIX(name, isa)	LANES_JOIN(name, isa)
#define LANES_NAME(name)	LANES_SUFFIX(name, LANES_ISA)

/* A loop that has to be unrolled, or its arrays would not be registers. */
#define lanes_for_each(i, n) \
	_Pragma("GCC unroll 16") for ((i) = 0; (i) < (n); (i)++)

typedef u32 lanes __attribute__((vector_size(LANES_BYTES)));
typedef u32 lanes_unaligned
	__attribute__((vector_size(LANES_BYTES), may_alias)) __aligned(1);
typedef u8 lanes_u8 __attribute__((vector_size(LANES_BYTES)));
typedef u16 lanes_u16 __attribute__((vector_size(LANES_BYTES)));
typedef u64 lanes_u64 __attribute__((vector_size(LANES_BYTES)));

/*
 * Patterns for shuffles: a group of four numbers continued for the next three,
 * byte numbers of one lane and lane numbers of one quad continued for all,
 * halves of quads of two vectors.
 */
#define FOURFOLD(a, b, c, d)	a, b, c, d, a + 4, b + 4, c + 4, d + 4, \
	a + 8, b + 8, c + 8, d + 8, a + 12, b + 12, c + 12, d + 12
#if LANES == 4
#define BYTEWISE(a, b, c, d)	FOURFOLD(a, b, c, d)
#define QUADWISE(a, b, c, d)	a, b, c, d
#define HALVES(n)		n, n + 2
#elif LANES == 8
#define BYTEWISE(a, b, c, d)	FOURFOLD(a, b, c, d), \
	FOURFOLD(a + 16, b + 16, c + 16, d + 16)
#define QUADWISE(a, b, c, d)	a, b, c, d, a + 4, b + 4, c + 4, d + 4
#define HALVES(n)		n, n + 4, n + 2, n + 6
#elif LANES == 16
#define QUADWISE(a, b, c, d)	FOURFOLD(a, b, c, d)
#define HALVES(n)		n, n + 8, n + 2, n + 10, n + 4, n + 12, n + 6, n + 14
#else
#error "LANES is 4, 8 or 16"
#endif

/* In every quad, lanes a to d of x, or of y if LANES is added to the number. */
#define lanes_shuffle(x, y, a, b, c, d) \
	((lanes)__builtin_shufflevector(x, y, QUADWISE(a, b, c, d)))

/* The same word in every lane: vpbroadcastd; pshufd in SSE2. */
static __always_inline lanes lanes_splat(u32 word)
{
	const lanes zero = {};

	return word - zero;
}

#define QUAD_SPLAT(x, a) ((lanes)__builtin_shufflevector(x, x, \
	a, a + 1, a + 2, a + 3, a, a + 1, a + 2, a + 3, \
	a, a + 1, a + 2, a + 3, a, a + 1, a + 2, a + 3))

/*
 * Row i of a 4 x 4 matrix of words in every quad: vbroadcasti128, or a load
 * of the whole matrix and vshufi32x4.
 */
static __always_inline lanes lanes_splat_row(const u32 matrix[16],
					     unsigned int i)
{
	const unsigned int first = 4 * i % LANES;
	lanes x = *(const lanes_unaligned *)(matrix + 4 * i - first);

#if LANES == 4
	return x;
#elif LANES == 8
	if (first)
		return __builtin_shufflevector(x, x, 4, 5, 6, 7, 4, 5, 6, 7);
	return __builtin_shufflevector(x, x, 0, 1, 2, 3, 0, 1, 2, 3);
#else
	switch (first) {
	case 0:
		return QUAD_SPLAT(x, 0);
	case 4:
		return QUAD_SPLAT(x, 4);
	case 8:
		return QUAD_SPLAT(x, 8);
	default:
		return QUAD_SPLAT(x, 12);
	}
#endif
}

/*
 * Which block of a wide batch each lane computes.  This order, and not that of
 * the lanes, is the one in which lanes_transpose() and lanes_gather() give the
 * blocks back consecutively.
 */
static __always_inline lanes lanes_iota(void)
{
#if LANES == 4
	const lanes blocks = { 0, 1, 2, 3 };
#elif LANES == 8
	const lanes blocks = { 0, 2, 4, 6, 1, 3, 5, 7 };
#else
	const lanes blocks = { 0, 4, 8, 12, 1, 5, 9, 13,
			       2, 6, 10, 14, 3, 7, 11, 15 };
#endif
	return blocks;
}

/* The block that each quad of a group of rows computes, in its first lane. */
static __always_inline lanes lanes_quad_iota(u32 first)
{
#if LANES == 4
	const lanes blocks = { first };
#elif LANES == 8
	const lanes blocks = { first, 0, 0, 0, first + 1 };
#else
	const lanes blocks = { first, 0, 0, 0, first + 1, 0, 0, 0,
			       first + 2, 0, 0, 0, first + 3 };
#endif
	return blocks;
}

/* movdqu, vmovdqu, vmovdqu32 */
static __always_inline lanes lanes_load(const void *p)
{
	return *(const lanes_unaligned *)p;
}

static __always_inline void lanes_store(void *p, lanes x)
{
	*(lanes_unaligned *)p = x;
}

/*
 * AVX-512 rotates: vprold.  Elsewhere it takes two shifts and an or, unless
 * whole bytes or words move: pshufb, or pshuflw and pshufhw in SSE2.
 */
static __always_inline lanes lanes_rotl(lanes x, const unsigned int n)
{
#if defined(__SSSE3__) && !defined(__AVX512F__) && LANES <= 8
	const lanes_u8 bytes = (lanes_u8)x;

	if (n == 16)
		return (lanes)__builtin_shufflevector(bytes, bytes,
						      BYTEWISE(2, 3, 0, 1));
	if (n == 8)
		return (lanes)__builtin_shufflevector(bytes, bytes,
						      BYTEWISE(3, 0, 1, 2));
#elif LANES == 4
	const lanes_u16 halves = (lanes_u16)x;

	if (n == 16)
		return (lanes)__builtin_shufflevector(halves, halves,
						      1, 0, 3, 2, 5, 4, 7, 6);
#endif
	return x << n | x >> (32 - n);
}

/* Lane i of every quad becomes lane i + n of the old one: pshufd. */
static __always_inline lanes lanes_turn(lanes x, const unsigned int n)
{
	switch (n) {
	case 1:
		return lanes_shuffle(x, x, 1, 2, 3, 0);
	case 2:
		return lanes_shuffle(x, x, 2, 3, 0, 1);
	case 3:
		return lanes_shuffle(x, x, 3, 0, 1, 2);
	}
	return x;
}

/* The low, the high halves of the quads of x and y: punpcklqdq, punpckhqdq. */
static __always_inline lanes lanes_low_halves(lanes x, lanes y)
{
	return (lanes)__builtin_shufflevector((lanes_u64)x, (lanes_u64)y,
					      HALVES(0));
}

static __always_inline lanes lanes_high_halves(lanes x, lanes y)
{
	return (lanes)__builtin_shufflevector((lanes_u64)x, (lanes_u64)y,
					      HALVES(1));
}

/* Even words of x, odd words of y: vpblendd. */
static __always_inline lanes lanes_merge_words(lanes x, lanes y)
{
	return lanes_shuffle(x, y, 0, LANES + 1, 2, LANES + 3);
}

/* Low halves of the quads of x, high halves of those of y: vpblendd, shufps. */
static __always_inline lanes lanes_merge_halves(lanes x, lanes y)
{
	return lanes_shuffle(x, y, 0, 1, LANES + 2, LANES + 3);
}

/*
 * Four words of a wide batch to four rows: afterwards quad q of x[i] holds the
 * four words of the block that lane i of quad q computed.  The words are
 * interleaved by punpckldq and punpckhdq.
 */
static __always_inline void lanes_transpose(lanes x[4])
{
	lanes lo01 = lanes_shuffle(x[0], x[1], 0, LANES, 1, LANES + 1);
	lanes hi01 = lanes_shuffle(x[0], x[1], 2, LANES + 2, 3, LANES + 3);
	lanes lo23 = lanes_shuffle(x[2], x[3], 0, LANES, 1, LANES + 1);
	lanes hi23 = lanes_shuffle(x[2], x[3], 2, LANES + 2, 3, LANES + 3);

	x[0] = lanes_low_halves(lo01, lo23);
	x[1] = lanes_high_halves(lo01, lo23);
	x[2] = lanes_low_halves(hi01, hi23);
	x[3] = lanes_high_halves(hi01, hi23);
}

/*
 * Four rows that hold QUADS blocks side by side to the bytes of these blocks
 * in order: vperm2i128; two turns of vshufi32x4.
 */
static __always_inline void lanes_gather(lanes row[4])
{
#if LANES == 8
	lanes a = row[0], b = row[1], c = row[2], d = row[3];

	row[0] = __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11);
	row[1] = __builtin_shufflevector(c, d, 0, 1, 2, 3, 8, 9, 10, 11);
	row[2] = __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15);
	row[3] = __builtin_shufflevector(c, d, 4, 5, 6, 7, 12, 13, 14, 15);
#elif LANES == 16
#define QUADS_02(x, y) __builtin_shufflevector(x, y, \
	0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27)
#define QUADS_13(x, y) __builtin_shufflevector(x, y, \
	4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31)
	lanes even01 = QUADS_02(row[0], row[1]);
	lanes odd01 = QUADS_13(row[0], row[1]);
	lanes even23 = QUADS_02(row[2], row[3]);
	lanes odd23 = QUADS_13(row[2], row[3]);

	row[0] = QUADS_02(even01, even23);
	row[1] = QUADS_02(odd01, odd23);
	row[2] = QUADS_13(even01, even23);
	row[3] = QUADS_13(odd01, odd23);
#endif
}

/* Less than a vector of a message, by eight bytes and the rest by one. */
static __always_inline void lanes_xor_bytes(u8 *dst, const u8 *src, const u8 *keystream,
					    size_t bytes)
{
	typedef u64 word __attribute__((may_alias)) __aligned(1);

	for (; bytes >= sizeof(word); bytes -= sizeof(word)) {
		*(word *)dst = *(const word *)src ^ *(const word *)keystream;
		dst += sizeof(word);
		src += sizeof(word);
		keystream += sizeof(word);
	}
	for (; bytes; bytes--)
		*dst++ = *src++ ^ *keystream++;
}

#endif /* LANES_H */
