// SPDX-License-Identifier: GPL-2.0
/*
 * A request of the crypto API: its scatterlists, its FPU sections, and the
 * fallback where SIMD may not be used.
 *
 * The scatterlists are followed here and not by skcipher_walk, which costs
 * a message of 64 bytes 24 of 130 ns (Zen 4), copies every block that two
 * entries share, allocates for it, and may sleep between the steps, so that
 * every step needs an FPU section of its own.  x86-64 has no high memory: each
 * entry lies in one piece behind sg_virt(), however many pages long.
 *
 * Deliberately absent: the algorithms, vector types.
 */
#include <linux/export.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/scatterlist.h>
#include <linux/sched.h>
#include <linux/string.h>
#include "compat.h"
#include "glue.h"

/*
 * Where entries of the scatterlists meet, keystream is made ahead into memory,
 * a driver's widest batch at a time.  In an FPU section a CPU has this for
 * itself, since nothing else can enter one on it.
 */
struct keystream {
	u8 bytes[STREAM_BATCH_BYTES] __aligned(64);
};

static struct keystream __percpu *keystreams;

/*
 * Which path ran, for messages that are long enough to have a choice: at most
 * one increment for 4 KiB, none for a short message.
 */
static DEFINE_PER_CPU(unsigned long [STREAM_PATHS], sections);

const keystream_xor_fn stream_keystream_xor[STREAM_ISAS] =
	STREAM_PER_ISA(keystream_xor);

CHACHA_SIMD_EXPORT_FOR_KUNIT(stream_keystream_xor);

/*
 * A section has at most so many pieces, or 4 KiB of single bytes would keep
 * preemption off some fifty times as long as 4 KiB in one piece.  A block
 * always fits in, however it is cut in source and destination.
 */
#define SECTION_PIECES	256

/* Keystream is what a core makes of zeroes. */
static const u8 zeroes[STREAM_BATCH_BYTES] __aligned(64);

/* A position in a scatterlist. */
struct cursor {
	struct scatterlist *sg;
	unsigned int offset;
};

/* What is still to be done of a request. */
struct message {
	struct cursor src;
	struct cursor dst;
	unsigned int bytes;
};

/* How it is done, in an FPU section or out of one. */
struct engine {
	const struct stream_algorithm *algorithm;
	const struct stream_isa *isa;
	u8 *keystream;
};

static u8 *cursor_address(const struct cursor *cursor)
{
	return (u8 *)sg_virt(cursor->sg) + cursor->offset;
}

/* Skips to the entry that the position lies in; there may be empty ones. */
static unsigned int cursor_left(struct cursor *cursor)
{
	while (cursor->sg && cursor->offset == cursor->sg->length) {
		cursor->sg = sg_next(cursor->sg);
		cursor->offset = 0;
	}
	return cursor->sg ? cursor->sg->length - cursor->offset : 0;
}

/* The bytes that lie in one piece in both scatterlists; 0 past their end. */
static unsigned int message_piece(struct message *m)
{
	return min(cursor_left(&m->src), cursor_left(&m->dst));
}

static void message_advance(struct message *m, unsigned int bytes)
{
	m->src.offset += bytes;
	m->dst.offset += bytes;
	m->bytes -= bytes;
}

static void engine_xor(const struct engine *engine, struct stream_state *state,
		       u8 *dst, const u8 *src, size_t bytes)
{
	stream_xor(engine->algorithm->cores, engine->isa, state, dst, src,
		   bytes, engine->algorithm->rounds);
}

/* The next bytes of the message, in however many pieces they lie. */
static int crypt_pieces(const struct engine *engine, struct message *m,
			struct stream_state *state, unsigned int bytes)
{
	keystream_xor_fn xor = stream_keystream_xor[engine->isa->id];
	unsigned int done, piece;

	engine_xor(engine, state, engine->keystream, zeroes, bytes);
	for (done = 0; done < bytes; done += piece) {
		piece = min(message_piece(m), bytes - done);
		if (!piece)
			return -EINVAL;
		xor(cursor_address(&m->dst), cursor_address(&m->src),
		    engine->keystream + done, piece);
		message_advance(m, piece);
	}
	return 0;
}

