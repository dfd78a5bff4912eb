# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # variables shared with lib.sh, vm and uml
#
# What scripts/vm and scripts/uml have in common: options, the initramfs, the
# run under a time limit, and the verdict. To be sourced after lib.sh.
#
# The guest writes the command's output to one port, which is a plain file
# here, and "TOKEN STATUS" to another when the command has ended; the token is
# made up anew for each run. Only that line counts as an end: whatever else
# happens to the guest is a failure. The kernel's log has a channel of its own.

kernel=6.12
cpu=max
append=
timeout=300
command=
guest_modules=() # what the guest's init has to load
boot_limit=0 # seconds; 0 is none

# Exit statuses that are not the command's, as timeout(1) and env(1) use them.
status_usage=2
status_timeout=124
status_guest=125

usage_error() {
	info "error: $*; see scripts/$guest_kind --help"
	exit "$status_usage"
}

usage() {
	cat <<USAGE
Usage: scripts/$guest_kind [OPTION]... -- COMMAND...

$guest_summary
Builds the module for that kernel and runs COMMAND as root through "sh -c" in
the folder that this was called from. The guest's root file system is the
host's with memory on top: it reads everything and changes nothing. "modprobe
chacha_simd" finds the module.

  --kernel SERIES  $guest_kernels
$guest_options  --append ARGS    more arguments for the kernel's command line
  --timeout S      give up after so many seconds of guest time (default $timeout)
  -h, --help       this text

stdout gets COMMAND's output, both of its streams. If COMMAND fails, the
kernel's log since its start follows on stderr.

Exit status: COMMAND's; $status_usage wrong usage, 1 no kernel or no module to run,
$status_timeout time is up, $status_guest the guest died, or its kernel reported a fault
(oops, BUG, WARNING), even if COMMAND succeeded.
USAGE
}

# parse_options ARG...: sets the variables above.
parse_options() {
	while (($#)); do
		case $1 in
		-h | --help)
			usage
			exit
			;;
		--)
			shift
			command=$*
			break
			;;
		--kernel | --append | --timeout | --cpu)
			[[ $1 != --cpu || $guest_kind == vm ]] ||
				usage_error "there is no option --cpu: the CPU is the host's"
			[[ ${2---} != -- ]] || usage_error "$1 needs a value"
			printf -v "${1#--}" %s "$2"
			shift 2
			;;
		-*) usage_error "unknown option $1" ;;
		*) usage_error "the command goes after --" ;;
		esac
	done
	[[ $command ]] || usage_error "no command: nothing after --"
	[[ $timeout =~ ^[1-9][0-9]*$ ]] ||
		usage_error "--timeout wants whole seconds, not '$timeout'"
}

# Sets $module_entry and $kernel_entry. As a child, so that a signal ends the
# build too.
prepare_guest() {
	make_temp_dir
	run_dir=$temp_dir
	run_child "$scripts_dir/kernel" modules "$1" "$kernel" >"$run_dir/entry" ||
		exit 1
	module_entry=$(<"$run_dir/entry")
	kernel_entry=$(readlink "$module_entry/kernel")
}

# add_modules ROOT RELEASE: the modules that the guest's init needs, unpacked
# (its insmod cannot), in the order in which they load.
add_modules() {
	local root=$1 release=$2 module line name

	mkdir "$root/modules"
	for module in "${guest_modules[@]}"; do
		modprobe -d "$kernel_entry" -S "$release" --show-depends "$module"
	done | while read -r line module; do
		[[ $line == insmod ]] || continue
		name=$(basename "$module" .xz)
		case $module in
		*.xz) xz -dc "$module" >"$root/modules/$name" ;;
		*) cp "$module" "$root/modules/$name" ;;
		esac
		echo "$name"
	done | awk '!seen[$0]++' >"$root/modules/order"
}

# Sets $token. Settings and command travel in the initramfs.
make_initramfs() {
	local root=$run_dir/root release

	release=$(<"$kernel_entry/release")
	token=$(od -An -tx8 -N8 /dev/urandom | tr -d ' ')
	mkdir -p "$root/bin"
	cp /bin/busybox "$root/bin/"
	cp "$scripts_dir/guest-init" "$root/init"
	chmod +x "$root/init"
	printf '%s' "$command" >"$root/command"
	{
		printf '%s=%q\n' kind "$guest_kind"
		printf '%s=%q\n' token "$token" release "$release"
		printf '%s=%q\n' directory "$PWD"
		printf '%s=%q\n' kernel_entry "$kernel_entry"
		printf '%s=%q\n' module_entry "$module_entry"
	} >"$root/settings"
	add_modules "$root" "$release"
	(cd "$root" && find . | cpio -o -H newc --quiet -R 0:0) >"$run_dir/initrd"
}

