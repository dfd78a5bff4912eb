// SPDX-License-Identifier: GPL-2.0
/*
 * Requests in the contexts that decide whether SIMD is usable, on a kernel
 * whose FPU sections are real.
 *
 *	drivers=NAME,...	whose requests
 *	lengths=BYTES,...	of how many bytes
 *	missing=BYTES		so many bytes less than that are in the lists, and
 *				the requests have to fail
 *	steps=STEP,...		the way there from the task that loads the module;
 *				without any the request is made in the task
 *
 *	step
 *	section			kernel_fpu_begin()
 *	bh-off			local_bh_disable()
 *	softirq			a tasklet
 *	hardirq			an interrupt
 *
 * The load succeeds if all results are those of the scalar drivers, or all fail
 * with -EINVAL and have written nothing past the list; if the count of preemption
 * and the usability of the FPU are the same after each; and if the sections on the
 * way have kept their vector registers.
 *
 * Deliberately absent: where SIMD should be usable.  tests/guest.py says that,
 * and has the counts of chacha-simd.ko before and after.  AVX-512's registers,
 * which the emulator of these guests does not have.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <asm/fpu/api.h>
#include <asm/fpu/xstate.h>
#include <crypto/skcipher.h>
#include <linux/bottom_half.h>
#include <linux/err.h>
#include <linux/interrupt.h>
#include <linux/irq_work.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/preempt.h>
#include <linux/scatterlist.h>
#include <linux/slab.h>
#include <linux/string.h>

enum {
	MAX_DRIVERS = 16,
	MAX_LENGTHS = 16,
	MAX_STEPS = 4,
	MAX_BYTES = 32768,
	KEY_BYTES = 32,
	IV_BYTES = 32,		/* no driver takes more */
	REGISTERS = 16,
	REGISTER_BYTES = 32,	/* a ymm register; of SSE's only half is in use */
};

static char *drivers[MAX_DRIVERS];
static unsigned int driver_count;
module_param_array(drivers, charp, &driver_count, 0);
MODULE_PARM_DESC(drivers, "names of the drivers");

static unsigned int lengths[MAX_LENGTHS];
static unsigned int length_count;
module_param_array(lengths, uint, &length_count, 0);
MODULE_PARM_DESC(lengths, "bytes of the requests");

static unsigned int missing;
module_param(missing, uint, 0);
MODULE_PARM_DESC(missing, "bytes that the lists are too short");

static char *steps[MAX_STEPS];
static unsigned int step_count;
module_param_array(steps, charp, &step_count, 0);
MODULE_PARM_DESC(steps, "of section, bh-off, softirq, hardirq");

/**
 * struct trial - a request and the way to where it is made
 * @req: the request
 * @err: what it returned
 * @made: whether it has been made
 * @steps_left: steps still to go
 * @tasklet: of the step softirq
 * @work: of the step hardirq
 * @softirqs: softirq_count() of whom it should interrupt
 * @interrupted: whether it has come
 * @misplaced: it has interrupted somebody else
 * @lost: a section found something else in its registers
 * @unbalanced: preemption or the FPU were left in another state by the request
 */
struct trial {
	struct skcipher_request *req;
	int err;
	bool made;
	unsigned int steps_left;
	struct tasklet_struct tasklet;
	struct irq_work work;
	unsigned long softirqs;
	bool interrupted;
	bool misplaced;
	bool lost;
	bool unbalanced;
};

static void go_on(struct trial *t);

/* For the assembler: an instruction for each register, \i being its number. */
#define EACH(instruction)						\
	".irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n\t"		\
	instruction "\n\t"						\
	".endr"

struct vectors {
	u8 of[REGISTERS][REGISTER_BYTES];
};

static bool have_ymm(void)
{
	return cpu_has_xfeatures(XFEATURE_MASK_YMM, NULL);
}

/* The compiler has no vector registers here, and need not be told of them. */
static void load_registers(const struct vectors *from)
{
	if (have_ymm())
		asm volatile(EACH("vmovdqu 32*\\i(%0), %%ymm\\i")
			     : : "r" (from) : "memory");
	else
		asm volatile(EACH("movdqu 32*\\i(%0), %%xmm\\i")
			     : : "r" (from) : "memory");
}

