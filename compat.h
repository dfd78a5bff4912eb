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
#include <linux/version.h>
#include <crypto/internal/simd.h>
#include <asm/cpufeature.h>
#include <asm/fpu/api.h>
#include <asm/simd.h>

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
#include <linux/unaligned.h>
#else
#include <asm/unaligned.h>
#endif

/* MODULE_ALIAS_CRYPTO() lives in one of these. */
#include <linux/crypto.h>
#include <crypto/algapi.h>

#ifdef CONFIG_UML
/* A host that has not enabled the state does not show the feature either. */
static inline int cpu_has_xfeatures(u64 features, const char **name)
{
	return 1;
}

#define XFEATURE_MASK_SSE	0
#define XFEATURE_MASK_YMM	0
#define XFEATURE_MASK_AVX512	0

/*
 * User Mode Linux always calls SIMD usable, but it has no FPU sections that
 * would keep a softirq from the keystream of the request that it interrupted.
 */
#define stream_simd_usable()	(crypto_simd_usable() && !in_interrupt())

static inline void cpuid(unsigned int leaf, unsigned int *eax,
			 unsigned int *ebx, unsigned int *ecx,
			 unsigned int *edx)
{
	asm volatile("cpuid"
		     : "=a" (*eax), "=b" (*ebx), "=c" (*ecx), "=d" (*edx)
		     : "0" (leaf), "2" (0));
}
#else
/* cpuid() moved out of the former. */
#include <asm/processor.h>
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 16, 0)
#include <asm/cpuid/api.h>
#endif
#include <asm/fpu/xcr.h>
#include <asm/fpu/xstate.h>

#define stream_simd_usable()	crypto_simd_usable()
#endif

/* Whether the kernel marks the CPUs on which zmm slows the whole core. */
#ifdef X86_FEATURE_PREFER_YMM
#define MARKS_PREFER_YMM	1
#else
#define MARKS_PREFER_YMM	0
#define X86_FEATURE_PREFER_YMM	0
#endif

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
