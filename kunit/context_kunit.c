// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit suite chacha_simd_context: the same bytes wherever a request is made,
 * and while others are made, and no warning from the kernel.
 *
 * User Mode Linux has no FPU sections and takes SIMD for unusable in interrupt
 * context only; on x86 these cases run against the real ones.
 *
 * Deliberately absent: whether SIMD or the fallback has done a request
 * (path_kunit.c).  The bytes do not tell.
 */
#include <linux/completion.h>
#include <linux/interrupt.h>
#include <linux/irq_work.h>
#include <linux/irqflags.h>
#include <linux/kthread.h>
#include <linux/panic.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/timer.h>
#include "../compat.h"
#include "stream_test.h"

KUNIT_ARRAY_PARAM(driver, test_drivers.all, stream_driver_desc);

enum {
	SHORT_BYTES = 6000,	/* longest of the short requests */
	FOLDS = 800,		/* times that a long request takes its bytes */
	FOLD_BYTES = 5003,	/* few, and odd: pieces meet within blocks */
};

/* In place, in three pieces */
static int crypt_in_pieces(struct stream_test *t, unsigned int len)
{
	unsigned int first = len / 3, second = len / 2;
	struct scatterlist sg[3];
	u8 iv[STREAM_MAX_IV];

	memcpy(iv, t->iv, sizeof(iv));
	memcpy(t->dst, t->src, len);
	sg_init_table(sg, 3);
	sg_set_buf(&sg[0], t->dst, first);
	sg_set_buf(&sg[1], t->dst + first, second);
	sg_set_buf(&sg[2], t->dst + first + second, len - first - second);
	return stream_crypt_sg(t, sg, sg, len, iv);
}

static bool is_right(struct stream_test *t, int err, unsigned int len)
{
	return !err && stream_wrong(t->dst, t->src, t->keystream, len) == len;
}

/* Short requests of several lengths: the first that goes wrong, or 0 */
static unsigned int first_wrong_length(struct stream_test *t)
{
	static const unsigned int lengths[] = {
		1, 63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 512, 513,
		1023, 1024, 1025, 1420, 2047, 2048, 2049, 4080, 4096, 4097,
		SHORT_BYTES,
	};
	unsigned int i, len;

	for (i = 0; i < ARRAY_SIZE(lengths); i++) {
		len = lengths[i];
		if (!is_right(t, stream_crypt(t, t->dst, t->src, len, t->iv),
			      len) ||
		    !is_right(t, crypt_in_pieces(t, len), len))
			return len;
	}
	return 0;
}

/* A second request on the same transform, with an IV of its own */
static struct stream_test *second(struct kunit *test, struct stream_test *t)
{
	struct stream_test *u = kunit_kzalloc(test, sizeof(*u), GFP_KERNEL);
	struct stream_state state;

	KUNIT_ASSERT_NOT_NULL(test, u);
	*u = *t;
	u->req = kunit_kzalloc(test, sizeof(*u->req) +
			       crypto_skcipher_reqsize(t->tfm), GFP_KERNEL);
	u->keystream = kunit_kzalloc(test, SHORT_BYTES, GFP_KERNEL);
	u->dst = kunit_kzalloc(test, SHORT_BYTES, GFP_KERNEL);
	KUNIT_ASSERT_TRUE(test, u->req && u->keystream && u->dst);
	skcipher_request_set_tfm(u->req, t->tfm);
	u->flags = 0;
	prandom_bytes_state(&t->rnd, u->iv, sizeof(u->iv));
	stream_oracle_init(t->driver->alg, &state, t->key, sizeof(t->key),
			   u->iv);
	stream_oracle_xor(t->driver->alg, &state, u->keystream, u->keystream,
			  SHORT_BYTES);
	return u;
}

/* A kernel that has warned before hides the second warning from us. */
static void report(struct kunit *test, unsigned int wrong, bool warned)
{
	struct stream_test *t = test->priv;

	KUNIT_EXPECT_EQ_MSG(test, wrong, 0U, "%s: length %u is wrong",
			    t->driver->name, wrong);
	KUNIT_EXPECT_EQ_MSG(test, (bool)test_taint(TAINT_WARN), warned,
			    "%s: the kernel has warned", t->driver->name);
}

