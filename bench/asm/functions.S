/* SPDX-License-Identifier: GPL-2.0 */
/* Start and end of a function; 16 bytes is what Debian's kernels align to. */

#define SYM_FUNC_START_LOCAL(name)	.balign 16; name:
#define SYM_FUNC_START(name)		.globl name; SYM_FUNC_START_LOCAL(name)
#define SYM_FUNC_END(name)		.type name, @function; .size name, .-name
