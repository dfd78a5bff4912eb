// SPDX-License-Identifier: GPL-2.0
/*
 * The instruction sets: what this CPU and this kernel can run, and what is
 * preferred over what.
 *
 *	name		needs					priority
 *	scalar		nothing					150
 *	sse2		SSE2					400
 *	ssse3		SSSE3					450
 *	avx2		AVX2, ymm state enabled			500
 *	avx512vl	AVX-512F and VL, zmm state enabled	550
 *	avx512		the same, 512-bit vectors		600 or 1
 *
 * The in-tree generic C has priority 100, the in-tree assembler 300.
 *
 * Deliberately absent: the algorithms.
 */
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include "compat.h"
#include "isa.h"
#include "stream_simd.h"

/* The widest batch of vectors is two states of a block in each lane (batch.h). */
struct stream_isa stream_isas[STREAM_ISAS] __ro_after_init = {
	[STREAM_SCALAR] = {
		.id = STREAM_SCALAR,
		.name = "scalar",
		.batch_bytes = STREAM_BLOCK_BYTES,
	},
	[STREAM_SSE2] = {
		.id = STREAM_SSE2,
		.name = "sse2",
		.batch_bytes = 2 * 4 * STREAM_BLOCK_BYTES,
	},
	[STREAM_SSSE3] = {
		.id = STREAM_SSSE3,
		.name = "ssse3",
		.batch_bytes = 2 * 4 * STREAM_BLOCK_BYTES,
	},
	[STREAM_AVX2] = {
		.id = STREAM_AVX2,
		.name = "avx2",
		.batch_bytes = 2 * 8 * STREAM_BLOCK_BYTES,
	},
	[STREAM_AVX512VL] = {
		.id = STREAM_AVX512VL,
		.name = "avx512vl",
		.batch_bytes = 2 * 8 * STREAM_BLOCK_BYTES,
	},
	[STREAM_AVX512] = {
		.id = STREAM_AVX512,
		.name = "avx512",
		.batch_bytes = 2 * 16 * STREAM_BLOCK_BYTES,
	},
};

CHACHA_SIMD_EXPORT_FOR_KUNIT(stream_isas);

enum {
	AVX2_NEEDS	= STREAM_HAS_AVX2 | STREAM_HAS_YMM_STATE,
	AVX512_NEEDS	= AVX2_NEEDS | STREAM_HAS_AVX512F |
			  STREAM_HAS_AVX512VL | STREAM_HAS_ZMM_STATE,
};

/* What avx512 is too wide for goes to avx512vl, so they need the same. */
static const unsigned int isa_needs[STREAM_ISAS] = {
	[STREAM_SCALAR]	  = 0,
	[STREAM_SSE2]	  = STREAM_HAS_SSE2,
	[STREAM_SSSE3]	  = STREAM_HAS_SSSE3,
	[STREAM_AVX2]	  = AVX2_NEEDS,
	[STREAM_AVX512VL] = AVX512_NEEDS,
	[STREAM_AVX512]	  = AVX512_NEEDS,
};

/**
 * stream_isa_usable_on() - whether an instruction set may be used on a CPU
 * @id: the instruction set
 * @cpu: the CPU
 *
 * Return: whether the CPU has it and the kernel has enabled its state.
 * Context: any.
 */
bool stream_isa_usable_on(enum stream_isa_id id, const struct stream_cpu *cpu)
{
	return (cpu->features & isa_needs[id]) == isa_needs[id];
}

CHACHA_SIMD_EXPORT_FOR_KUNIT(stream_isa_usable_on);

/* Skylake-X to Tiger Lake lower their clock for zmm, for other programs too. */
static bool has_slow_zmm(const struct stream_cpu *cpu)
{
	if (cpu->zmm != STREAM_ZMM_NOT_TOLD)
		return cpu->zmm == STREAM_ZMM_SLOW;
	if (cpu->vendor != STREAM_INTEL || cpu->family != 6)
		return false;
	switch (cpu->model) {
	case 0x55:		/* Skylake-X, Cascade Lake, Cooper Lake */
	case 0x6a: case 0x6c:	/* Ice Lake server */
	case 0x7d: case 0x7e:	/* Ice Lake client */
	case 0x8c: case 0x8d:	/* Tiger Lake */
	case 0x9d:		/* Ice Lake NNPI */
		return true;
	}
	return false;
}

/**
 * stream_isa_priority_on() - priority of an instruction set's drivers on a CPU
 * @id: the instruction set
 * @cpu: the CPU
 *
 * Return: the priority; 1 where the CPU is slower with it than with others.
 * Context: any.
 */
int stream_isa_priority_on(enum stream_isa_id id, const struct stream_cpu *cpu)
{
	static const int priorities[STREAM_ISAS] = {
		[STREAM_SCALAR]	  = 150,
		[STREAM_SSE2]	  = 400,
		[STREAM_SSSE3]	  = 450,
		[STREAM_AVX2]	  = 500,
		[STREAM_AVX512VL] = 550,
		[STREAM_AVX512]	  = 600,
	};

	if (id == STREAM_AVX512 && has_slow_zmm(cpu))
		return 1;
	return priorities[id];
}

CHACHA_SIMD_EXPORT_FOR_KUNIT(stream_isa_priority_on);

/**
 * stream_isa_narrow_blocks_on() - how long a rest avx512 leaves to avx512vl
 * @cpu: the CPU
 *
 * Up to eight blocks, eight 256-bit lanes take no longer than sixteen 512-bit
 * ones and start sooner.  Zen 4 runs a 512-bit instruction as two halves in
 * 256-bit units: there a batch of 32 blocks has to be three quarters full
 * before it is the faster one.
 *
 * Return: blocks.
 * Context: any.
 */
unsigned int stream_isa_narrow_blocks_on(const struct stream_cpu *cpu)
{
	return cpu->vendor == STREAM_AMD && cpu->family == 0x19 ? 24 : 8;
}

CHACHA_SIMD_EXPORT_FOR_KUNIT(stream_isa_narrow_blocks_on);

/**
 * stream_isa_init() - settle what depends on this CPU and this kernel
 *
 * Context: module initialisation.
 */
void __init stream_isa_init(void)
{
	struct stream_isa *avx512 = &stream_isas[STREAM_AVX512];
	struct stream_cpu cpu;
	unsigned int i;

	compat_cpu(&cpu);
	for (i = 0; i < STREAM_ISAS; i++) {
		stream_isas[i].usable = stream_isa_usable_on(i, &cpu);
		stream_isas[i].priority = stream_isa_priority_on(i, &cpu);
	}
	avx512->narrow = &stream_isas[STREAM_AVX512VL];
	avx512->narrow_bytes =
		stream_isa_narrow_blocks_on(&cpu) * STREAM_BLOCK_BYTES;
}
