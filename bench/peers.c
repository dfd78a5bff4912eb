// SPDX-License-Identifier: GPL-2.0
/*
 * scripts/bench-peers: bare cores, ours and those of others, timed side by
 * side in one user-space process.
 *
 * How it measures:
 *
 *   Samples	One sample is about half a millisecond of one core at one
 *		size.  A repetition takes one sample of every core and size,
 *		each time in another order, so that a drift of the machine's
 *		speed hits all alike.  The result is the median over all
 *		repetitions; the best sample stands beside it.
 *
 *   Messages	Each has a nonce of its own.  Source and destination are two
 *		buffers, 64-byte aligned, which stay in the caches up to L2.
 *
 *   Cycles	The core clock is not the TSC's.  Each sample is followed at
 *		once by a chain of additions of two registers, each of which
 *		needs the result of the one before: every x86-64 CPU of the
 *		last twenty years does exactly one in a cycle.  (Not of a
 *		constant: some CPUs fold those when they rename registers.)
 *		Additions over time is the clock at which the sample ran,
 *		lowered by wide vectors where the CPU does that.
 *
 * Every core is held against the scalar one before anything is timed.  One that
 * returns with the upper halves of vector registers in use is named: SSE code
 * after it, anybody's, runs at a fraction of its speed on some CPUs.  For the
 * same reason each sample starts with clean upper halves.
 */
#include <cpuid.h>
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "peers.h"

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

enum {
	MAX_CORES = 96,
	MAX_SIZES = 64,
	MAX_BYTES = 65536,
	SAMPLE_NS = 500 * 1000,
	CHAIN_ADDS = 100 * 1000,	/* about 25 us */
	GUARD_BYTES = 64,
	DEFAULT_REPS = 15,
};

struct sample {
	double mb_per_s;
	double cycles_per_byte;
};

/* All measurements of one core at one size */
struct cell {
	const struct core *core;
	size_t bytes;
	unsigned long calls;	/* in one sample */
	struct sample *samples;	/* one for each repetition */
	struct sample median;
	double best;
};

static struct core cores[MAX_CORES];
static size_t nr_cores;
static size_t sizes[MAX_SIZES] = {
	16, 64, 128, 256, 496, 512, 1024, 1420, 4080, 4096, 16384, 65536,
};

static size_t nr_sizes;
static struct cell cells[MAX_CORES][MAX_SIZES];
static unsigned int reps = DEFAULT_REPS;

/*
 * The destination lies an odd multiple of 2048 behind the source: addresses
 * that are equal in their last twelve bits make some CPUs hold loads back.
 */
static struct {
	alignas(4096) u8 src[MAX_BYTES + 2048 - 64];
	u8 before[GUARD_BYTES];
	u8 dst[MAX_BYTES];
	u8 after[GUARD_BYTES];
	u8 expected[MAX_BYTES];
} buffers;

static void *checked(void *p)
{
	if (!p) {
		fprintf(stderr, "bench-peers: out of memory\n");
		exit(1);
	}
	return p;
}

static const char *core_name(const struct core *core)
{
	static char name[64];

	snprintf(name, sizeof(name), "%s-%s", core->algorithm, core->maker);
	return name;
}

/*
 * Which cores
 */

static struct {
	const char *names[MAX_CORES];
	size_t nr_names;
	unsigned int rounds[8];
	size_t nr_rounds;
} filter;

static bool name_wanted(const char *name)
{
	size_t i;

	for (i = 0; i < filter.nr_names; i++)
		if (!strcmp(name, filter.names[i]))
			return true;
	return !filter.nr_names;
}

static bool rounds_wanted(unsigned int rounds)
{
	size_t i;

	for (i = 0; i < filter.nr_rounds; i++)
		if (rounds == filter.rounds[i])
			return true;
	return !filter.nr_rounds;
}

void peers_add(const struct core *core)
{
	if (nr_cores == MAX_CORES) {
		fprintf(stderr, "bench-peers: MAX_CORES is too small\n");
		exit(1);
	}
	cores[nr_cores++] = *core;
}

void peers_skip(const char *algorithm, const char *maker, const char *why)
{
	printf("skipped: %s-%s: %s\n", algorithm, maker, why);
}

static const struct core *find_core(const char *algorithm, const char *maker)
{
	size_t i;

	for (i = 0; i < nr_cores; i++)
		if (!strcmp(cores[i].algorithm, algorithm) &&
		    !strcmp(cores[i].maker, maker))
			return &cores[i];
	return NULL;
}

