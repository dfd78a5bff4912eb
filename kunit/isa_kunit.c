// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit suite chacha_simd_isa: which instruction sets are usable on a CPU, and
 * which is preferred.
 *
 * Few machines have the CPU on which a choice goes the other way, so the
 * functions that choose are asked about CPUs of a list, and then what is in
 * force here is held against what they say of this CPU.
 *
 * Deliberately absent: drivers (key_kunit.c holds their priorities against
 * those of their instruction sets).
 */
#include <kunit/test.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "../compat.h"
#include "../glue.h"

#define SSE2	STREAM_HAS_SSE2
#define SSSE3	(SSE2 | STREAM_HAS_SSSE3)
#define AVX2	(SSSE3 | STREAM_HAS_AVX2 | STREAM_HAS_YMM_STATE)
#define AVX512	(AVX2 | STREAM_HAS_AVX512F | STREAM_HAS_AVX512VL | \
		 STREAM_HAS_ZMM_STATE)

/* Features, and the widest instruction set that they allow. */
struct features {
	const char *name;
	unsigned int features;
	enum stream_isa_id widest;
};

static const struct features features[] = {
	{ "nothing",			0,				STREAM_SCALAR },
	{ "SSE2",			SSE2,				STREAM_SSE2 },
	{ "SSSE3",			SSSE3,				STREAM_SSSE3 },
	{ "AVX2",			AVX2,				STREAM_AVX2 },
	{ "AVX2 without ymm state",	AVX2 & ~STREAM_HAS_YMM_STATE,	STREAM_SSSE3 },
	{ "ymm state without AVX2",	AVX2 & ~STREAM_HAS_AVX2,	STREAM_SSSE3 },
	{ "AVX-512",			AVX512,				STREAM_AVX512 },
	{ "AVX-512 without F",		AVX512 & ~STREAM_HAS_AVX512F,	STREAM_AVX2 },
	{ "AVX-512 without VL",		AVX512 & ~STREAM_HAS_AVX512VL,	STREAM_AVX2 },
	{ "AVX-512 without zmm state",	AVX512 & ~STREAM_HAS_ZMM_STATE,	STREAM_AVX2 },
	{ "AVX-512 without ymm state",	AVX512 & ~STREAM_HAS_YMM_STATE,	STREAM_SSSE3 },
	{ "AVX-512 without AVX2",	AVX512 & ~STREAM_HAS_AVX2,	STREAM_SSSE3 },
};

