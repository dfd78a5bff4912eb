// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit suites chacha_simd_core and chacha_simd_mix: the cores called without
 * the crypto API, which reaches neither their guard pages nor the high half of
 * Salsa20's counter.
 *
 * Memory from vmalloc() has an unmapped page behind it, and before it that of
 * its neighbour: a byte too many stops the kernel with an oops.
 *
 * Deliberately absent: expected bytes (vectors_kunit.c).
 */
#include <linux/math.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#include "../compat.h"
#include "stream_test.h"

KUNIT_ARRAY_PARAM(core, test_cores.all, stream_core_desc);
KUNIT_ARRAY_PARAM(mix, test_mixes, stream_core_desc);

enum {
	MAX_BLOCKS = 70,	/* two of the widest batches and some more */
	MAX_BYTES = 2 * STREAM_MAX_BATCH + STREAM_BLOCK_BYTES,
	ROOM = MAX_BLOCKS * STREAM_BLOCK_BYTES + 2 * STREAM_MARGIN,
};

static const unsigned int all_rounds[] = { 8, 12, 20 };

/**
 * struct core_test - what a case of a core works with
 * @core: the parameter
 * @start: a random state
 * @keystream: MAX_BLOCKS blocks for it, see expect_from()
 * @src: ROOM bytes of random message
 * @dst: ROOM bytes
 */
struct core_test {
	const struct test_core *core;
	struct stream_state start;
	u8 *keystream;
	u8 *src;
	u8 *dst;
};

static struct core_test *new_core_test(struct kunit *test)
{
	struct core_test *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);
	struct rnd_state rnd;

	KUNIT_ASSERT_NOT_NULL(test, t);
	t->core = test->param_value;
	t->keystream = kunit_kzalloc(test, ROOM, GFP_KERNEL);
	t->src = kunit_kzalloc(test, ROOM, GFP_KERNEL);
	t->dst = kunit_kzalloc(test, ROOM, GFP_KERNEL);
	KUNIT_ASSERT_TRUE(test, t->keystream && t->src && t->dst);
	prandom_seed_state(&rnd, 0xc03e);
	prandom_bytes_state(&rnd, &t->start, sizeof(t->start));
	prandom_bytes_state(&rnd, t->src, ROOM);
	return t;
}

static u64 get_counter(const struct test_core *core,
		       const struct stream_state *state)
{
	if (core->chacha)
		return state->word[CHACHA_COUNTER];
	return state->word[SALSA_COUNTER_LO] |
	       (u64)state->word[SALSA_COUNTER_HI] << 32;
}

static void set_counter(const struct test_core *core,
			struct stream_state *state, u64 counter)
{
	if (core->chacha) {
		state->word[CHACHA_COUNTER] = counter;
		return;
	}
	state->word[SALSA_COUNTER_LO] = counter;
	state->word[SALSA_COUNTER_HI] = counter >> 32;
}

/* The scalar core's keystream; @state may have any counter. */
static void expect_from(struct core_test *t, const struct stream_state *state,
			unsigned int rounds)
{
	stream_xor_fn xor = stream_cores_of(t->core->chacha)->xor[STREAM_SCALAR];
	struct stream_state copy = *state;

	memset(t->keystream, 0, MAX_BLOCKS * STREAM_BLOCK_BYTES);
	xor(&copy, t->keystream, t->keystream,
	    MAX_BLOCKS * STREAM_BLOCK_BYTES, rounds);
}

/* Run the core on @len bytes; then look at them and at the state */
static void check(struct kunit *test, struct core_test *t, u8 *dst,
		  const u8 *src, unsigned int len, unsigned int rounds)
{
	struct stream_state state = t->start, want = t->start;
	const u8 *in = src == dst ? t->src : src;

	stream_core_xor(t->core, &state, dst, src, len, rounds);
	KUNIT_ASSERT_EQ_MSG(test, stream_wrong(dst, in, t->keystream, len),
			    len, "%s, %u rounds: length %u: first wrong byte",
			    t->core->name, rounds, len);
	set_counter(t->core, &want, get_counter(t->core, &want) +
		    DIV_ROUND_UP(len, STREAM_BLOCK_BYTES));
	KUNIT_ASSERT_TRUE_MSG(test, !memcmp(&state, &want, sizeof(state)),
			      "%s, %u rounds: length %u: counter is %#llx, not %#llx, or another word changed",
			      t->core->name, rounds, len,
			      get_counter(t->core, &state),
			      get_counter(t->core, &want));
}

