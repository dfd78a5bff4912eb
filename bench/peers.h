/* SPDX-License-Identifier: GPL-2.0 */
/*
 * scripts/bench-peers: what the list of cores (peers_cores.c, peers_botan.cc)
 * tells the timing (peers.c).
 */
#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#ifdef __cplusplus
extern "C" {
#endif

#include "../stream_simd.h"

struct core;

/**
 * typedef core_fn - one message through one core
 * @core: which
 * @nonce: number of the message; key and block counter 0 are set beforehand
 * @dst: result
 * @src: message
 * @bytes: its length
 *
 * Every message gets a nonce of its own, as in any use of a stream cipher, so
 * the time includes what a library does for a new one.
 */
typedef void (*core_fn)(const struct core *core, u64 nonce, u8 *dst,
			const u8 *src, size_t bytes);

enum side {
	OURS,
	PEER,
};

/**
 * struct core - something to time
 * @algorithm: cores of the same one compute the same bytes and share a table
 * @maker: who made it or for which instruction set; the name in all output is
 *	   <algorithm>-<maker>
 * @rounds: 20, 12 or 8; 0 where there are none
 * @bytes: the one length that it takes; 0 where it takes any
 * @side: ours, or what ours is compared with
 * @run: does one message
 * @xor_fn: for @run
 * @handle: for @run
 */
struct core {
	const char *algorithm;
	const char *maker;
	unsigned int rounds;
	size_t bytes;
	enum side side;
	core_fn run;
	void (*xor_fn)(void);
	void *handle;
};

/* The key and, by its number, the nonce that all of them work with. */
extern const u8 peers_key[32];

/* peers.c */
void peers_add(const struct core *core);
void peers_skip(const char *algorithm, const char *maker, const char *why);

/* peers_cores.c */
void peers_add_ours(void);
void peers_add_kernel(void);
void peers_add_openssl(void);
void peers_add_sodium(void);

/* peers_botan.cc */
void peers_add_botan(void);

#ifdef __cplusplus
}
#endif

#endif /* BENCH_PEERS_H */
