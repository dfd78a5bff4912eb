/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A message cut into batches, and the forms in which a batch is computed.
 *
 *	form		blocks		a vector holds
 *	rows, 1 group	QUADS		one row of the matrix, of QUADS blocks
 *	rows, 2 groups	2 * QUADS	the same, twice
 *	rows, 3 groups	3 * QUADS	the same, three times; with 16 registers
 *	wide, 1 state	LANES		one word of the matrix, of LANES blocks
 *	wide, 2 states	2 * LANES	the same, twice
 *
 * Several groups or states go through the rounds together, because one alone
 * leaves the vector units waiting for their own results.  A form costs the same
 * however much of it is used, so the last batch is computed whole and stored in
 * part.  Each batch takes the narrowest form that holds the rest of the message;
 * only to two states it goes a little later.  What each form gave is in
 * bench/README.md.
 *
 * Deliberately absent: what a cipher does in a form (chacha_simd.c,
 * salsa_simd.c).
 */
#ifndef BATCH_H
#define BATCH_H

#include "lanes.h"

/*
 * Rows are faster than a wide batch of one state up to so many groups.  Three
 * groups fit into 16 registers; a state's sixteen words do not, with what a step
 * needs beside them.  Into 32 both fit.
 */
#if LANES_REGISTERS == 32
#define BATCH_ROW_GROUPS	2
#else
#define BATCH_ROW_GROUPS	3
#endif

/*
 * Two states are faster than one state and then rows from so many blocks on.
 * Without registers for both of them, they pay later.
 */
#if LANES_REGISTERS == 32
#define BATCH_ONE_STATE		LANES
#else
#define BATCH_ONE_STATE		(LANES + 2)
#endif

/*
 * Vectors that fill the deepest frame of a form, which is that of two states:
 * clang's are the deepest, and for sixteen lanes it has all of them in memory.
 */
#if LANES == 16
#define BATCH_DEEPEST_FRAME	39
#else
#define BATCH_DEEPEST_FRAME	76
#endif

/*
 * A round of the two states of a wide batch: step by step through both, which
 * gives the units the most to do, or one state after the other, which spills
 * less and leaves the overlap to the CPU.  AVX2 lacks the loads and stores for
 * the former; SSE2's rotations take long enough for them, and AVX-512 keeps both
 * states in its registers.
 */
#if defined(__AVX2__) && LANES_REGISTERS == 16
#define batch_each_state(states, round, x, ...) do {	\
	round(x, 1, __VA_ARGS__);			\
	if ((states) == 2)				\
		round((x) + 1, 1, __VA_ARGS__);		\
} while (0)
#else
#define batch_each_state(states, round, x, ...)	round(x, states, __VA_ARGS__)
#endif

/*
 * Makes the compiler read memory again.  Words of the state that are wanted
 * before and after the rounds are cheaper to broadcast twice than to spill.  Two
 * states of AVX2 are in memory for the most part anyhow.
 */
static __always_inline void batch_barrier(unsigned int states)
{
#if defined(__AVX2__) && LANES_REGISTERS == 16
	if (states == 2)
		return;
#endif
	asm volatile("" : : : "memory");
}

/*
 * XORs four vectors of keystream, or as many of them as the message fills.
 * Returns the bytes done.  If the message ends within one of the four, rest is
 * that one.
 */
static __always_inline size_t batch_xor(u8 *dst, const u8 *src, size_t bytes,
					const lanes keystream[4], lanes *rest)
{
	unsigned int i;

	lanes_for_each(i, 4) {
		if (bytes < (i + 1) * LANES_BYTES) {
			*rest = keystream[i];
			return i * LANES_BYTES;
		}
		lanes_store(dst + i * LANES_BYTES,
			    keystream[i] ^ lanes_load(src + i * LANES_BYTES));
	}
	return 4 * LANES_BYTES;
}

/*
 * A form of batch as a function of its own, so that the frames of several do not
 * add up.  It has room for count matrices of so many vectors each, and does the
 * end of the message that is shorter than a vector.  Not in a further function:
 * around calls between functions of one file GCC 12 leaves out vzeroupper, and
 * whoever uses SSE next then runs at a third of the speed.
 */
