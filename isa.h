/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The instruction sets, and what a CPU tells of itself to choose among them.
 *
 * What depends on the CPU is a pure function of struct stream_cpu, so that a
 * test can ask it about CPUs that it does not run on.
 *
 * Deliberately absent: ciphers.
 */
#ifndef CHACHA_SIMD_ISA_H
#define CHACHA_SIMD_ISA_H

#include <linux/bits.h>
#include <linux/types.h>

/* From the plainest to the widest. */
enum stream_isa_id {
	STREAM_SCALAR,
	STREAM_SSE2,
	STREAM_SSSE3,
	STREAM_AVX2,
	STREAM_AVX512VL,
	STREAM_AVX512,
	STREAM_ISAS
};

/**
 * struct stream_isa - an instruction set on this CPU
 * @id: which one
 * @name: suffix of its drivers' names, and value of the parameter isa=
 * @usable: whether this CPU has it and the kernel has enabled its state
 * @priority: of its drivers
 * @batch_bytes: what the widest batch of its cores takes, a power of two, at
 *		 most STREAM_BATCH_BYTES
 * @narrow: instruction set that does a last part of at most @narrow_bytes
 *	    faster, on every CPU that has this one; or NULL
 * @narrow_bytes: see stream_isa_narrow_blocks_on()
 */
struct stream_isa {
	enum stream_isa_id id;
	const char *name;
	bool usable;
	int priority;
	unsigned int batch_bytes;
	const struct stream_isa *narrow;
	unsigned int narrow_bytes;
};

enum stream_vendor {
	STREAM_OTHER_VENDOR,
	STREAM_INTEL,
	STREAM_AMD,
};

/* What the CPU has, and which state of it the kernel has enabled. */
enum stream_feature {
	STREAM_HAS_SSE2		= BIT(0),
	STREAM_HAS_SSSE3	= BIT(1),
	STREAM_HAS_AVX2		= BIT(2),
	STREAM_HAS_YMM_STATE	= BIT(3),
	STREAM_HAS_AVX512F	= BIT(4),
	STREAM_HAS_AVX512VL	= BIT(5),
	STREAM_HAS_ZMM_STATE	= BIT(6),
};

/* What the kernel says of 512-bit vectors; before 7.x it says nothing. */
enum stream_zmm_mark {
	STREAM_ZMM_NOT_TOLD,
	STREAM_ZMM_FINE,
	STREAM_ZMM_SLOW,
};

/**
 * struct stream_cpu - what the choice among instruction sets depends on
 * @vendor: who made it
 * @family: as the vendor counts it, the extended family added
 * @model: the extended model included
 * @features: of enum stream_feature
 * @zmm: the kernel's own verdict
 */
struct stream_cpu {
	enum stream_vendor vendor;
	unsigned int family;
	unsigned int model;
	unsigned int features;
	enum stream_zmm_mark zmm;
};

extern struct stream_isa stream_isas[STREAM_ISAS];

bool stream_isa_usable_on(enum stream_isa_id id, const struct stream_cpu *cpu);
int stream_isa_priority_on(enum stream_isa_id id, const struct stream_cpu *cpu);
unsigned int stream_isa_narrow_blocks_on(const struct stream_cpu *cpu);
void stream_isa_init(void);

/* Whether its cores need an FPU section. */
static inline bool stream_isa_is_simd(const struct stream_isa *isa)
{
	return isa->id != STREAM_SCALAR;
}

#endif /* CHACHA_SIMD_ISA_H */