/*
 * Correctness
 */

static void clean_upper_halves(void)
{
	if (__builtin_cpu_supports("avx"))
		asm volatile("vzeroupper" : : : "memory");
}

/* Components of XCR0 that are in use, where the CPU tells (XGETBV with ecx 1) */
static bool upper_halves_in_use(void)
{
	enum { YMM_UPPER = 1 << 2, ZMM_UPPER = 1 << 6, HAS_XGETBV1 = 1 << 2 };
	unsigned int a, b, c, d;

	if (!__builtin_cpu_supports("avx") ||
	    !__get_cpuid_count(0xd, 1, &a, &b, &c, &d) || !(a & HAS_XGETBV1))
		return false;
	asm volatile("xgetbv" : "=a" (a), "=d" (d) : "c" (1));
	return a & (YMM_UPPER | ZMM_UPPER);
}

/* At the first length that shows it; true if it does */
static bool warn_upper_halves(const struct core *core, size_t bytes)
{
	clean_upper_halves();
	core->run(core, 0, buffers.dst, buffers.src, bytes);
	if (!upper_halves_in_use())
		return false;
	printf("warning: %s leaves upper halves of vector registers in use (%zu bytes)\n",
	       core_name(core), bytes);
	return true;
}

static void check_one(const struct core *core, const struct core *oracle,
		      size_t bytes)
{
	const u64 nonce = 0x0123456789abcdef + bytes;
	size_t i;

	memset(buffers.before, 0xa5, GUARD_BYTES);
	memset(buffers.dst, 0xa5, bytes + GUARD_BYTES);
	oracle->run(oracle, nonce, buffers.expected, buffers.src, bytes);
	core->run(core, nonce, buffers.dst, buffers.src, bytes);

	if (memcmp(buffers.dst, buffers.expected, bytes)) {
		fprintf(stderr, "bench-peers: %s is wrong at %zu bytes\n",
			core_name(core), bytes);
		exit(1);
	}
	for (i = 0; i < GUARD_BYTES; i++) {
		if (buffers.before[i] == 0xa5 && buffers.dst[bytes + i] == 0xa5)
			continue;
		fprintf(stderr, "bench-peers: %s wrote beside %zu bytes\n",
			core_name(core), bytes);
		exit(1);
	}
}

static void check_core(const struct core *core)
{
	const struct core *oracle = find_core(core->algorithm, "scalar");
	size_t i;

	if (core->bytes) {
		check_one(core, oracle, core->bytes);
		return;
	}
	/* Up to more than a batch of the widest core (2048 bytes) and a tail */
	for (i = 0; i <= 2048 + 512; i++)
		check_one(core, oracle, i);
	for (i = 0; i < nr_sizes; i++)
		check_one(core, oracle, sizes[i]);
	for (i = 0; i <= 2048 + 512; i++)
		if (warn_upper_halves(core, i))
			break;
}

/*
 * Time
 */

static u64 now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

/* Cycles in a nanosecond, by the dependent chain described above */
static double core_clock(void)
{
	u64 sum = 0, one = 1, start = now_ns();
	unsigned int i;

	for (i = 0; i < CHAIN_ADDS; i += 20)
		asm volatile(".rept 20\n\tadd %1, %0\n\t.endr"
			     : "+r" (sum) : "r" (one));
	return (double)CHAIN_ADDS / (now_ns() - start);
}

static u64 time_calls(const struct core *core, size_t bytes,
		      unsigned long calls)
{
	static u64 nonce;
	u64 start = now_ns();
	unsigned long i;

	for (i = 0; i < calls; i++)
		core->run(core, nonce++, buffers.dst, buffers.src, bytes);
	return now_ns() - start;
}

/* The shorter of two tries: the other may have been interrupted. */
static u64 time_undisturbed(const struct cell *cell)
{
	u64 a = time_calls(cell->core, cell->bytes, cell->calls);
	u64 b = time_calls(cell->core, cell->bytes, cell->calls);

	return a < b ? a : b;
}

/* How many calls fill a sample */
static void calibrate(struct cell *cell)
{
	u64 ns;

	for (cell->calls = 1; ; cell->calls *= 2) {
		ns = time_undisturbed(cell);
		if (ns >= SAMPLE_NS / 4)
			break;
	}
	cell->calls = (double)cell->calls * SAMPLE_NS / ns + 1;
}

