// SPDX-License-Identifier: GPL-2.0
/*
 * What the cores of one instruction set, the scalar code and the glue let out
 * of their secrets, in user space.
 *
 *	usage: secrets stack	nothing that depends on the key is left on the
 *				stack
 *	       secrets taint	under valgrind: no branch and no address depends
 *				on the key or the message
 *
 * The scan of the stack has no list of words to look for.  Every call is made
 * twice, with all arguments the same but the secret, on a stack of its own that
 * was filled with a pattern.  Any byte of it that differs afterwards depends on
 * the secret: a key word, keystream, the state in between or a sum of them.
 *
 * Both modes begin with functions that do leak and have to be seen.
 *
 * Deliberately absent: registers.  Those that a function may change are soon
 * used by others, and the kernel restores a user's before it returns to it,
 * while dead stack memory can stay as it is for days.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <valgrind/memcheck.h>
#include "../glue.h"

#define JOIN(name, isa)		name##_##isa
#define WITH_SUFFIX(name, isa)	JOIN(name, isa)
#define CORE(name)		WITH_SUFFIX(name, CORE_ISA)

enum {
	STACK_BYTES = 65536,
	LONGEST = 68 * STREAM_BLOCK_BYTES,	/* two batches of any core, and more */
	KEY_WORDS = 8,
	PATTERN = 0xa5,
};

/* What is called, and what of its arguments is secret. */
struct function {
	const char *name;
	enum { XOR, KEYSTREAM_XOR, HASH } kind;
	bool salsa;
	void *function;
};

static void leave_a_word(const struct stream_state *state, u32 subkey[8],
			 unsigned int rounds);
static void look_up(const struct stream_state *state, u32 subkey[8],
		    unsigned int rounds);
static void branch(const struct stream_state *state, u32 subkey[8],
		   unsigned int rounds);

static const struct function functions[] = {
	{ "chacha", XOR, false, CORE(chacha_xor) },
	{ "salsa", XOR, true, CORE(salsa_xor) },
	{ "keystream_xor", KEYSTREAM_XOR, false, CORE(keystream_xor) },
	{ "chacha scalar", XOR, false, chacha_xor_scalar },
	{ "salsa scalar", XOR, true, salsa_xor_scalar },
	{ "keystream_xor scalar", KEYSTREAM_XOR, false, keystream_xor_scalar },
	{ "hchacha scalar", HASH, false, hchacha_scalar },
	{ "hsalsa scalar", HASH, true, hsalsa_scalar },
};

static const struct function left_word = { "a word left", HASH, false, leave_a_word };
static const struct function lookup = { "a lookup", HASH, false, look_up };
static const struct function branching = { "a branch", HASH, false, branch };

static const unsigned int all_rounds[] = { 20, 12, 8 };
static unsigned int cases, failures;

static u8 stack[STACK_BYTES] __aligned(64);
static struct stream_state state;
static u32 subkey[KEY_WORDS];
static u8 dst[LONGEST], src[LONGEST], keystream[LONGEST];

static void result(bool ok, const char *name, const char *what)
{
	cases++;
	failures += !ok;
	printf("%s %u - %s: %s\n", ok ? "ok" : "not ok", cases, name, what);
	fflush(stdout);
}

/* --- functions that leak ------------------------------------------------- */

static void leave_a_word(const struct stream_state *s, u32 out[8],
			 unsigned int rounds)
{
	u32 left[64];

	left[0] = s->word[4];
	asm volatile("" : : "r" (left) : "memory");
	memcpy(out, &s->word[4], KEY_WORDS * sizeof(u32));
}

static void look_up(const struct stream_state *s, u32 out[8], unsigned int rounds)
{
	static const u8 table[2] = { 1, 2 };

	memset(out, table[s->word[4] & 1] + s->word[5], KEY_WORDS * sizeof(u32));
}