/*
 * One section: the next bytes of the message, which start on a block of the
 * stream and end on one unless the message does.  What lies in one piece goes
 * straight through the core, by whole batches while more is to come; a batch
 * that two entries share goes by way of the keystream buffer.
 */
static int crypt_section(const struct engine *engine, struct message *m,
			 struct stream_state *state, unsigned int bytes)
{
	const unsigned int batch = engine->isa->batch_bytes;
	unsigned int n, used = 0;
	int err = 0;

	for (; bytes && !err; bytes -= n) {
		n = min(message_piece(m), bytes);
		if (n < bytes)
			n = round_down(n, batch);
		if (n) {
			engine_xor(engine, state, cursor_address(&m->dst),
				   cursor_address(&m->src), n);
			message_advance(m, n);
		} else {
			n = min(bytes, batch);
			err = crypt_pieces(engine, m, state, n);
			used = max(used, n);
		}
	}
	memzero_explicit(engine->keystream, used);
	return err;
}

static int crypt_simd(const struct stream_driver *driver, struct message *m,
		      struct stream_state *state, unsigned int bytes)
{
	struct engine engine = {
		.algorithm = driver->algorithm,
		.isa = driver->isa,
	};
	int err;

	engine.keystream = get_cpu_ptr(keystreams)->bytes;
	kernel_fpu_begin();
	err = crypt_section(&engine, m, state, bytes);
	kernel_fpu_end();
	put_cpu_ptr(keystreams);
	return err;
}

static int crypt_scalar(const struct stream_driver *driver, struct message *m,
			struct stream_state *state, unsigned int bytes)
{
	u8 keystream[STREAM_BLOCK_BYTES];
	const struct engine engine = {
		.algorithm = driver->algorithm,
		.isa = &stream_isas[STREAM_SCALAR],
		.keystream = keystream,
	};

	return crypt_section(&engine, m, state, bytes);
}

/*
 * The bytes of the next section.  Only the last one of a message may end within
 * a block.
 */
static unsigned int section_bytes(const struct message *m)
{
	const unsigned int limit = min_t(unsigned int, m->bytes,
					 STREAM_SECTION_BYTES);
	struct message ahead = *m;
	unsigned int pieces, piece, bytes = 0;

	for (pieces = 0; pieces < SECTION_PIECES; pieces++) {
		piece = message_piece(&ahead);
		/* Past the end of a list, which crypt_pieces() will find. */
		if (!piece || piece >= limit - bytes)
			return limit;
		message_advance(&ahead, piece);
		bytes += piece;
	}
	return round_down(bytes, STREAM_BLOCK_BYTES);
}

/**
 * stream_simd_setkey() - the skcipher's setkey, of all drivers
 * @tfm: the transform
 * @key: the key
 * @keylen: its length in bytes
 *
 * Return: 0, or -EINVAL if there is no key of that length; the old one stays.
 * Context: any.
 */
int stream_simd_setkey(struct crypto_skcipher *tfm, const u8 *key,
		       unsigned int keylen)
{
	return stream_driver_of(tfm)->algorithm->setkey(crypto_skcipher_ctx(tfm),
							key, keylen);
}

/**
 * stream_simd_keystream() - stream_keystream_fn of a driver
 * @user: the driver
 * @state: input block; its counter is advanced by the blocks begun
 * @dst: where the keystream goes
 * @bytes: how much, at most one section
 * @first: bytes in the first of two entries of a scatterlist; 0 for one entry
 *
 * Return: as for stream_simd_crypt().
 * Context: task, SIMD usable.
 */
