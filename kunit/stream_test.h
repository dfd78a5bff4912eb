/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the KUnit suites share: tables of drivers and cores, the oracle, and
 * requests in one line.
 *
 * The oracle is the scalar core, called without any glue.  vectors_kunit.c
 * holds it against published vectors and against scripts/gen-vectors.py; every
 * other suite compares a driver or a core with it.
 *
 * Deliberately absent: test cases, and expected bytes written down.
 */
#ifndef STREAM_TEST_H
#define STREAM_TEST_H

#include <crypto/internal/simd.h>
#include <crypto/skcipher.h>
#include <kunit/test.h>
#include <linux/percpu.h>
#include <linux/prandom.h>
#include <linux/scatterlist.h>
#include <linux/types.h>
#include "../glue.h"

enum {
	STREAM_CHACHA_DRIVERS = 6 * STREAM_ISAS,
	STREAM_SALSA_DRIVERS = 4 * STREAM_ISAS,
	STREAM_KERNEL_DRIVERS = 3 * STREAM_ISAS,
	STREAM_DRIVERS = STREAM_CHACHA_DRIVERS + STREAM_SALSA_DRIVERS,

	STREAM_MAX_KEY = 32,
	STREAM_MAX_IV = 32,
	STREAM_MAX_BATCH = 32 * STREAM_BLOCK_BYTES,	/* no core is wider */
	STREAM_TEST_BYTES = 66 * 1024,	/* longest message of most tests */
	STREAM_MARGIN = 128,		/* canaries before and behind */
	STREAM_CANARY = 0xa5,
};

/**
 * struct test_alg - one row of the contract's table of algorithms
 * @name: cra_name
 * @rounds: 20, 12 or 8
 * @ivsize: bytes of IV
 * @min_keysize: 16 or 32
 * @chacha: ChaCha, not Salsa20
 * @extended: XChaCha or XSalsa20
 * @counter: where the block counter stands in the IV; for ChaCha only
 */
struct test_alg {
	const char *name;
	unsigned int rounds;
	unsigned int ivsize;
	unsigned int min_keysize;
	bool chacha;
	bool extended;
	unsigned int counter;
};

/**
 * struct test_driver - test parameter: one driver
 * @name: cra_driver_name
 * @alg: what it implements
 * @isa: its instruction set
 */
struct test_driver {
	const char *name;
	const struct test_alg *alg;
	enum stream_isa_id isa;
};

/**
 * struct test_core - test parameter: one core
 * @name: cipher and instruction set
 * @isa: its instruction set
 * @chacha: ChaCha, not Salsa20
 */
struct test_core {
	const char *name;
	enum stream_isa_id isa;
	bool chacha;
};

/**
 * struct stream_vector - a message and what becomes of it
 * @alg: algorithm
 * @source: where the vector is from
 * @key: key
 * @keylen: its length
 * @iv: IV in the order of the crypto API
 * @offset: how many bytes of the message stand before @ptext
 * @ptext: NULL for zeroes
 * @ctext: what @ptext becomes
 * @len: length of @ptext and @ctext
 */
struct stream_vector {
	const char *alg;
	const char *source;
	const char *key;
	unsigned int keylen;
	const char *iv;
	unsigned int offset;
	const char *ptext;
	const char *ctext;
	unsigned int len;
};

/* Messages that vectors.h knows by the SHA-256 of the result; 32-byte keys */
struct stream_digest {
	const char *alg;
	const char *key;
	const char *iv;
	unsigned int len;
	const char *sha256;
};

/* Eight bytes at @offset of block 15 of zeroes under the key 00..1f */
struct stream_carry {
	const char *alg;
	const char *iv;
	unsigned int offset;
	const char *want;
};

/**
 * union test_drivers - all drivers, and groups of them as parameters
 * @all: every driver
 * @kernel: those of the algorithms that Linux has too
 * @chacha: ChaCha and XChaCha
 * @salsa: Salsa20 and XSalsa20
 */