static void take_sample(struct cell *cell, struct sample *sample)
{
	const double bytes = (double)cell->bytes * cell->calls;
	u64 ns;

	clean_upper_halves();
	/* Caches, branch predictors and sleeping vector units */
	time_calls(cell->core, cell->bytes, cell->calls / 8 + 1);
	ns = time_calls(cell->core, cell->bytes, cell->calls);
	sample->mb_per_s = bytes / ns * 1e3;
	sample->cycles_per_byte = ns * core_clock() / bytes;
}

static unsigned int random_below(unsigned int bound)
{
	static u64 seed = 1;

	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return (seed >> 33) % bound;
}

static void measure(struct cell **order, size_t nr)
{
	const bool progress = isatty(STDERR_FILENO);
	unsigned int rep;
	size_t i;

	for (i = 0; i < nr; i++)
		calibrate(order[i]);
	for (rep = 0; rep < reps; rep++) {
		if (progress)
			fprintf(stderr, "\rrepetition %u of %u ", rep + 1, reps);
		for (i = nr; i > 1; i--) {
			unsigned int j = random_below(i);
			struct cell *swap = order[j];

			order[j] = order[i - 1];
			order[i - 1] = swap;
		}
		for (i = 0; i < nr; i++)
			take_sample(order[i], &order[i]->samples[rep]);
	}
	if (progress)
		fprintf(stderr, "\r\033[K");
}

static int by_speed(const void *a, const void *b)
{
	const struct sample *x = a, *y = b;

	return (x->mb_per_s > y->mb_per_s) - (x->mb_per_s < y->mb_per_s);
}

static int by_cycles(const void *a, const void *b)
{
	const struct sample *x = a, *y = b;

	return (x->cycles_per_byte > y->cycles_per_byte) -
	       (x->cycles_per_byte < y->cycles_per_byte);
}

static void evaluate(struct cell *cell)
{
	qsort(cell->samples, reps, sizeof(*cell->samples), by_cycles);
	cell->median.cycles_per_byte = cell->samples[reps / 2].cycles_per_byte;
	qsort(cell->samples, reps, sizeof(*cell->samples), by_speed);
	cell->median.mb_per_s = cell->samples[reps / 2].mb_per_s;
	cell->best = cell->samples[reps - 1].mb_per_s;
}

/* Cells of a core with one length only stay empty but for the first. */
static void measure_all(void)
{
	struct cell **order = checked(calloc(nr_cores * nr_sizes,
					     sizeof(*order)));
	size_t c, s, nr = 0;

	for (c = 0; c < nr_cores; c++) {
		for (s = 0; s < (cores[c].bytes ? 1 : nr_sizes); s++) {
			struct cell *cell = &cells[c][s];

			cell->core = &cores[c];
			cell->bytes = cores[c].bytes ?: sizes[s];
			cell->samples = checked(calloc(reps,
						       sizeof(struct sample)));
			order[nr++] = cell;
		}
	}
	measure(order, nr);
	while (nr--)
		evaluate(order[nr]);
	free(order);
}

/*
 * Tables
 */

typedef double (*value_fn)(const struct cell *);

static double speed(const struct cell *cell)
{
	return cell->median.mb_per_s;
}

static double best_speed(const struct cell *cell)
{
	return cell->best;
}

static double cycles(const struct cell *cell)
{
	return cell->median.cycles_per_byte;
}

static void print_heading(const char *algorithm, const char *title, size_t one)
{
	char text[64];
	size_t s;

	snprintf(text, sizeof(text), "%s, %s", algorithm, title);
	printf("\n%-44s", text);
	if (one)
		printf("%8zu", one);
	else
		for (s = 0; s < nr_sizes; s++)
			printf("%8zu", sizes[s]);
	printf("\n");
}

static void print_values(const char *algorithm, const char *title,
			 value_fn value, int digits)
{
	bool headed = false;
	size_t c, s;

	for (c = 0; c < nr_cores; c++) {
		if (strcmp(cores[c].algorithm, algorithm))
			continue;
		if (!headed)
			print_heading(algorithm, title, cores[c].bytes);
		headed = true;
		printf("%-44s", core_name(&cores[c]));
		for (s = 0; s < nr_sizes && cells[c][s].core; s++)
			printf("%8.*f", digits, value(&cells[c][s]));
		printf("\n");
	}
}

