# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2154 # variables of lib.sh
#
# What the steps of scripts/check share: their packages, and their results in
# TAP, which is "ok N - name", "not ok N - name", "# SKIP reason" behind a name,
# and the plan "1..N" as last line. To be sourced after lib.sh.
#
# A step calls run_case or relay for each thing it tests, and conclude_step at
# its end; a step that dies before that prints no plan, and scripts/check sees
# it.

# All that any step or any script below it needs, so that somebody who may not
# install packages is told of all of them at once. Not clang 14, which has cases
# in user space only, after those of gcc.
need_check_packages() {
	need_packages bc binutils bison busybox-static clang-19 cpio \
		cryptsetup-bin dmsetup e2fsprogs flex gcc gcc-12 git kmod \
		libc6-dbg libc6-dev libelf-dev libelf1 libpython3-stdlib \
		libssl3 lld-19 llvm-19 make pahole perl procps \
		python3-minimal qemu-system-x86 shellcheck sparse valgrind \
		xz-utils
}

case_count=0
failed_count=0
# The status of a case that cannot be run here; its last line is the reason.
status_skip=77

# comment FILE: as TAP's diagnostics, the end of it if it is long.
comment() {
	tail -n "${2:-60}" "$1" | sed 's/^/# /'
}

passed() {
	echo "ok $((++case_count)) - $1"
}

# failed NAME [FILE]: FILE tells more.
failed() {
	((++failed_count))
	echo "not ok $((++case_count)) - $1"
	[[ ! ${2-} ]] || comment "$2"
}

skipped() {
	echo "ok $((++case_count)) - $1 # SKIP $2"
}

# skip REASON: ends the case that it is called in.
skip() {
	echo "$*"
	exit "$status_skip"
}

# start_case COMMAND...: sets $case_pid. A case runs in a subshell in the
# background because bash takes no notice of failures, "set -e" or not, inside
# a function that is called in a condition, and this is the way to have its
# status all the same. So do not call this, or run_case or relay, in one.
start_case() {
	("$@") </dev/null >"$step_dir/case" 2>"$step_dir/case.err" &
	case_pid=$!
	cleanup_pids+=("$case_pid")
}

# run_case NAME COMMAND...: a case passes if COMMAND does, with all commands
# in it if it is a function.
run_case() {
	local name=$1 status=0
	shift

	start_case "$@"
	wait "$case_pid" || status=$?
	unset 'cleanup_pids[-1]'
	if ((status == status_skip)); then
		skipped "$name" "$(tail -n 1 "$step_dir/case")"
	elif ((status)); then
		cat "$step_dir/case.err" >>"$step_dir/case"
		failed "$name" "$step_dir/case"
	else
		passed "$name"
	fi
}

# no_output COMMAND...: finds nothing to say. What it does say is shown.
no_output() {
	local output

	output=$("$@" 2>&1) || true
	[[ ! $output ]] || {
		echo "$output"
		return 1
	}
}

# relay PREFIX COMMAND...: a program with results in TAP of its own, which
# become ours. That it ran to its end is a result as well, and so is a status
# other than 0 that no result explains.
relay() {
	local prefix=$1 status=0 line seen=0 bad=0 plan=none
	shift

	start_case "$@"
	wait "$case_pid" || status=$?
	unset 'cleanup_pids[-1]'
	while IFS= read -r line; do
		case $line in
		'ok '* | 'not ok '*)
			((++seen))
			[[ $line != not* ]] || ((++bad))
			echo "${line%%ok *}ok $((++case_count)) - $prefix: ${line#*- }"
			;;
		1..*) plan=${line#1..} ;;
		*) echo "# ${line#\# }" ;;
		esac
	done <"$step_dir/case"
	((failed_count += bad)) || true
	if [[ $plan != "$seen" ]]; then
		failed "$prefix: runs to its end (status $status, $seen of $plan results)" \
			"$step_dir/case.err"
	elif ((status > (bad > 0))); then
		failed "$prefix: exits in order (status $status)" \
			"$step_dir/case.err"
	fi
}

# has ISA: this machine, and so User Mode Linux, runs it.
has() {
	local flags

	flags=" $(grep -m 1 '^flags' /proc/cpuinfo) "
	case $1 in
	scalar) true ;;
	avx512*) [[ $flags == *" avx512f "* && $flags == *" avx512vl "* ]] ;;
	*) [[ $flags == *" $1 "* ]] ;;
	esac
}

# begin_step: sets $step_dir.
begin_step() {
	need_check_packages
	make_temp_dir
	step_dir=$temp_dir
}

# Exits.
conclude_step() {
	echo "1..$case_count"
	exit $((failed_count > 0))
}

# tree_files [PATTERN]...: the files that belong to the tree, whether added to
# git yet or not.
# shellcheck disable=SC2120 # the patterns are for some callers only
tree_files() {
	local file

	cd "$tree_dir" || exit
	git ls-files -co --exclude-standard -- "$@" | sort -u |
		while IFS= read -r file; do
			[[ ! -e $file ]] || echo "$file"
		done
}
