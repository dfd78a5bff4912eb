# SPDX-License-Identifier: GPL-2.0
#
# A kernel built with clang, for "scripts/kernel clang": what is set beyond
# allnoconfig. Modules are built against it; nobody boots it.

CONFIG_64BIT=y
CONFIG_SMP=y
CONFIG_MODULES=y
CONFIG_MODULE_UNLOAD=y
CONFIG_WERROR=y

CONFIG_CRYPTO=y
CONFIG_CRYPTO_MANAGER=y
CONFIG_CRYPTO_AES_NI_INTEL=y

# What distributions that build with clang turn on
CONFIG_CPU_MITIGATIONS=y
CONFIG_MITIGATION_RETPOLINE=y
CONFIG_X86_KERNEL_IBT=y
CONFIG_CFI_CLANG=y
CONFIG_FINEIBT=y
