// SPDX-License-Identifier: GPL-2.0
/*
 * The in-tree x86 assembler of ChaCha as crypto API drivers, to be timed beside
 * ours in User Mode Linux, whose kernel is built without it.
 *
 *   driver                        for each level
 *   chacha20-kernel-<level>       ssse3, avx2, avx512vl
 *   xchacha20-kernel-<level>      the same
 *   xchacha12-kernel-<level>      the same; adiantum runs over it
 *
 * What the kernel does in its own glue for each request is done here too: one
 * walk, one FPU section for each of its steps, whole blocks but at the end,
 * the generic C where SIMD may not be used, HChaCha's block in the assembler
 * for messages longer than a block.  The kernel picks its level by static
 * branches, this file by one indirect call, which is no dearer in User Mode
 * Linux: its large code model calls everything through a register.
 *
 * Priority 1: nothing but the bench asks for these drivers.
 */
#include <asm/cpufeature.h>
#include <asm/fpu/api.h>
#include <asm/simd.h>
#include <crypto/algapi.h>
#include <crypto/internal/chacha.h>
#include <crypto/internal/simd.h>
#include <crypto/internal/skcipher.h>
#include <linux/kernel.h>
#include <linux/module.h>

#include "kernel_chacha.h"

struct rival {
	struct skcipher_alg alg;
	stream_xor_fn simd;
};

static stream_xor_fn rival_simd(struct crypto_skcipher *tfm)
{
	return container_of(crypto_skcipher_alg(tfm), struct rival, alg)->simd;
}

static int crypt(struct skcipher_request *req, const struct chacha_ctx *ctx,
		 const u8 *iv)
{
	stream_xor_fn simd = rival_simd(crypto_skcipher_reqtfm(req));
	struct stream_state state;
	struct skcipher_walk walk;
	int err;

	err = skcipher_walk_virt(&walk, req, false);
	chacha_init_generic(state.word, ctx->key, iv);

	while (walk.nbytes) {
		unsigned int bytes = walk.nbytes;

		if (bytes < walk.total)
			bytes = round_down(bytes, walk.stride);

		if (likely(crypto_simd_usable())) {
			kernel_fpu_begin();
			simd(&state, walk.dst.virt.addr, walk.src.virt.addr,
			     bytes, ctx->nrounds);
			kernel_fpu_end();
		} else {
			chacha_crypt_generic(state.word, walk.dst.virt.addr,
					     walk.src.virt.addr, bytes,
					     ctx->nrounds);
		}
		err = skcipher_walk_done(&walk, walk.nbytes - bytes);
	}
	return err;
}

static int chacha_crypt_req(struct skcipher_request *req)
{
	struct crypto_skcipher *tfm = crypto_skcipher_reqtfm(req);

	return crypt(req, crypto_skcipher_ctx(tfm), req->iv);
}

static int xchacha_crypt_req(struct skcipher_request *req)
{
	struct crypto_skcipher *tfm = crypto_skcipher_reqtfm(req);
	const struct chacha_ctx *ctx = crypto_skcipher_ctx(tfm);
	u32 state[CHACHA_STATE_WORDS];
	struct chacha_ctx subctx;
	u8 iv[CHACHA_IV_SIZE];

	chacha_init_generic(state, ctx->key, req->iv);
	if (req->cryptlen > CHACHA_BLOCK_SIZE && crypto_simd_usable()) {
		kernel_fpu_begin();
		hchacha_block_ssse3(state, subctx.key, ctx->nrounds);
		kernel_fpu_end();
	} else {
		hchacha_block_generic(state, subctx.key, ctx->nrounds);
	}
	subctx.nrounds = ctx->nrounds;

	/* Stream position, then what HChaCha has not used of the nonce */
	memcpy(iv, req->iv + 24, 8);
	memcpy(iv + 8, req->iv + 16, 8);
	return crypt(req, &subctx, iv);
}

static bool have_ssse3(void)
{
	return boot_cpu_has(X86_FEATURE_SSSE3);
}

static bool have_avx2(void)
{
	return have_ssse3() && boot_cpu_has(X86_FEATURE_AVX) &&
	       boot_cpu_has(X86_FEATURE_AVX2);
}

static bool have_avx512vl(void)
{
	return have_avx2() && boot_cpu_has(X86_FEATURE_AVX512VL) &&
	       boot_cpu_has(X86_FEATURE_AVX512BW);
}

static const struct level {
	const char *name;
	bool (*usable)(void);
	stream_xor_fn simd;
} levels[] = {
	{ "ssse3", have_ssse3, kernel_chacha_xor_ssse3 },
	{ "avx2", have_avx2, kernel_chacha_xor_avx2 },
	{ "avx512vl", have_avx512vl, kernel_chacha_xor_avx512vl },
};

static const struct cipher {
	const char *name;
	unsigned int iv_bytes;
	int (*setkey)(struct crypto_skcipher *tfm, const u8 *key,
		      unsigned int bytes);
	int (*crypt)(struct skcipher_request *req);
} ciphers[] = {
	{ "chacha20", CHACHA_IV_SIZE, chacha20_setkey, chacha_crypt_req },
	{ "xchacha20", XCHACHA_IV_SIZE, chacha20_setkey, xchacha_crypt_req },
	{ "xchacha12", XCHACHA_IV_SIZE, chacha12_setkey, xchacha_crypt_req },
};

static struct rival rivals[ARRAY_SIZE(levels) * ARRAY_SIZE(ciphers)];
static unsigned int nr_rivals;

static int register_rival(const struct cipher *cipher,
			  const struct level *level)
{
	struct rival *rival = &rivals[nr_rivals];
	struct crypto_alg *base = &rival->alg.base;
	int err;

	*rival = (struct rival) {
		.alg = {
			.base.cra_priority	= 1,
			.base.cra_blocksize	= 1,
			.base.cra_ctxsize	= sizeof(struct chacha_ctx),
			.base.cra_module	= THIS_MODULE,
			.min_keysize		= CHACHA_KEY_SIZE,
			.max_keysize		= CHACHA_KEY_SIZE,
			.ivsize			= cipher->iv_bytes,
			.chunksize		= CHACHA_BLOCK_SIZE,
			.setkey			= cipher->setkey,
			.encrypt		= cipher->crypt,
			.decrypt		= cipher->crypt,
		},
		.simd = level->simd,
	};
	strscpy(base->cra_name, cipher->name);
	snprintf(base->cra_driver_name, sizeof(base->cra_driver_name),
		 "%s-kernel-%s", cipher->name, level->name);

	err = crypto_register_skcipher(&rival->alg);
	if (!err)
		nr_rivals++;
	return err;
}

static void rivals_exit(void)
{
	while (nr_rivals)
		crypto_unregister_skcipher(&rivals[--nr_rivals].alg);
}

static int __init rivals_init(void)
{
	unsigned int i, j;
	int err = 0;

	for (i = 0; i < ARRAY_SIZE(levels); i++) {
		if (!levels[i].usable()) {
			pr_info("chacha_simd_rivals: no %s on this CPU\n",
				levels[i].name);
			continue;
		}
		for (j = 0; !err && j < ARRAY_SIZE(ciphers); j++)
			err = register_rival(&ciphers[j], &levels[i]);
	}
	if (err)
		rivals_exit();
	return err;
}

module_init(rivals_init);
module_exit(rivals_exit);

MODULE_DESCRIPTION("In-tree x86 assembler of ChaCha, to be timed");
MODULE_LICENSE("GPL");
