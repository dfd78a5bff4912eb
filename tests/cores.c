// SPDX-License-Identifier: GPL-2.0
/*
 * The cores of one instruction set and the scalar ones in user space, both
 * against the papers' block function (naive.h).
 *
 *	usage: cores [FACTOR]	results in TAP; FACTOR thins the lengths out, for
 *				valgrind
 *	       cores wrap	the keystream of cases A2, for a digest
 *
 * Built with CORE_ISA, the suffix of the cores (scripts/check-cores), and run
 * under sanitizers, which see what is read and written beyond the message in
 * memory of the heap; guard pages see it where the program has none.
 *
 * Deliberately absent: stubs.  The cores are the files of the module.
 */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "naive.h"

#define JOIN(name, isa)		name##_##isa
#define WITH_SUFFIX(name, isa)	JOIN(name, isa)
#define CORE(name)		WITH_SUFFIX(name, CORE_ISA)

enum {
	BATCH_BYTES = 32 * STREAM_BLOCK_BYTES,	/* no core's is wider */
	LONGEST = 2 * BATCH_BYTES + 2 * STREAM_BLOCK_BYTES,
	LONGEST_PIECE = 1100,	/* of keystream made earlier */
	MARGIN = 128,
	CANARY = 0xa5,
};

/* A cipher in one of its implementations. */
struct cipher {
	const char *name;
	stream_xor_fn xor;
	bool salsa;
};

static const struct cipher ciphers[] = {
	{ "chacha", CORE(chacha_xor), false },
	{ "salsa", CORE(salsa_xor), true },
#ifdef WITH_SCALAR
	{ "chacha scalar", chacha_xor_scalar, false },
	{ "salsa scalar", salsa_xor_scalar, true },
#endif
};

#define ARRAY_SIZE(x)	(sizeof(x) / sizeof((x)[0]))

static const unsigned int all_rounds[] = { 20, 12, 8 };

static unsigned int factor = 1;
static unsigned int cases, failures;

/* --- helpers ------------------------------------------------------------- */

/* A generator of our own gives the same bytes everywhere: xorshift. */
static u64 random_state = 0x9e3779b97f4a7c15;

static u32 random_word(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state >> 16;
}

static void random_bytes(u8 *p, size_t bytes)
{
	while (bytes--)
		*p++ = random_word();
}

static void random_block(struct stream_state *state)
{
	unsigned int i;

	for (i = 0; i < STREAM_STATE_WORDS; i++)
		state->word[i] = random_word();
}

static void result(bool ok, const char *cipher, const char *what)
{
	cases++;
	failures += !ok;
	printf("%s %u - %s: %s\n", ok ? "ok" : "not ok", cases, cipher, what);
	fflush(stdout);
}

static void *get_memory(size_t bytes)
{
	void *p = aligned_alloc(64, (bytes + 63) & ~(size_t)63);

	if (!p) {
		perror("aligned_alloc");
		exit(2);
	}
	return p;
}

static bool all_equal(const u8 *p, u8 value, size_t bytes)
{
	while (bytes--)
		if (*p++ != value)
			return false;
	return true;
}

/*
 * Whoever runs vector code next pays for upper halves that were left dirty.
 * This program is built without AVX, so what stands in them is the core's.
 */
static void clean_upper_halves(void)
{
#ifdef CORE_HAS_UPPER_HALVES
	asm volatile("vzeroupper");
#endif
}

/* The shortest message after which they were dirty, or -1. */
static long dirty_bytes = -1;

static void note_upper_halves(size_t bytes)
{
#ifdef CORE_HAS_UPPER_HALVES
	u8 whole[16][32];
	unsigned int i;

#define SAVE(n)	"vmovdqu %%ymm" #n ", 32*" #n "(%0)\n\t"
	asm volatile(SAVE(0) SAVE(1) SAVE(2) SAVE(3)
		     SAVE(4) SAVE(5) SAVE(6) SAVE(7)
		     SAVE(8) SAVE(9) SAVE(10) SAVE(11)
		     SAVE(12) SAVE(13) SAVE(14) SAVE(15)
		     : : "r" (whole) : "memory");
#undef SAVE
	for (i = 0; i < 16; i++) {
		if (all_equal(whole[i] + 16, 0, 16))
			continue;
		if (dirty_bytes < 0 || bytes < (size_t)dirty_bytes)
			dirty_bytes = bytes;
	}
#endif
}

