/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Every difference between the kernels that this module builds for: 6.1 to
 * 7.x on x86-64, and User Mode Linux, where the tests run at native speed.
 *
 * Deliberately absent: anything that is the same everywhere.
 */
#ifndef CHACHA_SIMD_COMPAT_H
#define CHACHA_SIMD_COMPAT_H

#include <linux/preempt.h>
#include <linux/string.h>
#include <linux/version.h>
#include <crypto/internal/simd.h>
#include <asm/cpufeature.h>
#include <asm/fpu/api.h>
#include <asm/simd.h>
#include "isa.h"

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
#include <linux/unaligned.h>
#else
#include <asm/unaligned.h>
#endif

/* MODULE_ALIAS_CRYPTO() lives in one of these. */
#include <linux/crypto.h>
#include <crypto/algapi.h>

#ifdef CONFIG_UML
/*
 * User Mode Linux always calls SIMD usable, but it has no FPU sections that
 * would keep a softirq from the keystream of the request that it interrupted.
 */
#define stream_simd_usable()	(crypto_simd_usable() && !in_interrupt())

static inline void compat_cpuid(unsigned int leaf, unsigned int *eax,
				unsigned int *ebx, unsigned int *ecx,
				unsigned int *edx)
{
	asm volatile("cpuid"
		     : "=a" (*eax), "=b" (*ebx), "=c" (*ecx), "=d" (*edx)
		     : "0" (leaf), "2" (0));
}

/* User Mode Linux does not read the host's vendor and model. */
static inline void compat_cpu_model(struct stream_cpu *cpu)
{
	unsigned int eax, ebx, ecx, edx, id[3];

	compat_cpuid(0, &eax, &id[0], &id[2], &id[1]);
	if (!memcmp(id, "GenuineIntel", sizeof(id)))
		cpu->vendor = STREAM_INTEL;
	else if (!memcmp(id, "AuthenticAMD", sizeof(id)))
		cpu->vendor = STREAM_AMD;
	compat_cpuid(1, &eax, &ebx, &ecx, &edx);
	cpu->family = eax >> 8 & 0xf;
	if (cpu->family == 0xf)
		cpu->family += eax >> 20 & 0xff;
	cpu->model = (eax >> 4 & 0xf) | (eax >> 12 & 0xf0);
}

/* A host that has not enabled the state does not show the feature either. */
#define HAS_YMM_STATE()		1
#define HAS_ZMM_STATE()		1
#else
#include <asm/processor.h>
#include <asm/fpu/xcr.h>
#include <asm/fpu/xstate.h>

#define stream_simd_usable()	crypto_simd_usable()

static inline void compat_cpu_model(struct stream_cpu *cpu)
{
	if (boot_cpu_data.x86_vendor == X86_VENDOR_INTEL)
		cpu->vendor = STREAM_INTEL;
	else if (boot_cpu_data.x86_vendor == X86_VENDOR_AMD)
		cpu->vendor = STREAM_AMD;
	cpu->family = boot_cpu_data.x86;
	cpu->model = boot_cpu_data.x86_model;
}

#define HAS_YMM_STATE() \
	cpu_has_xfeatures(XFEATURE_MASK_SSE | XFEATURE_MASK_YMM, NULL)
#define HAS_ZMM_STATE()		cpu_has_xfeatures(XFEATURE_MASK_AVX512, NULL)
#endif

/* 7.x kernels mark the CPUs on which zmm slows the whole core. */
static inline enum stream_zmm_mark compat_zmm_mark(void)
{
#ifdef X86_FEATURE_PREFER_YMM
	return boot_cpu_has(X86_FEATURE_PREFER_YMM) ? STREAM_ZMM_SLOW :
						      STREAM_ZMM_FINE;
#else
	return STREAM_ZMM_NOT_TOLD;
#endif
}

/* This CPU, as this kernel runs it. */
static inline void compat_cpu(struct stream_cpu *cpu)
{
	*cpu = (struct stream_cpu){ .zmm = compat_zmm_mark() };
	compat_cpu_model(cpu);
	if (boot_cpu_has(X86_FEATURE_XMM2))
		cpu->features |= STREAM_HAS_SSE2;
	if (boot_cpu_has(X86_FEATURE_SSSE3))
		cpu->features |= STREAM_HAS_SSSE3;
	if (boot_cpu_has(X86_FEATURE_AVX2))
		cpu->features |= STREAM_HAS_AVX2;
	if (boot_cpu_has(X86_FEATURE_AVX512F))
		cpu->features |= STREAM_HAS_AVX512F;
	if (boot_cpu_has(X86_FEATURE_AVX512VL))
		cpu->features |= STREAM_HAS_AVX512VL;
	if (HAS_YMM_STATE())
		cpu->features |= STREAM_HAS_YMM_STATE;
	if (HAS_ZMM_STATE())
		cpu->features |= STREAM_HAS_ZMM_STATE;
}

/* From 6.13 on a namespace is named by a string. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
#define CHACHA_SIMD_NAMESPACE	"CHACHA_SIMD"
#else
#define CHACHA_SIMD_NAMESPACE	CHACHA_SIMD
#endif

/* Only kernels with KUnit have anything that may use the module's insides. */
#if IS_ENABLED(CONFIG_KUNIT)
#define CHACHA_SIMD_EXPORT_FOR_KUNIT(symbol) \
	EXPORT_SYMBOL_NS_GPL(symbol, CHACHA_SIMD_NAMESPACE)
#define CHACHA_SIMD_IMPORT_FOR_KUNIT \
	MODULE_IMPORT_NS(CHACHA_SIMD_NAMESPACE)
#else
#define CHACHA_SIMD_EXPORT_FOR_KUNIT(symbol)
#endif

#endif /* CHACHA_SIMD_COMPAT_H */
