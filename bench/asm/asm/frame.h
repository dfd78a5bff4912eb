/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the kernel's chacha-ssse3-x86_64.S needs of <asm/frame.h>: nothing, as
 * in a kernel without CONFIG_FRAME_POINTER, which is what Debian builds.
 */
#ifndef BENCH_ASM_FRAME_H
#define BENCH_ASM_FRAME_H

#define FRAME_BEGIN
#define FRAME_END

#endif /* BENCH_ASM_FRAME_H */
