// SPDX-License-Identifier: GPL-2.0
/*
 * A message XORed with keystream that was made earlier, compiled once for each
 * instruction set.
 *
 * A request cut into odd pieces has its keystream made in whole batches and
 * is then XORed piece by piece (stream_glue.c), which costs AVX-512 a tenth of
 * its speed; by eight bytes at a time it would be a fifth.
 *
 * Deliberately absent: anything of a cipher.
 */
#include "lanes.h"

/* A keystream_xor_fn, see stream_simd.h. */
void LANES_NAME(keystream_xor)(u8 *dst, const u8 *src, const u8 *keystream,
			       size_t bytes)
{
	for (; bytes >= LANES_BYTES; bytes -= LANES_BYTES) {
		lanes_store(dst, lanes_load(src) ^ lanes_load(keystream));
		dst += LANES_BYTES;
		src += LANES_BYTES;
		keystream += LANES_BYTES;
	}
	lanes_xor_bytes(dst, src, keystream, bytes);
}