/* --- one message --------------------------------------------------------- */

/* What a message is and what should become of it. */
struct message {
	const struct cipher *cipher;
	unsigned int rounds;
	struct stream_state start;
	struct stream_state end;
	const u8 *in;
	u8 *expected;
	size_t bytes;
};

/* Takes @in; @expected has room for as much. */
static void set_message(struct message *m, const struct cipher *cipher,
			unsigned int rounds, const u8 *in, u8 *expected,
			size_t bytes)
{
	m->cipher = cipher;
	m->rounds = rounds;
	random_block(&m->start);
	m->in = in;
	m->expected = expected;
	m->bytes = bytes;
}

static void set_counter(const struct cipher *cipher, struct stream_state *state,
			u32 low, u32 high)
{
	if (cipher->salsa) {
		state->word[SALSA_COUNTER_LO] = low;
		state->word[SALSA_COUNTER_HI] = high;
	} else {
		state->word[CHACHA_COUNTER] = low;
		state->word[CHACHA_COUNTER + 1] = high;
	}
}

/* A block of keystream, of words where struct stream_state has them. */
static void oracle(const struct message *m, const struct stream_state *state,
		   u8 block[STREAM_BLOCK_BYTES])
{
	u32 word[STREAM_STATE_WORDS];
	unsigned int i;

	for (i = 0; i < STREAM_STATE_WORDS; i++)
		word[i] = state->word[m->cipher->salsa ? salsa_index(i) : i];
	naive_block(m->cipher->salsa, word, m->rounds, block);
}

/* Counts for itself: @low and @high are the first block's. */
static void expect_from(struct message *m, u32 low, u32 high)
{
	u8 block[STREAM_BLOCK_BYTES];
	size_t at;

	m->end = m->start;
	for (at = 0; at < m->bytes; at++) {
		if (at % sizeof(block) == 0) {
			set_counter(m->cipher, &m->end, low, high);
			oracle(m, &m->end, block);
			low++;
			if (!low && m->cipher->salsa)
				high++;
		}
		m->expected[at] = m->in[at] ^ block[at % sizeof(block)];
	}
	set_counter(m->cipher, &m->end, low, high);
}

/* Other counters need another expectation. */
static void expect(struct message *m)
{
	if (m->cipher->salsa)
		expect_from(m, m->start.word[SALSA_COUNTER_LO],
			    m->start.word[SALSA_COUNTER_HI]);
	else
		expect_from(m, m->start.word[CHACHA_COUNTER],
			    m->start.word[CHACHA_COUNTER + 1]);
}

static bool complain(const struct message *m, const char *what)
{
	printf("# %s, %u rounds, %zu bytes: %s\n", m->cipher->name, m->rounds,
	       m->bytes, what);
	return false;
}

/* Between two memory areas or in one; the first @m->bytes of the message. */
static bool try(const struct message *m, u8 *dst, const u8 *src)
{
	struct stream_state state = m->start;

	clean_upper_halves();
	m->cipher->xor(&state, dst, src, m->bytes, m->rounds);
	note_upper_halves(m->bytes);
	if (memcmp(dst, m->expected, m->bytes))
		return complain(m, "wrong bytes");
	if (memcmp(&state, &m->end, sizeof(state)))
		return complain(m, "wrong counter, or more than it changed");
	return true;
}

/* --- cases --------------------------------------------------------------- */

