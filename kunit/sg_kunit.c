// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit suite chacha_simd_sg: every driver on scatterlists of many shapes,
 * compared with the flat result, nothing touched between the pieces.
 *
 * A shape is a function that says how long piece i of a list is.  The pieces
 * lie in one area, canaries between them; source and destination are cut
 * alike, or differently, or one of them not at all.
 *
 * Deliberately absent: lengths and alignments of flat messages
 * (flat_kunit.c), the IV that comes back (chain_kunit.c).
 */
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/string.h>
#include "stream_test.h"

KUNIT_ARRAY_PARAM(driver, test_drivers.all, stream_driver_desc);

enum {
	MAX_PIECES = 800,
	LINK_EVERY = 8,		/* entries of a table of a chained list */
	REST = ~0u,		/* a piece that takes what is left */
	AREA = STREAM_TEST_BYTES + 2 * STREAM_MARGIN,
};

/**
 * struct shape - a way to cut a message
 * @name: for failures
 * @piece: length of piece @i in variant @step
 * @first: first variant
 * @last: last variant
 * @total: length of the message
 * @gap: canaries before each piece
 * @chained: a chain of short tables
 */
struct shape {
	const char *name;
	unsigned int (*piece)(unsigned int step, unsigned int i);
	unsigned int first;
	unsigned int last;
	unsigned int total;
	unsigned int gap;
	bool chained;
};

static unsigned int whole(unsigned int step, unsigned int i)
{
	return REST;
}

static unsigned int one_cut(unsigned int step, unsigned int i)
{
	return i ? REST : step;
}

static unsigned int blocks_then_tail(unsigned int step, unsigned int i)
{
	static const unsigned int tail[] = { 37, 64, 129, 1, 333 };

	if (!i)
		return step * STREAM_BLOCK_BYTES;
	return i <= ARRAY_SIZE(tail) ? tail[i - 1] : REST;
}

static unsigned int single_bytes(unsigned int step, unsigned int i)
{
	return i < step ? 1 : REST;
}

static unsigned int empty_pieces(unsigned int step, unsigned int i)
{
	return i % 3 == 1 ? step : 0;
}

static unsigned int equal_pieces(unsigned int step, unsigned int i)
{
	return step;
}

static unsigned int growing_pieces(unsigned int step, unsigned int i)
{
	return step + 4000 * i;
}

static unsigned int odd_pieces(unsigned int step, unsigned int i)
{
	return (i * 2654435761u + step * 40503u) >> 5 & 511;
}

static const struct shape shapes[] = {
	{ "one cut", one_cut, 1, 130, 700, 16, false },
	{ "blocks, then a tail", blocks_then_tail, 1, 40, 3500, 16, false },
	{ "single bytes", single_bytes, 1, 200, 400, 1, false },
	{ "empty pieces", empty_pieces, 5, 130, 900, 16, false },
	{ "equal pieces", equal_pieces, 7, 260, 3000, 16, false },
	{ "pieces of pages", growing_pieces, 4080, 4112, 50000, 19, false },
	{ "odd pieces", odd_pieces, 1, 60, 8000, 3, false },
	{ "chained tables", odd_pieces, 61, 100, 6000, 3, true },
	{ "chained pages", growing_pieces, 1, 20, 60000, 64, true },
};

/**
 * struct layout - a message laid out in pieces
 * @sg: its entries
 * @first: the first of them
 * @at: where each piece is in @area
 * @len: its length
 * @count: how many there are
 * @used: bytes of @area with the pieces and the canaries around them
 * @area: the memory, AREA bytes
 */
struct layout {
	struct scatterlist sg[MAX_PIECES * LINK_EVERY / (LINK_EVERY - 1) +
			      LINK_EVERY];
	struct scatterlist *first;
	unsigned int at[MAX_PIECES];
	unsigned int len[MAX_PIECES];
	unsigned int count;
	unsigned int used;
	u8 *area;
};

static struct layout *new_layout(struct kunit *test)
{
	struct layout *l = kunit_kzalloc(test, sizeof(*l), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, l);
	l->area = kunit_kzalloc(test, AREA, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, l->area);
	return l;
}

static void cut(struct kunit *test, struct layout *l,
		const struct shape *shape, unsigned int step,
		unsigned int total, unsigned int gap)
{
	unsigned int pos = STREAM_MARGIN, left = total, len;

	for (l->count = 0; left; l->count++) {
		KUNIT_ASSERT_LT(test, l->count, (u32)MAX_PIECES);
		len = min(left, shape->piece(step, l->count));
		l->at[l->count] = pos + gap;
		l->len[l->count] = len;
		pos += gap + len;
		left -= len;
	}
	l->used = pos + STREAM_MARGIN;
	KUNIT_ASSERT_LE(test, l->used, (u32)AREA);
}