static void print_ratio(const struct core *a, const struct core *b,
			value_fn value)
{
	const struct cell *x, *y;
	char text[96];
	size_t s;

	if (!a || !b)
		return;
	x = cells[a - cores];
	y = cells[b - cores];
	snprintf(text, sizeof(text), "%s-%s : %s-%s", a->algorithm, a->maker,
		 b->algorithm, b->maker);
	printf("%-44s", text);
	for (s = 0; s < nr_sizes && x[s].core; s++)
		printf("%8.2f", value(&x[s]) / value(&y[s]));
	printf("\n");
}

static const struct core *best_of(const char *algorithm, enum side side,
				  size_t s, value_fn value)
{
	const struct core *best = NULL;
	size_t c;

	for (c = 0; c < nr_cores; c++) {
		if (strcmp(cores[c].algorithm, algorithm) ||
		    cores[c].side != side || !cells[c][s].core)
			continue;
		if (!best || value(&cells[c][s]) >
			     value(&cells[best - cores][s]))
			best = &cores[c];
	}
	return best;
}

/* Seven columns must do: "kernel-avx512vl" becomes "k-512vl". */
static const char *short_name(const struct core *core)
{
	static const char * const names[][2] = {
		{ "kernel-avx512vl", "k-512vl" },
		{ "kernel-avx2", "k-avx2" },
		{ "kernel-ssse3", "k-ssse3" },
		{ "libsodium", "sodium" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(core->maker, names[i][0]))
			return names[i][1];
	return core->maker;
}

static void print_best_ratio(const char *algorithm, value_fn value)
{
	const struct core *us, *peer;
	size_t s;

	printf("%-44s", "our best : best peer");
	for (s = 0; s < nr_sizes; s++) {
		us = best_of(algorithm, OURS, s, value);
		peer = best_of(algorithm, PEER, s, value);
		if (us && peer)
			printf("%8.2f", value(&cells[us - cores][s]) /
					value(&cells[peer - cores][s]));
	}
	printf("\n%-44s", "  who that peer is");
	for (s = 0; s < nr_sizes; s++) {
		peer = best_of(algorithm, PEER, s, value);
		if (peer)
			printf("%8.7s", short_name(peer));
	}
	printf("\n");
}

/* What a core of ours is to be faster than, at its own level */
static const struct {
	const char *ours, *peer;
} rivals[] = {
	{ "avx512", "kernel-avx512vl" },
	{ "avx512vl", "kernel-avx512vl" },
	{ "avx2", "kernel-avx2" },
	{ "ssse3", "kernel-ssse3" },
	{ "sse2", "kernel-ssse3" },
	{ "avx512", "openssl" },
	{ "avx512", "libsodium" },
	{ "avx512vl", "libsodium" },
	{ "avx2", "libsodium" },
	{ "sse2", "libsodium" },
	{ "avx2", "botan" },
	{ "scalar", "libsodium" },
	{ "scalar", "kernel-ssse3" },
};

static void print_ratios(const char *algorithm, const char *title,
			 value_fn value)
{
	const struct core *us = best_of(algorithm, OURS, 0, value);
	const struct core *peer = best_of(algorithm, PEER, 0, value);
	size_t i;

	if (!us || !peer)
		return;
	print_heading(algorithm, title, us->bytes);
	for (i = 0; i < ARRAY_SIZE(rivals); i++)
		print_ratio(find_core(algorithm, rivals[i].ours),
			    find_core(algorithm, rivals[i].peer), value);
	/* libsodium's 12 and 8 rounds are plain C, its 20 rounds are not. */
	if (!strcmp(algorithm, "salsa8") || !strcmp(algorithm, "salsa12"))
		print_ratio(find_core(algorithm, "avx512"),
			    find_core("salsa20", "libsodium"), value);
	print_best_ratio(algorithm, value);
}

static void print_tables(void)
{
	static const char * const algorithms[] = {
		"chacha20", "chacha12", "chacha8", "salsa20", "salsa12",
		"salsa8", "mix", "hchacha20", "hsalsa20",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(algorithms); i++) {
		print_values(algorithms[i], "MB/s, median", speed, 0);
		print_values(algorithms[i], "MB/s, best", best_speed, 0);
		print_values(algorithms[i], "cycles a byte, median", cycles, 3);
		print_ratios(algorithms[i], "ratios of medians", speed);
		print_ratios(algorithms[i], "ratios of best", best_speed);
	}
}

static void write_csv(const char *path)
{
	FILE *file = fopen(path, "w");
	size_t c, s;

	if (!file) {
		fprintf(stderr, "bench-peers: %s: %s\n", path, strerror(errno));
		exit(1);
	}
	fprintf(file, "core,size_bytes,mb_per_s,mb_per_s_best,cycles_per_byte\n");
	for (c = 0; c < nr_cores; c++)
		for (s = 0; s < nr_sizes && cells[c][s].core; s++)
			fprintf(file, "%s,%zu,%.1f,%.1f,%.4f\n",
				core_name(&cores[c]), cells[c][s].bytes,
				speed(&cells[c][s]), best_speed(&cells[c][s]),
				cycles(&cells[c][s]));
	if (fclose(file)) {
		fprintf(stderr, "bench-peers: %s: %s\n", path, strerror(errno));
		exit(1);
	}
}

/*
 * Command line
 */

static const char usage[] =
	"Usage: bench-peers [OPTION]...\n"
	"Times the bare cores of this tree beside the kernel's assembler, OpenSSL,\n"
	"libsodium and Botan, in one process.\n"
	"\n"
	"  --core NAME    only this one, as chacha20-avx512; may be repeated\n"
	"  --rounds N     only ciphers with 20, 12 or 8 rounds; may be repeated\n"
	"  --size N       only messages of N bytes; may be repeated\n"
	"  --reps N       repetitions, 15 unless given; 0 checks and times nothing\n"
	"  --csv FILE     write the figures to FILE too\n"
	"  --help         this text\n";

static void bad_usage(const char *what, const char *value)
{
	fprintf(stderr, "bench-peers: %s: %s\n%s", what, value, usage);
	exit(2);
}

static unsigned long number(const char *text, unsigned long max)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	if (!isdigit((unsigned char)text[0]) || *end || n > max)
		bad_usage("cannot use this", text);
	return n;
}

