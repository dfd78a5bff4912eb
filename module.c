// SPDX-License-Identifier: GPL-2.0
/*
 * Loading and unloading: a driver for every algorithm on every usable
 * instruction set, each of which proves itself before it is registered.
 *
 * Deliberately absent: algorithms (chacha_glue.c, salsa_glue.c), instruction
 * sets (isa.c).
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/fips.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include "compat.h"
#include "glue.h"

static char *isa = "avx512";
module_param(isa, charp, 0444);
MODULE_PARM_DESC(isa,
		 "most that is registered: scalar, sse2, avx2, avx512vl or avx512 (default: avx512, all that the CPU can run)");

/*
 * Which path messages took, to be read as
 * /sys/module/chacha_simd/parameters/{simd,fallback}_sections.  By root only:
 * they tell what every user and container of the machine is doing.
 */
static int get_sections(char *buffer, const struct kernel_param *param)
{
	enum stream_path path = (uintptr_t)param->arg;

	return sysfs_emit(buffer, "%lu\n", stream_simd_sections(path));
}

static int set_sections(const char *value, const struct kernel_param *param)
{
	pr_err("%s is only to be read\n", param->name);
	return -EPERM;
}

static const struct kernel_param_ops sections_ops = {
	.set = set_sections,
	.get = get_sections,
};

module_param_cb(simd_sections, &sections_ops, (void *)STREAM_SIMD, 0400);
MODULE_PARM_DESC(simd_sections,
		 "read only: sections of up to 4 KiB done with SIMD");
module_param_cb(fallback_sections, &sections_ops, (void *)STREAM_FALLBACK,
		0400);
MODULE_PARM_DESC(fallback_sections,
		 "read only: sections done in plain C because SIMD was not usable");

/* All that are made, the plainest instruction set first. */
static struct stream_driver *drivers;
static unsigned int driver_count;

/*
 * testmgr knows vectors for three of the ten algorithms and passes the others
 * untested, so each driver answers for itself: the keystream of the key
 * 00, 01, ... and the IV 01, 02, ... as a 64-bit FNV-1a digest.  The messages
 * take every form of the cores that the driver uses on this CPU, full and in
 * part, and the last one is a list of two entries that share a batch.  Each
 * starts on a block of its own.  The answers are those of
 * scripts/gen-vectors.py --known-answers.
 */
struct self_test_message {
	unsigned short bytes;
	unsigned short first;	/* of two entries; 0 for a message in one piece */
};

static const struct self_test_message self_test_messages[] __initconst = {
	{ 64 }, { 100 }, { 128 }, { 256 }, { 300 }, { 512 }, { 704 }, { 900 },
	{ 1024 }, { 1536 }, { 1983 }, { 2048 }, { 4096 }, { 1023 },
	{ 2000, 777 },
};

#define SELF_TEST_BYTES	4096

static u64 __init fnv1a(u64 digest, const u8 *p, size_t bytes)
{
	while (bytes--)
		digest = (digest ^ *p++) * 0x100000001b3;
	return digest;
}

static int __init self_test(const struct stream_driver *driver, u8 *buffer)
{
	const struct stream_algorithm *algorithm = driver->algorithm;
	struct stream_state keyed, state;
	u64 digest = 0xcbf29ce484222325;
	u8 key[32], iv[32];
	unsigned int i;
	int err;

	for (i = 0; i < sizeof(key); i++) {
		key[i] = i;
		iv[i] = i + 1;
	}
	err = algorithm->setkey(&keyed, key, sizeof(key));
	if (err)
		return err;
	algorithm->start(&state, &keyed, iv, algorithm->rounds);
	for (i = 0; i < ARRAY_SIZE(self_test_messages); i++) {
		unsigned int bytes = self_test_messages[i].bytes;

		err = stream_simd_keystream(driver, &state, buffer, bytes,
					    self_test_messages[i].first);
		if (err)
			return err;
		digest = fnv1a(digest, buffer, bytes);
	}
	if (digest != algorithm->known_answer) {
		pr_err("%s: self-test failed (%016llx), refusing to load\n",
		       driver->skcipher.base.cra_driver_name, digest);
		return -EBADMSG;
	}
	return 0;
}