/*
 * Where entry @i is in l->sg.  The tables of a chain stand the wrong way round,
 * so that the entry behind a table is not the one that comes next.
 */
static unsigned int slot(const struct layout *l, unsigned int i, bool chained)
{
	unsigned int last = (l->count - 1) / (LINK_EVERY - 1);

	if (!chained)
		return i;
	return (last - i / (LINK_EVERY - 1)) * LINK_EVERY + i % (LINK_EVERY - 1);
}

static void make_list(struct layout *l, bool chained)
{
	unsigned int i, at = 0, last = (l->count - 1) / (LINK_EVERY - 1);

	sg_init_table(l->sg, chained ? (last + 1) * LINK_EVERY : l->count);
	for (i = 0; chained && i < last; i++)
		sg_chain(&l->sg[(i + 1) * LINK_EVERY], LINK_EVERY,
			 &l->sg[i * LINK_EVERY]);
	for (i = 0; i < l->count; i++) {
		at = slot(l, i, chained);
		sg_set_buf(&l->sg[at], l->area + l->at[i], l->len[i]);
	}
	sg_mark_end(&l->sg[at]);
	l->first = &l->sg[slot(l, 0, chained)];
}

/* Lay @flat out by @shape, canaries everywhere else */
static void lay_out(struct kunit *test, struct layout *l,
		    const struct shape *shape, unsigned int step,
		    const u8 *flat, unsigned int total)
{
	unsigned int i;

	cut(test, l, shape, step, total, shape->gap);
	make_list(l, shape->chained);
	memset(l->area, STREAM_CANARY, l->used);
	for (i = 0; i < l->count; i++) {
		memcpy(l->area + l->at[i], flat, l->len[i]);
		flat += l->len[i];
	}
}

/* Take the pieces together; then all that is left must be canaries. */
static bool gather(struct layout *l, u8 *flat)
{
	unsigned int i;

	for (i = 0; i < l->count; i++) {
		memcpy(flat, l->area + l->at[i], l->len[i]);
		memset(l->area + l->at[i], STREAM_CANARY, l->len[i]);
		flat += l->len[i];
	}
	return stream_untouched(l->area, l->used);
}

struct lists {
	struct layout *src;
	struct layout *dst;
	u8 *result;
};

static struct lists new_lists(struct kunit *test)
{
	struct lists lists = {
		.src = new_layout(test),
		.dst = new_layout(test),
		.result = kunit_kzalloc(test, AREA, GFP_KERNEL),
	};

	KUNIT_ASSERT_NOT_NULL(test, lists.result);
	return lists;
}

static void check_result(struct kunit *test, struct lists *lists,
			 const struct shape *shape, unsigned int total,
			 const char *how, unsigned int step)
{
	struct stream_test *t = test->priv;
	bool clean = gather(lists->dst, lists->result);

	KUNIT_ASSERT_EQ_MSG(test, stream_wrong(lists->result, t->src,
					       t->keystream, total), total,
			    "%s: %s %u, %s: first wrong byte",
			    t->driver->name, shape->name, step, how);
	KUNIT_ASSERT_TRUE_MSG(test, clean, "%s: %s %u, %s: wrote outside",
			      t->driver->name, shape->name, step, how);
}

/* Two lists in memory of their own */
static void check_apart(struct kunit *test, struct lists *lists,
			const struct shape *in, unsigned int in_step,
			const struct shape *out, unsigned int out_step,
			const char *how)
{
	const struct shape *shape = in->piece == whole ? out : in;
	unsigned int total = shape->total;
	struct stream_test *t = test->priv;
	u8 iv[STREAM_MAX_IV];

	memcpy(iv, t->iv, sizeof(iv));
	lay_out(test, lists->src, in, in_step, t->src, total);
	lay_out(test, lists->dst, out, out_step, t->src, total);
	KUNIT_ASSERT_EQ(test, stream_crypt_sg(t, lists->dst->first,
					      lists->src->first, total, iv), 0);
	check_result(test, lists, shape, total, how,
		     shape == in ? in_step : out_step);

	/* the source is as it was */
	KUNIT_ASSERT_TRUE(test, gather(lists->src, lists->result));
	KUNIT_ASSERT_TRUE_MSG(test, !memcmp(lists->result, t->src, total),
			      "%s: %s %u, %s: source written",
			      t->driver->name, shape->name, in_step, how);
}

