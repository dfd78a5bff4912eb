// SPDX-License-Identifier: GPL-2.0
/*
 * scripts/bench-peers: the list of what is timed, but for Botan.
 *
 *   maker            what it is
 *   scalar           stream_generic.c
 *   sse2 ... avx512  chacha_simd.c, salsa_simd.c, xor_simd.c, one object for
 *                    each instruction set, as Kbuild makes them
 *   kernel-<level>   the in-tree assembler of Linux 6.12
 *   openssl          EVP_chacha20
 *   libsodium        crypto_stream_*, whichever code it picks for this CPU
 *
 * Deliberately absent: anything that measures.
 */
#include <openssl/evp.h>
#include <sodium.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "../stream_simd.h"
#include "kernel_chacha.h"
#include "peers.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

const u8 peers_key[32] = {
	0x8a, 0x17, 0xe3, 0x5c, 0x02, 0x9f, 0xb1, 0x64,
	0x3d, 0xc8, 0x71, 0x0e, 0xfa, 0x26, 0x95, 0x4b,
	0xd0, 0x5f, 0x38, 0xa6, 0x1c, 0xe9, 0x83, 0x72,
	0x47, 0xbd, 0x60, 0x19, 0xf4, 0x2e, 0x8b, 0xc5,
};

static u32 load_le32(const u8 *p)
{
	return p[0] | p[1] << 8 | p[2] << 16 | (u32)p[3] << 24;
}

static void store_le64(u8 *p, u64 x)
{
	unsigned int i;

	for (i = 0; i < 8; i++)
		p[i] = x >> 8 * i;
}

/*
 * Our cores, and the kernel's in the same clothes
 */

static bool have_anything(void)
{
	return true;
}

static bool have_ssse3(void)
{
	return __builtin_cpu_supports("ssse3");
}

static bool have_avx2(void)
{
	return __builtin_cpu_supports("avx2");
}

static bool have_avx512(void)
{
	return __builtin_cpu_supports("avx512f") &&
	       __builtin_cpu_supports("avx512vl");
}

/* The kernel's functions use kmovq for their partial blocks. */
static bool have_avx512bw(void)
{
	return have_avx512() && __builtin_cpu_supports("avx512bw");
}

struct isa {
	const char *maker;
	enum side side;
	bool (*usable)(void);
	stream_xor_fn chacha;
	stream_xor_fn salsa;
	keystream_xor_fn keystream_xor;
};

#define OUR_ISA(isa, have) {						\
	#isa, OURS, have, chacha_xor_##isa, salsa_xor_##isa,	\
	keystream_xor_##isa						\
}

static const struct isa ours[] = {
	OUR_ISA(scalar, have_anything),
	OUR_ISA(sse2, have_anything),
	OUR_ISA(ssse3, have_ssse3),
	OUR_ISA(avx2, have_avx2),
	OUR_ISA(avx512vl, have_avx512),
	OUR_ISA(avx512, have_avx512),
};

static const struct isa kernel[] = {
	{ "kernel-ssse3", PEER, have_ssse3, kernel_chacha_xor_ssse3 },
	{ "kernel-avx2", PEER, have_avx2, kernel_chacha_xor_avx2 },
	{ "kernel-avx512vl", PEER, have_avx512bw, kernel_chacha_xor_avx512vl },
};

/* "expand 32-byte k" */
static const u32 sigma[4] = { 0x61707865, 0x3320646e, 0x79622d32, 0x6b206574 };

static struct stream_state chacha_start, salsa_start;

static void set_up_states(void)
{
	/* The words of the Salsa20 specification that hold the key */
	static const u8 salsa_key[8] = { 1, 2, 3, 4, 11, 12, 13, 14 };
	unsigned int i;

	for (i = 0; i < 4; i++) {
		chacha_start.word[i] = sigma[i];
		/* the diagonal: words 0, 5, 10, 15 of the specification */
		salsa_start.word[salsa_index(5 * i)] = sigma[i];
	}
	for (i = 0; i < 8; i++) {
		u32 word = load_le32(peers_key + 4 * i);

		chacha_start.word[4 + i] = word;
		salsa_start.word[salsa_index(salsa_key[i])] = word;
	}
}