/* Every length, with canaries, which see what sanitizers do not. */
static bool lengths(const struct cipher *cipher, unsigned int rounds)
{
	u8 *in = get_memory(LONGEST), *expected = get_memory(LONGEST);
	u8 *out = get_memory(LONGEST + 2 * MARGIN);
	struct message m;
	bool ok = true;
	size_t bytes;

	random_bytes(in, LONGEST);
	for (bytes = 0; bytes <= LONGEST && ok; bytes += factor) {
		set_message(&m, cipher, rounds, in, expected, bytes);
		expect(&m);
		memset(out, CANARY, LONGEST + 2 * MARGIN);
		ok = try(&m, out + MARGIN, in) &&
		     (all_equal(out, CANARY, MARGIN) &&
		      all_equal(out + MARGIN + bytes, CANARY, MARGIN) ?
		      true : complain(&m, "written beyond the message"));
	}
	free(in);
	free(expected);
	free(out);
	return ok;
}

/* Pages that nothing may touch before and behind an area of whole pages. */
static u8 *guarded(size_t bytes)
{
	size_t page = sysconf(_SC_PAGESIZE);
	u8 *p = mmap(NULL, bytes + 2 * page, PROT_NONE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED || mprotect(p + page, bytes, PROT_READ | PROT_WRITE)) {
		perror("mmap");
		exit(2);
	}
	return p + page;
}

/* The message's end, then its start, at a guard page. */
static bool guard_pages(const struct cipher *cipher, unsigned int rounds)
{
	const size_t area = 2 * 4096;
	static u8 *src, *dst;
	u8 *in = get_memory(LONGEST), *expected = get_memory(LONGEST);
	struct message m;
	bool ok = true;
	size_t bytes;

	if (!src) {
		src = guarded(area);
		dst = guarded(area);
	}
	random_bytes(in, LONGEST);
	for (bytes = 0; bytes <= LONGEST && ok; bytes += factor) {
		set_message(&m, cipher, rounds, in, expected, bytes);
		expect(&m);
		memcpy(src, in, bytes);
		ok = try(&m, dst, src);
		memcpy(src + area - bytes, in, bytes);
		ok = ok && try(&m, dst + area - bytes, src + area - bytes);
	}
	free(in);
	free(expected);
	return ok;
}

/* Memory of just the message's length, for the sanitizers. */
static bool exact_memory(const struct cipher *cipher, unsigned int rounds)
{
	u8 *in = get_memory(LONGEST), *expected = get_memory(LONGEST);
	struct message m;
	bool ok = true;
	size_t bytes;

	random_bytes(in, LONGEST);
	for (bytes = 1; bytes <= LONGEST && ok; bytes += 13 * factor) {
		u8 *src = malloc(bytes), *dst = malloc(bytes);

		set_message(&m, cipher, rounds, in, expected, bytes);
		expect(&m);
		memcpy(src, in, bytes);
		ok = try(&m, dst, src);
		free(src);
		free(dst);
	}
	free(in);
	free(expected);
	return ok;
}

static bool offsets(const struct cipher *cipher, unsigned int rounds)
{
	static const size_t some[] = { 65, 200, 1000, BATCH_BYTES + 77 };
	u8 *in = get_memory(LONGEST), *expected = get_memory(LONGEST);
	u8 *src = get_memory(LONGEST + 64), *dst = get_memory(LONGEST + 64);
	struct message m;
	unsigned int i, from, to;
	bool ok = true;

	random_bytes(in, LONGEST);
	for (i = 0; i < ARRAY_SIZE(some); i++) {
		set_message(&m, cipher, rounds, in, expected, some[i]);
		expect(&m);
		for (from = 0; from < 64 && ok; from += factor) {
			memcpy(src + from, in, some[i]);
			for (to = 0; to < 64 && ok; to += factor)
				ok = try(&m, dst + to, src + from);
		}
	}
	free(in);
	free(expected);
	free(src);
	free(dst);
	return ok;
}

static bool in_place(const struct cipher *cipher, unsigned int rounds)
{
	u8 *in = get_memory(LONGEST), *expected = get_memory(LONGEST);
	u8 *area = get_memory(LONGEST + 64);
	struct message m;
	bool ok = true;
	size_t bytes;

	random_bytes(in, LONGEST);
	for (bytes = 0; bytes <= LONGEST && ok; bytes += factor) {
		set_message(&m, cipher, rounds, in, expected, bytes);
		expect(&m);
		memcpy(area + bytes % 64, in, bytes);
		ok = try(&m, area + bytes % 64, area + bytes % 64);
	}
	free(in);
	free(expected);
	free(area);
	return ok;
}

