// SPDX-License-Identifier: GPL-2.0
/*
 * Times skcipher drivers through the crypto API, side by side.
 *
 * Files in /sys/kernel/debug/chacha_simd_bench:
 *
 *   cells	takes lines "DRIVER BYTES FRAGMENT APART", one in each write:
 *		something to time.  FRAGMENT is 0 for a message in one piece,
 *		the length of the scatterlist's entries, or "odd" for entries of
 *		one to three pages that start and end at odd bytes.  APART is 0
 *		for a message encrypted in place, 1 for a result elsewhere.
 *   round	a write takes one sample of every cell, each time in another
 *		order, so that a drift of the machine's speed hits all alike
 *   result	a line for each cell: "DRIVER BYTES FRAGMENT APART" as above,
 *		10^6 bytes a second, median and best, and the median of
 *		nanoseconds for a request
 *
 * One sample is about half a millisecond of one cell.  All cells of the same
 * length and scatterlist work on the same memory.  Every request gets a fresh
 * IV, as drivers may hand it on.  A cell whose first result differs from that
 * of another driver of the same algorithm is refused: what is wrong need not
 * be timed.
 *
 * Deliberately absent: the choice of what to time, and any table.  That is
 * scripts/bench.
 */
#include <asm/cpufeature.h>
#include <asm/fpu/api.h>
#include <crypto/skcipher.h>
#include <linux/debugfs.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/list.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/prandom.h>
#include <linux/scatterlist.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/sort.h>

#define SAMPLE_NS	(500 * NSEC_PER_USEC)
#define MAX_BYTES	SZ_1M
#define MAX_ROUNDS	1000
#define ODD		UINT_MAX	/* as a length of fragments */

#define MAX_IV_BYTES	32
#define KEY_BYTES	32		/* all ciphers here take that */

/* A message in memory, shared by all cells that time it */
struct layout {
	struct list_head list;
	unsigned int bytes;
	unsigned int fragment;
	bool apart;
	struct scatterlist *src;
	struct scatterlist *dst;
	unsigned int entries;
};

struct cell {
	char driver[CRYPTO_MAX_ALG_NAME];
	struct layout *layout;
	struct crypto_skcipher *tfm;
	struct skcipher_request *req;
	u8 iv[MAX_IV_BYTES];
	u32 digest;		/* of the first result */
	unsigned int calls;	/* in one sample */
	u64 *samples;		/* nanoseconds */
};

static DEFINE_MUTEX(bench_lock);
static LIST_HEAD(layouts);
static struct cell **cells;
static unsigned int nr_cells;
static unsigned int nr_rounds;
static struct rnd_state order_rnd;
static struct dentry *bench_dir;

static const u8 bench_key[KEY_BYTES] = "chacha-simd bench: 32 bytes long";

/*
 * Messages
 */

/* Length and start of the next entry of a scatterlist */
static void cut(const struct layout *layout, struct rnd_state *rnd,
		unsigned int *bytes, unsigned int *start)
{
	*bytes = layout->fragment;
	*start = 0;
	if (layout->fragment == ODD) {
		*bytes = PAGE_SIZE + prandom_u32_state(rnd) % (2 * PAGE_SIZE);
		*bytes |= 1;
		*start = (prandom_u32_state(rnd) % PAGE_SIZE) | 1;
	} else if (!layout->fragment) {
		*bytes = layout->bytes;
	}
}

static unsigned int count_entries(const struct layout *layout)
{
	unsigned int n = 0, rest = layout->bytes, bytes, start;
	struct rnd_state rnd;

	prandom_seed_state(&rnd, 1);
	do {
		cut(layout, &rnd, &bytes, &start);
		rest -= min(bytes, rest);
		n++;
	} while (rest);
	return n;
}

static void free_sg(struct scatterlist *sg, unsigned int entries)
{
	unsigned int i;

	if (!sg)
		return;
	for (i = 0; i < entries; i++)
		if (sg_page(&sg[i]))
			__free_pages(sg_page(&sg[i]),
				     get_order(sg[i].offset + sg[i].length));
	kvfree(sg);
}

/* Entries have pages of their own, so none continues the one before. */
static struct scatterlist *alloc_sg(const struct layout *layout)
{
	unsigned int i, rest = layout->bytes, bytes, start;
	struct scatterlist *sg;
	struct rnd_state rnd;
	struct page *page;

