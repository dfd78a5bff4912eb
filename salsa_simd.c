// SPDX-License-Identifier: GPL-2.0
/*
 * Salsa20 on vectors (D. J. Bernstein, "The Salsa20 family of stream ciphers"),
 * compiled once for each instruction set.
 *
 * Deliberately absent: names of instruction sets (lanes.h), the length for which
 * a form is chosen (batch.h), FPU sections (stream_glue.c), CPU tests (isa.c), the
 * single block that scalar code does faster.
 *
 * chacha_simd.c is this file's twin.
 */
#include "batch.h"

/*
 * Rows of the state, which are the diagonals of the specification's matrix,
 * and the roles in a quarter round.
 */
enum { A, B, C, D };

/* The word that plays a role in the quarter round of column or row i. */
static inline unsigned int salsa_word(unsigned int role, unsigned int i,
				      unsigned int row)
{
	if (row)
		return 4 * ((4 - role) % 4) + (i + role) % 4;
	return 4 * role + i;
}

/*
 * d ^= (a + b) <<< n in columns or rows side by side, those of the second state
 * numbered on from 4.
 */
static __always_inline void salsa_wide_step(lanes x[][16], unsigned int first,
					    unsigned int abreast,
					    unsigned int row, unsigned int d,
					    unsigned int a, unsigned int b,
					    unsigned int n)
{
	unsigned int i;

	lanes_for_each(i, abreast) {
		lanes *m = x[(first + i) / 4];
		unsigned int at = (first + i) % 4;
		lanes sum = m[salsa_word(a, at, row)] +
			    m[salsa_word(b, at, row)];

		m[salsa_word(d, at, row)] ^= lanes_rotl(sum, n);
	}
}

/*
 * Salsa20 specification, sections 4 and 5: a round on columns or on rows.  The
 * sum takes a register more than there are, so not all go side by side: with 32
 * registers those of one state (3 % faster than those of two), with 16 one
 * after the other (AVX2: 8 %).  The CPU overlaps them by itself.
 */
static __always_inline void salsa_wide_round(lanes x[][16], unsigned int states,
					     unsigned int row)
{
	const unsigned int abreast = LANES_REGISTERS == 32 ? 4 : 1;
	unsigned int i;

	lanes_for_each(i, 4 * states / abreast) {
		unsigned int first = i * abreast;

		salsa_wide_step(x, first, abreast, row, B, A, D, 7);
		salsa_wide_step(x, first, abreast, row, C, B, A, 9);
		salsa_wide_step(x, first, abreast, row, D, C, B, 13);
		salsa_wide_step(x, first, abreast, row, A, D, C, 18);
	}
}

/*
 * Word w of the blocks of state s before the first round.  The counter has 64
 * bits: where its low half wraps, lane by lane, the high half takes the carry.
 */
static __always_inline lanes salsa_wide_start(const struct stream_state *state,
					      unsigned int s, unsigned int w)
{
	lanes x = lanes_splat(state->word[w]);
	lanes block = lanes_iota() + s * LANES;
	lanes low = lanes_splat(state->word[SALSA_COUNTER_LO]) + block;

	if (w == SALSA_COUNTER_LO)
		x = low;
	if (w == SALSA_COUNTER_HI)
		x -= (lanes)(low < block);
	return x;
}

/*
 * lanes_transpose() of the words 4 * group to 4 * group + 3 of the
 * specification, each of which stays where struct stream_state keeps it.
 */
static __always_inline void salsa_transpose(lanes x[16], unsigned int group)
{
	lanes four[4];
	unsigned int i;

	lanes_for_each(i, 4)
		four[i] = x[salsa_index(4 * group + i)];
	lanes_transpose(four);
	lanes_for_each(i, 4)
		x[salsa_index(4 * group + i)] = four[i];
}

/*
 * A message of at most states * LANES blocks.  Returns the bytes done; what
 * remains is less than a vector, and to be done with rest.
 */
static __always_inline size_t salsa_wide(const struct stream_state *state,
					 u8 *dst, const u8 *src, size_t bytes,
					 unsigned int rounds, lanes x[][16],
					 unsigned int states, lanes *rest)
{
	lanes out[4];
	size_t n, done = 0;
	unsigned int s, w, i;

	lanes_for_each(s, states) {
		lanes_for_each(w, 16)
			x[s][w] = salsa_wide_start(state, s, w);
	}
	for (; rounds; rounds -= 2) {
		salsa_wide_round(x, states, 0);
		salsa_wide_round(x, states, 1);
	}
	batch_barrier(states);
	lanes_for_each(s, states) {
		lanes_for_each(w, 16)
			x[s][w] += salsa_wide_start(state, s, w);
		lanes_for_each(w, 4)
			salsa_transpose(x[s], w);
		lanes_for_each(i, 4) {
			lanes_for_each(w, 4)
				out[w] = x[s][salsa_index(4 * w + i)];
			lanes_gather(out);
			n = batch_xor(dst + done, src + done, bytes - done,
				      out, rest);
			done += n;
			if (n < sizeof(out))
				return done;
		}
	}
	return done;
}