static void task(struct kunit *test)
{
	bool warned = test_taint(TAINT_WARN);

	report(test, first_wrong_length(test->priv), warned);
}

static void preemption_off(struct kunit *test)
{
	struct stream_test *t = test->priv;
	bool warned = test_taint(TAINT_WARN);
	unsigned int wrong;

	t->flags = 0;
	preempt_disable();
	wrong = first_wrong_length(t);
	preempt_enable();
	report(test, wrong, warned);
}

static void interrupts_off(struct kunit *test)
{
	struct stream_test *t = test->priv;
	bool warned = test_taint(TAINT_WARN);
	unsigned long flags;
	unsigned int wrong;

	t->flags = 0;
	local_irq_save(flags);
	wrong = first_wrong_length(t);
	local_irq_restore(flags);
	report(test, wrong, warned);
}

struct soft {
	struct tasklet_struct tasklet;
	struct completion done;
	struct stream_test *t;
	unsigned int wrong;
};

static void soft_work(struct tasklet_struct *tasklet)
{
	struct soft *soft = container_of(tasklet, struct soft, tasklet);

	soft->wrong = first_wrong_length(soft->t);
	complete(&soft->done);
}

/* As dm-crypt without its workqueues */
static void softirq(struct kunit *test)
{
	struct stream_test *t = test->priv;
	bool warned = test_taint(TAINT_WARN);
	struct soft *soft = kunit_kzalloc(test, sizeof(*soft), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, soft);
	t->flags = 0;
	soft->t = t;
	init_completion(&soft->done);
	tasklet_setup(&soft->tasklet, soft_work);
	tasklet_schedule(&soft->tasklet);
	wait_for_completion(&soft->done);
	tasklet_kill(&soft->tasklet);
	report(test, soft->wrong, warned);
}

#if IS_ENABLED(CONFIG_IRQ_WORK)

struct hard {
	struct irq_work work;
	struct completion done;
	struct stream_test *t;
	unsigned int wrong;
};

static void hard_work(struct irq_work *work)
{
	struct hard *hard = container_of(work, struct hard, work);

	hard->wrong = first_wrong_length(hard->t);
	complete(&hard->done);
}

static void hardirq(struct kunit *test)
{
	struct stream_test *t = test->priv;
	bool warned = test_taint(TAINT_WARN);
	struct hard *hard = kunit_kzalloc(test, sizeof(*hard), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, hard);
	t->flags = 0;
	hard->t = t;
	init_completion(&hard->done);
	init_irq_work(&hard->work, hard_work);
	irq_work_queue(&hard->work);
	wait_for_completion(&hard->done);
	irq_work_sync(&hard->work);
	report(test, hard->wrong, warned);
}

#endif /* CONFIG_IRQ_WORK */

#ifdef STREAM_HAVE_SIMD_SWITCH

/* crypto_simd_usable() says no: the fallback does the same bytes. */
static void simd_unusable(struct kunit *test)
{
	struct stream_test *t = test->priv;
	bool warned = test_taint(TAINT_WARN);
	unsigned int wrong;

	t->flags = 0;
	get_cpu();
	stream_switch_simd(false);
	wrong = first_wrong_length(t);
	stream_switch_simd(true);
	put_cpu();
	report(test, wrong, warned);
}

