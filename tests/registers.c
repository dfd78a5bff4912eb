// SPDX-License-Identifier: GPL-2.0
/*
 * Whether a program's vector registers stay what they are while the kernel
 * uses them for itself.
 *
 *	usage: registers SECONDS ALGORITHM
 *
 * Holds a pattern in all sixteen of them, spins for an interrupt to come, has
 * the kernel encrypt something, and looks.  It has to be the same program that
 * does both: what another one has in them is saved when that is switched to.
 *
 * Exit status 1 and a line if any bit has changed, 2 if it cannot be tried.
 */
#define _GNU_SOURCE
#include <linux/if_alg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
	REGISTERS = 16,
	REGISTER_BYTES = 32,
	IV_BYTES = 16,
	KEY_BYTES = 32,
	LONGEST = 6000,
};

#define EACH(move, prefix, at)						\
	move(0, prefix, at) move(1, prefix, at) move(2, prefix, at)	\
	move(3, prefix, at) move(4, prefix, at) move(5, prefix, at)	\
	move(6, prefix, at) move(7, prefix, at) move(8, prefix, at)	\
	move(9, prefix, at) move(10, prefix, at) move(11, prefix, at)	\
	move(12, prefix, at) move(13, prefix, at) move(14, prefix, at)	\
	move(15, prefix, at)

#define LOAD(n, reg, op)  op " 32*" #n "(%[in]), %%" reg #n "\n\t"
#define STORE(n, reg, op) op " %%" reg #n ", 32*" #n "(%[out])\n\t"

/* Loops, then read() by hand: no function that might use the registers. */
#define SPIN_AND_READ							\
	"1:	pause\n\t"						\
	"	decl %[spins]\n\t"					\
	"	jnz 1b\n\t"						\
	"	movl %[call], %%eax\n\t"				\
	"	syscall\n\t"

#define CLOBBERS "rcx", "r11", "memory", "cc",				\
	"xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",	\
	"xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15"

#define HOLD(reg, op)							\
	asm volatile(EACH(LOAD, reg, op) SPIN_AND_READ			\
		     EACH(STORE, reg, op)				\
		     : [spins] "+r" (spins), "=&a" (done)		\
		     : [in] "r" (in), [out] "r" (out),			\
		       [call] "i" (SYS_read),				\
		       "D" ((long)fd), "S" (data), "d" (bytes)		\
		     : CLOBBERS)

/* What read() gives. */
static long hold(bool avx, const unsigned char *in, unsigned char *out,
		 unsigned int spins, int fd, void *data, long bytes)
{
	long done;

	if (avx)
		HOLD("ymm", "vmovdqu");
	else
		HOLD("xmm", "movdqu");
	return done;
}

static void must(bool ok, const char *what)
{
	if (ok)
		return;
	perror(what);
	exit(2);
}

/* A request of a stream cipher with an IV of IV_BYTES, to be written to. */
static int open_request(const char *algorithm)
{
	struct sockaddr_alg address = {
		.salg_family = AF_ALG,
		.salg_type = "skcipher",
	};
	static const unsigned char key[KEY_BYTES];
	int sock = socket(AF_ALG, SOCK_SEQPACKET, 0), request;

	snprintf((char *)address.salg_name, sizeof(address.salg_name), "%s",
		 algorithm);
	must(sock >= 0, "socket");
	must(!bind(sock, (struct sockaddr *)&address, sizeof(address)), "bind");
	must(!setsockopt(sock, SOL_ALG, ALG_SET_KEY, key, sizeof(key)), "key");
	request = accept(sock, NULL, NULL);
	must(request >= 0, "accept");
	close(sock);
	return request;
}

/* Gives the kernel what it has to encrypt when it is asked for the result. */
static void send_message(int request, void *data, size_t bytes)
{
	union {
		struct cmsghdr first;
		char room[CMSG_SPACE(4) + CMSG_SPACE(4 + IV_BYTES)];
	} control = {};
	struct iovec part = { data, bytes };
	struct msghdr message = {
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);

	header->cmsg_level = SOL_ALG;
	header->cmsg_type = ALG_SET_OP;
	header->cmsg_len = CMSG_LEN(4);
	*(unsigned int *)CMSG_DATA(header) = ALG_OP_ENCRYPT;
	header = CMSG_NXTHDR(&message, header);
	header->cmsg_level = SOL_ALG;
	header->cmsg_type = ALG_SET_IV;
	header->cmsg_len = CMSG_LEN(4 + IV_BYTES);
	*(unsigned int *)CMSG_DATA(header) = IV_BYTES;
	must(sendmsg(request, &message, 0) == (ssize_t)bytes, "sendmsg");
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	unsigned char in[REGISTERS * REGISTER_BYTES], out[sizeof(in)];
	static unsigned char data[LONGEST];
	bool avx = __builtin_cpu_supports("avx");
	unsigned long rounds = 0;
	unsigned int i;
	double end;
	int fd;

	if (argc != 3)
		return 2;
	end = now() + atof(argv[1]);
	fd = open_request(argv[2]);
	srand(getpid());
	for (; now() < end || rounds < 50; rounds++) {
		long bytes = 1 + rand() % LONGEST;

		for (i = 0; i < sizeof(in); i++)
			in[i] = rand();
		memcpy(out, in, sizeof(out));
		send_message(fd, data, bytes);
		must(hold(avx, in, out, 1 + rand() % 20000, fd, data, bytes) ==
		     bytes, "read");
		if (memcmp(in, out, sizeof(in))) {
			printf("registers have changed in round %lu\n", rounds);
			return 1;
		}
	}
	printf("%lu rounds with %s registers\n", rounds, avx ? "ymm" : "xmm");
	return 0;
}