int __init stream_simd_keystream(const void *user, struct stream_state *state,
				 u8 *dst, unsigned int bytes,
				 unsigned int first)
{
	const struct stream_driver *driver = user;
	struct scatterlist sg[2];
	struct message m = {
		.src.sg = sg,
		.dst.sg = sg,
		.bytes = bytes,
	};

	memset(dst, 0, bytes);
	sg_init_table(sg, ARRAY_SIZE(sg));
	sg_set_buf(&sg[0], dst, first);
	sg_set_buf(&sg[1], dst + first, bytes - first);
	if (stream_isa_is_simd(driver->isa))
		return crypt_simd(driver, &m, state, bytes);
	return crypt_scalar(driver, &m, state, bytes);
}

/**
 * stream_simd_crypt() - XOR a request's message with the keystream of a state
 * @req: the request
 * @state: the first input block; its counter is advanced by the blocks begun
 *
 * Asks before each section whether SIMD may be used, so a request may change
 * between the two at any section.  Sleeps between sections if the request
 * allows it.  The caller owns @state and wipes it.
 *
 * Return: 0, or -EINVAL if a scatterlist is shorter than the message.
 * Context: any that the request was made for; not in an FPU section if it may
 *	    sleep.
 */
int stream_simd_crypt(struct skcipher_request *req, struct stream_state *state)
{
	const struct stream_driver *driver = stream_driver(req);
	const struct stream_algorithm *algorithm = driver->algorithm;
	stream_xor_fn scalar_xor = algorithm->cores->xor[STREAM_SCALAR];
	struct message m = {
		.src.sg = req->src,
		.dst.sg = req->dst,
		.bytes = req->cryptlen,
	};
	bool simd = stream_isa_is_simd(driver->isa);
	int err = 0;

	/* An empty message may come without scatterlists. */
	if (!m.bytes)
		return 0;
	/* Most short messages lie in one piece and need none of the below. */
	if (m.bytes <= STREAM_SCALAR_BYTES && message_piece(&m) >= m.bytes) {
		scalar_xor(state, cursor_address(&m.dst),
			   cursor_address(&m.src), m.bytes, algorithm->rounds);
		return 0;
	}
	while (m.bytes && !err) {
		unsigned int bytes = section_bytes(&m);

		if (!simd || bytes <= STREAM_SCALAR_BYTES) {
			err = crypt_scalar(driver, &m, state, bytes);
		} else if (stream_simd_usable()) {
			this_cpu_inc(sections[STREAM_SIMD]);
			err = crypt_simd(driver, &m, state, bytes);
		} else {
			this_cpu_inc(sections[STREAM_FALLBACK]);
			err = crypt_scalar(driver, &m, state, bytes);
		}
		if (m.bytes && req->base.flags & CRYPTO_TFM_REQ_MAY_SLEEP)
			cond_resched();
	}
	return err;
}

/**
 * stream_simd_sections() - how often a path has been taken since the load
 * @path: STREAM_SIMD or STREAM_FALLBACK
 *
 * Return: sections of at most 4 KiB, on all CPUs.
 * Context: any.
 */
unsigned long stream_simd_sections(enum stream_path path)
{
	unsigned long sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += per_cpu(sections, cpu)[path];
	return sum;
}

/**
 * stream_simd_is_wiped() - whether no keystream is left in memory
 *
 * For the KUnit suites.
 *
 * Return: true if the buffers of all CPUs are zero.
 * Context: any, while no request is being served.
 */
bool stream_simd_is_wiped(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		if (memchr_inv(per_cpu_ptr(keystreams, cpu), 0,
			       sizeof(struct keystream)))
			return false;
	return true;
}

CHACHA_SIMD_EXPORT_FOR_KUNIT(stream_simd_is_wiped);

/**
 * stream_simd_init() - get what requests need
 *
 * Return: 0 or -ENOMEM.
 * Context: module initialisation.
 */
int __init stream_simd_init(void)
{
	keystreams = alloc_percpu(struct keystream);
	return keystreams ? 0 : -ENOMEM;
}

/**
 * stream_simd_exit() - give it back
 *
 * Context: when no driver is registered any more.
 */
void stream_simd_exit(void)
{
	free_percpu(keystreams);
}