static void branch(const struct stream_state *s, u32 out[8], unsigned int rounds)
{
	if (s->word[4] & 1)
		asm volatile("nop");
	memset(out, s->word[5], KEY_WORDS * sizeof(u32));
}

/* --- a call -------------------------------------------------------------- */

static u32 *key_word(const struct function *f, unsigned int i)
{
	if (!f->salsa)
		return &state.word[4 + i];
	return &state.word[salsa_index(i < 4 ? 1 + i : 7 + i)];
}

static void fill(void *p, size_t bytes, u32 seed)
{
	u8 *to = p;

	for (; bytes; bytes--) {
		seed = (seed ^ seed >> 15) * 0x2c1b3c6d + 0x9e3779b9;
		*to++ = seed >> 13;
	}
}

/* Everything that is secret comes of the seed, and nothing else does. */
static void set_arguments(const struct function *f, u32 seed)
{
	unsigned int i;

	fill(&state, sizeof(state), 1);
	fill(src, sizeof(src), 2);
	fill(keystream, sizeof(keystream), seed);
	for (i = 0; i < KEY_WORDS; i++)
		fill(key_word(f, i), sizeof(u32), seed + 77 * i);
}

/*
 * Makes the call on the other stack, which then holds what the function left
 * and nothing of this program's: registers that a function saves for its
 * caller are zero.  Called from one place, so that the return address is the same.
 */
static noinline void call_on_stack(const struct function *f, size_t bytes, unsigned int rounds)
{
	unsigned long a[5] = { (unsigned long)&state, (unsigned long)dst,
			       (unsigned long)src, bytes, rounds };
	register unsigned long fifth asm("r8");

	if (f->kind == KEYSTREAM_XOR) {
		a[0] = (unsigned long)dst;
		a[1] = (unsigned long)src;
		a[2] = (unsigned long)keystream;
	} else if (f->kind == HASH) {
		a[1] = (unsigned long)subkey;
		a[2] = rounds;
	}
	fifth = a[4];
	asm volatile("mov %%rsp, %%rbx\n\t"
		     "lea %c[size](%[stack]), %%rsp\n\t"
		     "xor %%r12d, %%r12d\n\t"
		     "xor %%r13d, %%r13d\n\t"
		     "xor %%r14d, %%r14d\n\t"
		     "xor %%r15d, %%r15d\n\t"
		     "call *%%rax\n\t"
		     "mov %%rbx, %%rsp"
		     : "+D" (a[0]), "+S" (a[1]), "+d" (a[2]), "+c" (a[3]),
		       "+r" (fifth)
		     : "a" (f->function), [stack] "r" (stack),
		       [size] "i" (STACK_BYTES)
		     : "rbx", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
		       "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6",
		       "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12",
		       "xmm13", "xmm14", "xmm15", "cc", "memory");
}

static const void *output(const struct function *f, size_t *bytes)
{
	if (f->kind != HASH)
		return dst;
	*bytes = sizeof(subkey);
	return subkey;
}

/* --- the stack ----------------------------------------------------------- */

static bool is_key_word(const struct function *f, u32 word)
{
	unsigned int i;

	for (i = 0; i < KEY_WORDS; i++)
		if (f->kind != KEYSTREAM_XOR && *key_word(f, i) == word)
			return true;
	return false;
}

/* How many words of the stack the call left that depend on its secret. */
static unsigned int words_left(const struct function *f, size_t bytes,
			       unsigned int rounds)
{
	static u32 left[2][STACK_BYTES / 4];
	static u8 out[2][LONGEST];
	unsigned int i, words = 0, key_words = 0, deepest = 0;
	size_t out_bytes = bytes;
	const void *from = output(f, &out_bytes);

	for (i = 0; i < 2; i++) {
		set_arguments(f, 1000 + i);
		memset(stack, PATTERN, sizeof(stack));
		call_on_stack(f, bytes, rounds);
		memcpy(left[i], stack, sizeof(stack));
		memcpy(out[i], from, out_bytes);
	}
	/* Or it was not the secret that the call worked with. */
	if (out_bytes >= sizeof(u32) && !memcmp(out[0], out[1], out_bytes)) {
		printf("# %s: two keys, one result\n", f->name);
		return -1;
	}
	for (i = STACK_BYTES / 4; i--;) {
		if (left[0][i] == left[1][i])
			continue;
		words++;
		key_words += is_key_word(f, left[1][i]);
		deepest = STACK_BYTES - 4 * i;
	}
	if (words)
		printf("# %s, %u rounds, %zu bytes: %u words, %u of the key, down to %u\n",
		       f->name, rounds, bytes, words, key_words, deepest);
	return words;
}