	sg = kvcalloc(layout->entries, sizeof(*sg), GFP_KERNEL);
	if (!sg)
		return NULL;
	sg_init_table(sg, layout->entries);
	prandom_seed_state(&rnd, 1);
	for (i = 0; i < layout->entries; i++, rest -= bytes) {
		cut(layout, &rnd, &bytes, &start);
		bytes = min(bytes, rest);
		page = alloc_pages(GFP_KERNEL, get_order(start + bytes));
		if (!page) {
			free_sg(sg, layout->entries);
			return NULL;
		}
		sg_set_page(&sg[i], page, bytes, start);
	}
	return sg;
}

static void free_layout(struct layout *layout)
{
	free_sg(layout->src, layout->entries);
	if (layout->apart)
		free_sg(layout->dst, layout->entries);
	kfree(layout);
}

static struct layout *new_layout(const struct layout *wanted)
{
	struct layout *layout = kmemdup(wanted, sizeof(*wanted), GFP_KERNEL);

	if (!layout)
		return ERR_PTR(-ENOMEM);
	layout->entries = count_entries(layout);
	layout->src = alloc_sg(layout);
	layout->dst = layout->apart ? alloc_sg(layout) : layout->src;
	if (!layout->src || !layout->dst) {
		free_layout(layout);
		return ERR_PTR(-ENOMEM);
	}
	list_add(&layout->list, &layouts);
	return layout;
}

static struct layout *get_layout(const struct layout *wanted)
{
	struct layout *layout;

	list_for_each_entry(layout, &layouts, list)
		if (layout->bytes == wanted->bytes &&
		    layout->fragment == wanted->fragment &&
		    layout->apart == wanted->apart)
			return layout;
	return new_layout(wanted);
}

/*
 * Cells
 */

static int run_once(struct cell *cell)
{
	/*
	 * Both are part of a request's life: who sends one fills it in, and a
	 * driver may hand its IV on to the next.
	 */
	memset(cell->iv, 0, sizeof(cell->iv));
	skcipher_request_set_crypt(cell->req, cell->layout->src,
				   cell->layout->dst, cell->layout->bytes,
				   cell->iv);
	return crypto_skcipher_encrypt(cell->req);
}

/* FNV-1a over the result of a known message */
static int digest_result(struct cell *cell)
{
	const struct layout *layout = cell->layout;
	u8 *buffer = kvmalloc(layout->bytes, GFP_KERNEL);
	unsigned int i;
	int err;

	if (!buffer)
		return -ENOMEM;
	for (i = 0; i < layout->bytes; i++)
		buffer[i] = i * 7 + (i >> 8);
	sg_copy_from_buffer(layout->src, layout->entries, buffer,
			    layout->bytes);
	err = run_once(cell);
	sg_copy_to_buffer(layout->dst, layout->entries, buffer, layout->bytes);
	cell->digest = 2166136261;
	for (i = 0; i < layout->bytes; i++)
		cell->digest = (cell->digest ^ buffer[i]) * 16777619;
	kvfree(buffer);
	return err;
}

static const char *algorithm(const struct cell *cell)
{
	return crypto_tfm_alg_name(crypto_skcipher_tfm(cell->tfm));
}

static int check_result(struct cell *cell)
{
	unsigned int i;
	int err;

	err = digest_result(cell);
	for (i = 0; !err && i < nr_cells; i++) {
		if (cells[i]->layout->bytes != cell->layout->bytes ||
		    strcmp(algorithm(cells[i]), algorithm(cell)) ||
		    cells[i]->digest == cell->digest)
			continue;
		pr_err("chacha_simd_bench: %s differs from %s at %u bytes\n",
		       cell->driver, cells[i]->driver, cell->layout->bytes);
		err = -EBADMSG;
	}
	return err;
}

static void free_cell(struct cell *cell)
{
	skcipher_request_free(cell->req);
	if (!IS_ERR_OR_NULL(cell->tfm))
		crypto_free_skcipher(cell->tfm);
	kvfree(cell->samples);
	kfree(cell);
}

