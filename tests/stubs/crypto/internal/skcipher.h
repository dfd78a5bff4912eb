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

struct crypto_skcipher;

struct skcipher_alg {
	int unused;
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