/* Pieces of whole blocks are as good as one message: the counter goes on. */
static bool pieces(const struct cipher *cipher, unsigned int rounds)
{
	u8 *in = get_memory(LONGEST), *expected = get_memory(LONGEST);
	u8 *out = get_memory(LONGEST);
	struct message m;
	unsigned int blocks;
	bool ok = true;

	random_bytes(in, LONGEST);
	set_message(&m, cipher, rounds, in, expected, LONGEST);
	expect(&m);
	for (blocks = 1; blocks <= 66 && ok; blocks += factor) {
		size_t done = 0, piece = blocks * STREAM_BLOCK_BYTES;
		struct stream_state state = m.start;

		for (; done < LONGEST; done += piece) {
			if (piece > LONGEST - done)
				piece = LONGEST - done;
			cipher->xor(&state, out + done, in + done, piece, rounds);
		}
		ok = !memcmp(out, expected, LONGEST) &&
		     !memcmp(&state, &m.end, sizeof(state));
		if (!ok)
			printf("# cut after every %u blocks\n", blocks);
	}
	free(in);
	free(expected);
	free(out);
	return ok;
}

/* The wrap falls on every position of a batch, and one more; all forms. */
static bool wraps(const struct cipher *cipher, unsigned int rounds)
{
	static const u32 edges[] = { 0, 0x80000000 };
	static const u32 highs[] = { 0, 7, 0x7fffffff, 0xffffffff };
	u8 *in = get_memory(LONGEST), *expected = get_memory(LONGEST);
	u8 *out = get_memory(LONGEST);
	struct message m;
	unsigned int e, h;
	u32 before;
	bool ok = true;

	random_bytes(in, LONGEST);
	for (e = 0; e < 2; e++) {
		for (h = 0; h < 4; h++) {
			for (before = 0; before <= 66 && ok; before += factor) {
				u32 low = edges[e] - before;
				size_t bytes = (before * 37 % 66) * 64 + 33;

				set_message(&m, cipher, rounds, in, expected,
					    bytes);
				set_counter(cipher, &m.start, low, highs[h]);
				expect_from(&m, low, highs[h]);
				ok = try(&m, out, in);
				m.bytes = LONGEST;
				expect_from(&m, low, highs[h]);
				ok = ok && try(&m, out, in);
			}
		}
	}
	free(in);
	free(expected);
	free(out);
	return ok;
}

/* --- published and derived vectors --------------------------------------- */

static void put_counter_and_nonce(const struct cipher *cipher,
				  struct stream_state *state, u64 counter,
				  const u8 nonce[8])
{
	u32 words[2];

	memcpy(words, nonce, sizeof(words));
	if (cipher->salsa) {
		state->word[salsa_index(6)] = words[0];
		state->word[salsa_index(7)] = words[1];
		set_counter(cipher, state, counter, counter >> 32);
	} else {
		state->word[12] = counter;
		state->word[13] = 0;
		state->word[14] = words[0];
		state->word[15] = words[1];
	}
}

/* The key 00, 01, ..., 1f and zeroes beside it. */
static void keyed_state(const struct cipher *cipher, struct stream_state *state)
{
	static const u32 constant[4] = {
		0x61707865, 0x3320646e, 0x79622d32, 0x6b206574,
	};
	u8 key[32];
	u32 words[8];
	unsigned int i;

	for (i = 0; i < sizeof(key); i++)
		key[i] = i;
	memcpy(words, key, sizeof(words));
	memset(state, 0, sizeof(*state));
	for (i = 0; i < 4; i++) {
		if (cipher->salsa) {
			state->word[salsa_index(5 * i)] = constant[i];
			state->word[salsa_index(1 + i)] = words[i];
			state->word[salsa_index(11 + i)] = words[4 + i];
		} else {
			state->word[i] = constant[i];
			state->word[4 + i] = words[i];
			state->word[8 + i] = words[4 + i];
		}
	}
}