union test_drivers {
	struct test_driver all[STREAM_DRIVERS];
	struct test_driver kernel[STREAM_KERNEL_DRIVERS];
	struct {
		struct test_driver chacha[STREAM_CHACHA_DRIVERS];
		struct test_driver salsa[STREAM_SALSA_DRIVERS];
	};
};

/**
 * union test_cores - the same for cores
 * @all: every core
 * @chacha: ChaCha's
 * @salsa: Salsa20's
 */
union test_cores {
	struct test_core all[2 * STREAM_ISAS];
	struct {
		struct test_core chacha[STREAM_ISAS];
		struct test_core salsa[STREAM_ISAS];
	};
};

extern const union test_drivers test_drivers;
extern const union test_cores test_cores;
extern const struct test_core test_mixes[STREAM_ISAS];

/**
 * struct stream_test - what a case of a driver works with, in test->priv
 * @driver: the parameter
 * @tfm: a transform of it, key set
 * @req: a request for @tfm
 * @flags: of the requests; CRYPTO_TFM_REQ_MAY_SLEEP unless the test is atomic
 * @decrypt: call the decrypt operation
 * @key: random, seeded
 * @iv: random, seeded
 * @rnd: for more of the kind
 * @keystream: STREAM_TEST_BYTES of the oracle's keystream for @key and @iv
 * @src: STREAM_TEST_BYTES of random message, and margins
 * @dst: room for a result with margins on both sides
 */
struct stream_test {
	const struct test_driver *driver;
	struct crypto_skcipher *tfm;
	struct skcipher_request *req;
	u32 flags;
	bool decrypt;
	u8 key[STREAM_MAX_KEY];
	u8 iv[STREAM_MAX_IV];
	struct rnd_state rnd;
	u8 *keystream;
	u8 *src;
	u8 *dst;
};

/* .init and .exit of a suite whose parameters are drivers */
int stream_test_init(struct kunit *test);
void stream_test_exit(struct kunit *test);

/* .init of a suite whose parameters are cores */
int stream_core_init(struct kunit *test);

void stream_driver_desc(const struct test_driver *driver, char *desc);
void stream_core_desc(const struct test_core *core, char *desc);

void stream_set_key(struct kunit *test, const void *key, unsigned int keylen);
int stream_crypt_sg(struct stream_test *t, struct scatterlist *dst,
		    struct scatterlist *src, unsigned int len, u8 *iv);
int stream_crypt(struct stream_test *t, u8 *dst, const u8 *src,
		 unsigned int len, const u8 *iv);

void stream_oracle_init(const struct test_alg *alg,
			struct stream_state *state, const u8 *key,
			unsigned int keylen, const u8 *iv);
void stream_oracle_xor(const struct test_alg *alg,
		       struct stream_state *state, u8 *dst, const u8 *src,
		       unsigned int len);

const struct stream_cores *stream_cores_of(bool chacha);
void stream_core_xor(const struct test_core *core,
		     struct stream_state *state, u8 *dst, const u8 *src,
		     unsigned int len, unsigned int rounds);
u32 *stream_salsa_word(struct stream_state *state, unsigned int i);

unsigned int stream_wrong(const u8 *out, const u8 *in, const u8 *keystream,
			  unsigned int len);
bool stream_untouched(const u8 *area, size_t bytes);

/*
 * Kernels with the extra self-tests have a switch on each CPU for what
 * crypto_simd_usable() says.  Preemption or migration is off meanwhile.
 */
#if IS_ENABLED(CONFIG_CRYPTO_MANAGER_EXTRA_TESTS) || \
	IS_ENABLED(CONFIG_CRYPTO_SELFTESTS_FULL)
#define STREAM_HAVE_SIMD_SWITCH
static inline void stream_switch_simd(bool usable)
{
	this_cpu_write(crypto_simd_disabled_for_test, !usable);
}
#else
static inline void stream_switch_simd(bool usable)
{
}
#endif

#endif /* STREAM_TEST_H */