static void run_chacha(const struct core *core, u64 nonce, u8 *dst,
		       const u8 *src, size_t bytes)
{
	struct stream_state state = chacha_start;

	state.word[14] = nonce;
	state.word[15] = nonce >> 32;
	((stream_xor_fn)core->xor_fn)(&state, dst, src, bytes, core->rounds);
}

static void run_salsa(const struct core *core, u64 nonce, u8 *dst,
		      const u8 *src, size_t bytes)
{
	struct stream_state state = salsa_start;

	state.word[salsa_index(6)] = nonce;
	state.word[salsa_index(7)] = nonce >> 32;
	((stream_xor_fn)core->xor_fn)(&state, dst, src, bytes, core->rounds);
}

/* The nonce selects where the "keystream" starts, at any alignment. */
static u8 mix_keystream[65536 + 64];

static void run_mix(const struct core *core, u64 nonce, u8 *dst,
		    const u8 *src, size_t bytes)
{
	((keystream_xor_fn)core->xor_fn)(dst, src, mix_keystream + nonce % 64,
				      bytes);
}

/* HChaCha and HSalsa: the 32 bytes of the subkey are the result. */
typedef void (*hash_fn)(const struct stream_state *state, u32 subkey[8],
			unsigned int rounds);

static void run_hchacha(const struct core *core, u64 nonce, u8 *dst,
			const u8 *src, size_t bytes)
{
	struct stream_state state = chacha_start;

	state.word[14] = nonce;
	state.word[15] = nonce >> 32;
	((hash_fn)core->xor_fn)(&state, (u32 *)dst, core->rounds);
}

static void run_hchacha_kernel(const struct core *core, u64 nonce, u8 *dst,
			       const u8 *src, size_t bytes)
{
	struct stream_state state = chacha_start;

	state.word[14] = nonce;
	state.word[15] = nonce >> 32;
	hchacha_block_ssse3(state.word, (u32 *)dst, core->rounds);
}

static void run_hsalsa(const struct core *core, u64 nonce, u8 *dst,
		       const u8 *src, size_t bytes)
{
	struct stream_state state = salsa_start;

	/* nonce words 2 and 3 of 0..3: the specification's 8 and 9 */
	state.word[SALSA_COUNTER_LO] = nonce;
	state.word[SALSA_COUNTER_HI] = nonce >> 32;
	((hash_fn)core->xor_fn)(&state, (u32 *)dst, core->rounds);
}

static void add(const char *algorithm, unsigned int rounds,
		const struct isa *isa, core_fn run, void (*xor_fn)(void))
{
	struct core core = {
		.algorithm = algorithm,
		.maker = isa->maker,
		.rounds = rounds,
		.side = isa->side,
		.run = run,
		.xor_fn = xor_fn,
	};

	if (!isa->usable())
		peers_skip(algorithm, isa->maker, "not on this CPU");
	else
		peers_add(&core);
}

#define ANY_FN(fn) ((void (*)(void))(fn))

static void add_chacha(const struct isa *isa)
{
	add("chacha20", 20, isa, run_chacha, ANY_FN(isa->chacha));
	add("chacha12", 12, isa, run_chacha, ANY_FN(isa->chacha));
	add("chacha8", 8, isa, run_chacha, ANY_FN(isa->chacha));
}

static void add_salsa(const struct isa *isa)
{
	add("salsa20", 20, isa, run_salsa, ANY_FN(isa->salsa));
	add("salsa12", 12, isa, run_salsa, ANY_FN(isa->salsa));
	add("salsa8", 8, isa, run_salsa, ANY_FN(isa->salsa));
}

static void add_hash(const char *algorithm, const char *maker, enum side side,
		     core_fn run, hash_fn hash)
{
	struct core core = {
		.algorithm = algorithm,
		.maker = maker,
		.rounds = 20,
		.bytes = 32,
		.side = side,
		.run = run,
		.xor_fn = ANY_FN(hash),
	};

	peers_add(&core);
}