/*
 * In block 15 the word with the counter comes out as zero: whoever adds the
 * block's number after the rounds, in lanes of 64 bits, carries into the next.
 */
struct carry {
	bool salsa;
	unsigned int rounds;
	u8 nonce[8];
	unsigned int offset;	/* in block 15 */
	u8 expected[8];
};

static const struct carry carries[] = {
	{ false, 20, { 0x15, 0x91, 0x28, 0xa2 }, 48,
	  { 0, 0, 0, 0, 0xed, 0x2f, 0xe1, 0x24 } },
	{ false, 8, { 0x58, 0xaf, 0xd5, 0x12 }, 48,
	  { 0, 0, 0, 0, 0xd8, 0xc0, 0x34, 0xa1 } },
	{ true, 20, { 0x2a, 0x0e, 0xc8, 0xdc }, 32,
	  { 0, 0, 0, 0, 0x05, 0x2f, 0x32, 0x9e } },
	{ true, 12, { 0x5c, 0x94, 0xcb, 0x07, 0x01 }, 32,
	  { 0, 0, 0, 0, 0x67, 0xbe, 0xc1, 0xbf } },
};

/* Block 15 at every position of the widest batch, all its forms filled. */
static bool carry_right(const struct cipher *cipher, const struct carry *carry)
{
	u8 *out = get_memory(BATCH_BYTES);
	unsigned int position, blocks;
	bool ok = true;

	for (position = 0; position < 32 && ok; position++) {
		for (blocks = position + 1; blocks <= 32 && ok; blocks++) {
			struct stream_state state;

			keyed_state(cipher, &state);
			put_counter_and_nonce(cipher, &state, 15ull - position,
					      carry->nonce);
			memset(out, 0, BATCH_BYTES);
			cipher->xor(&state, out, out,
				    blocks * STREAM_BLOCK_BYTES, carry->rounds);
			ok = !memcmp(out + position * STREAM_BLOCK_BYTES +
				     carry->offset, carry->expected, 8);
			if (!ok)
				printf("# %u rounds, block %u of %u\n",
				       carry->rounds, position, blocks);
		}
	}
	free(out);
	return ok;
}

static bool no_carry_out_of_a_lane(const struct cipher *cipher)
{
	unsigned int i;
	bool ok = true;

	for (i = 0; i < ARRAY_SIZE(carries); i++)
		if (carries[i].salsa == cipher->salsa)
			ok = carry_right(cipher, &carries[i]) && ok;
	return ok;
}

/* RFC 8439, section 2.4.2, the keystream's first sixteen bytes. */
static bool published_chacha(const struct cipher *cipher)
{
	static const u8 nonce[8] = { 0, 0, 0, 0x4a };
	static const u8 expected[16] = {
		0x22, 0x4f, 0x51, 0xf3, 0x40, 0x1b, 0xd9, 0xe1,
		0x2f, 0xde, 0x27, 0x6f, 0xb8, 0x63, 0x1d, 0xed,
	};
	struct stream_state state;
	u8 out[114] = {};

	keyed_state(cipher, &state);
	put_counter_and_nonce(cipher, &state, 1, nonce);
	cipher->xor(&state, out, out, sizeof(out), 20);
	return !memcmp(out, expected, sizeof(expected));
}

/* ECRYPT, Salsa20, 256-bit key, set 2, vector 0: the all-zero key and IV. */
static bool published_salsa(const struct cipher *cipher)
{
	static const u8 expected[16] = {
		0x9a, 0x97, 0xf6, 0x5b, 0x9b, 0x4c, 0x72, 0x1b,
		0x96, 0x0a, 0x67, 0x21, 0x45, 0xfc, 0xa8, 0xd4,
	};
	struct stream_state state;
	u8 out[512] = {};
	unsigned int i;

	keyed_state(cipher, &state);
	for (i = 0; i < 4; i++) {
		state.word[salsa_index(1 + i)] = 0;
		state.word[salsa_index(11 + i)] = 0;
	}
	cipher->xor(&state, out, out, sizeof(out), 20);
	return !memcmp(out, expected, sizeof(expected));
}