static void all_lengths_of(struct kunit *test, struct core_test *t,
			   unsigned int rounds)
{
	unsigned int len, to;
	u8 *dst;

	expect_from(t, &t->start, rounds);
	for (len = 0; len <= MAX_BYTES; len++) {
		to = STREAM_MARGIN - len * 13 % 64;
		dst = t->dst + to;
		memset(t->dst, STREAM_CANARY, len + 2 * STREAM_MARGIN);
		check(test, t, dst, t->src + len * 7 % 64, len, rounds);
		KUNIT_ASSERT_TRUE_MSG(test, stream_untouched(t->dst, to) &&
				      stream_untouched(dst + len,
						       STREAM_MARGIN),
				      "%s: length %u: wrote outside",
				      t->core->name, len);
	}
}

static void all_lengths(struct kunit *test)
{
	struct core_test *t = new_core_test(test);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(all_rounds); i++)
		all_lengths_of(test, t, all_rounds[i]);
}

static void in_place(struct kunit *test)
{
	struct core_test *t = new_core_test(test);
	unsigned int i, len;

	for (i = 0; i < ARRAY_SIZE(all_rounds); i++) {
		expect_from(t, &t->start, all_rounds[i]);
		for (len = 0; len <= MAX_BYTES; len++) {
			memcpy(t->dst + len % 64, t->src, len);
			check(test, t, t->dst + len % 64, t->dst + len % 64,
			      len, all_rounds[i]);
		}
	}
}

/* All lengths in blocks, so that every form of the core meets the wrap */
static void check_wrap(struct kunit *test, struct core_test *t, u64 start)
{
	unsigned int blocks;

	set_counter(t->core, &t->start, start);
	expect_from(t, &t->start, 20);
	for (blocks = 1; blocks <= MAX_BLOCKS; blocks++)
		check(test, t, t->dst, t->src,
		      blocks * STREAM_BLOCK_BYTES - 3, 20);
}

/* Every place of a batch has the block whose counter wraps or carries. */
static void counter_wrap(struct kunit *test)
{
	static const u64 wraps[] = {
		0, 0x80000000, 0x100000000, 0x8000000000000000,
	};
	struct core_test *t = new_core_test(test);
	unsigned int i, at;

	for (i = 0; i < ARRAY_SIZE(wraps); i++)
		for (at = 0; at <= MAX_BLOCKS; at++)
			check_wrap(test, t, wraps[i] - at);
}

/* A message may go to the scalar core and back at any block. */
static void changes_to_scalar_and_back(struct kunit *test)
{
	struct core_test *t = new_core_test(test);
	const struct test_core scalar = { "scalar", 0, t->core->chacha };
	unsigned int at, to, len = MAX_BYTES - 11;
	struct stream_state state;

	expect_from(t, &t->start, 12);
	for (at = 0; at + 128 <= len; at += 64) {
		to = min(at + (1 + at / 64 % 3) * 64, len);
		state = t->start;
		stream_core_xor(t->core, &state, t->dst, t->src, at, 12);
		stream_core_xor(&scalar, &state, t->dst + at, t->src + at,
				to - at, 12);
		stream_core_xor(t->core, &state, t->dst + to, t->src + to,
				len - to, 12);
		KUNIT_ASSERT_EQ_MSG(test, stream_wrong(t->dst, t->src,
						       t->keystream, len),
				    len, "%s: scalar from %u to %u",
				    t->core->name, at, to);
	}
}

/**
 * struct fenced - memory between two unmapped pages
 * @start: first byte
 * @end: one past the last byte
 */
struct fenced {
	u8 *start;
	u8 *end;
};

enum {
	FENCED_BYTES = round_up(MAX_BYTES, PAGE_SIZE),
	FENCED = 3,
};

static void free_fenced(struct fenced f[FENCED])
{
	unsigned int i;

	for (i = 0; i < FENCED; i++)
		vfree(f[i].start);
}

static bool get_fenced(struct fenced f[FENCED])
{
	bool ok = true;
	unsigned int i;

	for (i = 0; i < FENCED; i++) {
		f[i].start = vmalloc(FENCED_BYTES);
		f[i].end = f[i].start + FENCED_BYTES;
		ok = ok && f[i].start;
	}
	if (!ok)
		free_fenced(f);
	return ok;
}

/* The same length against each fence; how many were wrong */
static unsigned int wrong_at_fences(struct core_test *t,
				    const struct fenced f[FENCED],
				    unsigned int len, unsigned int rounds)
{
	struct stream_state state = t->start;
	unsigned int wrong = 0;

	memcpy(f[0].end - len, t->src, len);
	stream_core_xor(t->core, &state, f[1].end - len, f[0].end - len, len,
			rounds);
	wrong += stream_wrong(f[1].end - len, t->src, t->keystream,
			      len) != len;

	memcpy(f[0].start, t->src, len);
	state = t->start;
	stream_core_xor(t->core, &state, f[1].start, f[0].start, len, rounds);
	wrong += stream_wrong(f[1].start, t->src, t->keystream, len) != len;

	memcpy(f[1].end - len, t->src, len);
	state = t->start;
	stream_core_xor(t->core, &state, f[1].end - len, f[1].end - len, len,
			rounds);
	wrong += stream_wrong(f[1].end - len, t->src, t->keystream,
			      len) != len;
	return wrong;
}