static const struct shape flat = { "flat", whole, 0, 0, 0, 5, false };

/* Another variant of the same shape, for the other side of a request */
static unsigned int other(const struct shape *shape, unsigned int step)
{
	unsigned int variants = shape->last - shape->first + 1;

	return shape->first + (step * 7 + 3) % variants;
}

static void cut_alike(struct kunit *test)
{
	struct lists lists = new_lists(test);
	const struct shape *s;
	unsigned int step;

	for (s = shapes; s < shapes + ARRAY_SIZE(shapes); s++)
		for (step = s->first; step <= s->last; step++)
			check_apart(test, &lists, s, step, s, step,
				    "both cut alike");
}

static void cut_differently(struct kunit *test)
{
	struct lists lists = new_lists(test);
	const struct shape *s;
	unsigned int step;

	for (s = shapes; s < shapes + ARRAY_SIZE(shapes); s++)
		for (step = s->first; step <= s->last; step++)
			check_apart(test, &lists, s, step, s, other(s, step),
				    "both cut, differently");
}

static void source_cut(struct kunit *test)
{
	struct lists lists = new_lists(test);
	const struct shape *s;
	unsigned int step;

	for (s = shapes; s < shapes + ARRAY_SIZE(shapes); s++)
		for (step = s->first; step <= s->last; step++)
			check_apart(test, &lists, s, step, &flat, 0,
				    "source cut");
}

static void destination_cut(struct kunit *test)
{
	struct lists lists = new_lists(test);
	const struct shape *s;
	unsigned int step;

	for (s = shapes; s < shapes + ARRAY_SIZE(shapes); s++)
		for (step = s->first; step <= s->last; step++)
			check_apart(test, &lists, &flat, 0, s, step,
				    "destination cut");
}

/* One list for both sides */
static void in_place(struct kunit *test)
{
	struct stream_test *t = test->priv;
	struct lists lists = new_lists(test);
	const struct shape *s;
	unsigned int step;
	u8 iv[STREAM_MAX_IV];

	for (s = shapes; s < shapes + ARRAY_SIZE(shapes); s++) {
		for (step = s->first; step <= s->last; step++) {
			memcpy(iv, t->iv, sizeof(iv));
			lay_out(test, lists.dst, s, step, t->src, s->total);
			KUNIT_ASSERT_EQ(test, stream_crypt_sg(t, lists.dst->first,
							      lists.dst->first,
							      s->total, iv),
					0);
			check_result(test, &lists, s, s->total, "in place",
				     step);
		}
	}
}

/* The same pages through lists of their own, the second one cut by @step */
static void check_same_pages(struct kunit *test, struct lists *lists,
			     const struct shape *s, unsigned int step,
			     unsigned int out_step)
{
	struct stream_test *t = test->priv;
	u8 *area = lists->src->area;
	u8 iv[STREAM_MAX_IV];

	memcpy(iv, t->iv, sizeof(iv));
	lists->src->area = lists->dst->area;
	cut(test, lists->src, s, step, s->total, 0);
	make_list(lists->src, s->chained);
	lists->src->area = area;
	cut(test, lists->dst, s, out_step, s->total, 0);
	make_list(lists->dst, s->chained);
	memset(lists->dst->area, STREAM_CANARY, lists->dst->used);
	memcpy(lists->dst->area + STREAM_MARGIN, t->src, s->total);
	KUNIT_ASSERT_EQ(test, stream_crypt_sg(t, lists->dst->first,
					      lists->src->first, s->total, iv),
			0);
	check_result(test, lists, s, s->total, "same pages, two lists", step);
}

static void same_pages_cut_alike(struct kunit *test)
{
	struct lists lists = new_lists(test);
	const struct shape *s;
	unsigned int step;

	for (s = shapes; s < shapes + ARRAY_SIZE(shapes); s++)
		for (step = s->first; step <= s->last; step++)
			check_same_pages(test, &lists, s, step, step);
}

static void same_pages_cut_differently(struct kunit *test)
{
	struct lists lists = new_lists(test);
	const struct shape *s;
	unsigned int step;

	for (s = shapes; s < shapes + ARRAY_SIZE(shapes); s++)
		for (step = s->first; step <= s->last; step++)
			check_same_pages(test, &lists, s, step,
					 other(s, step));
}