static int stream_set_key(struct crypto_skcipher *tfm, const u8 *key,
			  unsigned int keylen)
{
	const struct stream_driver *driver =
		container_of(crypto_skcipher_alg(tfm), struct stream_driver,
			     skcipher);

	return driver->algorithm->setkey(crypto_skcipher_ctx(tfm), key, keylen);
}

static void __init driver_init(struct stream_driver *driver,
			       const struct stream_algorithm *algorithm,
			       const struct stream_isa *set)
{
	struct skcipher_alg *skcipher = &driver->skcipher;
	const struct stream_isa *scalar = stream_isa_nth(0);

	driver->algorithm = algorithm;
	driver->isa = set;
	driver->xor = algorithm->salsa ? set->salsa : set->chacha;
	driver->scalar = algorithm->salsa ? scalar->salsa : scalar->chacha;

	strscpy(skcipher->base.cra_name, algorithm->name,
		sizeof(skcipher->base.cra_name));
	snprintf(skcipher->base.cra_driver_name,
		 sizeof(skcipher->base.cra_driver_name), "%s-%s",
		 algorithm->name, set->name);
	skcipher->base.cra_priority = set->priority;
	skcipher->base.cra_blocksize = 1;
	skcipher->base.cra_ctxsize = sizeof(struct stream_state);
	skcipher->base.cra_module = THIS_MODULE;
	skcipher->min_keysize = algorithm->min_keysize;
	skcipher->max_keysize = 32;
	skcipher->ivsize = algorithm->ivsize;
	skcipher->chunksize = STREAM_BLOCK_BYTES;
	skcipher->setkey = stream_set_key;
	skcipher->encrypt = algorithm->crypt;
	skcipher->decrypt = algorithm->crypt;
	if (algorithm->prepare)
		algorithm->prepare(skcipher);
}

/* Makes and tests the drivers of one instruction set, all or none. */
static int __init make_drivers(const struct stream_algorithm *algorithms,
			       unsigned int count,
			       const struct stream_isa *set, u8 *buffer)
{
	unsigned int i;
	int err;

	for (i = 0; i < count; i++) {
		struct stream_driver *driver = &drivers[driver_count + i];

		driver_init(driver, &algorithms[i], set);
		err = self_test(driver, buffer);
		if (err)
			return err;
	}
	driver_count += count;
	return 0;
}

/*
 * The best first: newer kernels test in the background, and whoever opens an
 * algorithm meanwhile keeps what he got of those that have passed.
 *
 * A driver that cannot be registered is left out, and the others serve.  To take
 * these back instead would free the memory of whoever has opened one meanwhile:
 * a load that fails cannot be refused as an unload is.
 */
static int __init register_all(void)
{
	unsigned int i, registered = 0;
	int err = 0, last_err = 0;

	for (i = driver_count; i--;) {
		err = crypto_register_skcipher(&drivers[i].skcipher);
		if (err) {
			pr_err("%s: cannot be registered (%d), left out\n",
			       drivers[i].skcipher.base.cra_driver_name, err);
			last_err = err;
			continue;
		}
		drivers[i].registered = true;
		registered++;
	}
	if (registered)
		return registered;
	/* To modprobe -EEXIST says that the module is loaded: a success. */
	return last_err == -EEXIST ? -EBUSY : last_err;
}

/* How many instruction sets the parameter lets through, or -EINVAL. */
static int __init isa_limit(void)
{
	const struct stream_isa *set;
	unsigned int i;

	for (i = 0; (set = stream_isa_nth(i)); i++) {
		if (!strcmp(isa, set->name))
			return i + 1;
	}
	pr_err("isa=%s is unknown; it is one of scalar, sse2, avx2, avx512vl, avx512\n",
	       isa);
	return -EINVAL;
}

