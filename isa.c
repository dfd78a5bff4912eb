// SPDX-License-Identifier: GPL-2.0
/*
 * The instruction sets: what this CPU and this kernel can run, and what is
 * preferred over what.
 *
 *	name		needs					priority
 *	scalar		nothing					150
 *	sse2		SSE2, no SSSE3				400
 *	avx2		AVX2, ymm state enabled			500
 *	avx512vl	AVX-512F and VL, zmm state enabled	550
 *	avx512		the same, 512-bit vectors		600 or 1
 *
 * The in-tree generic C has priority 100, the in-tree assembler 300.
 *
 * Deliberately absent: the algorithms.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include "compat.h"
#include "glue.h"

static bool have_scalar(void)
{
	return true;
}

static bool have_sse2(void)
{
	return boot_cpu_has(X86_FEATURE_XMM2);
}

static bool have_avx2(void)
{
	return boot_cpu_has(X86_FEATURE_AVX2) &&
	       cpu_has_xfeatures(XFEATURE_MASK_SSE | XFEATURE_MASK_YMM, NULL);
}

/* The kernel enables the whole state of AVX-512 or none of it. */
static bool have_avx512vl(void)
{
	return have_avx2() && boot_cpu_has(X86_FEATURE_AVX512F) &&
	       boot_cpu_has(X86_FEATURE_AVX512VL) &&
	       cpu_has_xfeatures(XFEATURE_MASK_AVX512, NULL);
}

/* The widest batch of vectors is two states of a block in each lane (lanes.h). */
#define CORES(isa, batch)			\
	.name		= #isa,			\
	.chacha		= chacha_xor_##isa, \
	.salsa		= salsa_xor_##isa,	\
	.keystream_xor	= keystream_xor_##isa, \
	.batch_bytes	= (batch),		\
	.usable		= have_##isa

/* One and the same test: a CPU for which avx512 is usable has avx512vl too. */
#define have_avx512 have_avx512vl

enum { SCALAR, SSE2, AVX2, AVX512VL, AVX512 };

static struct stream_isa isas[] __ro_after_init = {
	[SCALAR]   = { CORES(scalar, STREAM_BLOCK_BYTES),
		       .priority = 150 },
	[SSE2]	   = { CORES(sse2, STREAM_BATCH_BYTES / 4),
		       .priority = 400 },
	[AVX2]	   = { CORES(avx2, STREAM_BATCH_BYTES / 2),
		       .priority = 500 },
	[AVX512VL] = { CORES(avx512vl, STREAM_BATCH_BYTES / 2),
		       .priority = 550 },
	[AVX512]   = { CORES(avx512, STREAM_BATCH_BYTES),
		       .priority = 600, .narrow = &isas[AVX512VL] },
};

static bool is_vendor(const char *name)
{
	unsigned int eax, id[3];

	cpuid(0, &eax, &id[0], &id[2], &id[1]);
	return !memcmp(id, name, sizeof(id));
}

static unsigned int cpu_family(unsigned int signature)
{
	unsigned int family = signature >> 8 & 0xf;

	return family == 0xf ? family + (signature >> 20 & 0xff) : family;
}

static unsigned int cpu_model(unsigned int signature)
{
	return (signature >> 4 & 0xf) | (signature >> 12 & 0xf0);
}

/**
 * stream_isa_prefers_ymm() - whether zmm slows the whole core
 * @intel: the CPU is of that vendor
 * @signature: of the CPU, EAX of CPUID leaf 1
 *
 * Skylake-X to Tiger Lake lower their clock for it, for other programs too.
 *
 * Return: true for these.
 * Context: any.
 */
bool stream_isa_prefers_ymm(bool intel, unsigned int signature)
{
	if (!intel || cpu_family(signature) != 6)
		return false;
	switch (cpu_model(signature)) {
	case 0x55:		/* Skylake-X, Cascade Lake, Cooper Lake */
	case 0x6a: case 0x6c:	/* Ice Lake server */
	case 0x7d: case 0x7e:	/* Ice Lake client */
	case 0x8c: case 0x8d:	/* Tiger Lake */
	case 0x9d:		/* Ice Lake NNPI */
		return true;
	}
	return false;
}

CHACHA_SIMD_EXPORT_FOR_KUNIT(stream_isa_prefers_ymm);

/* 7.x kernels mark these CPUs, older ones do not. */
static bool prefers_ymm(unsigned int signature)
{
	if (MARKS_PREFER_YMM)
		return boot_cpu_has(X86_FEATURE_PREFER_YMM);
	return stream_isa_prefers_ymm(is_vendor("GenuineIntel"), signature);
}

/* Zen 4 runs a 512-bit instruction as two halves in 256-bit units. */
static bool has_halved_zmm(unsigned int signature)
{
	return is_vendor("AuthenticAMD") && cpu_family(signature) == 0x19;
}

/**
 * stream_isa_init() - settle what depends on the model of the CPU
 *
 * Context: module initialisation.
 */
void __init stream_isa_init(void)
{
	unsigned int signature, ebx, ecx, edx;

	cpuid(1, &signature, &ebx, &ecx, &edx);
	if (prefers_ymm(signature))
		isas[AVX512].priority = 1;
	/*
	 * Up to eight blocks, eight 256-bit lanes take no longer than sixteen
	 * 512-bit ones and start sooner.  Where zmm is two halves, a batch of
	 * 32 blocks has to be three quarters full before it is the faster one
	 * (Zen 4: 328 ns, against 173 + 126 ns for sixteen and eight).
	 */
	isas[AVX512].narrow_bytes =
		(has_halved_zmm(signature) ? 24 : 8) * STREAM_BLOCK_BYTES;
}

/**
 * stream_isa_nth() - an instruction set by number
 * @i: number, from the plainest on
 *
 * Return: the instruction set, whether usable or not; NULL past the last.
 * Context: any.
 */
const struct stream_isa *stream_isa_nth(unsigned int i)
{
	return i < ARRAY_SIZE(isas) ? &isas[i] : NULL;
}

CHACHA_SIMD_EXPORT_FOR_KUNIT(stream_isa_nth);

/**
 * stream_isa_is_simd() - whether cores need an FPU section
 * @isa: the instruction set
 *
 * Return: true for all but the scalar one.
 * Context: any.
 */
bool stream_isa_is_simd(const struct stream_isa *isa)
{
	return isa != &isas[SCALAR];
}
