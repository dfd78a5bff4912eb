/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the kernel's chacha-*-x86_64.S need of <linux/linkage.h>, so that they
 * assemble outside arch/x86: for the peers of scripts/bench-peers and for the
 * UML kernel of scripts/bench, whose own linkage.h is not that of x86.
 *
 * Deliberately absent: rethunks, ENDBR and CFI.  A plain ret is the fastest
 * form, so it favours the kernel's side of the comparison.
 */
#ifndef BENCH_ASM_LINKAGE_H
#define BENCH_ASM_LINKAGE_H

#define RET	ret

/* In a file of its own because it is assembler's, which checkpatch misreads. */
#include "../functions.S"

#endif /* BENCH_ASM_LINKAGE_H */
