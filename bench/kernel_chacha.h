/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The in-tree x86 assembler of ChaCha as functions of the contract's type, one
 * for each of its levels.  Used by the user-space peers and by the drivers of
 * the in-kernel bench.
 */
#ifndef BENCH_KERNEL_CHACHA_H
#define BENCH_KERNEL_CHACHA_H

#include "../stream_simd.h"

void kernel_chacha_xor_ssse3(struct stream_state *state, u8 *dst,
			     const u8 *src, size_t bytes, unsigned int rounds);
void kernel_chacha_xor_avx2(struct stream_state *state, u8 *dst,
			    const u8 *src, size_t bytes, unsigned int rounds);
void kernel_chacha_xor_avx512vl(struct stream_state *state, u8 *dst,
				const u8 *src, size_t bytes,
				unsigned int rounds);

/* chacha-ssse3-x86_64.S */
void hchacha_block_ssse3(const u32 *state, u32 *out, int nrounds);

#endif /* BENCH_KERNEL_CHACHA_H */
