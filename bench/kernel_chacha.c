// SPDX-License-Identifier: GPL-2.0
/*
 * Calls of the in-tree x86 assembler of ChaCha (arch/x86/crypto/chacha-*.S of
 * Linux 6.12, taken from Debian's linux-source package at build time).
 *
 *   level     one call does, blocks
 *   ssse3     1, 4
 *   avx2      1 (of ssse3), 2, 4, 8
 *   avx512vl  2, 4, 8
 *
 * Which of them a piece of a message gets is the policy of the kernel's own
 * glue, or the comparison would not be one: the widest while there is enough
 * for it, then the narrowest that holds the rest.  The assembler reads and
 * writes no byte past the length, and leaves the counter to its caller.
 *
 * Deliberately absent: FPU sections and CPU tests, which are the caller's.
 */
#include "kernel_chacha.h"

typedef void chacha_asm_fn(u32 *state, u8 *dst, const u8 *src,
			   unsigned int len, int nrounds);

chacha_asm_fn chacha_block_xor_ssse3;
chacha_asm_fn chacha_4block_xor_ssse3;

chacha_asm_fn chacha_2block_xor_avx2;
chacha_asm_fn chacha_4block_xor_avx2;
chacha_asm_fn chacha_8block_xor_avx2;

chacha_asm_fn chacha_2block_xor_avx512vl;
chacha_asm_fn chacha_4block_xor_avx512vl;
chacha_asm_fn chacha_8block_xor_avx512vl;

/* What a level has for up to that many blocks; NULL where it has nothing. */
struct level {
	chacha_asm_fn *one;
	chacha_asm_fn *two;
	chacha_asm_fn *four;
	chacha_asm_fn *eight;
};

/*
 * Inlined, so that each level's table folds into direct calls: the kernel
 * pays no indirect call either.
 */
static __always_inline void run(const struct level *level,
				struct stream_state *state, u8 *dst,
				const u8 *src, size_t bytes,
				unsigned int rounds)
{
	const unsigned int widest = level->eight ? 8 : 4;
	const size_t batch = widest * STREAM_BLOCK_BYTES;
	u32 *counter = &state->word[CHACHA_COUNTER];
	chacha_asm_fn *fn = level->eight ? level->eight : level->four;
	size_t blocks;

	for (; bytes >= batch; bytes -= batch) {
		fn(state->word, dst, src, bytes, rounds);
		*counter += widest;
		dst += batch;
		src += batch;
	}
	if (!bytes)
		return;

	blocks = STREAM_BLOCKS(bytes);
	if (level->one && blocks <= 1)
		fn = level->one;
	else if (level->two && blocks <= 2)
		fn = level->two;
	else if (blocks <= 4)
		fn = level->four;
	fn(state->word, dst, src, bytes, rounds);
	*counter += blocks;
}

void kernel_chacha_xor_ssse3(struct stream_state *state, u8 *dst,
			     const u8 *src, size_t bytes, unsigned int rounds)
{
	static const struct level ssse3 = {
		.one	= chacha_block_xor_ssse3,
		.four	= chacha_4block_xor_ssse3,
	};

	run(&ssse3, state, dst, src, bytes, rounds);
}

void kernel_chacha_xor_avx2(struct stream_state *state, u8 *dst,
			    const u8 *src, size_t bytes, unsigned int rounds)
{
	static const struct level avx2 = {
		.one	= chacha_block_xor_ssse3,
		.two	= chacha_2block_xor_avx2,
		.four	= chacha_4block_xor_avx2,
		.eight	= chacha_8block_xor_avx2,
	};

	run(&avx2, state, dst, src, bytes, rounds);
}

void kernel_chacha_xor_avx512vl(struct stream_state *state, u8 *dst,
				const u8 *src, size_t bytes,
				unsigned int rounds)
{
	static const struct level avx512vl = {
		.two	= chacha_2block_xor_avx512vl,
		.four	= chacha_4block_xor_avx512vl,
		.eight	= chacha_8block_xor_avx512vl,
	};

	run(&avx512vl, state, dst, src, bytes, rounds);
}
