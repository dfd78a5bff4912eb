// SPDX-License-Identifier: GPL-2.0
/*
 * Whether a program's vector registers stay what they are while the kernel
 * uses them for itself.
 *
 *	usage: registers SECONDS
 *
 * Holds a pattern in all sixteen of them, spins, calls the kernel, and looks.
 * Exit status 1 and a line if any bit has changed.
 */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>

enum { REGISTERS = 16, BYTES = 32 };

#define EACH(move, prefix, at)						\
	move(0, prefix, at) move(1, prefix, at) move(2, prefix, at)	\
	move(3, prefix, at) move(4, prefix, at) move(5, prefix, at)	\
	move(6, prefix, at) move(7, prefix, at) move(8, prefix, at)	\
	move(9, prefix, at) move(10, prefix, at) move(11, prefix, at)	\
	move(12, prefix, at) move(13, prefix, at) move(14, prefix, at)	\
	move(15, prefix, at)

#define LOAD(n, reg, op)  op " 32*" #n "(%[in]), %%" reg #n "\n\t"
#define STORE(n, reg, op) op " %%" reg #n ", 32*" #n "(%[out])\n\t"

/* Loops, then getpid() by hand: no function that might use the registers. */
#define SPIN							\
	"1:	pause\n\t"					\
	"	decl %[spins]\n\t"				\
	"	jnz 1b\n\t"					\
	"	movl %[call], %%eax\n\t"			\
	"	syscall\n\t"

#define CLOBBERS "rax", "rcx", "r11", "memory", "cc",			\
	"xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",	\
	"xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15"

#define HOLD(reg, op)							\
	asm volatile(EACH(LOAD, reg, op) SPIN EACH(STORE, reg, op)	\
		     : [spins] "+r" (spins)				\
		     : [in] "r" (in), [out] "r" (out),			\
		       [call] "i" (SYS_getpid)				\
		     : CLOBBERS)

static void hold(bool avx, const unsigned char *in, unsigned char *out,
		 unsigned int spins)
{
	if (avx)
		HOLD("ymm", "vmovdqu");
	else
		HOLD("xmm", "movdqu");
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	unsigned char in[REGISTERS * BYTES], out[REGISTERS * BYTES];
	bool avx = __builtin_cpu_supports("avx");
	double end = now() + (argc > 1 ? atof(argv[1]) : 1);
	unsigned long rounds = 0;
	unsigned int i;

	srand(time(NULL));
	while (now() < end) {
		for (i = 0; i < sizeof(in); i++)
			in[i] = rand();
		memcpy(out, in, sizeof(out));
		hold(avx, in, out, 1 + rand() % 20000);
		if (memcmp(in, out, sizeof(in))) {
			printf("registers have changed in round %lu\n", rounds);
			return 1;
		}
		rounds++;
	}
	printf("%lu rounds with %s registers\n", rounds, avx ? "ymm" : "xmm");
	return 0;
}