/* --- keystream made earlier ---------------------------------------------- */

/* All three buffers at guard pages: with their ends, then with their starts. */
static bool at_guards(keystream_xor_fn xor)
{
	enum { AREA = 4096 };
	static u8 *area[3];
	u8 in[AREA], key[AREA];
	size_t bytes, at, i;
	unsigned int end;

	for (i = 0; i < 3 && !area[i]; i++)
		area[i] = guarded(AREA);
	random_bytes(in, AREA);
	random_bytes(key, AREA);
	for (bytes = 0; bytes <= LONGEST_PIECE; bytes += factor > 1 ? 7 : 1) {
		for (end = 0; end < 2; end++) {
			at = end ? AREA - bytes : 0;
			memcpy(area[1] + at, in, bytes);
			memcpy(area[2] + at, key, bytes);
			clean_upper_halves();
			xor(area[0] + at, area[1] + at, area[2] + at, bytes);
			note_upper_halves(bytes);
			for (i = 0; i < bytes; i++) {
				if (area[0][at + i] == (in[i] ^ key[i]))
					continue;
				printf("# byte %zu of %zu\n", i, bytes);
				return false;
			}
		}
	}
	return true;
}

/* Every length between canaries, the three at offsets of their own, and in place. */
static bool at_offsets(keystream_xor_fn xor)
{
	enum { ROOM = LONGEST_PIECE + 64 };
	u8 *src = get_memory(ROOM), *keystream = get_memory(ROOM);
	u8 *dst = get_memory(ROOM + 2 * MARGIN);
	size_t bytes, offset, i;
	u8 *out;
	bool ok = true;

	random_bytes(src, ROOM);
	random_bytes(keystream, ROOM);
	for (bytes = 0; bytes <= LONGEST_PIECE && ok; bytes += factor > 1 ? 7 : 1) {
		offset = bytes * 7 % 64;
		out = dst + MARGIN + bytes * 11 % 64;
		memset(dst, CANARY, ROOM + 2 * MARGIN);
		xor(out, src + offset, keystream + 63 - offset, bytes);
		ok = all_equal(dst, CANARY, out - dst) &&
		     all_equal(out + bytes, CANARY, MARGIN);
		for (i = 0; i < bytes && ok; i++)
			ok = out[i] == (src[offset + i] ^ keystream[63 - offset + i]);
		xor(out, out, keystream + 63 - offset, bytes);
		ok = ok && !memcmp(out, src + offset, bytes);
		if (!ok)
			printf("# %zu bytes at offset %zu\n", bytes, offset);
	}
	free(src);
	free(keystream);
	free(dst);
	return ok;
}

/* --- subkeys ------------------------------------------------------------- */

/* HChaCha and HSalsa20; the state and the subkey end, then begin, at a guard. */
static bool subkeys(bool salsa)
{
	static const u8 words[2][8] = {
		{ 0, 1, 2, 3, 12, 13, 14, 15 },
		{ 0, 5, 10, 15, 6, 7, 8, 9 },
	};
	enum { AREA = 4096 };
	static u8 *area[2];
	u32 x[STREAM_STATE_WORDS], *subkey;
	struct stream_state *state, before;
	unsigned int i, r, n;
	bool ok = true;

	for (i = 0; i < 2 && !area[i]; i++)
		area[i] = guarded(AREA);
	for (n = 0; n < 200; n++) {
		state = (void *)(area[0] + (n & 1 ? AREA - sizeof(*state) : 0));
		subkey = (void *)(area[1] + (n & 1 ? AREA - 32 : 0));
		r = all_rounds[n % ARRAY_SIZE(all_rounds)];
		random_block(state);
		before = *state;
		for (i = 0; i < STREAM_STATE_WORDS; i++)
			x[i] = before.word[salsa ? salsa_index(i) : i];
		naive_rounds(salsa, x, r);
		(salsa ? hsalsa_scalar : hchacha_scalar)(state, subkey, r);
		for (i = 0; i < 8; i++)
			ok = ok && subkey[i] == x[words[salsa][i]];
		ok = ok && !memcmp(state, &before, sizeof(before));
	}
	return ok;
}