static void store_registers(struct vectors *to)
{
	if (have_ymm())
		asm volatile(EACH("vmovdqu %%ymm\\i, 32*\\i(%0)")
			     : : "r" (to) : "memory");
	else
		asm volatile(EACH("movdqu %%xmm\\i, 32*\\i(%0)")
			     : : "r" (to) : "memory");
}

static void go_on_in_section(struct trial *t)
{
	struct vectors mine, found;

	memset(&mine, 0x5a, sizeof(mine));
	snprintf(mine.of[REGISTERS - 1], REGISTER_BYTES, "of a section, %u left",
		 t->steps_left);
	found = mine;
	kernel_fpu_begin();
	load_registers(&mine);
	go_on(t);
	store_registers(&found);
	kernel_fpu_end();
	if (memcmp(&found, &mine, sizeof(found)))
		t->lost = true;
}

static void go_on_with_bh_off(struct trial *t)
{
	local_bh_disable();
	go_on(t);
	local_bh_enable();
}

static void run_tasklet(struct tasklet_struct *tasklet)
{
	go_on(container_of(tasklet, struct trial, tasklet));
}

/*
 * Runs before this returns, at the place of the call, because nothing but the
 * local_bh_disable() here keeps it from that; in an FPU section of 6.15 and
 * later, which has softirqs off, when the section ends.
 */
static void go_on_in_softirq(struct trial *t)
{
	local_bh_disable();
	tasklet_schedule(&t->tasklet);
	local_bh_enable();
}

/*
 * An interrupt that comes first may delay ours until its softirqs run, and
 * then ours has interrupted these.
 */
static void run_work(struct irq_work *work)
{
	struct trial *t = container_of(work, struct trial, work);

	if (softirq_count() == t->softirqs)
		go_on(t);
	else
		t->misplaced = true;
	/* What the request has left is there for whoever sees this. */
	smp_store_release(&t->interrupted, true);
}

static void go_on_in_hardirq(struct trial *t)
{
	t->softirqs = softirq_count();
	irq_work_queue(&t->work);
	/* This task may have moved; pairs with run_work(). */
	while (!smp_load_acquire(&t->interrupted))
		cpu_relax();
}

static const struct {
	const char *name;
	void (*take)(struct trial *t);
} known_steps[] = {
	{ "section", go_on_in_section },
	{ "bh-off", go_on_with_bh_off },
	{ "softirq", go_on_in_softirq },
	{ "hardirq", go_on_in_hardirq },
};

/*
 * A section that was not closed, or preemption that was left off, is put right
 * so that this kernel lives to tell of it.
 */
static void encrypt(struct trial *t)
{
	const int preemption = preempt_count();
	const bool usable = irq_fpu_usable();

	t->err = crypto_skcipher_encrypt(t->req);
	t->made = true;
	if (irq_fpu_usable() != usable) {
		t->unbalanced = true;
		if (usable)
			kernel_fpu_end();
	}
	if (preempt_count() != preemption) {
		t->unbalanced = true;
		preempt_count_set(preemption);
	}
}

/* Takes the next step, or makes the request after the last. */
static void go_on(struct trial *t)
{
	const char *name;
	unsigned int i;

	if (!t->steps_left)
		return encrypt(t);
	name = steps[step_count - t->steps_left--];
	for (i = 0; i < ARRAY_SIZE(known_steps); i++)
		if (!strcmp(name, known_steps[i].name))
			return known_steps[i].take(t);
}

static int make_request(struct skcipher_request *req, unsigned int way)
{
	struct trial t = { .req = req };

	tasklet_setup(&t.tasklet, run_tasklet);
	init_irq_work(&t.work, run_work);
	do {
		t.steps_left = way;
		t.interrupted = false;
		t.misplaced = false;
		go_on(&t);
	} while (t.misplaced);
	tasklet_kill(&t.tasklet);
	irq_work_sync(&t.work);
	if (!t.made)
		return -ENOENT;		/* no such step */
	if (t.lost) {
		pr_err("a section has lost its registers\n");
		return -EBADMSG;
	}
	if (t.unbalanced) {
		pr_err("the request left preemption or the FPU otherwise (%d)\n",
		       t.err);
		return -EBADMSG;
	}
	return t.err;
}

