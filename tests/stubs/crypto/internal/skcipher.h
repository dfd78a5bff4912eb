/* SPDX-License-Identifier: GPL-2.0 */
/*
 * As much of the kernel as chacha_glue.c and salsa_glue.c need to be built for
 * tests/secrets.c, which calls what they make of a key and an IV.  compat.h is
 * left out, by -DCHACHA_SIMD_COMPAT_H.
 *
 * Deliberately absent: anything that works.  No request can be made.
 */
#ifndef STUB_SKCIPHER_H
#define STUB_SKCIPHER_H

#include <stddef.h>
#include <string.h>
#include "../../../../stream_simd.h"

#define ARRAY_SIZE(x)	(sizeof(x) / sizeof((x)[0]))
#define container_of(p, type, member) \
	((type *)((char *)(p) - offsetof(type, member)))

#define THIS_MODULE	NULL
#define __weak		__attribute__((__weak__))
#define CHACHA_SIMD_EXPORT_FOR_KUNIT(name) \
	extern const struct stream_cores name

struct crypto_skcipher;
struct skcipher_request;

struct crypto_alg {
	const char *cra_name;
	const char *cra_driver_name;
	unsigned int cra_blocksize;
	unsigned int cra_ctxsize;
	void *cra_module;
};

struct skcipher_alg {
	int (*setkey)(struct crypto_skcipher *tfm, const u8 *key,
		      unsigned int keylen);
	int (*encrypt)(struct skcipher_request *req);
	int (*decrypt)(struct skcipher_request *req);
	unsigned int min_keysize;
	unsigned int max_keysize;
	unsigned int ivsize;
	unsigned int chunksize;
	struct crypto_alg base;
};

struct skcipher_request {
	u8 *iv;
};

static inline struct crypto_skcipher *
crypto_skcipher_reqtfm(struct skcipher_request *req)
{
	return (void *)req;
}

static inline struct skcipher_alg *
crypto_skcipher_alg(struct crypto_skcipher *tfm)
{
	return (void *)tfm;
}

static inline void *crypto_skcipher_ctx(struct crypto_skcipher *tfm)
{
	return (void *)tfm;
}

static inline u32 get_unaligned_le32(const void *p)
{
	u32 x;

	memcpy(&x, p, sizeof(x));
	return x;
}

static inline void put_unaligned_le32(u32 x, void *p)
{
	memcpy(p, &x, sizeof(x));
}

#endif /* STUB_SKCIPHER_H */