static int prepare_cell(struct cell *cell)
{
	int err;

	/* No asynchronous drivers: a request is done when encrypt returns. */
	cell->tfm = crypto_alloc_skcipher(cell->driver, 0, CRYPTO_ALG_ASYNC);
	if (IS_ERR(cell->tfm))
		return PTR_ERR(cell->tfm);
	if (crypto_skcipher_ivsize(cell->tfm) > MAX_IV_BYTES)
		return -EINVAL;
	err = crypto_skcipher_setkey(cell->tfm, bench_key, KEY_BYTES);
	if (err)
		return err;
	cell->req = skcipher_request_alloc(cell->tfm, GFP_KERNEL);
	cell->samples = kvcalloc(MAX_ROUNDS, sizeof(u64), GFP_KERNEL);
	if (!cell->req || !cell->samples)
		return -ENOMEM;
	skcipher_request_set_callback(cell->req, 0, NULL, NULL);
	return check_result(cell);
}

static int keep_cell(struct cell *cell)
{
	struct cell **more = krealloc_array(cells, nr_cells + 1,
					    sizeof(*cells), GFP_KERNEL);

	if (!more)
		return -ENOMEM;
	cells = more;
	cells[nr_cells++] = cell;
	return 0;
}

static int add_cell(const char *driver, const struct layout *wanted)
{
	struct layout *layout = get_layout(wanted);
	struct cell *cell;
	int err;

	if (IS_ERR(layout))
		return PTR_ERR(layout);
	cell = kzalloc(sizeof(*cell), GFP_KERNEL);
	if (!cell)
		return -ENOMEM;
	cell->layout = layout;
	strscpy(cell->driver, driver, sizeof(cell->driver));
	err = prepare_cell(cell);
	if (!err)
		err = keep_cell(cell);
	if (err)
		free_cell(cell);
	return err;
}

/*
 * Time
 */

/* Nanoseconds; a negative error if a request fails */
static s64 time_calls(struct cell *cell, unsigned int calls)
{
	ktime_t start = ktime_get();
	unsigned int i;
	int err;

	for (i = 0; i < calls; i++) {
		err = run_once(cell);
		if (unlikely(err))
			return err;
	}
	return max(ktime_to_ns(ktime_sub(ktime_get(), start)), 1);
}

/* The shorter of two tries: the other may have been interrupted. */
static s64 time_undisturbed(struct cell *cell, unsigned int calls)
{
	s64 a = time_calls(cell, calls);
	s64 b = time_calls(cell, calls);

	return min(a, b);
}

/* How many calls fill a sample */
static int calibrate(struct cell *cell)
{
	unsigned int calls;
	s64 ns;

	for (calls = 1; ; calls *= 2) {
		ns = time_undisturbed(cell, calls);
		if (ns < 0)
			return ns;
		if (ns >= SAMPLE_NS / 4)
			break;
	}
	cell->calls = div64_u64((u64)calls * SAMPLE_NS, ns) + 1;
	return 0;
}

/*
 * A driver that leaves them in use would slow the SSE driver that happens to
 * come next, and blur the order's only purpose.
 */
static void clean_upper_halves(void)
{
	if (!boot_cpu_has(X86_FEATURE_AVX))
		return;
	kernel_fpu_begin();
	asm volatile("vzeroupper" : : : "memory");
	kernel_fpu_end();
}

static int take_sample(struct cell *cell)
{
	s64 ns;

	if (!cell->calls) {
		int err = calibrate(cell);

		if (err)
			return err;
	}
	clean_upper_halves();
	/* Caches, branch predictors and sleeping vector units */
	ns = time_calls(cell, cell->calls / 8 + 1);
	if (ns > 0)
		ns = time_calls(cell, cell->calls);
	if (ns < 0)
		return ns;
	cell->samples[nr_rounds] = ns;
	return 0;
}

static int take_round(void)
{
	unsigned int i, j;
	int err;

	if (nr_rounds == MAX_ROUNDS)
		return -ENOSPC;
	for (i = nr_cells; i > 1; i--) {
		j = prandom_u32_state(&order_rnd) % i;
		swap(cells[i - 1], cells[j]);
	}
	for (i = 0; i < nr_cells; i++) {
		err = take_sample(cells[i]);
		if (err)
			return err;
		cond_resched();
	}
	nr_rounds++;
	return 0;
}

/*
 * Files
 */