/* It says no for some pieces of a message and yes for the next, and so on. */
static void simd_comes_and_goes(struct kunit *test)
{
	struct stream_test *t = test->priv;
	unsigned int at = 0, i, len, wrong = 0;
	u8 iv[STREAM_MAX_IV];

	if (!t->driver->alg->chacha)
		return simd_unusable(test);
	memcpy(iv, t->iv, sizeof(iv));
	t->flags = 0;
	for (i = 0; at < 50000; i++, at += len) {
		struct scatterlist sg;

		len = (1 + i * 17 % 41) * STREAM_BLOCK_BYTES;
		memcpy(t->dst + at, t->src + at, len);
		sg_init_one(&sg, t->dst + at, len);
		get_cpu();
		stream_switch_simd(i & 1);
		wrong += !!stream_crypt_sg(t, &sg, &sg, len, iv);
		stream_switch_simd(true);
		put_cpu();
	}
	KUNIT_EXPECT_EQ(test, wrong, 0U);
	KUNIT_EXPECT_EQ_MSG(test, stream_wrong(t->dst, t->src, t->keystream,
					       at), at,
			    "%s: first wrong byte", t->driver->name);
}

#endif /* STREAM_HAVE_SIMD_SWITCH */

/**
 * struct interruption - a softirq in the middle of long requests
 * @timer: makes a short request on the same transform
 * @inner: that request
 * @inside: whether the long request is being served
 * @hits: how often the timer came while it was
 * @wrong: length of a short request that went wrong
 */
struct interruption {
	struct timer_list timer;
	struct stream_test *inner;
	bool inside;
	unsigned int hits;
	unsigned int wrong;
};

static void interrupt(struct timer_list *timer)
{
	struct interruption *in = container_of(timer, struct interruption,
					       timer);
	unsigned int wrong;

	if (READ_ONCE(in->inside)) {
		wrong = first_wrong_length(in->inner);
		if (wrong)
			in->wrong = wrong;
		WRITE_ONCE(in->hits, in->hits + 1);
		stream_switch_simd(!(in->hits & 1));
	}
	mod_timer(timer, jiffies + 1);
}

/*
 * A long message in little memory: FOLDS entries of a list are all the same
 * bytes, in place, so that these take the XOR of all the keystream and one
 * wrong block shows.
 */
static int long_request(struct stream_test *t, struct scatterlist *sg)
{
	u8 iv[STREAM_MAX_IV];
	unsigned int i;

	memcpy(iv, t->iv, sizeof(iv));
	memcpy(t->dst, t->src, FOLD_BYTES);
	sg_init_table(sg, FOLDS);
	for (i = 0; i < FOLDS; i++)
		sg_set_buf(&sg[i], t->dst, FOLD_BYTES);
	return stream_crypt_sg(t, sg, sg, FOLDS * FOLD_BYTES, iv);
}

/* What long_request() makes, in t->keystream; t->dst is overwritten */
static void long_oracle(struct stream_test *t)
{
	const struct test_alg *alg = t->driver->alg;
	unsigned int i, at = 0, done = 0;
	struct stream_state state;

	memcpy(t->keystream, t->src, FOLD_BYTES);
	stream_oracle_init(alg, &state, t->key, sizeof(t->key), t->iv);
	while (done < FOLDS * FOLD_BYTES) {
		memset(t->dst, 0, 65536);
		stream_oracle_xor(alg, &state, t->dst, t->dst, 65536);
		for (i = 0; i < 65536 && done < FOLDS * FOLD_BYTES; i++) {
			t->keystream[at++] ^= t->dst[i];
			at = at == FOLD_BYTES ? 0 : at;
			done++;
		}
	}
}

/* Long requests until some have been interrupted; how many went wrong */
static unsigned int run_interrupted(struct stream_test *t,
				    struct interruption *in,
				    struct scatterlist *sg)
{
	unsigned int tries, wrong = 0;
	int err;

	migrate_disable();
	timer_setup(&in->timer, interrupt, TIMER_PINNED);
	mod_timer(&in->timer, jiffies + 1);
	for (tries = 0; READ_ONCE(in->hits) < 4 && tries < 2000; tries++) {
		WRITE_ONCE(in->inside, true);
		err = long_request(t, sg);
		WRITE_ONCE(in->inside, false);
		wrong += err || memcmp(t->dst, t->keystream, FOLD_BYTES);
	}
	timer_shutdown_sync(&in->timer);
	stream_switch_simd(true);
	migrate_enable();
	return wrong;
}

