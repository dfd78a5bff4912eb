# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Functions that the scripts share: messages, packages, the cache, clean-up.
# To be sourced by bash; it sets the shell's options for the script.

set -euo pipefail

scripts_dir=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
# shellcheck disable=SC2034 # for the scripts that source this file
tree_dir=$(dirname -- "$scripts_dir")
# A service may start us without HOME; the tilde then asks the user database.
home_dir=~
cache_dir=${XDG_CACHE_HOME:-$home_dir/.cache}/chacha-simd

# A make above us (make check W=1) must not steer the kernel builds below.
unset MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL KDIR KERNELRELEASE ARCH LLVM O M W C V
export LC_ALL=C
# depmod, losetup and others are not for root only.
PATH=$PATH:/usr/sbin:/sbin

# --- messages -------------------------------------------------------------

# All of these go to stderr: stdout belongs to the script's result.
info() {
	printf '%s: %s\n' "${0##*/}" "$*" >&2
}

warn() {
	info "warning: $*"
}

die() {
	info "error: $*"
	exit 1
}

# --- clean-up -------------------------------------------------------------

cleanup_dirs=()
cleanup_pids=()

# Runs on every way out but SIGKILL; for that one see run_child().
cleanup() {
	local pid dir

	for pid in "${cleanup_pids[@]}"; do
		kill -TERM -- "-$pid" 2>/dev/null ||
			kill -TERM "$pid" 2>/dev/null || true
	done
	for pid in "${cleanup_pids[@]}"; do
		wait "$pid" 2>/dev/null || true
	done
	for dir in "${cleanup_dirs[@]}"; do
		rm -rf -- "$dir"
	done
}

# The exit statuses are those that a shell gives for a death by that signal.
trap cleanup EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# Sets $temp_dir. A command substitution would run in a subshell and lose the
# registration for clean-up, hence the variable.
make_temp_dir() {
	temp_dir=$(mktemp -d "${TMPDIR:-/tmp}/chacha-simd.XXXXXXXX")
	cleanup_dirs+=("$temp_dir")
}

# Starts a command in the background that dies with this script, however the
# script dies, and sets $child. It leads a process group, because a make that
# is told to end leaves its children running. stdin is not inherited.
start_child() {
	setsid setpriv --pdeathsig TERM -- "$@" </dev/null &
	child=$!
	cleanup_pids+=("$child")
}

# Runs a command in the background and waits: bash handles a signal during
# "wait" at once, but during a foreground command only when that has ended.
run_child() {
	local status=0

	start_child "$@"
	wait "$child" || status=$?
	unset 'cleanup_pids[-1]'
	return "$status"
}

# --- packages -------------------------------------------------------------

# By what they are for, so that a command can ask for all that it will need at
# once: whoever is not root wants to be told one command, not one after another.
# gcc-12 is what Debian 12 builds its kernels with; pahole and the libraries
# are for the programs in the headers.
# shellcheck disable=SC2034 # for the scripts that source this file
{
	stock_kernel_packages=(gcc-12 libc6-dev make libelf1 libssl3 pahole
		xz-utils kmod)
	uml_kernel_packages=(gcc libc6-dev make flex bison bc xz-utils kmod)
	clang_kernel_packages=(clang-19 lld-19 llvm-19 libc6-dev libelf-dev make
		flex bison bc xz-utils kmod)
	backport_kernel_packages=("${stock_kernel_packages[@]}"
		"${uml_kernel_packages[@]}" libelf-dev libssl-dev)
	guest_packages=(busybox-static cpio kmod xz-utils)
	vm_packages=(qemu-system-x86 "${guest_packages[@]}"
		"${stock_kernel_packages[@]}")
	uml_packages=("${guest_packages[@]}" "${uml_kernel_packages[@]}")
	demo_packages=(python3-minimal libpython3-stdlib cryptsetup-bin
		e2fsprogs "${vm_packages[@]}")
}

# More options for apt; a function may have a local one for what it calls.
apt_options=()

# Two scripts at once would find each other's lock on apt's lists; dpkg's own
# lock is waited for by apt itself. What apt says only matters if it fails.
apt_get() {
	local log=$cache_dir/apt.log

	mkdir -p "$cache_dir"
	DEBIAN_FRONTEND=noninteractive flock "$cache_dir/apt.lock" \
		apt-get -q -y -o DPkg::Lock::Timeout=600 -o Dpkg::Use-Pty=0 \
		"${apt_options[@]}" "$@" >"$log.$$" 2>&1 && rm -f "$log.$$" && return
	tail -n 20 "$log.$$" >&2
	rm -f "$log.$$"
	return 1
}

# The lists may be missing or too old for the mirror: one more try with fresh
# ones before giving up.
apt_get_retry() {
	apt_get "$@" && return
	info "trying again with fresh package lists"
	apt_get update && apt_get "$@"
}

# missing_packages PACKAGE...: prints those that are not installed.
missing_packages() {
	comm -13 \
		<(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null |
			sed -n 's/^installed //p' | sort -u) \
		<(printf '%s\n' "$@" | sort -u)
}

# need_packages PACKAGE...: installs what is missing, or says how to.
need_packages() {
	local -a missing

	command -v apt-get >/dev/null ||
		die "this is no Debian system: cannot look for the packages $*"
	mapfile -t missing < <(missing_packages "$@")
	((${#missing[@]})) || return 0
	if ((EUID)); then
		info "packages are missing; as root, type:"
		printf '  apt-get install --no-install-recommends %s\n' \
			"${missing[*]}" >&2
		exit 1
	fi
	info "installing ${missing[*]}"
	apt_get_retry install --no-install-recommends "${missing[@]}" ||
		die "could not install ${missing[*]}"
}

# --- the cache ------------------------------------------------------------

# An entry is a directory under $cache_dir. It counts only once the file
# "complete" stands in it, which is written last; everything else is a
# remnant of a run that was broken off.

entry_complete() {
	[[ -e $1/complete ]]
}

# with_entry DIR COMMAND...: has COMMAND fill the empty directory DIR, unless
# the entry is whole already. A run that wants the same entry waits.
with_entry() {
	local entry=$1 lock
	shift

	mkdir -p "$cache_dir"
	exec {lock}>"$entry.lock"
	if ! flock -n "$lock"; then
		info "waiting for another run that prepares ${entry##*/}"
		flock "$lock"
	fi
	if ! entry_complete "$entry"; then
		rm -rf -- "$entry"
		mkdir -p "$entry"
		"$@"
		touch "$entry/complete"
	fi
	touch "$entry"
	exec {lock}>&-
}

# prune_entries PATTERN MINUTES: removes entries that nothing has touched for
# so long. Their lock files stay: a run that waits on a deleted one would lock
# nothing.
prune_entries() {
	local entry

	while IFS= read -r entry; do
		flock -n "$entry.lock" rm -rf -- "$entry" || true
	done < <(find "$cache_dir" -mindepth 1 -maxdepth 1 -type d \
		-name "$1" -mmin +"$2")
}