static ssize_t cells_write(struct file *file, const char __user *from,
			   size_t count, loff_t *pos)
{
	char text[CRYPTO_MAX_ALG_NAME + 64], driver[CRYPTO_MAX_ALG_NAME];
	struct layout wanted = {};
	char fragment[16];
	unsigned int apart;
	int err;

	if (count >= sizeof(text))
		return -E2BIG;
	if (copy_from_user(text, from, count))
		return -EFAULT;
	text[count] = '\0';
	if (sscanf(text, "%127s %u %15s %u", driver, &wanted.bytes, fragment,
		   &apart) != 4)
		return -EINVAL;
	if (!strcmp(fragment, "odd"))
		wanted.fragment = ODD;
	else if (kstrtouint(fragment, 10, &wanted.fragment))
		return -EINVAL;
	if (!wanted.bytes || wanted.bytes > MAX_BYTES)
		return -EINVAL;
	wanted.apart = apart;

	mutex_lock(&bench_lock);
	err = nr_rounds ? -EBUSY : add_cell(driver, &wanted);
	mutex_unlock(&bench_lock);
	if (err)
		pr_err("chacha_simd_bench: cannot time %s: %pe\n", driver,
		       ERR_PTR(err));
	return err ?: count;
}

static const struct file_operations cells_fops = {
	.owner	= THIS_MODULE,
	.open	= simple_open,
	.write	= cells_write,
};

static ssize_t round_write(struct file *file, const char __user *from,
			   size_t count, loff_t *pos)
{
	int err;

	mutex_lock(&bench_lock);
	err = take_round();
	mutex_unlock(&bench_lock);
	return err ?: count;
}

static const struct file_operations round_fops = {
	.owner	= THIS_MODULE,
	.open	= simple_open,
	.write	= round_write,
};

static int compare_u64(const void *a, const void *b)
{
	const u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return (x > y) - (x < y);
}

/* "1234.5" MB/s */
static void show_speed(struct seq_file *seq, const struct cell *cell, u64 ns)
{
	u64 bytes = (u64)cell->layout->bytes * cell->calls;
	u64 tenths = div64_u64(bytes * 10000, ns);

	seq_printf(seq, " %llu.%llu", tenths / 10, tenths % 10);
}

static void show_cell(struct seq_file *seq, struct cell *cell)
{
	const struct layout *layout = cell->layout;
	u64 median;

	sort(cell->samples, nr_rounds, sizeof(u64), compare_u64, NULL);
	median = cell->samples[nr_rounds / 2];
	seq_printf(seq, "%s %u", cell->driver, layout->bytes);
	if (layout->fragment == ODD)
		seq_puts(seq, " odd");
	else
		seq_printf(seq, " %u", layout->fragment);
	seq_printf(seq, " %u", layout->apart);
	show_speed(seq, cell, median);
	show_speed(seq, cell, cell->samples[0]);
	seq_printf(seq, " %llu.%02llu\n", div_u64(median, cell->calls),
		   div_u64(median % cell->calls * 100, cell->calls));
}

static int result_show(struct seq_file *seq, void *unused)
{
	unsigned int i;

	mutex_lock(&bench_lock);
	for (i = 0; nr_rounds && i < nr_cells; i++)
		show_cell(seq, cells[i]);
	mutex_unlock(&bench_lock);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(result);

static int __init api_bench_init(void)
{
	prandom_seed_state(&order_rnd, 1);
	bench_dir = debugfs_create_dir("chacha_simd_bench", NULL);
	debugfs_create_file("cells", 0200, bench_dir, NULL, &cells_fops);
	debugfs_create_file("round", 0200, bench_dir, NULL, &round_fops);
	debugfs_create_file("result", 0400, bench_dir, NULL, &result_fops);
	return 0;
}

static void __exit api_bench_exit(void)
{
	struct layout *layout, *next;

	debugfs_remove(bench_dir);
	while (nr_cells)
		free_cell(cells[--nr_cells]);
	kfree(cells);
	list_for_each_entry_safe(layout, next, &layouts, list)
		free_layout(layout);
}

module_init(api_bench_init);
module_exit(api_bench_exit);

MODULE_DESCRIPTION("Times skcipher drivers side by side");
MODULE_LICENSE("GPL");