# end_guest: one that does not even hear SIGTERM gets SIGKILL.
end_guest() {
	kill -TERM "$guest"
	start_child sleep 5
	wait -n "$guest" "$child" || true
	kill -KILL -- "-$guest" || true
	wait "$guest" || true
}

# The command has been started: the guest's init says so in the kernel's log.
command_started() {
	grep -a -q 'chacha-simd guest: command starts' "$run_dir/log"
}

# wait_for_guest SECONDS: fails if they have passed.
wait_for_guest() {
	local timer first

	start_child sleep "$1"
	timer=$child
	wait -n -p first "$guest" "$timer" || true
	[[ $first != "$timer" ]]
}

# run_guest COMMAND...: sets $timed_out, and $boot_hung if it never came to the
# command within $boot_limit seconds, where there is such a limit. COMMAND
# finds the two ports' files as descriptors 3 and 4; what it prints itself goes
# to the log. The output is shown as it comes: tail looks once more after the
# guest's end, so that nothing is lost.
run_guest() {
	local guest shower ended='' left=$timeout

	start_child "$@" 3>>"$run_dir/output" 4>>"$run_dir/status" \
		>>"$run_dir/log" 2>&1
	guest=$child
	start_child tail -c +1 -s 0.1 -f --pid="$guest" "$run_dir/output"
	shower=$child
	timed_out=
	boot_hung=
	{
		if ((boot_limit && boot_limit < left)); then
			((left -= boot_limit))
			if wait_for_guest "$boot_limit"; then
				ended=1
			elif ! command_started; then
				boot_hung=1
			fi
		fi
		[[ $ended || $boot_hung ]] || wait_for_guest "$left" ||
			timed_out=1
		[[ ! $boot_hung && ! $timed_out ]] || end_guest
		wait "$shower" || true
	} 2>/dev/null # "Aborted", says bash; the verdict says more
}

# --- the verdict ----------------------------------------------------------

# Lines of the kernel's log that tell of a fault, level and time stamp aside;
# the ones that say most come first.
line_start='^(<[0-9]>)?(\[ *[0-9.]+\] *)?'
fault_patterns=(
	"${line_start}Kernel panic"
	"$line_start(BUG:|kernel BUG|Oops|UBSAN:|Internal error)"
	"${line_start}general protection fault"
	"${line_start}WARNING: (CPU:|possible|inconsistent|suspicious)"
	"$line_start(-+\[ cut here|Modules linked in:)"
)

# Prints number and text of the line that names the fault; fails if there is
# none. No pipe here: grep stops reading at once, and what wrote to it would be
# seen to fail.
find_fault() {
	local pattern

	for pattern in "${fault_patterns[@]}"; do
		grep -a -n -E -m 1 -- "$pattern" "$run_dir/log" && return
	done
	return 1
}

# The log since the command's start, or all if it never came to that.
log_of_command() {
	awk '/chacha-simd guest: command starts/ { n = 0; next }
		{ line[n++] = $0 }
		END { for (i = 0; i < n; i++) print line[i] }' "$run_dir/log"
}

# log_around LINE: a report of the kernel's, and what came just before it.
log_around() {
	awk -v line="$1" 'NR > line - 25 && NR < line + 80' "$run_dir/log"
}

# Shows what comes on stdin.
show_log() {
	{
		echo "--- log of the guest's kernel $(<"$kernel_entry/release") ---"
		tr -d '\r'
		echo "--- end of log ---"
	} >&2
}

# guest_failed STATUS MESSAGE
guest_failed() {
	info "error: $2"
	exit "$1"
}

# Exits.
conclude() {
	local fault name='' result=''

	if fault=$(find_fault); then
		log_around "${fault%%:*}" | show_log
		fault=${fault#*:}
		guest_failed "$status_guest" \
			"fault in the guest's kernel: ${fault%$'\r'}"
	fi
	read -r name result <"$run_dir/status" || true
	if [[ $name == "$token" && $result == 0 ]]; then
		exit 0
	fi
	log_of_command | tail -n 100 | show_log
	if [[ $name == "$token" && $result ]]; then
		info "the command exited with status $result"
		exit "$result"
	fi
	[[ ! $boot_hung ]] ||
		guest_failed "$status_timeout" "the guest hangs at boot"
	[[ ! $timed_out ]] ||
		guest_failed "$status_timeout" \
			"the guest hangs: no end of the command within $timeout s"
	guest_failed "$status_guest" "the guest ended without a status of the command"
}