static const char *parse_options(int argc, char **argv)
{
	static const struct option options[] = {
		{ "core", required_argument, NULL, 'c' },
		{ "rounds", required_argument, NULL, 'r' },
		{ "size", required_argument, NULL, 's' },
		{ "reps", required_argument, NULL, 'n' },
		{ "csv", required_argument, NULL, 'f' },
		{ "help", no_argument, NULL, 'h' },
		{}
	};
	const char *csv = NULL;
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 'c' && filter.nr_names < MAX_CORES)
			filter.names[filter.nr_names++] = optarg;
		else if (option == 'r' &&
			 filter.nr_rounds < ARRAY_SIZE(filter.rounds))
			filter.rounds[filter.nr_rounds++] = number(optarg, 20);
		else if (option == 's' && nr_sizes < MAX_SIZES)
			sizes[nr_sizes++] = number(optarg, MAX_BYTES);
		else if (option == 'n')
			reps = number(optarg, 100000);
		else if (option == 'f')
			csv = optarg;
		else if (option == 'h')
			exit(printf("%s", usage) < 0);
		else
			exit(2);
	}
	if (optind < argc)
		bad_usage("not an option", argv[optind]);
	return csv;
}

/* Only now: a core that was not asked for may still be the oracle. */
static void keep_wanted(void)
{
	size_t i, kept = 0;

	for (i = 0; i < nr_cores; i++)
		if (name_wanted(core_name(&cores[i])) &&
		    rounds_wanted(cores[i].rounds))
			cores[kept++] = cores[i];
	nr_cores = kept;
	if (!kept) {
		fprintf(stderr, "bench-peers: no core of this name is here\n");
		exit(1);
	}
}

int main(int argc, char **argv)
{
	const char *csv = parse_options(argc, argv);
	size_t i;

	for (i = nr_sizes; !nr_sizes; i++)
		if (!sizes[i])
			nr_sizes = i;
	for (i = 0; i < sizeof(buffers.src); i++)
		buffers.src[i] = i * 7 + (i >> 8);

	peers_add_ours();
	peers_add_kernel();
	peers_add_openssl();
	peers_add_sodium();
	peers_add_botan();
	for (i = 0; i < nr_cores; i++)
		check_core(&cores[i]);
	printf("checked: %zu cores agree with the scalar ones\n", nr_cores);
	keep_wanted();
	if (!reps)
		return 0;

	measure_all();
	printf("core clock at the end: %.2f GHz\n", core_clock());
	print_tables();
	if (csv)
		write_csv(csv);
	return 0;
}