/* --- wiping -------------------------------------------------------------- */

static const u8 *wiped;
static bool still_there;

typeof(free) __real_free, __wrap_free;

/*
 * What the linker makes of free() here (scripts/check-cores): the last look at
 * memory that is dead to the compiler, which leaves out what is stored there
 * just before.
 */
void __wrap_free(void *p)
{
	if (p && p == wiped)
		still_there = !all_equal(p, 0, sizeof(struct stream_state));
	__real_free(p);
}

static bool wipe(void)
{
	struct stream_state *state = malloc(sizeof(*state));

	if (!state)
		return false;
	random_block(state);
	wiped = (u8 *)state;
	still_there = true;
	stream_wipe(state, sizeof(*state));
	free(state);
	return !still_there;
}

/* --- all of it ----------------------------------------------------------- */

struct test {
	const char *what;
	bool (*run)(const struct cipher *cipher, unsigned int rounds);
};

static const struct test tests[] = {
	{ "every length as the papers have it", lengths },
	{ "at guard pages, every length", guard_pages },
	{ "memory of just the length", exact_memory },
	{ "every offset of source and destination", offsets },
	{ "in place, every length", in_place },
	{ "in pieces of n blocks", pieces },
	{ "counter wraps at every position of a batch", wraps },
};

static bool run_rounds(const struct test *test, const struct cipher *cipher)
{
	unsigned int i;
	bool ok = true;

	for (i = 0; i < ARRAY_SIZE(all_rounds); i++)
		ok = test->run(cipher, all_rounds[i]) && ok;
	return ok;
}

/* Of all the messages before. */
static void upper_halves_result(const char *cipher)
{
	if (dirty_bytes >= 0)
		printf("# dirty after %ld bytes\n", dirty_bytes);
	result(dirty_bytes < 0, cipher, "upper halves are clean on return");
	dirty_bytes = -1;
}

static void run_cipher(const struct cipher *cipher)
{
	unsigned int i;

	result(cipher->salsa ? published_salsa(cipher) :
	       published_chacha(cipher), cipher->name, "published vector");
	result(no_carry_out_of_a_lane(cipher), cipher->name,
	       "nothing is carried out of the counter's lane");
	for (i = 0; i < ARRAY_SIZE(tests); i++)
		result(run_rounds(&tests[i], cipher), cipher->name,
		       tests[i].what);
	upper_halves_result(cipher->name);
}

/* 256 bytes from the counter 0xfffffffe on, of each cipher. */
static void print_wrap(void)
{
	static const u8 nonce[8];
	struct stream_state state;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(ciphers); i++) {
		u8 out[256] = {};

		keyed_state(&ciphers[i], &state);
		put_counter_and_nonce(&ciphers[i], &state, 0xfffffffe, nonce);
		ciphers[i].xor(&state, out, out, sizeof(out), 20);
		fwrite(out, 1, sizeof(out), stdout);
	}
}

int main(int argc, char **argv)
{
	unsigned int i;

	if (argc > 1 && !strcmp(argv[1], "wrap")) {
		print_wrap();
		return 0;
	}
	if (argc > 1)
		factor = atoi(argv[1]);
	if (!factor)
		return 2;
	for (i = 0; i < ARRAY_SIZE(ciphers); i++)
		run_cipher(&ciphers[i]);
	result(at_guards(CORE(keystream_xor)), "keystream_xor",
	       "at guard pages, every length");
	result(at_offsets(CORE(keystream_xor)), "keystream_xor",
	       "every length, many offsets");
	upper_halves_result("keystream_xor");
	result(at_guards(keystream_xor_scalar), "keystream_xor scalar",
	       "at guard pages, every length");
	result(at_offsets(keystream_xor_scalar), "keystream_xor scalar",
	       "every length, many offsets");
	result(subkeys(false), "hchacha", "as the papers have it, at guard pages");
	result(subkeys(true), "hsalsa", "as the papers have it, at guard pages");
	result(wipe(), "stream_wipe()", "kept by the compiler");
	printf("1..%u\n", cases);
	return failures != 0;
}