/* The list may be longer than the message. */
static void list_longer_than_message(struct kunit *test)
{
	struct stream_test *t = test->priv;
	struct lists lists = new_lists(test);
	unsigned int len;
	u8 iv[STREAM_MAX_IV];

	for (len = 0; len <= 1300; len++) {
		memcpy(iv, t->iv, sizeof(iv));
		lay_out(test, lists.dst, &shapes[6], len % 60, t->src, 2000);
		KUNIT_ASSERT_EQ(test, stream_crypt_sg(t, lists.dst->first,
						      lists.dst->first, len, iv),
				0);
		KUNIT_ASSERT_TRUE(test, gather(lists.dst, lists.result));
		KUNIT_ASSERT_EQ_MSG(test, stream_wrong(lists.result, t->src,
						       t->keystream, len), len,
				    "%s: length %u", t->driver->name, len);
		KUNIT_ASSERT_TRUE_MSG(test,
				      !memcmp(lists.result + len, t->src + len,
					      2000 - len),
				      "%s: length %u, the rest was touched",
				      t->driver->name, len);
	}
}

/* sg->offset need not be within the first page. */
static void offset_beyond_a_page(struct kunit *test)
{
	struct stream_test *t = test->priv;
	struct scatterlist in, out;
	unsigned int off, len = 20000;
	u8 iv[STREAM_MAX_IV];

	for (off = 0; off < 5 * PAGE_SIZE; off += 1111) {
		memcpy(iv, t->iv, sizeof(iv));
		sg_init_table(&in, 1);
		sg_set_page(&in, virt_to_page(t->src), len,
			    offset_in_page(t->src) + off);
		sg_init_table(&out, 1);
		sg_set_page(&out, virt_to_page(t->dst), len,
			    offset_in_page(t->dst) + 20480 - off);
		KUNIT_ASSERT_EQ(test, stream_crypt_sg(t, &out, &in, len, iv),
				0);
		KUNIT_ASSERT_EQ_MSG(test, stream_wrong(t->dst + 20480 - off,
						       t->src + off,
						       t->keystream, len), len,
				    "%s: offset %u: first wrong byte",
				    t->driver->name, off);
	}
}

/* Lists of @in and @out bytes for a message of 1300, in two pieces each */
static void check_short(struct kunit *test, struct lists *lists,
			unsigned int in, unsigned int out)
{
	static const struct shape two = { "two", one_cut, 0, 0, 0, 16, false };
	struct stream_test *t = test->priv;
	u8 iv[STREAM_MAX_IV];

	memcpy(iv, t->iv, sizeof(iv));
	lay_out(test, lists->src, &two, 70, t->src, in);
	lay_out(test, lists->dst, &two, 133, t->src, out);
	KUNIT_ASSERT_EQ_MSG(test, stream_crypt_sg(t, lists->dst->first,
						  lists->src->first, 1300, iv),
			    -EINVAL, "%s: lists of %u and %u bytes",
			    t->driver->name, in, out);
	KUNIT_ASSERT_TRUE_MSG(test, !memcmp(iv, t->iv, sizeof(iv)),
			      "%s: the IV of a failed request changed",
			      t->driver->name);
	KUNIT_ASSERT_TRUE(test, gather(lists->dst, lists->result));
	KUNIT_ASSERT_TRUE(test, gather(lists->src, lists->result));
	check_apart(test, lists, &shapes[0], 70, &shapes[0], 33,
		    "after a list that was too short");
}

/* A list that ends before the message: refused, and the next one is right. */
static void list_too_short(struct kunit *test)
{
	struct lists lists = new_lists(test);
	unsigned int len;

	for (len = 140; len < 1300; len += 29) {
		check_short(test, &lists, len, 1300);
		check_short(test, &lists, 1300, len);
		check_short(test, &lists, len, len);
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(cut_alike, driver_gen_params),
	KUNIT_CASE_PARAM(cut_differently, driver_gen_params),
	KUNIT_CASE_PARAM(source_cut, driver_gen_params),
	KUNIT_CASE_PARAM(destination_cut, driver_gen_params),
	KUNIT_CASE_PARAM(in_place, driver_gen_params),
	KUNIT_CASE_PARAM(same_pages_cut_alike, driver_gen_params),
	KUNIT_CASE_PARAM(same_pages_cut_differently, driver_gen_params),
	KUNIT_CASE_PARAM(list_longer_than_message, driver_gen_params),
	KUNIT_CASE_PARAM(offset_beyond_a_page, driver_gen_params),
	KUNIT_CASE_PARAM(list_too_short, driver_gen_params),
	{}
};

static struct kunit_suite suite = {
	.name = "chacha_simd_sg",
	.init = stream_test_init,
	.exit = stream_test_exit,
	.test_cases = cases,
};

kunit_test_suite(suite);