#define BATCH_FORM(name, form, count, vectors)				\
static noinline void name(const struct stream_state *state, u8 *dst,	\
			  const u8 *src, size_t bytes,			\
			  unsigned int rounds)				\
{									\
	lanes room[count][vectors];					\
	lanes rest;							\
	size_t done;							\
									\
	done = form(state, dst, src, bytes, rounds, room, count, &rest);	\
	if (done < bytes)						\
		lanes_xor_bytes(dst + done, src + done,			\
				(const u8 *)&rest, bytes - done);	\
	stream_wipe(&rest, sizeof(rest));				\
}

/* A cipher's functions, known when the core is compiled: none is called by pointer. */
typedef void (*batch_fn)(const struct stream_state *state, u8 *dst,
			 const u8 *src, size_t bytes, unsigned int rounds);

struct batch_cipher {
	batch_fn wide_2;
	batch_fn wide_1;
	batch_fn rows_3;
	batch_fn rows_2;
	batch_fn rows_1;
	void (*advance)(struct stream_state *state, u32 blocks);
};

/* A length in bytes, or that of so many blocks. */
static __always_inline size_t batch_at_most(size_t bytes, size_t blocks)
{
	size_t limit = blocks * STREAM_BLOCK_BYTES;

	return bytes < limit ? bytes : limit;
}

/*
 * The next batch of a message of at most so many bytes, in the form for its
 * length.  Returns how many bytes it took.
 */
static __always_inline size_t batch_next(const struct batch_cipher *cipher,
					 const struct stream_state *state,
					 u8 *dst, const u8 *src, size_t bytes,
					 unsigned int rounds)
{
	if (bytes > BATCH_ONE_STATE * STREAM_BLOCK_BYTES) {
		bytes = batch_at_most(bytes, 2 * LANES);
		cipher->wide_2(state, dst, src, bytes, rounds);
	} else if (bytes > BATCH_ROW_GROUPS * QUADS * STREAM_BLOCK_BYTES) {
		bytes = batch_at_most(bytes, LANES);
		cipher->wide_1(state, dst, src, bytes, rounds);
	} else if (bytes > 2 * QUADS * STREAM_BLOCK_BYTES) {
		cipher->rows_3(state, dst, src, bytes, rounds);
	} else if (bytes > QUADS * STREAM_BLOCK_BYTES) {
		cipher->rows_2(state, dst, src, bytes, rounds);
	} else {
		cipher->rows_1(state, dst, src, bytes, rounds);
	}
	return bytes;
}

/*
 * Overwrites the stack below the caller, as deep as the forms that a message of
 * so many bytes has gone through: what the compiler spilled there is key, state
 * and keystream.  Once a call of a core and not slot by slot, which would be
 * longer than some forms.  How deep is counted in vectors, because what forms
 * spill are vectors; tests/secrets.c sees what is left out.
 */
static noinline void batch_wipe_stack(size_t bytes)
{
	lanes frame[BATCH_DEEPEST_FRAME];
	lanes *slots = frame;
	unsigned int i = 0;

	/* Or clang makes variables of the array's slots, anywhere. */
	asm volatile("" : "+r" (slots));
	if (bytes <= QUADS * STREAM_BLOCK_BYTES)
		i = BATCH_DEEPEST_FRAME - 10;		/* one group of rows */
	else if (bytes <= BATCH_ONE_STATE * STREAM_BLOCK_BYTES)
		i = BATCH_DEEPEST_FRAME - 36;		/* up to one state */
	for (; i < BATCH_DEEPEST_FRAME; i++) {
		slots[i] = (lanes){};
		/* Nobody reads it: this keeps the store, and it is no memset(). */
		asm volatile("" : "+m" (slots[i]));
	}
}

/* The stream_xor_fn of a cipher, see stream_simd.h. */
static __always_inline void batch_message(const struct batch_cipher *cipher,
					  struct stream_state *state, u8 *dst,
					  const u8 *src, size_t bytes,
					  unsigned int rounds)
{
	const size_t all = bytes;

	while (bytes) {
		size_t done = batch_next(cipher, state, dst, src, bytes, rounds);

		cipher->advance(state, STREAM_BLOCKS(done));
		dst += done;
		src += done;
		bytes -= done;
	}
	batch_wipe_stack(all);
}

#endif /* BATCH_H */