/* The drivers of all usable instruction sets below the limit, none registered. */
static int __init make_all(unsigned int limit, u8 *buffer, char *names,
			   size_t names_bytes)
{
	const struct stream_isa *set;
	unsigned int i;
	int err;

	for (i = 0; i < limit; i++) {
		set = stream_isa_nth(i);
		if (!set->usable())
			continue;
		err = make_drivers(chacha_simd_algorithms,
				   chacha_simd_algorithm_count, set, buffer);
		if (!err)
			err = make_drivers(salsa_simd_algorithms,
					   salsa_simd_algorithm_count, set,
					   buffer);
		if (err)
			return err;
		strlcat(names, " ", names_bytes);
		strlcat(names, set->name, names_bytes);
	}
	return 0;
}

/*
 * Everything is tested before anything is registered: a driver that is broken
 * is never seen by a user.
 */
static int __init make_and_register(unsigned int limit)
{
	char names[64] = "";
	u8 *buffer;
	int err;

	buffer = kmalloc(SELF_TEST_BYTES, GFP_KERNEL);
	if (!buffer)
		return -ENOMEM;
	err = make_all(limit, buffer, names, sizeof(names));
	kfree(buffer);
	if (err)
		return err;
	err = register_all();
	if (err < 0)
		return err;
	pr_info("registered %d drivers:%s\n", err, names);
	return 0;
}

static int __init chacha_simd_init(void)
{
	unsigned int algorithms = chacha_simd_algorithm_count +
				  salsa_simd_algorithm_count;
	int limit, err;

	/*
	 * The kernel would panic, and a user without rights can bring it here
	 * by asking AF_ALG for an algorithm that only this module has.
	 */
	if (fips_enabled && !module_sig_ok(THIS_MODULE)) {
		pr_err("not signed, and the kernel is in FIPS mode: refusing to load\n");
		return -EPERM;
	}
	limit = isa_limit();
	if (limit < 0)
		return limit;
	stream_isa_init();
	drivers = kcalloc(limit * algorithms, sizeof(*drivers), GFP_KERNEL);
	if (!drivers)
		return -ENOMEM;
	err = stream_simd_init();
	if (err)
		goto free_drivers;
	err = make_and_register(limit);
	if (err)
		goto exit_stream;
	return 0;

exit_stream:
	stream_simd_exit();
free_drivers:
	kfree(drivers);
	return err;
}

static void __exit chacha_simd_exit(void)
{
	unsigned int i;

	for (i = driver_count; i--;)
		if (drivers[i].registered)
			crypto_unregister_skcipher(&drivers[i].skcipher);
	stream_simd_exit();
	kfree(drivers);
}

module_init(chacha_simd_init);
module_exit(chacha_simd_exit);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The chacha-simd developers");
MODULE_DESCRIPTION("ChaCha and Salsa20 stream ciphers on SSE2, AVX2 and AVX-512");
MODULE_VERSION("0.1");

/* By algorithm, and by driver for those who want a certain one. */
#define ALIASES(algorithm)				\
	MODULE_ALIAS_CRYPTO(algorithm);			\
	MODULE_ALIAS_CRYPTO(algorithm "-scalar");	\
	MODULE_ALIAS_CRYPTO(algorithm "-sse2");		\
	MODULE_ALIAS_CRYPTO(algorithm "-avx2");		\
	MODULE_ALIAS_CRYPTO(algorithm "-avx512vl");	\
	MODULE_ALIAS_CRYPTO(algorithm "-avx512")

ALIASES("chacha20");
ALIASES("chacha12");
ALIASES("chacha8");
ALIASES("xchacha20");
ALIASES("xchacha12");
ALIASES("xchacha8");
ALIASES("salsa20");
ALIASES("salsa12");
ALIASES("salsa8");
ALIASES("xsalsa20");