/* d ^= (a + b) <<< n in all columns at once. */
static __always_inline void salsa_rows_step(lanes row[][4], unsigned int groups,
					    unsigned int d, unsigned int a,
					    unsigned int b, unsigned int n)
{
	unsigned int g;

	lanes_for_each(g, groups)
		row[g][d] ^= lanes_rotl(row[g][a] + row[g][b], n);
}

/*
 * Four quarter rounds, then columns become rows or rows columns again, which
 * with Salsa20 is the same move.  Row A is last to be ready, so it stays where
 * it is and the others turn about it.
 */
static __always_inline void salsa_rows_round(lanes row[][4], unsigned int groups)
{
	unsigned int g;

	salsa_rows_step(row, groups, B, A, D, 7);
	salsa_rows_step(row, groups, C, B, A, 9);
	salsa_rows_step(row, groups, D, C, B, 13);
	salsa_rows_step(row, groups, A, D, C, 18);
	lanes_for_each(g, groups) {
		lanes b = row[g][B];

		row[g][B] = lanes_turn(row[g][D], 1);
		row[g][C] = lanes_turn(row[g][C], 2);
		row[g][D] = lanes_turn(b, 3);
	}
}

/* The diagonals of a matrix to its rows, by words taken alternately. */
static __always_inline void salsa_rows_straighten(lanes row[4])
{
	lanes ad = lanes_merge_words(row[A], row[D]);
	lanes ba = lanes_merge_words(row[B], row[A]);
	lanes cb = lanes_merge_words(row[C], row[B]);
	lanes dc = lanes_merge_words(row[D], row[C]);

	row[0] = lanes_merge_halves(ad, cb);
	row[1] = lanes_merge_halves(ba, dc);
	row[2] = lanes_merge_halves(cb, ad);
	row[3] = lanes_merge_halves(dc, ba);
}

/* Row r of the blocks of group g before the first round. */
static __always_inline lanes salsa_rows_start(const struct stream_state *state,
					      unsigned int g, unsigned int r)
{
	lanes x = lanes_splat_row(state->word, r);
	lanes block = lanes_quad_iota(g * QUADS);
	lanes low = lanes_splat_row(state->word, SALSA_COUNTER_LO / 4) + block;

	/* The low half is the first lane of its row, the high half the second. */
	if (r == SALSA_COUNTER_LO / 4)
		x = low;
	if (r == SALSA_COUNTER_HI / 4)
		x -= lanes_turn((lanes)(low < block), 3);
	return x;
}

/* The same for at most groups * QUADS blocks. */
static __always_inline size_t salsa_rows(const struct stream_state *state,
					 u8 *dst, const u8 *src, size_t bytes,
					 unsigned int rounds, lanes row[][4],
					 unsigned int groups, lanes *rest)
{
	size_t n, done = 0;
	unsigned int g, r;

	lanes_for_each(g, groups) {
		lanes_for_each(r, 4)
			row[g][r] = salsa_rows_start(state, g, r);
	}
	for (; rounds; rounds -= 2) {
		salsa_rows_round(row, groups);
		salsa_rows_round(row, groups);
	}
	lanes_for_each(g, groups) {
		lanes_for_each(r, 4)
			row[g][r] += salsa_rows_start(state, g, r);
		salsa_rows_straighten(row[g]);
		lanes_gather(row[g]);
		n = batch_xor(dst + done, src + done, bytes - done, row[g],
			      rest);
		done += n;
		if (n < sizeof(row[g]))
			return done;
	}
	return done;
}

BATCH_FORM(salsa_wide_2, salsa_wide, 2, 16)
BATCH_FORM(salsa_wide_1, salsa_wide, 1, 16)
BATCH_FORM(salsa_rows_3, salsa_rows, 3, 4)
BATCH_FORM(salsa_rows_2, salsa_rows, 2, 4)
BATCH_FORM(salsa_rows_1, salsa_rows, 1, 4)

static const struct batch_cipher salsa = {
	.wide_2 = salsa_wide_2,
	.wide_1 = salsa_wide_1,
	.rows_3 = salsa_rows_3,
	.rows_2 = salsa_rows_2,
	.rows_1 = salsa_rows_1,
	.advance = salsa_advance,
};

/* A stream_xor_fn, see stream_simd.h. */
void LANES_NAME(salsa_xor)(struct stream_state *state, u8 *dst,
			   const u8 *src, size_t bytes,
			   unsigned int rounds)
{
	batch_message(&salsa, state, dst, src, bytes, rounds);
}