/* In two pieces that meet within a block: this takes memory for keystream. */
static void set_pieces(struct scatterlist sg[2], u8 *buffer, unsigned int len)
{
	sg_init_table(sg, 2);
	sg_set_buf(&sg[0], buffer, len / 3);
	sg_set_buf(&sg[1], buffer + len / 3, len - len / 3);
}

/* The message is its own key and IV.  Of its @len bytes @there are there. */
static int crypt(const char *driver, u8 *dst, u8 *src, unsigned int len,
		 unsigned int there, unsigned int way)
{
	struct scatterlist in[2], out[2];
	struct skcipher_request *req;
	struct crypto_skcipher *tfm;
	u8 iv[IV_BYTES];
	int err;

	tfm = crypto_alloc_skcipher(driver, 0, CRYPTO_ALG_ASYNC);
	if (IS_ERR(tfm))
		return PTR_ERR(tfm);
	err = crypto_skcipher_setkey(tfm, src, KEY_BYTES);
	if (err)
		goto free_tfm;
	err = -ENOMEM;
	req = skcipher_request_alloc(tfm, GFP_KERNEL);
	if (!req)
		goto free_tfm;
	memcpy(iv, src + KEY_BYTES, sizeof(iv));
	set_pieces(in, src, there);
	set_pieces(out, dst, there);
	skcipher_request_set_callback(req, 0, NULL, NULL);
	skcipher_request_set_crypt(req, in, out, len, iv);
	err = make_request(req, way);
	skcipher_request_free(req);
free_tfm:
	crypto_free_skcipher(tfm);
	return err;
}

/* "chacha20-scalar" of "chacha20-avx2" */
static void scalar_name(char name[CRYPTO_MAX_ALG_NAME], const char *driver)
{
	int stem = strrchr(driver, '-') - driver;

	snprintf(name, CRYPTO_MAX_ALG_NAME, "%.*s-scalar", stem, driver);
}

/* @area: three times MAX_BYTES */
static int compare(const char *driver, unsigned int len, u8 *area)
{
	u8 *src = area, *dst = area + MAX_BYTES, *want = dst + MAX_BYTES;
	char scalar[CRYPTO_MAX_ALG_NAME];
	int err;

	scalar_name(scalar, driver);
	memset(dst, 0, len);
	err = crypt(scalar, want, src, len, len, 0);
	if (!err)
		err = crypt(driver, dst, src, len, len, step_count);
	if (!err && memcmp(dst, want, len))
		err = -EBADMSG;
	return err;
}

/* Lists that end before the message does */
static int refuse(const char *driver, unsigned int len, u8 *area)
{
	unsigned int there = len - min(len, missing);
	u8 *src = area, *dst = area + MAX_BYTES;
	int err;

	memset(dst, 0, MAX_BYTES);
	err = crypt(driver, dst, src, len, there, step_count);
	if (err != -EINVAL)
		return err ?: -EBADMSG;
	return memchr_inv(dst + there, 0, MAX_BYTES - there) ? -EBADMSG : 0;
}

static int try_length(const char *driver, unsigned int len, u8 *area)
{
	int err;

	if (!strchr(driver, '-') || len > MAX_BYTES)
		return -EINVAL;
	err = missing ? refuse(driver, len, area) : compare(driver, len, area);
	if (err)
		pr_err("%s, %u bytes, %u of them missing: wrong (%d)\n",
		       driver, len, missing, err);
	return err;
}

static int __init contexts_init(void)
{
	unsigned int i, j;
	int err = 0;
	u8 *area;

	area = kcalloc(3, MAX_BYTES, GFP_KERNEL);
	if (!area)
		return -ENOMEM;
	for (i = 0; i < MAX_BYTES; i++)
		area[i] = i * 7 + (i >> 8);
	for (i = 0; i < driver_count && !err; i++)
		for (j = 0; j < length_count && !err; j++)
			err = try_length(drivers[i], lengths[j], area);
	kfree(area);
	return err;
}

static void __exit contexts_exit(void)
{
}

module_init(contexts_init);
module_exit(contexts_exit);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The chacha-simd developers");
MODULE_DESCRIPTION("Test of chacha-simd: requests where SIMD may not be usable");
