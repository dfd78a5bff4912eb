/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What every user of the cores needs, whichever interface it serves: how much
 * goes into an FPU section, which core takes what, and whether the cores are
 * right.
 *
 * Deliberately absent: the crypto API, FPU sections.
 */
#ifndef CHACHA_SIMD_STREAM_CORE_H
#define CHACHA_SIMD_STREAM_CORE_H

#include "isa.h"
#include "stream_simd.h"

/*
 * Preemption is off in an FPU section.  4 KiB take 0.4 us with AVX-512 and
 * 2.5 us with SSE2, far below what a latency-bound system notices, and the
 * section's own cost is spread over enough data that more would not pay.
 */
#define STREAM_SECTION_BYTES	4096

/*
 * One block takes scalar code 84 ns and the vector forms 95 (Zen 4), and wants
 * no section.  Two take 168 and 96 ns, which leaves room for the cost of the
 * section itself; User Mode Linux, where this was measured, has none.
 */
#define STREAM_SCALAR_BYTES	STREAM_BLOCK_BYTES

/**
 * struct stream_cores - the cores of a cipher
 * @xor: one for each instruction set
 */
struct stream_cores {
	stream_xor_fn xor[STREAM_ISAS];
};

/* Initialises an array by instruction set with the functions of a name. */
#define STREAM_PER_ISA(function) {			\
	[STREAM_SCALAR]		= function##_scalar,	\
	[STREAM_SSE2]		= function##_sse2,	\
	[STREAM_SSSE3]		= function##_ssse3,	\
	[STREAM_AVX2]		= function##_avx2,	\
	[STREAM_AVX512VL]	= function##_avx512vl,	\
	[STREAM_AVX512]		= function##_avx512,	\
}

#define STREAM_CORES(cipher)	{ .xor = STREAM_PER_ISA(cipher##_xor) }

/**
 * typedef stream_keystream_fn - keystream by the path that is to be tested
 * @user: whose path
 * @state: input block; its counter is advanced by the blocks begun
 * @dst: where the keystream goes
 * @bytes: how much, at most a section
 * @first: bytes in the first of two pieces; 0 for one piece
 *
 * Return: 0 or an error.
 * Context: module initialisation.
 */
typedef int (*stream_keystream_fn)(const void *user, struct stream_state *state,
				   u8 *dst, unsigned int bytes,
				   unsigned int first);

/* What a self-test needs room for. */
#define STREAM_SELF_TEST_BYTES	STREAM_SECTION_BYTES

void stream_xor(const struct stream_cores *cores, const struct stream_isa *isa,
		struct stream_state *state, u8 *dst, const u8 *src,
		size_t bytes, unsigned int rounds);
int stream_self_test(stream_keystream_fn keystream, const void *user,
		     struct stream_state *state, u8 *buffer, u64 *digest);

#endif /* CHACHA_SIMD_STREAM_CORE_H */