static void describe_features(const struct features *f, char *desc)
{
	strscpy(desc, f->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(features, features, describe_features);

static void usable(struct kunit *test)
{
	const struct features *f = test->param_value;
	const struct stream_cpu cpu = { .features = f->features };
	enum stream_isa_id id;

	for (id = STREAM_SCALAR; id < STREAM_ISAS; id++) {
		KUNIT_EXPECT_EQ_MSG(test, stream_isa_usable_on(id, &cpu),
				    id <= f->widest, "%s",
				    stream_isas[id].name);
	}
}

/* A CPU, as CPUID has it, and what is slow on it. */
struct cpu {
	const char *name;
	enum stream_vendor vendor;
	unsigned int family;
	unsigned int model;
	bool slow_zmm;
	bool halved_zmm;
};

#define INTEL	STREAM_INTEL
#define AMD	STREAM_AMD
#define OTHER	STREAM_OTHER_VENDOR

static const struct cpu cpus[] = {
	{ "Skylake-X, Cascade and Cooper Lake", INTEL, 6, 0x55, true, false },
	{ "Ice Lake-SP",	INTEL, 6, 0x6a, true, false },
	{ "Ice Lake-D",		INTEL, 6, 0x6c, true, false },
	{ "Ice Lake",		INTEL, 6, 0x7d, true, false },
	{ "Ice Lake-U",		INTEL, 6, 0x7e, true, false },
	{ "Ice Lake NNP-I",	INTEL, 6, 0x9d, true, false },
	{ "Tiger Lake-U",	INTEL, 6, 0x8c, true, false },
	{ "Tiger Lake-H",	INTEL, 6, 0x8d, true, false },
	{ "Zen 3 and Zen 4",	AMD, 0x19, 0x11, false, true },
	{ "Zen 4, client",	AMD, 0x19, 0x61, false, true },
	/* Neighbours by number, by family, or in time */
	{ "Haswell",		INTEL, 6, 0x3c, false, false },
	{ "Skylake",		INTEL, 6, 0x5e, false, false },
	{ "Broadwell-DE",	INTEL, 6, 0x56, false, false },
	{ "Kaby Lake-U",	INTEL, 6, 0x8e, false, false },
	{ "Kaby Lake",		INTEL, 6, 0x9e, false, false },
	{ "Rocket Lake",	INTEL, 6, 0xa7, false, false },
	{ "Alder Lake",		INTEL, 6, 0x97, false, false },
	{ "Sapphire Rapids",	INTEL, 6, 0x8f, false, false },
	{ "Emerald Rapids",	INTEL, 6, 0xcf, false, false },
	{ "Granite Rapids",	INTEL, 6, 0xad, false, false },
	{ "Pentium 4",		INTEL, 15, 4, false, false },
	{ "Zen 2",		AMD, 0x17, 0x31, false, false },
	{ "Zen 5",		AMD, 0x1a, 0x02, false, false },
	/* Nobody's, but with the right numbers */
	{ "not of family 6",	INTEL, 15, 0x55, false, false },
	{ "not of Intel",	AMD, 6, 0x55, false, false },
	{ "not of AMD",		INTEL, 0x19, 0x11, false, false },
	{ "of somebody else",	OTHER, 6, 0x55, false, false },
	{ "of somebody else, of family 25", OTHER, 0x19, 0x11, false, false },
};

static void describe(const struct cpu *cpu, char *desc)
{
	strscpy(desc, cpu->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(cpu, cpus, describe);

static struct stream_cpu cpu_of(const struct cpu *cpu)
{
	return (struct stream_cpu){
		.vendor = cpu->vendor,
		.family = cpu->family,
		.model = cpu->model,
		.features = AVX512,
	};
}

static void slow_zmm(struct kunit *test)
{
	const struct cpu *param = test->param_value;
	struct stream_cpu cpu = cpu_of(param);

	KUNIT_EXPECT_EQ(test, stream_isa_priority_on(STREAM_AVX512, &cpu),
			param->slow_zmm ? 1 : 600);
	/* A kernel that marks the CPUs is believed. */
	cpu.zmm = STREAM_ZMM_FINE;
	KUNIT_EXPECT_EQ(test, stream_isa_priority_on(STREAM_AVX512, &cpu), 600);
	cpu.zmm = STREAM_ZMM_SLOW;
	KUNIT_EXPECT_EQ(test, stream_isa_priority_on(STREAM_AVX512, &cpu), 1);
}

static void other_priorities(struct kunit *test)
{
	static const int want[] = { 150, 400, 450, 500, 550 };
	const struct cpu *param = test->param_value;
	struct stream_cpu cpu = cpu_of(param);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(want); i++)
		KUNIT_EXPECT_EQ_MSG(test, stream_isa_priority_on(i, &cpu),
				    want[i], "%s", stream_isas[i].name);
}

static void narrow(struct kunit *test)
{
	const struct cpu *param = test->param_value;
	const struct stream_cpu cpu = cpu_of(param);

	KUNIT_EXPECT_EQ(test, stream_isa_narrow_blocks_on(&cpu),
			param->halved_zmm ? 24U : 8U);
}

/* What the load has settled, for the CPU that this is. */
static void here(struct kunit *test)
{
	static const char * const names[] = {
		"scalar", "sse2", "ssse3", "avx2", "avx512vl", "avx512"
	};
	const struct stream_isa *avx512 = &stream_isas[STREAM_AVX512];
	struct stream_cpu cpu;
	unsigned int i;

	compat_cpu(&cpu);
	KUNIT_EXPECT_NE(test, cpu.family, 0U);
	for (i = 0; i < STREAM_ISAS; i++) {
		const struct stream_isa *isa = &stream_isas[i];

		KUNIT_EXPECT_STREQ(test, isa->name, names[i]);
		KUNIT_EXPECT_EQ(test, (unsigned int)isa->id, i);
		KUNIT_EXPECT_EQ_MSG(test, isa->usable,
				    stream_isa_usable_on(i, &cpu), "%s",
				    names[i]);
		KUNIT_EXPECT_EQ_MSG(test, isa->priority,
				    stream_isa_priority_on(i, &cpu), "%s",
				    names[i]);
		if (isa != avx512)
			KUNIT_EXPECT_NULL(test, isa->narrow);
	}
	KUNIT_EXPECT_PTR_EQ(test, avx512->narrow,
			    (const struct stream_isa *)&stream_isas[STREAM_AVX512VL]);
	KUNIT_EXPECT_EQ(test, avx512->narrow_bytes,
			stream_isa_narrow_blocks_on(&cpu) * STREAM_BLOCK_BYTES);
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(usable, features_gen_params),
	KUNIT_CASE_PARAM(slow_zmm, cpu_gen_params),
	KUNIT_CASE_PARAM(other_priorities, cpu_gen_params),
	KUNIT_CASE_PARAM(narrow, cpu_gen_params),
	KUNIT_CASE(here),
	{}
};

static struct kunit_suite suite = {
	.name = "chacha_simd_isa",
	.test_cases = cases,
};

kunit_test_suite(suite);
