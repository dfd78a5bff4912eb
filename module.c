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

static char *widest = "avx512";
module_param_named(isa, widest, charp, 0444);
MODULE_PARM_DESC(isa,
		 "most that is registered: scalar, sse2, ssse3, avx2, avx512vl or avx512 (default: avx512, all that the CPU can run)");

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

/* The drivers of all ciphers, in the order of their tables; NULL past the last. */
static struct stream_driver *nth_driver(unsigned int i)
{
	if (i < chacha_cipher.count)
		return &chacha_cipher.drivers[i];
	i -= chacha_cipher.count;
	return i < salsa_cipher.count ? &salsa_cipher.drivers[i] : NULL;
}

/* The most that the parameter lets through. */
static enum stream_isa_id limit __initdata;

static bool __init is_wanted(const struct stream_isa *isa)
{
	return isa->usable && isa->id <= limit;
}

/*
 * testmgr knows vectors for three of the ten algorithms and passes the others
 * untested, so each driver answers for itself: the keystream of the key
 * 00, 01, ... and the IV 01, 02, ... as a digest.  The answers are those of
 * scripts/gen-vectors.py --known-answers.
 */
static int __init test_driver(const struct stream_driver *driver, u8 *buffer)
{
	const struct stream_algorithm *algorithm = driver->algorithm;
	struct stream_state keyed, state;
	u8 key[32], iv[32];
	unsigned int i;
	u64 digest;
	int err;

	for (i = 0; i < sizeof(key); i++) {
		key[i] = i;
		iv[i] = i + 1;
	}
	err = algorithm->setkey(&keyed, key, sizeof(key));
	if (err)
		return err;
	algorithm->start(&state, &keyed, iv, algorithm->rounds);
	err = stream_self_test(stream_simd_keystream, driver, &state, buffer,
			       &digest);
	if (err)
		return err;
	if (digest != algorithm->known_answer) {
		pr_err("%s: self-test failed (%016llx), refusing to load\n",
		       driver->skcipher.base.cra_driver_name, digest);
		return -EBADMSG;
	}
	return 0;
}

static int __init test_all(void)
{
	struct stream_driver *driver;
	unsigned int i;
	u8 *buffer;
	int err = 0;

	buffer = kmalloc(STREAM_SELF_TEST_BYTES, GFP_KERNEL);
	if (!buffer)
		return -ENOMEM;
	for (i = 0; !err && (driver = nth_driver(i)); i++)
		if (is_wanted(driver->isa))
			err = test_driver(driver, buffer);
	kfree(buffer);
	return err;
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
	struct stream_driver *driver;
	int last_err = 0;

	for (i = 0; (driver = nth_driver(i)); i++) {
		struct crypto_alg *base = &driver->skcipher.base;
		int err;

		if (!is_wanted(driver->isa))
			continue;
		base->cra_priority = driver->isa->priority;
		err = crypto_register_skcipher(&driver->skcipher);
		if (err) {
			pr_err("%s: cannot be registered (%d), left out\n",
			       base->cra_driver_name, err);
			last_err = err;
			continue;
		}
		driver->registered = true;
		registered++;
	}
	if (registered)
		return registered;
	/* To modprobe -EEXIST says that the module is loaded: a success. */
	return last_err == -EEXIST ? -EBUSY : last_err;
}

static int __init set_limit(void)
{
	for (limit = 0; limit < STREAM_ISAS; limit++)
		if (!strcmp(widest, stream_isas[limit].name))
			return 0;
	pr_err("isa=%s is unknown; it is one of scalar, sse2, ssse3, avx2, avx512vl, avx512\n",
	       widest);
	return -EINVAL;
}

static void __init report(int registered)
{
	char names[64] = "";
	unsigned int i;

	for (i = 0; i < STREAM_ISAS; i++) {
		if (!is_wanted(&stream_isas[i]))
			continue;
		strlcat(names, " ", sizeof(names));
		strlcat(names, stream_isas[i].name, sizeof(names));
	}
	pr_info("registered %d drivers:%s\n", registered, names);
}

/*
 * Everything is tested before anything is registered: a driver that is broken
 * is never seen by a user.
 */
static int __init chacha_simd_init(void)
{
	int err;

	/*
	 * The kernel would panic, and a user without rights can bring it here
	 * by asking AF_ALG for an algorithm that only this module has.
	 */
	if (fips_enabled && !module_sig_ok(THIS_MODULE)) {
		pr_err("not signed, and the kernel is in FIPS mode: refusing to load\n");
		return -EPERM;
	}
	err = set_limit();
	if (err)
		return err;
	stream_isa_init();
	err = stream_simd_init();
	if (err)
		return err;
	err = test_all();
	if (!err)
		err = register_all();
	if (err < 0) {
		stream_simd_exit();
		return err;
	}
	report(err);
	return 0;
}

static void __exit chacha_simd_exit(void)
{
	struct stream_driver *driver;
	unsigned int i;

	for (i = 0; (driver = nth_driver(i)); i++)
		if (driver->registered)
			crypto_unregister_skcipher(&driver->skcipher);
	stream_simd_exit();
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
	MODULE_ALIAS_CRYPTO(algorithm "-ssse3");	\
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
