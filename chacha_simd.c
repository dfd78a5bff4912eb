// SPDX-License-Identifier: GPL-2.0
/*
 * ChaCha on vectors (RFC 8439), compiled once for each instruction set.
 *
 * A message is cut into batches, each computed in the narrowest form that
 * takes the rest of it whole:
 *
 *	form		blocks		a vector holds
 *	rows, 1 group	QUADS		one row of the matrix, of QUADS blocks
 *	rows, 2 groups	2 * QUADS	the same, twice
 *	wide, 1 state	LANES		one word of the matrix, of LANES blocks
 *	wide, 2 states	2 * LANES	the same, twice
 *
 * Two of a kind go through the rounds together because one alone leaves the
 * vector units waiting for their own results.  A wide batch costs the same
 * however much of it is used, so the last one is computed whole and stored in
 * part.  What each form gave is in bench/README.md.
 *
 * Deliberately absent: names of instruction sets (lanes.h), FPU sections and
 * CPU tests (chacha_glue.c), the single block that scalar code does faster.
 *
 * salsa_simd.c is this file's twin.
 */
#include "lanes.h"

/* Rows of the matrix, and the roles in a quarter round. */
enum { A, B, C, D };

/* The word that plays a role in the quarter round of column or diagonal i. */
static inline unsigned int chacha_word(unsigned int role, unsigned int i,
				       unsigned int diagonal)
{
	return 4 * role + (i + diagonal * role) % 4;
}

/* a += b, d = (d ^ a) <<< n in every column or diagonal of every state. */
lanes_inline void chacha_wide_step(lanes x[][16], unsigned int states,
				   unsigned int diagonal, unsigned int a,
				   unsigned int b, unsigned int d,
				   unsigned int n)
{
	unsigned int s, i;

	LANES_UNROLL
	for (s = 0; s < states; s++) {
		LANES_UNROLL
		for (i = 0; i < 4; i++) {
			lanes *sum = &x[s][chacha_word(a, i, diagonal)];
			lanes *target = &x[s][chacha_word(d, i, diagonal)];

			*sum += x[s][chacha_word(b, i, diagonal)];
			*target = lanes_rotl(*target ^ *sum, n);
		}
	}
}

/* RFC 8439, section 2.3: a round on columns or on diagonals. */
lanes_inline void chacha_wide_round(lanes x[][16], unsigned int states,
				    unsigned int diagonal)
{
	chacha_wide_step(x, states, diagonal, A, B, D, 16);
	chacha_wide_step(x, states, diagonal, C, D, B, 12);
	chacha_wide_step(x, states, diagonal, A, B, D, 8);
	chacha_wide_step(x, states, diagonal, C, D, B, 7);
}

/* Word w of the blocks of state s before the first round. */
lanes_inline lanes chacha_wide_start(const struct stream_state *state,
				     unsigned int s, unsigned int w)
{
	lanes x = lanes_splat(state->word[w]);

	/* 32-bit lanes: the counter wraps and nothing is carried out of it. */
	if (w == CHACHA_COUNTER)
		x += lanes_iota() + s * LANES;
	return x;
}

/* The first bytes of the message, at most states * LANES blocks of them. */
lanes_inline void chacha_wide(const struct stream_state *state, u8 *dst,
			      const u8 *src, size_t bytes, unsigned int rounds,
			      lanes x[][16], unsigned int states)
{
	lanes out[4];
	unsigned int s, w, i;

	LANES_UNROLL
	for (s = 0; s < states; s++) {
		LANES_UNROLL
		for (w = 0; w < 16; w++)
			x[s][w] = chacha_wide_start(state, s, w);
	}
	for (; rounds; rounds -= 2) {
		lanes_each_state(states, chacha_wide_round, x, 0);
		lanes_each_state(states, chacha_wide_round, x, 1);
	}
	lanes_forget();
	LANES_UNROLL
	for (s = 0; s < states; s++) {
		LANES_UNROLL
		for (w = 0; w < 16; w++)
			x[s][w] += chacha_wide_start(state, s, w);
		LANES_UNROLL
		for (w = 0; w < 16; w += 4)
			lanes_transpose(&x[s][w]);
		LANES_UNROLL
		for (i = 0; i < 4; i++) {
			LANES_UNROLL
			for (w = 0; w < 4; w++)
				out[w] = x[s][4 * w + i];
			lanes_gather(out);
			lanes_xor(dst, src, bytes, out);
			if (bytes <= sizeof(out))
				return;
			dst += sizeof(out);
			src += sizeof(out);
			bytes -= sizeof(out);
		}
	}
}