/* --- branches and addresses ---------------------------------------------- */

/* How many errors valgrind sees; all of the result has to be secret. */
static unsigned int decisions(const struct function *f, size_t bytes,
			      unsigned int rounds)
{
	const unsigned int before = VALGRIND_COUNT_ERRORS;
	static u8 undefined[LONGEST];
	size_t i, out_bytes = bytes;
	const void *from = output(f, &out_bytes);
	unsigned int errors;

	set_arguments(f, 1000);
	for (i = 0; i < KEY_WORDS; i++)
		VALGRIND_MAKE_MEM_UNDEFINED(key_word(f, i), sizeof(u32));
	VALGRIND_MAKE_MEM_UNDEFINED(src, sizeof(src));
	VALGRIND_MAKE_MEM_UNDEFINED(keystream, sizeof(keystream));
	call_on_stack(f, bytes, rounds);
	errors = VALGRIND_COUNT_ERRORS - before;
	memset(undefined, 0, sizeof(undefined));
	VALGRIND_GET_VBITS(from, undefined, out_bytes);
	VALGRIND_MAKE_MEM_DEFINED(&state, sizeof(state));
	VALGRIND_MAKE_MEM_DEFINED(src, sizeof(src));
	VALGRIND_MAKE_MEM_DEFINED(keystream, sizeof(keystream));
	VALGRIND_MAKE_MEM_DEFINED(dst, sizeof(dst));
	VALGRIND_MAKE_MEM_DEFINED(subkey, sizeof(subkey));
	VALGRIND_MAKE_MEM_DEFINED(stack, sizeof(stack));
	if (errors)
		printf("# %s, %u rounds, %zu bytes: valgrind has %u errors\n",
		       f->name, rounds, bytes, errors);
	for (i = 0; i < out_bytes; i++) {
		if (undefined[i])
			continue;
		printf("# %s, %u rounds, %zu bytes: byte %zu does not depend on the key\n",
		       f->name, rounds, bytes, i);
		return -1;
	}
	return errors;
}

/* The glue's derivation of the first input block from key and IV. */
static bool glue_decides_nothing(const struct stream_algorithm *algorithm,
				 unsigned int keylen)
{
	const unsigned int before = VALGRIND_COUNT_ERRORS;
	struct stream_state keyed, start;
	u8 key[32], iv[32], undefined[sizeof(start)] = {};
	unsigned int i, secret = 0;
	int err;

	fill(iv, sizeof(iv), 3);
	VALGRIND_MAKE_MEM_UNDEFINED(key, sizeof(key));
	err = algorithm->setkey(&keyed, key, keylen);
	VALGRIND_MAKE_MEM_DEFINED(&err, sizeof(err));
	algorithm->start(&start, &keyed, iv, algorithm->rounds);
	VALGRIND_GET_VBITS(&start, undefined, sizeof(start));
	for (i = 0; i < sizeof(start); i++)
		secret += undefined[i] == 0xff;
	/* The key's bytes, or the subkey's, and no others of the block. */
	return !err && secret == 32 && VALGRIND_COUNT_ERRORS == before;
}

