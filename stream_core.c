// SPDX-License-Identifier: GPL-2.0
/*
 * Which core takes what of a message, and the self-test of the cores at load.
 *
 * Deliberately absent: the crypto API, FPU sections.
 */
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "stream_core.h"

/**
 * stream_xor() - XOR a message with the keystream of a state
 * @cores: the cipher's cores
 * @isa: instruction set to use, usable on this CPU
 * @state: input block; its counter is advanced by the blocks begun
 * @dst: result, as for stream_xor_fn
 * @src: message, as for stream_xor_fn
 * @bytes: length of both, may be 0
 * @rounds: 20, 12 or 8
 *
 * Whole batches go through the core of @isa, a short rest through the one of
 * its narrow companion.
 *
 * Context: as for stream_xor_fn: an FPU section unless @isa is the scalar one.
 */
void stream_xor(const struct stream_cores *cores, const struct stream_isa *isa,
		struct stream_state *state, u8 *dst, const u8 *src,
		size_t bytes, unsigned int rounds)
{
	size_t rest = isa->narrow ? bytes & (isa->batch_bytes - 1) : 0;

	if (rest > isa->narrow_bytes)
		rest = 0;
	bytes -= rest;
	if (bytes)
		cores->xor[isa->id](state, dst, src, bytes, rounds);
	if (rest)
		cores->xor[isa->narrow->id](state, dst + bytes, src + bytes,
					    rest, rounds);
}

struct self_test_message {
	unsigned short bytes;
	unsigned short first;	/* of two pieces; 0 for a message in one */
};

/*
 * They take every form of the cores, full and in part, and the last one is of
 * two pieces that share a batch.  Each starts on a block of its own.
 */
static const struct self_test_message self_test_messages[] __initconst = {
	{ 64 }, { 100 }, { 128 }, { 256 }, { 300 }, { 512 }, { 704 }, { 900 },
	{ 1024 }, { 1536 }, { 1983 }, { 2048 }, { 4096 }, { 1023 },
	{ 2000, 777 },
};

static u64 __init fnv1a(u64 digest, const u8 *p, size_t bytes)
{
	while (bytes--)
		digest = (digest ^ *p++) * 0x100000001b3;
	return digest;
}

/**
 * stream_self_test() - digest of the keystream that a path makes
 * @keystream: the path
 * @user: argument of @keystream
 * @state: the first input block; its counter is advanced
 * @buffer: room for STREAM_SELF_TEST_BYTES
 * @digest: result: 64-bit FNV-1a of a keystream in messages of many lengths,
 *	    as scripts/gen-vectors.py --known-answers prints it
 *
 * Return: 0, or the error of @keystream.
 * Context: module initialisation.
 */
int __init stream_self_test(stream_keystream_fn keystream, const void *user,
			    struct stream_state *state, u8 *buffer, u64 *digest)
{
	unsigned int i;

	*digest = 0xcbf29ce484222325;
	for (i = 0; i < ARRAY_SIZE(self_test_messages); i++) {
		const struct self_test_message *m = &self_test_messages[i];
		int err = keystream(user, state, buffer, m->bytes, m->first);

		if (err)
			return err;
		*digest = fnv1a(*digest, buffer, m->bytes);
	}
	return 0;
}
