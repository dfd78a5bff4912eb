// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit suite chacha_simd_path: whether SIMD or the fallback does a request,
 * and in how many sections, by the counts that the module shows to its users
 * as parameters; and that no keystream is left in memory.
 *
 * Nothing else may use the module meanwhile.
 *
 * Deliberately absent: the bytes of messages (every other suite).
 */
#include <linux/kernel.h>
#include <linux/minmax.h>
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

/* Just as many since then, of each kind */
static void expect_sections(struct kunit *test, struct sections before,
			    unsigned long simd, unsigned long fallback)
{
	struct stream_test *t = test->priv;
	struct sections now = sections_now(test);

	KUNIT_EXPECT_EQ_MSG(test, now.simd - before.simd, simd,
			    "%s: sections with SIMD", t->driver->name);
	KUNIT_EXPECT_EQ_MSG(test, now.fallback - before.fallback, fallback,
			    "%s: sections of the fallback", t->driver->name);
}

/*
 * How many a message takes: no more, since each costs, and no fewer, since
 * none may be longer.  A last block by itself needs none.
 */
static unsigned long sections_of(const struct stream_test *t, unsigned int len)
{
	if (!t->driver->isa)
		return 0;
	return len / SECTION_BYTES +
	       (len % SECTION_BYTES > STREAM_BLOCK_BYTES);
}

static void simd_in_a_task(struct kunit *test)
{
	static const unsigned int lengths[] = {
		65, 128, 1420, 4080, 4095, 4096, 4097, 4160, 4161, 8191, 8192,
		12345, LONG_BYTES,
	};
	struct stream_test *t = test->priv;
	struct sections before;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(lengths); i++) {
		before = sections_now(test);
		KUNIT_ASSERT_EQ(test, stream_crypt(t, t->dst, t->src,
						   lengths[i], t->iv), 0);
		expect_sections(test, before, sections_of(t, lengths[i]), 0);
	}
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

/*
 * @len bytes in place, in a list of @total: a first entry of @first bytes and
 * others of @entry.  What the request returns.
 */
static int crypt_list(struct kunit *test, unsigned int first,
		      unsigned int entry, unsigned int total, unsigned int len)
{
	unsigned int i, at, n = DIV_ROUND_UP(total - first, entry) + 1;
	struct scatterlist *sg = kunit_kcalloc(test, n, sizeof(*sg), GFP_KERNEL);
	struct stream_test *t = test->priv;
	u8 iv[STREAM_MAX_IV];

	KUNIT_ASSERT_NOT_NULL(test, sg);
	sg_init_table(sg, n);
	sg_set_buf(&sg[0], t->dst, first);
	for (i = 1, at = first; i < n; i++, at += entry)
		sg_set_buf(&sg[i], t->dst + at, min(entry, total - at));
	memcpy(iv, t->iv, sizeof(iv));
	return stream_crypt_sg(t, sg, sg, len, iv);
}

/* Blocks, packets and pages, and the same when they start within a block */
static void sections_of_lists(struct kunit *test)
{
	static const unsigned int entries[] = { 64, 1480, 4096 };
	static const unsigned int firsts[] = { 0, 64, 100 };
	struct stream_test *t = test->priv;
	struct sections before;
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(entries); i++) {
		for (j = 0; j < ARRAY_SIZE(firsts); j++) {
			before = sections_now(test);
			KUNIT_ASSERT_EQ(test, crypt_list(test, firsts[j],
							 entries[i], LONG_BYTES,
							 LONG_BYTES), 0);
			expect_sections(test, before,
					sections_of(t, LONG_BYTES), 0);
		}
	}
}

/* Small pieces take long: a section ends after so many, on a block. */
static void sections_of_small_pieces(struct kunit *test)
{
	const unsigned int most_pieces = 256;
	struct stream_test *t = test->priv;
	struct sections before;
	unsigned int entry;

	for (entry = 1; entry <= 16; entry++) {
		before = sections_now(test);
		KUNIT_ASSERT_EQ(test, crypt_list(test, 0, entry, SECTION_BYTES,
						 SECTION_BYTES), 0);
		expect_sections(test, before, !t->driver->isa ? 0 :
				DIV_ROUND_UP(SECTION_BYTES,
					     most_pieces * entry), 0);
	}
}

/* Entries that meet within blocks: keystream has been in memory meanwhile. */
static void keystream_is_wiped(struct kunit *test)
{
	struct stream_test *t = test->priv;
	unsigned int entry;

	for (entry = 1; entry < 5000; entry += entry / 2 + 1) {
		KUNIT_ASSERT_EQ(test, crypt_list(test, 33, entry, 9000, 9000),
				0);
		KUNIT_ASSERT_TRUE_MSG(test, stream_simd_is_wiped(),
				      "%s: entries of %u bytes",
				      t->driver->name, entry);
	}
}

/* The list ends before the message, which fails with keystream made for it. */
static void keystream_of_a_failure_is_wiped(struct kunit *test)
{
	struct stream_test *t = test->priv;
	unsigned int total;

	for (total = 40; total < 9000; total += 400) {
		KUNIT_ASSERT_EQ(test, crypt_list(test, 33, 100, total, 9000),
				-EINVAL);
		KUNIT_ASSERT_TRUE_MSG(test, stream_simd_is_wiped(),
				      "%s: %u bytes of 9000", t->driver->name,
				      total);
	}
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
	expect_sections(test, before, 0, sections_of(t, LONG_BYTES));
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
	expect_sections(test, before, 0, sections_of(t, SECTION_BYTES));
}
#endif

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(simd_in_a_task, driver_gen_params),
	KUNIT_CASE_PARAM(no_section_for_one_block, driver_gen_params),
	KUNIT_CASE_PARAM(sections_of_lists, driver_gen_params),
	KUNIT_CASE_PARAM(sections_of_small_pieces, driver_gen_params),
	KUNIT_CASE_PARAM(keystream_is_wiped, driver_gen_params),
	KUNIT_CASE_PARAM(keystream_of_a_failure_is_wiped, driver_gen_params),
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