/*
 * A softirq comes in the middle of a request, has requests of its own on the
 * same transform, and SIMD is usable or not afterwards, by turns.
 */
static void interrupted(struct kunit *test)
{
	struct interruption *in = kunit_kzalloc(test, sizeof(*in), GFP_KERNEL);
	struct scatterlist *sg = kunit_kzalloc(test, FOLDS * sizeof(*sg),
					       GFP_KERNEL);
	struct stream_test *t = test->priv;
	bool warned = test_taint(TAINT_WARN);
	unsigned int wrong;

	KUNIT_ASSERT_TRUE(test, in && sg);
	in->inner = second(test, t);
	long_oracle(t);
	wrong = run_interrupted(t, in, sg);
	KUNIT_EXPECT_EQ_MSG(test, wrong, 0U, "%s: long requests wrong",
			    t->driver->name);
	KUNIT_EXPECT_GT_MSG(test, in->hits, 0U, "the timer came in none");
	report(test, in->wrong, warned);
}

struct worker {
	struct stream_test *t;
	struct completion done;
	bool started;
	unsigned int wrong;
};

static int work(void *data)
{
	struct worker *w = data;
	unsigned int i;

	for (i = 0; i < 20 && !w->wrong; i++) {
		w->wrong = first_wrong_length(w->t);
		cond_resched();
	}
	/* This code goes with the module, so the thread may not return to it. */
	kthread_complete_and_exit(&w->done, 0);
}

/* One transform, two threads, two IVs */
static void two_threads(struct kunit *test)
{
	struct worker *w = kunit_kzalloc(test, 2 * sizeof(*w), GFP_KERNEL);
	struct stream_test *t = test->priv;
	bool warned = test_taint(TAINT_WARN);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, w);
	for (i = 0; i < 2; i++) {
		init_completion(&w[i].done);
		w[i].t = second(test, t);
	}
	for (i = 0; i < 2; i++)
		w[i].started = !IS_ERR(kthread_run(work, &w[i],
						   "chacha-simd/%u", i));
	/* Their memory goes with the test: no way past this. */
	for (i = 0; i < 2; i++)
		if (w[i].started)
			wait_for_completion(&w[i].done);
	KUNIT_EXPECT_TRUE_MSG(test, w[0].started && w[1].started,
			      "no second thread");
	report(test, w[0].wrong ?: w[1].wrong, warned);
}

#ifndef CONFIG_UML	/* which has no sections to be in */

/* SIMD is in use already by whoever calls us: the fallback does it. */
static void inside_an_fpu_section(struct kunit *test)
{
	struct stream_test *t = test->priv;
	bool warned = test_taint(TAINT_WARN);
	unsigned int wrong;

	t->flags = 0;
	kernel_fpu_begin();
	wrong = first_wrong_length(t);
	kernel_fpu_end();
	report(test, wrong, warned);
}

#endif

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(task, driver_gen_params),
	KUNIT_CASE_PARAM(preemption_off, driver_gen_params),
	KUNIT_CASE_PARAM(interrupts_off, driver_gen_params),
	KUNIT_CASE_PARAM(softirq, driver_gen_params),
#if IS_ENABLED(CONFIG_IRQ_WORK)
	KUNIT_CASE_PARAM(hardirq, driver_gen_params),
#endif
#ifdef STREAM_HAVE_SIMD_SWITCH
	KUNIT_CASE_PARAM(simd_unusable, driver_gen_params),
	KUNIT_CASE_PARAM(simd_comes_and_goes, driver_gen_params),
#endif
	KUNIT_CASE_PARAM(interrupted, driver_gen_params),
	KUNIT_CASE_PARAM(two_threads, driver_gen_params),
#ifndef CONFIG_UML
	KUNIT_CASE_PARAM(inside_an_fpu_section, driver_gen_params),
#endif
	{}
};

static struct kunit_suite suite = {
	.name = "chacha_simd_context",
	.init = stream_test_init,
	.exit = stream_test_exit,
	.test_cases = cases,
};

kunit_test_suite(suite);