void peers_add_ours(void)
{
	size_t i;

	set_up_states();
	for (i = 0; i < sizeof(mix_keystream); i++)
		mix_keystream[i] = i * i >> 3;

	for (i = 0; i < ARRAY_SIZE(ours); i++)
		add_chacha(&ours[i]);
	for (i = 0; i < ARRAY_SIZE(ours); i++)
		add_salsa(&ours[i]);
	for (i = 0; i < ARRAY_SIZE(ours); i++)
		add("mix", 0, &ours[i], run_mix, ANY_FN(ours[i].keystream_xor));
	add_hash("hchacha20", "scalar", OURS, run_hchacha, hchacha_scalar);
	add_hash("hsalsa20", "scalar", OURS, run_hsalsa, hsalsa_scalar);
}

void peers_add_kernel(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(kernel); i++)
		add_chacha(&kernel[i]);
	if (have_ssse3())
		add_hash("hchacha20", "kernel-ssse3", PEER, run_hchacha_kernel,
			 NULL);
}

/*
 * OpenSSL
 */

static void run_openssl(const struct core *core, u64 nonce, u8 *dst,
			const u8 *src, size_t bytes)
{
	u8 iv[16] = {};	/* counter and first nonce word 0 */
	int done;

	store_le64(iv + 8, nonce);
	if (!EVP_EncryptInit_ex(core->handle, NULL, NULL, NULL, iv) ||
	    !EVP_EncryptUpdate(core->handle, dst, &done, src, bytes))
		abort();
}

void peers_add_openssl(void)
{
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	struct core core = {
		.algorithm = "chacha20",
		.maker = "openssl",
		.rounds = 20,
		.side = PEER,
		.run = run_openssl,
		.handle = ctx,
	};

	if (!ctx || !EVP_EncryptInit_ex(ctx, EVP_chacha20(), NULL, peers_key,
					NULL))
		peers_skip("chacha20", "openssl", "EVP_chacha20 is missing");
	else
		peers_add(&core);
}

/*
 * libsodium
 */

static void run_sodium_chacha(const struct core *core, u64 nonce, u8 *dst,
			      const u8 *src, size_t bytes)
{
	u8 iv[12] = {};

	store_le64(iv + 4, nonce);
	crypto_stream_chacha20_ietf_xor_ic(dst, src, bytes, iv, 0, peers_key);
}

typedef int sodium_xor_fn(unsigned char *c, const unsigned char *m,
			  unsigned long long mlen, const unsigned char *n,
			  const unsigned char *k);

static void run_sodium_salsa(const struct core *core, u64 nonce, u8 *dst,
			     const u8 *src, size_t bytes)
{
	u8 iv[8];

	store_le64(iv, nonce);
	((sodium_xor_fn *)core->xor_fn)(dst, src, bytes, iv, peers_key);
}

typedef int sodium_hash_fn(unsigned char *out, const unsigned char *in,
			   const unsigned char *k, const unsigned char *c);

static void run_sodium_hash(const struct core *core, u64 nonce, u8 *dst,
			    const u8 *src, size_t bytes)
{
	u8 in[16] = {};

	store_le64(in + 8, nonce);
	((sodium_hash_fn *)core->xor_fn)(dst, in, peers_key, NULL);
}

/* What is deprecated is the cipher's few rounds, which are the point here. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

void peers_add_sodium(void)
{
	static const struct core cores[] = {
		{ "chacha20", "libsodium", 20, 0, PEER, run_sodium_chacha },
		{ "salsa20", "libsodium", 20, 0, PEER, run_sodium_salsa,
		  ANY_FN(crypto_stream_salsa20_xor) },
		{ "salsa12", "libsodium", 12, 0, PEER, run_sodium_salsa,
		  ANY_FN(crypto_stream_salsa2012_xor) },
		{ "salsa8", "libsodium", 8, 0, PEER, run_sodium_salsa,
		  ANY_FN(crypto_stream_salsa208_xor) },
		{ "hchacha20", "libsodium", 20, 32, PEER, run_sodium_hash,
		  ANY_FN(crypto_core_hchacha20) },
		{ "hsalsa20", "libsodium", 20, 32, PEER, run_sodium_hash,
		  ANY_FN(crypto_core_hsalsa20) },
	};
	size_t i;

	if (sodium_init() < 0) {
		peers_skip("any", "libsodium", "it does not start");
		return;
	}
	for (i = 0; i < ARRAY_SIZE(cores); i++)
		peers_add(&cores[i]);
}
