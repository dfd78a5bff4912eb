// SPDX-License-Identifier: GPL-2.0
/*
 * ChaCha on vectors (RFC 8439), compiled once for each instruction set.
 *
 * Deliberately absent: names of instruction sets (lanes.h), the length for which
 * a form is chosen (batch.h), FPU sections (stream_glue.c), CPU tests (isa.c), the
 * single block that scalar code does faster.
 *
 * salsa_simd.c is this file's twin.
 */
#include "batch.h"

/* Rows of the matrix, and the roles in a quarter round. */
enum { A, B, C, D };

/* The word that plays a role in the quarter round of column or diagonal i. */
static inline unsigned int chacha_word(unsigned int role, unsigned int i,
				       unsigned int diagonal)
{
	return 4 * role + (i + diagonal * role) % 4;
}

/* a += b, d = (d ^ a) <<< n in every column or diagonal of every state. */
static __always_inline void chacha_wide_step(lanes x[][16], unsigned int states,
					     unsigned int diagonal,
					     unsigned int a, unsigned int b,
					     unsigned int d, unsigned int n)
{
	unsigned int s, i;

	lanes_for_each(s, states) {
		lanes_for_each(i, 4) {
			lanes *sum = &x[s][chacha_word(a, i, diagonal)];
			lanes *target = &x[s][chacha_word(d, i, diagonal)];

			*sum += x[s][chacha_word(b, i, diagonal)];
			*target = lanes_rotl(*target ^ *sum, n);
		}
	}
}

/* RFC 8439, section 2.3: a round on columns or on diagonals. */
static __always_inline void chacha_wide_round(lanes x[][16],
					      unsigned int states,
					      unsigned int diagonal)
{
	chacha_wide_step(x, states, diagonal, A, B, D, 16);
	chacha_wide_step(x, states, diagonal, C, D, B, 12);
	chacha_wide_step(x, states, diagonal, A, B, D, 8);
	chacha_wide_step(x, states, diagonal, C, D, B, 7);
}

/* Word w of the blocks of state s before the first round. */
static __always_inline lanes chacha_wide_start(const struct stream_state *state,
					       unsigned int s, unsigned int w)
{
	lanes x = lanes_splat(state->word[w]);

	/* 32-bit lanes: the counter wraps and nothing is carried out of it. */
	if (w == CHACHA_COUNTER)
		x += lanes_iota() + s * LANES;
	return x;
}

/*
 * A message of at most states * LANES blocks.  Returns the bytes done; what
 * remains is less than a vector, and to be done with rest.
 */
static __always_inline size_t chacha_wide(const struct stream_state *state,
					  u8 *dst, const u8 *src, size_t bytes,
					  unsigned int rounds, lanes x[][16],
					  unsigned int states, lanes *rest)
{
	lanes out[4];
	size_t n, done = 0;
	unsigned int s, w, i;

	lanes_for_each(s, states) {
		lanes_for_each(w, 16)
			x[s][w] = chacha_wide_start(state, s, w);
	}
	for (; rounds; rounds -= 2) {
		batch_each_state(states, chacha_wide_round, x, 0);
		batch_each_state(states, chacha_wide_round, x, 1);
	}
	batch_barrier(states);
	lanes_for_each(s, states) {
		lanes_for_each(w, 16)
			x[s][w] += chacha_wide_start(state, s, w);
		lanes_for_each(w, 4)
			lanes_transpose(&x[s][4 * w]);
		lanes_for_each(i, 4) {
			lanes_for_each(w, 4)
				out[w] = x[s][4 * w + i];
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

/* a += b, d = (d ^ a) <<< n in all columns at once. */
static __always_inline void chacha_rows_step(lanes row[][4],
					     unsigned int groups,
					     unsigned int a, unsigned int b,
					     unsigned int d, unsigned int n)
{
	unsigned int g;

	lanes_for_each(g, groups) {
		row[g][a] += row[g][b];
		row[g][d] = lanes_rotl(row[g][d] ^ row[g][a], n);
	}
}

/*
 * Four quarter rounds, then diagonals become columns (turn = 1) or columns
 * diagonals again (turn = 3).  Row B is last to be ready, so it stays where it
 * is and the others turn about it.
 */
static __always_inline void chacha_rows_round(lanes row[][4],
					      unsigned int groups,
					      unsigned int turn)
{
	unsigned int g;

	chacha_rows_step(row, groups, A, B, D, 16);
	chacha_rows_step(row, groups, C, D, B, 12);
	chacha_rows_step(row, groups, A, B, D, 8);
	chacha_rows_step(row, groups, C, D, B, 7);
	lanes_for_each(g, groups) {
		row[g][A] = lanes_turn(row[g][A], 4 - turn);
		row[g][D] = lanes_turn(row[g][D], 2);
		row[g][C] = lanes_turn(row[g][C], turn);
	}
}

/* Row r of the blocks of group g before the first round. */
static __always_inline lanes chacha_rows_start(const struct stream_state *state,
					       unsigned int g, unsigned int r)
{
	lanes x = lanes_splat_row(state->word, r);

	if (r == CHACHA_COUNTER / 4)
		x += lanes_quad_iota(g * QUADS);
	return x;
}

/* The same for at most groups * QUADS blocks. */
static __always_inline size_t chacha_rows(const struct stream_state *state,
					  u8 *dst, const u8 *src, size_t bytes,
					  unsigned int rounds, lanes row[][4],
					  unsigned int groups, lanes *rest)
{
	size_t n, done = 0;
	unsigned int g, r;

	lanes_for_each(g, groups) {
		lanes_for_each(r, 4)
			row[g][r] = chacha_rows_start(state, g, r);
	}
	for (; rounds; rounds -= 2) {
		chacha_rows_round(row, groups, 1);
		chacha_rows_round(row, groups, 3);
	}
	lanes_for_each(g, groups) {
		lanes_for_each(r, 4)
			row[g][r] += chacha_rows_start(state, g, r);
		lanes_gather(row[g]);
		n = batch_xor(dst + done, src + done, bytes - done, row[g],
			      rest);
		done += n;
		if (n < sizeof(row[g]))
			return done;
	}
	return done;
}

BATCH_FORM(chacha_wide_2, chacha_wide, 2, 16)
BATCH_FORM(chacha_wide_1, chacha_wide, 1, 16)
BATCH_FORM(chacha_rows_3, chacha_rows, 3, 4)
BATCH_FORM(chacha_rows_2, chacha_rows, 2, 4)
BATCH_FORM(chacha_rows_1, chacha_rows, 1, 4)

static const struct batch_cipher chacha = {
	.wide_2 = chacha_wide_2,
	.wide_1 = chacha_wide_1,
	.rows_3 = chacha_rows_3,
	.rows_2 = chacha_rows_2,
	.rows_1 = chacha_rows_1,
	.advance = chacha_advance,
};

/* A stream_xor_fn, see stream_simd.h. */
void LANES_NAME(chacha_xor)(struct stream_state *state, u8 *dst,
			    const u8 *src, size_t bytes,
			    unsigned int rounds)
{
	batch_message(&chacha, state, dst, src, bytes, rounds);
}