static void guard_pages(struct kunit *test)
{
	struct core_test *t = new_core_test(test);
	unsigned int i, len, wrong = 0;
	struct fenced f[FENCED];

	KUNIT_ASSERT_TRUE(test, get_fenced(f));
	for (i = 0; i < ARRAY_SIZE(all_rounds); i++) {
		expect_from(t, &t->start, all_rounds[i]);
		for (len = 1; len <= MAX_BYTES; len++)
			wrong += wrong_at_fences(t, f, len, all_rounds[i]);
	}
	free_fenced(f);
	KUNIT_EXPECT_EQ_MSG(test, wrong, 0U, "%s", t->core->name);
}

static void mix(const struct test_core *core, u8 *dst, const u8 *src,
		const u8 *keystream, unsigned int len)
{
	kernel_fpu_begin();
	stream_keystream_xor[core->isa](dst, src, keystream, len);
	kernel_fpu_end();
}

static void mix_all_lengths(struct kunit *test)
{
	struct core_test *t = new_core_test(test);
	unsigned int len, to;
	u8 *ks, *src, *dst;

	expect_from(t, &t->start, 8);
	for (len = 0; len <= 1100; len++) {
		to = STREAM_MARGIN - len * 13 % 64;
		ks = t->keystream + len * 5 % 64;
		src = t->src + len * 7 % 64;
		dst = t->dst + to;
		memset(t->dst, STREAM_CANARY, len + 2 * STREAM_MARGIN);
		mix(t->core, dst, src, ks, len);
		KUNIT_ASSERT_EQ_MSG(test, stream_wrong(dst, src, ks, len), len,
				    "%s: length %u", t->core->name, len);
		KUNIT_ASSERT_TRUE_MSG(test, stream_untouched(t->dst, to) &&
				      stream_untouched(dst + len,
						       STREAM_MARGIN),
				      "%s: length %u: wrote outside",
				      t->core->name, len);
		memcpy(dst, t->src, len);
		mix(t->core, dst, dst, ks, len);
		KUNIT_ASSERT_EQ_MSG(test, stream_wrong(dst, t->src, ks, len),
				    len, "%s: length %u in place",
				    t->core->name, len);
	}
}

static unsigned int mix_wrong_at_fences(struct core_test *t,
					const struct fenced f[FENCED],
					unsigned int len)
{
	unsigned int wrong = 0;

	memcpy(f[0].end - len, t->src, len);
	memcpy(f[2].end - len, t->keystream, len);
	mix(t->core, f[1].end - len, f[0].end - len, f[2].end - len, len);
	wrong += stream_wrong(f[1].end - len, t->src, t->keystream,
			      len) != len;

	memcpy(f[0].start, t->src, len);
	memcpy(f[2].start, t->keystream, len);
	mix(t->core, f[1].start, f[0].start, f[2].start, len);
	wrong += stream_wrong(f[1].start, t->src, t->keystream, len) != len;
	return wrong;
}

static void mix_guard_pages(struct kunit *test)
{
	struct core_test *t = new_core_test(test);
	unsigned int len, wrong = 0;
	struct fenced f[FENCED];

	expect_from(t, &t->start, 8);
	KUNIT_ASSERT_TRUE(test, get_fenced(f));
	for (len = 1; len <= 1100; len++)
		wrong += mix_wrong_at_fences(t, f, len);
	free_fenced(f);
	KUNIT_EXPECT_EQ_MSG(test, wrong, 0U, "%s", t->core->name);
}

static struct kunit_case core_cases[] = {
	KUNIT_CASE_PARAM(all_lengths, core_gen_params),
	KUNIT_CASE_PARAM(in_place, core_gen_params),
	KUNIT_CASE_PARAM(counter_wrap, core_gen_params),
	KUNIT_CASE_PARAM(changes_to_scalar_and_back, core_gen_params),
	KUNIT_CASE_PARAM(guard_pages, core_gen_params),
	{}
};

static struct kunit_suite core_suite = {
	.name = "chacha_simd_core",
	.init = stream_core_init,
	.test_cases = core_cases,
};

static struct kunit_case mix_cases[] = {
	KUNIT_CASE_PARAM(mix_all_lengths, mix_gen_params),
	KUNIT_CASE_PARAM(mix_guard_pages, mix_gen_params),
	{}
};

static struct kunit_suite mix_suite = {
	.name = "chacha_simd_mix",
	.init = stream_core_init,
	.test_cases = mix_cases,
};

kunit_test_suites(&core_suite, &mix_suite);
