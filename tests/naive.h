/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ChaCha and Salsa20 block by block as their papers print them, for the tests:
 * what the cores and the scalar code are both compared with.
 *
 * Sources: RFC 8439, sections 2.1 to 2.3; D. J. Bernstein, "Salsa20
 * specification", sections 3 to 8.  Words stand in the order of these papers,
 * which for Salsa20 is not the order of struct stream_state.
 *
 * Deliberately absent: any code of the product but the integer types, and
 * any thought of speed.  In the kernel and in user space.
 */
#ifndef NAIVE_H
#define NAIVE_H

#include "../stream_simd.h"

static inline u32 naive_rotl(u32 x, unsigned int n)
{
	return (x << n) | (x >> (32 - n));
}

/* RFC 8439, section 2.1, on the words a, b, c and d. */
static inline void naive_chacha_quarter(u32 x[16], const u8 at[4])
{
	u32 *a = &x[at[0]], *b = &x[at[1]], *c = &x[at[2]], *d = &x[at[3]];

	*a += *b;
	*d = naive_rotl(*d ^ *a, 16);
	*c += *d;
	*b = naive_rotl(*b ^ *c, 12);
	*a += *b;
	*d = naive_rotl(*d ^ *a, 8);
	*c += *d;
	*b = naive_rotl(*b ^ *c, 7);
}

/* Salsa20 specification, section 3, on the words y0, y1, y2 and y3. */
static inline void naive_salsa_quarter(u32 x[16], const u8 at[4])
{
	u32 *y0 = &x[at[0]], *y1 = &x[at[1]], *y2 = &x[at[2]], *y3 = &x[at[3]];

	*y1 ^= naive_rotl(*y0 + *y3, 7);
	*y2 ^= naive_rotl(*y1 + *y0, 9);
	*y3 ^= naive_rotl(*y2 + *y1, 13);
	*y0 ^= naive_rotl(*y3 + *y2, 18);
}

/* The rounds alone, without the addition after them: also HChaCha, HSalsa20. */
static inline void naive_rounds(bool salsa, u32 x[16], unsigned int rounds)
{
	/* RFC 8439, section 2.3.1: columns, then diagonals. */
	static const u8 chacha[8][4] = {
		{ 0, 4, 8, 12 }, { 1, 5, 9, 13 },
		{ 2, 6, 10, 14 }, { 3, 7, 11, 15 },
		{ 0, 5, 10, 15 }, { 1, 6, 11, 12 },
		{ 2, 7, 8, 13 }, { 3, 4, 9, 14 },
	};
	/* Salsa20 specification, sections 5 and 4: columns, then rows. */
	static const u8 salsa20[8][4] = {
		{ 0, 4, 8, 12 }, { 5, 9, 13, 1 },
		{ 10, 14, 2, 6 }, { 15, 3, 7, 11 },
		{ 0, 1, 2, 3 }, { 5, 6, 7, 4 },
		{ 10, 11, 8, 9 }, { 15, 12, 13, 14 },
	};
	unsigned int i;

	for (; rounds; rounds -= 2) {
		for (i = 0; i < 8; i++) {
			if (salsa)
				naive_salsa_quarter(x, salsa20[i]);
			else
				naive_chacha_quarter(x, chacha[i]);
		}
	}
}

/* The 64 bytes of keystream of an input block; rounds is 20, 12 or 8. */
static inline void naive_block(bool salsa, const u32 in[16],
			       unsigned int rounds, u8 out[64])
{
	u32 x[16];
	unsigned int i;

	for (i = 0; i < 16; i++)
		x[i] = in[i];
	naive_rounds(salsa, x, rounds);
	for (i = 0; i < 64; i++)
		out[i] = (x[i / 4] + in[i / 4]) >> (8 * (i % 4));
}

#endif /* NAIVE_H */
