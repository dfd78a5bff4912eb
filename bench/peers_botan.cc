// SPDX-License-Identifier: GPL-2.0
/*
 * scripts/bench-peers: the ciphers of Botan 2.
 *
 * Its C interface would be the natural choice, but copies each message through
 * a buffer of its own; the C++ class is Botan at its fastest.
 */
#include <botan/stream_cipher.h>

#include "peers.h"

static void run_botan(const struct core *core, u64 nonce, u8 *dst,
		      const u8 *src, size_t bytes)
{
	auto *cipher = static_cast<Botan::StreamCipher *>(core->handle);
	u8 iv[12] = {};
	/* Salsa20's nonce has 8 bytes, ChaCha's 12, here the first four 0. */
	size_t iv_bytes = core->algorithm[0] == 's' ? 8 : 12;

	for (size_t i = 0; i < 8; i++)
		iv[iv_bytes - 8 + i] = static_cast<u8>(nonce >> 8 * i);
	cipher->set_iv(iv, iv_bytes);
	cipher->cipher(src, dst, bytes);
}

static void add_botan(const char *algorithm, unsigned int rounds,
		      const char *botan_name)
{
	auto cipher = Botan::StreamCipher::create(botan_name);
	struct core core = {};

	if (!cipher) {
		peers_skip(algorithm, "botan", "this build of Botan lacks it");
		return;
	}
	cipher->set_key(peers_key, sizeof(peers_key));

	core.algorithm = algorithm;
	core.maker = "botan";
	core.rounds = rounds;
	core.side = PEER;
	core.run = run_botan;
	core.handle = cipher.release();
	peers_add(&core);
}

void peers_add_botan(void)
{
	add_botan("chacha20", 20, "ChaCha(20)");
	add_botan("chacha12", 12, "ChaCha(12)");
	add_botan("chacha8", 8, "ChaCha(8)");
	add_botan("salsa20", 20, "Salsa20");
}