/* The drivers of an algorithm share one; each is looked at once. */
static void glue_results(const struct stream_cipher *cipher)
{
	unsigned int i, keylen;
	bool ok;

	for (i = 0; i < cipher->count; i++) {
		const struct stream_driver *driver = &cipher->drivers[i];
		const struct skcipher_alg *skcipher = &driver->skcipher;

		if (driver->isa != &stream_isas[STREAM_SCALAR])
			continue;
		ok = true;
		for (keylen = skcipher->min_keysize; keylen <= 32; keylen += 16)
			ok = glue_decides_nothing(driver->algorithm, keylen) && ok;
		result(ok, skcipher->base.cra_name,
		       "key and IV to a block: no branch, no address");
	}
}

/* What the glue's tables name.  None of it is called. */
struct stream_isa stream_isas[STREAM_ISAS];

int stream_simd_setkey(struct crypto_skcipher *tfm, const u8 *key,
		       unsigned int keylen)
{
	abort();
}

int stream_simd_crypt(struct skcipher_request *req, struct stream_state *s)
{
	abort();
}

/* The cores of the instruction sets that are not linked. */
#define NOT_CALLED(function)						\
__weak void function(struct stream_state *s, u8 *to, const u8 *from,	\
		     size_t bytes, unsigned int rounds)			\
{									\
	abort();							\
}

NOT_CALLED(chacha_xor_sse2)
NOT_CALLED(chacha_xor_ssse3)
NOT_CALLED(chacha_xor_avx2)
NOT_CALLED(chacha_xor_avx512vl)
NOT_CALLED(chacha_xor_avx512)
NOT_CALLED(salsa_xor_sse2)
NOT_CALLED(salsa_xor_ssse3)
NOT_CALLED(salsa_xor_avx2)
NOT_CALLED(salsa_xor_avx512vl)
NOT_CALLED(salsa_xor_avx512)

/* --- all of it ----------------------------------------------------------- */

typedef unsigned int (*findings_fn)(const struct function *f, size_t bytes,
				    unsigned int rounds);

/*
 * That there are no findings at every so many blocks, whole and with a rest
 * that is not a vector.
 */
static bool at_every_length(const struct function *f, unsigned int blocks,
			    findings_fn findings)
{
	const size_t step = blocks * STREAM_BLOCK_BYTES;
	unsigned int i, failed = 0;
	size_t bytes;

	for (i = 0; i < ARRAY_SIZE(all_rounds); i++) {
		if (f->kind == HASH) {
			failed += !!findings(f, 0, all_rounds[i]);
			continue;
		}
		/* A few tell as much as hundreds. */
		for (bytes = 0; bytes < LONGEST && failed < 5; bytes += step) {
			failed += !!findings(f, bytes, all_rounds[i]);
			failed += !!findings(f, bytes + 29, all_rounds[i]);
		}
	}
	return !failed;
}

int main(int argc, char **argv)
{
	const bool taint = argc == 2 && !strcmp(argv[1], "taint");
	unsigned int i;

	if (!taint && !(argc == 2 && !strcmp(argv[1], "stack")))
		return 2;
	if (taint) {
		if (!RUNNING_ON_VALGRIND)
			return 2;
		VALGRIND_STACK_REGISTER(stack, stack + sizeof(stack));
		result(decisions(&lookup, 0, 20) == 1, lookup.name, "is seen");
		result(decisions(&branching, 0, 20) == 1, branching.name,
		       "is seen");
	} else {
		result(words_left(&left_word, 0, 20) == 1, left_word.name,
		       "is seen");
	}
	for (i = 0; i < ARRAY_SIZE(functions); i++) {
		const struct function *f = &functions[i];

		if (taint)
			result(at_every_length(f, 3, decisions), f->name,
			       "no branch, no address depends on a secret");
		else
			result(at_every_length(f, 1, words_left), f->name,
			       "leaves no secret on the stack");
	}
	if (taint) {
		glue_results(&chacha_cipher);
		glue_results(&salsa_cipher);
	}
	printf("1..%u\n", cases);
	return failures != 0;
}
