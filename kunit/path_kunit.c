// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit suite chacha_simd_path: whether SIMD or the fallback does a request,
 * and in how long sections, by the counts that the module shows to its users
 * as parameters.
 *
 * Nothing else may use the module meanwhile.
 *
 * Deliberately absent: the bytes of messages (every other suite).
 */
#include <linux/kernel.h>
#include <linux/math.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/string.h>
#include "../compat.h"
#include "stream_test.h"

KUNIT_ARRAY_PARAM(driver, test_drivers.all, stream_driver_desc);

enum {
	LONG_BYTES = 65536,
	SECTION_BYTES = 4096,	/* the contract's longest section */
};

/* How many sections there have been of each kind */
struct sections {
	unsigned long simd;
	unsigned long fallback;
};

static unsigned long read_parameter(struct kunit *test, const char *name)
{
	struct stream_test *t = test->priv;
	struct module *owner = t->tfm->base.__crt_alg->cra_module;
	char *page = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);
	unsigned long value = 0;
	unsigned int i;
	int err = -ENOENT;

	KUNIT_ASSERT_NOT_NULL(test, page);
	for (i = 0; i < owner->num_kp; i++) {
		const struct kernel_param *kp = &owner->kp[i];

		if (strcmp(kp->name, name))
			continue;
		err = kp->ops->get(page, kp);
		if (err > 0)
			err = kstrtoul(page, 10, &value);
	}
	KUNIT_ASSERT_EQ_MSG(test, err, 0, "%s", name);
	return value;
}

static struct sections sections_now(struct kunit *test)
{
	return (struct sections) {
		.simd = read_parameter(test, "simd_sections"),
		.fallback = read_parameter(test, "fallback_sections"),
	};
}

/* SIMD sections there were, or none; of the fallback the same */
static void expect_sections(struct kunit *test, struct sections before,
			    unsigned long simd, unsigned long fallback)
{
	struct stream_test *t = test->priv;
	struct sections now = sections_now(test);

	now.simd -= before.simd;
	now.fallback -= before.fallback;
	KUNIT_EXPECT_TRUE_MSG(test, simd ? now.simd >= simd : !now.simd,
			      "%s: %lu sections with SIMD, not %lu",
			      t->driver->name, now.simd, simd);
	KUNIT_EXPECT_TRUE_MSG(test, fallback ? now.fallback >= fallback :
			      !now.fallback,
			      "%s: %lu sections of the fallback, not %lu",
			      t->driver->name, now.fallback, fallback);
}

/* How many sections a SIMD driver needs at least; others have none */
static unsigned long at_least(const struct stream_test *t, unsigned int len)
{
	return t->driver->isa ? DIV_ROUND_UP(len, SECTION_BYTES) : 0;
}

static void simd_in_a_task(struct kunit *test)
{
	struct stream_test *t = test->priv;
	struct sections before = sections_now(test);

	KUNIT_ASSERT_EQ(test, stream_crypt(t, t->dst, t->src, LONG_BYTES,
					   t->iv), 0);
	expect_sections(test, before, at_least(t, LONG_BYTES), 0);
}

/* Scalar code does a single block faster, and needs no section for it. */
static void no_section_for_one_block(struct kunit *test)
{
	struct stream_test *t = test->priv;
	struct sections before = sections_now(test);
	unsigned int len;

	for (len = 0; len <= STREAM_BLOCK_BYTES; len++)
		KUNIT_ASSERT_EQ(test, stream_crypt(t, t->dst, t->src, len,
						   t->iv), 0);
	expect_sections(test, before, 0, 0);
}

#ifdef STREAM_HAVE_SIMD_SWITCH
static void fallback_when_unusable(struct kunit *test)
{
	struct stream_test *t = test->priv;
	struct sections before = sections_now(test);
	int err;

	t->flags = 0;
	get_cpu();
	stream_switch_simd(false);
	err = stream_crypt(t, t->dst, t->src, LONG_BYTES, t->iv);
	stream_switch_simd(true);
	put_cpu();
	KUNIT_ASSERT_EQ(test, err, 0);
	expect_sections(test, before, 0, at_least(t, LONG_BYTES));
}
#endif

#ifndef CONFIG_UML	/* which has no sections to be in */
static void fallback_inside_an_fpu_section(struct kunit *test)
{
	struct stream_test *t = test->priv;
	struct sections before = sections_now(test);
	int err;

	t->flags = 0;
	kernel_fpu_begin();
	err = stream_crypt(t, t->dst, t->src, SECTION_BYTES, t->iv);
	kernel_fpu_end();
	KUNIT_ASSERT_EQ(test, err, 0);
	expect_sections(test, before, 0, at_least(t, SECTION_BYTES));
}
#endif

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(simd_in_a_task, driver_gen_params),
	KUNIT_CASE_PARAM(no_section_for_one_block, driver_gen_params),
#ifdef STREAM_HAVE_SIMD_SWITCH
	KUNIT_CASE_PARAM(fallback_when_unusable, driver_gen_params),
#endif
#ifndef CONFIG_UML
	KUNIT_CASE_PARAM(fallback_inside_an_fpu_section, driver_gen_params),
#endif
	{}
};

static struct kunit_suite suite = {
	.name = "chacha_simd_path",
	.init = stream_test_init,
	.exit = stream_test_exit,
	.test_cases = cases,
};

kunit_test_suite(suite);
