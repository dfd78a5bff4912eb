# SPDX-License-Identifier: GPL-2.0
#
# Commands for people; "make help" lists them. What kbuild reads is in Kbuild.

MAKEFLAGS += --no-print-directory
# A recipe ends at its first failure.
SHELL := bash
.SHELLFLAGS := -ec

# DKMS names the release to build for.
KDIR ?= $(if $(KERNELRELEASE),/lib/modules/$(KERNELRELEASE)/build)

# Shell: sets $$kdir, or fails with a message.
find_kdir = $(one_word)kdir=$$(scripts/kernel headers "$(KDIR)")
one_word = $(if $(word 2,$(CURDIR)),$(error kbuild takes no blank in a path; move \
	"$(CURDIR)" to one that has none))
# Shell, after that: what "uname -r" says on that kernel. kbuild's own target
# kernelrelease says something else on Debian's 6.1.
find_release = release=$$(sed -n 's/.*UTS_RELEASE "\(.*\)"/\1/p' \
	"$$kdir/include/generated/utsrelease.h")
# Shell, likewise: sets $$compiler to what kbuild has to be told of it, unless the
# user says. kbuild reads LLVM from the environment too, CC does not count there.
find_compiler = compiler=$(if $(filter-out undefined,$(origin LLVM))$(filter \
	command,$(origin CC)),,$$(scripts/kernel compiler "$$kdir"))
# Headers that want modules signed come without a key; signing would fail.
unsigned = $$([ -e "$$kdir/certs/signing_key.pem" ] || echo CONFIG_MODULE_SIG_ALL=)

# make only gives its jobs to a command that says $(MAKE) in the recipe itself,
# and runs such a line even with -n: nothing else belongs on it.
kbuild = -C "$$kdir" M="$(CURDIR)"
# "sudo make install" leaves nothing that the owner's next make cannot write.
as_owner = $$([ "$$(id -u)" != 0 ] || [ -O . ] || \
	stat -c 'setpriv --reuid=%u --regid=%g --clear-groups' .)
depmod = depmod $(if $(INSTALL_MOD_PATH),-b "$(INSTALL_MOD_PATH)") "$$release"
updates = $(INSTALL_MOD_PATH)/lib/modules/$$release/updates
# kbuild does not run depmod for headers without System.map, which most are, and
# says so; the next line of the recipe does.
hush_depmod = 2> >(grep -v 'Skipping depmod' >&2)

.PHONY: modules
modules: ## build the module: make [KDIR=HEADERS] [LLVM=1] [W=1] [C=1]
	@$(find_kdir); $(find_compiler); \
	$(as_owner) $(MAKE) $(kbuild) $$compiler modules

.PHONY: demo
demo: ## show it at work on a stock kernel in QEMU
	@scripts/demo

.PHONY: check
check: ## run all tests and static checks
	@scripts/check

.PHONY: bench
bench: ## time its drivers and the kernel's in User Mode Linux
	@scripts/bench-report

.PHONY: bench-peers
bench-peers: ## time its cores and those of user-space libraries
	@scripts/bench-peers

.PHONY: speed
speed: ## time the drivers of the running kernel
	@scripts/speed

.PHONY: install
install: must_be_root modules ## install the module (as root)
	@$(find_kdir); \
	$(MAKE) $(kbuild) INSTALL_MOD_DIR=updates $(unsigned) \
		modules_install $(hush_depmod)
	@$(find_kdir); $(find_release); \
	$(depmod); echo "installed in $(updates), and depmod has run"

.PHONY: uninstall
uninstall: must_be_root ## remove it from all kernels (as root)
	@found=; for updates in "$(INSTALL_MOD_PATH)"/lib/modules/*/updates; do \
		files=("$$updates"/chacha-simd.ko*); [ -e "$$files" ] || continue; \
		rm -v "$${files[@]}"; found=1; \
		release=$${updates%/updates}; release=$${release##*/}; $(depmod); \
	done; \
	[ "$$found" ] || echo "nothing is installed in $(INSTALL_MOD_PATH)/lib/modules"

.PHONY: must_be_root
must_be_root:
	@[ "$$(id -u)" = 0 ] || { \
		echo >&2 "make: error: /lib/modules belongs to root; type: sudo make $(MAKECMDGOALS)"; \
		exit 1; }

.PHONY: clean
clean: ## remove what a build left in the tree
	@$(find_kdir); $(MAKE) $(kbuild) clean

.PHONY: help
help: ## print this list
	@echo "make        build the module for the running kernel"
	@sed -n 's/^\([a-z-]*\):[^#]*## /make \1	/p' Makefile | expand -t 20
