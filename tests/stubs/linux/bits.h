/* SPDX-License-Identifier: GPL-2.0 */
/* For ../crypto/internal/skcipher.h. */
#ifndef STUB_BITS_H
#define STUB_BITS_H

#define BIT(n)	(1u << (n))

#endif /* STUB_BITS_H */
