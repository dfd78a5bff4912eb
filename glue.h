/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of the glue share: algorithms, drivers, requests.
 *
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
#include "stream_core.h"

/**
 * struct stream_algorithm - what the drivers of one cra_name have in common
 * @rounds: 20, 12 or 8
 * @cores: its cipher's
 * @known_answer: digest of its keystream, see module.c
 * @setkey: fills the key and the constants into a state; -EINVAL if the key's
 *	    length is wrong, and then the state is as it was
 * @start: makes the first input block of a message of a state with a key
 */
struct stream_algorithm {
	unsigned int rounds;
	const struct stream_cores *cores;
	u64 known_answer;
	int (*setkey)(struct stream_state *keyed, const u8 *key,
		      unsigned int keylen);
	void (*start)(struct stream_state *state,
		      const struct stream_state *keyed, const u8 *iv,
		      unsigned int rounds);
};

/**
 * struct stream_driver - an algorithm on an instruction set, as registered
 * @skcipher: what the crypto API knows of it; its context is the keyed state
 * @algorithm: which algorithm
 * @isa: which instruction set
 * @registered: whether the crypto API has it
 */
struct stream_driver {
	struct skcipher_alg skcipher;
	const struct stream_algorithm *algorithm;
	const struct stream_isa *isa;
	bool registered;
};

/* A driver's entry in its cipher's table, with more members of the skcipher. */
#define STREAM_DRIVER(driver_name, alg_name, isa_id, alg, ...) {	\
	.skcipher = {						\
		.base = {					\
			.cra_name	 = (alg_name),		\
			.cra_driver_name = (driver_name),	\
			.cra_blocksize	 = 1,			\
			.cra_ctxsize	 = sizeof(struct stream_state), \
			.cra_module	 = THIS_MODULE,		\
		},						\
		.max_keysize	= 32,				\
		.chunksize	= STREAM_BLOCK_BYTES,		\
		.setkey		= stream_simd_setkey,		\
		__VA_ARGS__					\
	},							\
	.algorithm	= (alg),				\
	.isa		= &stream_isas[isa_id],			\
}

/**
 * struct stream_cipher - the drivers of a cipher
 * @drivers: of each algorithm, the widest instruction set first
 * @count: how many
 */
struct stream_cipher {
	struct stream_driver *drivers;
	unsigned int count;
};

/* The ways that a section of a message longer than a block can go. */
enum stream_path {
	STREAM_SIMD,		/* an FPU section */
	STREAM_FALLBACK,	/* plain C: SIMD was not usable there */
	STREAM_PATHS
};

static inline const struct stream_driver *
stream_driver_of(struct crypto_skcipher *tfm)
{
	return container_of(crypto_skcipher_alg(tfm), struct stream_driver,
			    skcipher);
}

static inline const struct stream_driver *
stream_driver(struct skcipher_request *req)
{
	return stream_driver_of(crypto_skcipher_reqtfm(req));
}

static inline const struct stream_state *
stream_keyed(struct skcipher_request *req)
{
	return crypto_skcipher_ctx(crypto_skcipher_reqtfm(req));
}

/* stream_glue.c */
extern const keystream_xor_fn stream_keystream_xor[STREAM_ISAS];
int stream_simd_init(void);
void stream_simd_exit(void);
int stream_simd_setkey(struct crypto_skcipher *tfm, const u8 *key,
		       unsigned int keylen);
int stream_simd_keystream(const void *user, struct stream_state *state,
			  u8 *dst, unsigned int bytes, unsigned int first);
int stream_simd_crypt(struct skcipher_request *req, struct stream_state *state);
unsigned long stream_simd_sections(enum stream_path path);
bool stream_simd_is_wiped(void);

/* chacha_glue.c */
extern const struct stream_cores chacha_cores;
extern const struct stream_cipher chacha_cipher;

/* salsa_glue.c */
extern const struct stream_cores salsa_cores;
extern const struct stream_cipher salsa_cipher;

#endif /* CHACHA_SIMD_GLUE_H */