/* a += b, d = (d ^ a) <<< n in all columns at once. */
lanes_inline void chacha_rows_step(lanes row[][4], unsigned int groups,
				   unsigned int a, unsigned int b,
				   unsigned int d, unsigned int n)
{
	unsigned int g;

	LANES_UNROLL
	for (g = 0; g < groups; g++) {
		row[g][a] += row[g][b];
		row[g][d] = lanes_rotl(row[g][d] ^ row[g][a], n);
	}
}

/*
 * Four quarter rounds, then diagonals become columns (turn = 1) or columns
 * diagonals again (turn = 3).  Row B is last to be ready, so it stays where it
 * is and the others turn about it.
 */
lanes_inline void chacha_rows_round(lanes row[][4], unsigned int groups,
				    unsigned int turn)
{
	unsigned int g;

	chacha_rows_step(row, groups, A, B, D, 16);
	chacha_rows_step(row, groups, C, D, B, 12);
	chacha_rows_step(row, groups, A, B, D, 8);
	chacha_rows_step(row, groups, C, D, B, 7);
	LANES_UNROLL
	for (g = 0; g < groups; g++) {
		row[g][A] = lanes_turn(row[g][A], 4 - turn);
		row[g][D] = lanes_turn(row[g][D], 2);
		row[g][C] = lanes_turn(row[g][C], turn);
	}
}

/* Row r of the blocks of group g before the first round. */
lanes_inline lanes chacha_rows_start(const struct stream_state *state,
				     unsigned int g, unsigned int r)
{
	lanes x = lanes_splat_row(state->word, r);

	if (r == CHACHA_COUNTER / 4)
		x += lanes_quad_iota(g * QUADS);
	return x;
}

/* The first bytes of the message, at most groups * QUADS blocks of them. */
lanes_inline void chacha_rows(const struct stream_state *state, u8 *dst,
			      const u8 *src, size_t bytes, unsigned int rounds,
			      lanes row[][4], unsigned int groups)
{
	unsigned int g, r;

	LANES_UNROLL
	for (g = 0; g < groups; g++) {
		LANES_UNROLL
		for (r = 0; r < 4; r++)
			row[g][r] = chacha_rows_start(state, g, r);
	}
	for (; rounds; rounds -= 2) {
		chacha_rows_round(row, groups, 1);
		chacha_rows_round(row, groups, 3);
	}
	LANES_UNROLL
	for (g = 0; g < groups; g++) {
		LANES_UNROLL
		for (r = 0; r < 4; r++)
			row[g][r] += chacha_rows_start(state, g, r);
		lanes_gather(row[g]);
		lanes_xor(dst, src, bytes, row[g]);
		if (bytes <= sizeof(row[g]))
			return;
		dst += sizeof(row[g]);
		src += sizeof(row[g]);
		bytes -= sizeof(row[g]);
	}
}

/* Each form is a function of its own, so that their stack frames do not add up. */
LANES_FORM(chacha_wide_2, chacha_wide, 2, 16)
LANES_FORM(chacha_wide_1, chacha_wide, 1, 16)
LANES_FORM(chacha_rows_2, chacha_rows, 2, 4)
LANES_FORM(chacha_rows_1, chacha_rows, 1, 4)

/* A batch in the narrowest form that takes all of the message, or in the widest. */
static size_t chacha_batch(const struct stream_state *state, u8 *dst,
			   const u8 *src, size_t bytes, unsigned int rounds)
{
	if (bytes > LANES * STREAM_BLOCK_BYTES)
		chacha_wide_2(state, dst, src, bytes, rounds);
	else if (bytes > 2 * QUADS * STREAM_BLOCK_BYTES)
		chacha_wide_1(state, dst, src, bytes, rounds);
	else if (bytes > QUADS * STREAM_BLOCK_BYTES)
		chacha_rows_2(state, dst, src, bytes, rounds);
	else
		chacha_rows_1(state, dst, src, bytes, rounds);
	return bytes < LANES_BATCH_BYTES ? bytes : LANES_BATCH_BYTES;
}

/* A stream_xor_fn, see stream_simd.h. */
void LANES_NAME(chacha_simd_xor)(struct stream_state *state, u8 *dst,
				 const u8 *src, size_t bytes,
				 unsigned int rounds)
{
	while (bytes) {
		size_t done = chacha_batch(state, dst, src, bytes, rounds);

		state->word[CHACHA_COUNTER] += STREAM_BLOCKS(done);
		dst += done;
		src += done;
		bytes -= done;
	}
}
