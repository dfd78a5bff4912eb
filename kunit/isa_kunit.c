// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit suite chacha_simd_isa: which instruction set is preferred on which CPU.
 *
 * Few machines have a CPU on which 512-bit vectors come last, so the rule is
 * held against a list of CPUs by name and CPUID signature, and then what is in
 * force here against that list.
 *
 * Deliberately absent: drivers (key_kunit.c holds their priorities against
 * those of their instruction sets).
 */
#include <kunit/test.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "../compat.h"
#include "../glue.h"

/* A CPU, as CPUID leaf 1 has it; a stepping that was sold */
struct cpu {
	const char *name;
	const char *vendor;
	unsigned int signature;
	bool slow_zmm;
};

#define INTEL	"GenuineIntel"
#define AMD	"AuthenticAMD"

static const struct cpu cpus[] = {
	{ "Skylake-X",		INTEL, 0x050654, true },
	{ "Cascade Lake",	INTEL, 0x050657, true },
	{ "Cooper Lake",	INTEL, 0x05065b, true },
	{ "Ice Lake-SP",	INTEL, 0x0606a6, true },
	{ "Ice Lake-D",		INTEL, 0x0606c1, true },
	{ "Ice Lake",		INTEL, 0x0706d1, true },
	{ "Ice Lake-U",		INTEL, 0x0706e5, true },
	{ "Ice Lake NNP-I",	INTEL, 0x0906d0, true },
	{ "Tiger Lake-U",	INTEL, 0x0806c1, true },
	{ "Tiger Lake-H",	INTEL, 0x0806d1, true },
	/* Neighbours by number, by family, or in time */
	{ "Haswell",		INTEL, 0x0306c3, false },
	{ "Skylake",		INTEL, 0x0506e3, false },
	{ "Broadwell-DE",	INTEL, 0x050663, false },
	{ "Kaby Lake-U",	INTEL, 0x0806e9, false },
	{ "Kaby Lake",		INTEL, 0x0906e9, false },
	{ "Rocket Lake",	INTEL, 0x0a0671, false },
	{ "Alder Lake",		INTEL, 0x090672, false },
	{ "Sapphire Rapids",	INTEL, 0x0806f8, false },
	{ "Emerald Rapids",	INTEL, 0x0c06f2, false },
	{ "Granite Rapids",	INTEL, 0x0a06d1, false },
	{ "Pentium 4",		INTEL, 0x000f41, false },
	{ "Zen 4, server",	AMD,   0xa10f11, false },
	{ "Zen 4, client",	AMD,   0xa60f12, false },
	{ "Zen 5",		AMD,   0xb40f40, false },
	/* Nobody's, but with the right numbers */
	{ "not of family 6",	INTEL, 0x050f54, false },
	{ "not of Intel",	AMD,   0x050654, false },
};

static void describe(const struct cpu *cpu, char *desc)
{
	strscpy(desc, cpu->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(cpu, cpus, describe);

static void slow_zmm(struct kunit *test)
{
	const struct cpu *cpu = test->param_value;
	bool intel = !strcmp(cpu->vendor, INTEL);

	KUNIT_EXPECT_EQ(test, stream_isa_prefers_ymm(intel, cpu->signature),
			cpu->slow_zmm);
}

/* The CPU of this machine is one of the list, whatever its stepping. */
static bool is_here(const struct cpu *cpu)
{
	const unsigned int stepping = 0xf;
	unsigned int eax, ebx, ecx, edx, id[3];

	cpuid(0, &eax, &id[0], &id[2], &id[1]);
	if (memcmp(id, cpu->vendor, sizeof(id)))
		return false;
	cpuid(1, &eax, &ebx, &ecx, &edx);
	return (eax | stepping) == (cpu->signature | stepping);
}

/* The contract's table; sets without a CPU for them have a priority too. */
static void priorities(struct kunit *test)
{
	int want[] = { 150, 400, 500, 550, 600 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cpus); i++)
		if (cpus[i].slow_zmm && is_here(&cpus[i]))
			want[ARRAY_SIZE(want) - 1] = 1;
	for (i = 0; i < ARRAY_SIZE(want); i++) {
		const struct stream_isa *isa = stream_isa_nth(i);

		KUNIT_ASSERT_NOT_NULL(test, isa);
		KUNIT_EXPECT_EQ_MSG(test, isa->priority, want[i], "%s",
				    isa->name);
	}
	KUNIT_EXPECT_NULL(test, stream_isa_nth(i));
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(slow_zmm, cpu_gen_params),
	KUNIT_CASE(priorities),
	{}
};

static struct kunit_suite suite = {
	.name = "chacha_simd_isa",
	.test_cases = cases,
};

kunit_test_suite(suite);
