/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of the glue share: instruction sets, drivers, requests.
 *
 *	isa.c		which instruction sets there are and may be used
 *	stream_glue.c	a request: scatterlists, FPU sections, fallback
 *	chacha_glue.c	ChaCha and XChaCha
 *	salsa_glue.c	Salsa20 and XSalsa20
 *	module.c	self-test, registration, loading and unloading
 *
 * Deliberately absent: vector types.
 */
#ifndef CHACHA_SIMD_GLUE_H
#define CHACHA_SIMD_GLUE_H

#include <crypto/internal/skcipher.h>
#include <linux/percpu-defs.h>
#include "stream_simd.h"

/* The widest batch of any core: two states of sixteen lanes. */
#define STREAM_BATCH_BYTES	(2 * 16 * STREAM_BLOCK_BYTES)

/**
 * struct stream_isa - an instruction set and the cores built for it
 * @name: suffix of its drivers' names, and value of the parameter isa=
 * @priority: of its drivers, see isa.c
 * @chacha: ChaCha's core
 * @salsa: Salsa20's core
 * @keystream_xor: XOR with keystream made earlier
 * @batch_bytes: what the widest batch of its cores takes, a power of two, at
 *		 most STREAM_BATCH_BYTES
 * @narrow: instruction set that does a last part of at most @narrow_bytes
 *	    faster, on every CPU that has this one; or NULL
 * @narrow_bytes: see isa.c
 * @usable: whether this CPU has it and the kernel has enabled its state
 */
struct stream_isa {
	const char *name;
	int priority;
	stream_xor_fn chacha;
	stream_xor_fn salsa;
	keystream_xor_fn keystream_xor;
	unsigned int batch_bytes;
	const struct stream_isa *narrow;
	unsigned int narrow_bytes;
	bool (*usable)(void);
};

/**
 * struct stream_algorithm - what the drivers of one cra_name have in common
 * @name: cra_name
 * @ivsize: bytes
 * @min_keysize: bytes, 16 or 32; a key of 32 bytes is always taken
 * @rounds: 20, 12 or 8
 * @known_answer: digest of its keystream, see module.c
 * @salsa: Salsa20's core and not ChaCha's
 * @setkey: fills the key and the constants into a state; -EINVAL if the key's
 *	    length is wrong, and then the state is as it was
 * @start: makes the first input block of a message of a state with a key
 * @crypt: the skcipher's encrypt and decrypt
 * @prepare: further members of the skcipher, before it is registered; or NULL
 */
struct stream_algorithm {
	const char *name;
	unsigned int ivsize;
	unsigned int min_keysize;
	unsigned int rounds;
	u64 known_answer;
	bool salsa;
	int (*setkey)(struct stream_state *keyed, const u8 *key,
		      unsigned int keylen);
	void (*start)(struct stream_state *state,
		      const struct stream_state *keyed, const u8 *iv,
		      unsigned int rounds);
	int (*crypt)(struct skcipher_request *req);
	void (*prepare)(struct skcipher_alg *skcipher);
};

/**
 * struct stream_driver - an algorithm on an instruction set, as registered
 * @skcipher: what the crypto API knows of it; its context is the keyed state
 * @algorithm: which algorithm
 * @isa: which instruction set
 * @xor: the core of both
 * @scalar: the core of the algorithm for where SIMD may not be used
 * @registered: whether the crypto API has it
 */
struct stream_driver {
	struct skcipher_alg skcipher;
	const struct stream_algorithm *algorithm;
	const struct stream_isa *isa;
	stream_xor_fn xor;
	stream_xor_fn scalar;
	bool registered;
};

/* The ways that a section of a message longer than a block can go. */
enum stream_path {
	STREAM_SIMD,		/* an FPU section */
	STREAM_FALLBACK,	/* plain C: SIMD was not usable there */
	STREAM_PATHS
};

static inline const struct stream_driver *
stream_driver(struct skcipher_request *req)
{
	struct crypto_skcipher *tfm = crypto_skcipher_reqtfm(req);

	return container_of(crypto_skcipher_alg(tfm), struct stream_driver,
			    skcipher);
}

static inline const struct stream_state *
stream_keyed(struct skcipher_request *req)
{
	return crypto_skcipher_ctx(crypto_skcipher_reqtfm(req));
}

/* isa.c */
void stream_isa_init(void);
bool stream_isa_prefers_ymm(bool intel, unsigned int signature);
const struct stream_isa *stream_isa_nth(unsigned int i);
bool stream_isa_is_simd(const struct stream_isa *isa);

/* stream_glue.c */
int stream_simd_init(void);
void stream_simd_exit(void);
int stream_simd_keystream(const struct stream_driver *driver,
			  struct stream_state *state, u8 *dst,
			  unsigned int bytes, unsigned int first);
int stream_simd_crypt(struct skcipher_request *req, struct stream_state *state);
unsigned long stream_simd_sections(enum stream_path path);
bool stream_simd_is_wiped(void);

/* chacha_glue.c */
extern const struct stream_algorithm chacha_simd_algorithms[];
extern const unsigned int chacha_simd_algorithm_count;

/* salsa_glue.c */
extern const struct stream_algorithm salsa_simd_algorithms[];
extern const unsigned int salsa_simd_algorithm_count;

#endif /* CHACHA_SIMD_GLUE_H */
