// SPDX-License-Identifier: GPL-2.0
/*
 * make speed: times the drivers of the running kernel through AF_ALG, ours
 * beside the kernel's own.
 *
 * A request is one sendmsg() and one read(), so the figures contain two system
 * calls and two copies; ratios come out smaller than those of the ciphers
 * alone.  One sample is about half a millisecond of one driver at one length,
 * a round takes one of each, each time in another order; the result is the
 * median over the rounds.
 *
 * Deliberately absent: anything that loads modules.  What /proc/crypto lists
 * is what there is.
 */
#include <errno.h>
#include <getopt.h>
#include <linux/if_alg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

#ifndef SOL_ALG
#define SOL_ALG 279
#endif

enum {
	MAX_DRIVERS = 128,
	MAX_SIZES = 64,
	MAX_BYTES = 65536,
	SAMPLE_NS = 500 * 1000,
};

struct algorithm {
	const char *name;
	unsigned int iv_bytes;
};

static const struct algorithm algorithms[] = {
	{ "chacha20", 16 }, { "chacha12", 16 }, { "chacha8", 16 },
	{ "xchacha20", 32 }, { "xchacha12", 32 }, { "xchacha8", 32 },
	{ "salsa20", 8 }, { "salsa12", 8 }, { "salsa8", 8 },
	{ "xsalsa20", 24 },
};

struct driver {
	char name[128];
	const struct algorithm *algorithm;
	bool ours;
	int op;		/* socket */
};

struct cell {
	const struct driver *driver;
	size_t bytes;
	unsigned long calls;	/* in one sample */
	double *samples;	/* MB/s */
	double median;
};

static struct driver drivers[MAX_DRIVERS];
static size_t nr_drivers;
static size_t sizes[MAX_SIZES] = {
	16, 64, 128, 256, 496, 512, 1024, 1420, 4080, 4096, 16384, 65536,
};

static size_t nr_sizes;
static struct cell cells[MAX_DRIVERS][MAX_SIZES];
static unsigned long rounds = 15;
static unsigned char message[MAX_BYTES], result[MAX_BYTES], expected[MAX_BYTES];

static void fail(const char *what, const char *why)
{
	fprintf(stderr, "speed: %s: %s\n", what, why);
	exit(1);
}

/*
 * AF_ALG
 */

/* Returns -1 if AF_ALG does not have it. */
static int open_driver(const char *name)
{
	struct sockaddr_alg address = {
		.salg_family = AF_ALG,
		.salg_type = "skcipher",
	};
	static const unsigned char key[32] = { 1, 2, 3 };
	int tfm, op;

	snprintf((char *)address.salg_name, sizeof(address.salg_name), "%s",
		 name);
	tfm = socket(AF_ALG, SOCK_SEQPACKET, 0);
	if (tfm < 0)
		fail("this kernel gives no AF_ALG socket", strerror(errno));
	if (bind(tfm, (struct sockaddr *)&address, sizeof(address))) {
		fprintf(stderr, "speed: %s is left out, AF_ALG does not open it: %s\n",
			name, strerror(errno));
		close(tfm);
		return -1;
	}
	if (setsockopt(tfm, SOL_ALG, ALG_SET_KEY, key, sizeof(key)))
		fail(name, strerror(errno));
	op = accept(tfm, NULL, 0);
	if (op < 0)
		fail(name, strerror(errno));
	close(tfm);
	return op;
}

static void send_message(const struct driver *driver, size_t bytes)
{
	/* Room for an operation and an IV of up to 32 bytes */
	union {
		struct cmsghdr header;
		char bytes[128];
	} control = {};
	const unsigned int iv_bytes = driver->algorithm->iv_bytes;
	struct iovec data = { message, bytes };
	struct msghdr msg = {
		.msg_iov = &data,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = CMSG_SPACE(sizeof(uint32_t)) +
			CMSG_SPACE(sizeof(struct af_alg_iv) + iv_bytes),
	};
	struct cmsghdr *header = CMSG_FIRSTHDR(&msg);
	struct af_alg_iv *iv;

	header->cmsg_level = SOL_ALG;
	header->cmsg_type = ALG_SET_OP;
	header->cmsg_len = CMSG_LEN(sizeof(uint32_t));
	*(uint32_t *)CMSG_DATA(header) = ALG_OP_ENCRYPT;

	header = CMSG_NXTHDR(&msg, header);
	header->cmsg_level = SOL_ALG;
	header->cmsg_type = ALG_SET_IV;
	header->cmsg_len = CMSG_LEN(sizeof(*iv) + iv_bytes);
	iv = (struct af_alg_iv *)CMSG_DATA(header);
	iv->ivlen = iv_bytes;

	if (sendmsg(driver->op, &msg, 0) != (ssize_t)bytes)
		fail(driver->name, "sendmsg did not take the message");
}

static void request(const struct driver *driver, size_t bytes)
{
	size_t done = 0;

	send_message(driver, bytes);
	while (done < bytes) {
		ssize_t n = read(driver->op, result + done, bytes - done);

		if (n <= 0)
			fail(driver->name, n ? strerror(errno) : "no result");
		done += n;
	}
}

/*
 * /proc/crypto
 */

static const struct algorithm *find_algorithm(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(algorithms); i++)
		if (!strcmp(name, algorithms[i].name))
			return &algorithms[i];
	return NULL;
}

static void add_driver(const char *algorithm, const char *name,
		       const char *module)
{
	struct driver *driver = &drivers[nr_drivers];

	driver->algorithm = find_algorithm(algorithm);
	if (!driver->algorithm || nr_drivers == MAX_DRIVERS)
		return;
	snprintf(driver->name, sizeof(driver->name), "%s", name);
	driver->ours = !strcmp(module, "chacha_simd");
	driver->op = open_driver(name);
	if (driver->op >= 0)
		nr_drivers++;
}

static void read_proc_crypto(void)
{
	char line[256], algorithm[128] = "", name[128] = "", module[128] = "";
	char type[128];
	FILE *file = fopen("/proc/crypto", "r");

	if (!file)
		fail("/proc/crypto", strerror(errno));
	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, "name : %127s", algorithm) == 1 ||
		    sscanf(line, "driver : %127s", name) == 1 ||
		    sscanf(line, "module : %127s", module) == 1)
			continue;
		/* The type comes after those three. */
		if (sscanf(line, "type : %127s", type) == 1 &&
		    !strcmp(type, "skcipher"))
			add_driver(algorithm, name, module);
	}
	fclose(file);
}

/*
 * Time
 */

static unsigned long long now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static unsigned long long time_calls(const struct cell *cell, unsigned long calls)
{
	unsigned long long start = now_ns();

	while (calls--)
		request(cell->driver, cell->bytes);
	return now_ns() - start;
}

/* The shorter of two tries: the other may have been interrupted. */
static unsigned long long time_undisturbed(const struct cell *cell)
{
	unsigned long long a = time_calls(cell, cell->calls);
	unsigned long long b = time_calls(cell, cell->calls);

	return a < b ? a : b;
}

/* How many calls fill a sample */
static void calibrate(struct cell *cell)
{
	unsigned long long ns;

	for (cell->calls = 1; ; cell->calls *= 2) {
		ns = time_undisturbed(cell);
		if (ns >= SAMPLE_NS / 4)
			break;
	}
	cell->calls = (double)cell->calls * SAMPLE_NS / ns + 1;
}

/* All drivers of an algorithm must give the same bytes. */
static void check(size_t s)
{
	const struct driver *d, *first = NULL;

	for (d = drivers; d < drivers + nr_drivers; d++) {
		request(d, sizes[s]);
		if (!first || first->algorithm != d->algorithm) {
			first = d;
			memcpy(expected, result, sizes[s]);
		} else if (memcmp(expected, result, sizes[s])) {
			fail(d->name, "its result differs from others'");
		}
	}
}

static int compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void measure(struct cell **order, size_t nr)
{
	unsigned long round;
	size_t i, j;

	for (i = 0; i < nr; i++)
		calibrate(order[i]);
	for (round = 0; round < rounds; round++) {
		if (isatty(STDERR_FILENO))
			fprintf(stderr, "\rround %lu of %lu ", round + 1,
				rounds);
		for (i = nr; i > 1; i--) {
			struct cell *swap = order[i - 1];

			j = rand() % i;
			order[i - 1] = order[j];
			order[j] = swap;
		}
		for (i = 0; i < nr; i++) {
			struct cell *cell = order[i];

			time_calls(cell, cell->calls / 8 + 1);
			cell->samples[round] = 1e3 * cell->bytes * cell->calls /
				time_calls(cell, cell->calls);
		}
	}
	if (isatty(STDERR_FILENO))
		fprintf(stderr, "\r\033[K");
}

static void measure_all(void)
{
	static struct cell *order[MAX_DRIVERS * MAX_SIZES];
	size_t d, s, nr = 0;

	for (s = 0; s < nr_sizes; s++) {
		check(s);
		for (d = 0; d < nr_drivers; d++) {
			struct cell *cell = &cells[d][s];

			cell->driver = &drivers[d];
			cell->bytes = sizes[s];
			cell->samples = calloc(rounds, sizeof(double));
			if (!cell->samples)
				fail("memory", strerror(errno));
			order[nr++] = cell;
		}
	}
	measure(order, nr);
	while (nr--) {
		qsort(order[nr]->samples, rounds, sizeof(double), compare);
		order[nr]->median = order[nr]->samples[rounds / 2];
	}
}

/*
 * Tables
 */

static void heading(const struct algorithm *algorithm, const char *what)
{
	char text[64];
	size_t s;

	snprintf(text, sizeof(text), "%s, %s", algorithm->name, what);
	printf("\n%-40s", text);
	for (s = 0; s < nr_sizes; s++)
		printf("%8zu", sizes[s]);
	printf("\n");
}

static double best_in_tree(const struct algorithm *algorithm, size_t s)
{
	double best = 0;
	size_t d;

	for (d = 0; d < nr_drivers; d++)
		if (!drivers[d].ours && drivers[d].algorithm == algorithm &&
		    cells[d][s].median > best)
			best = cells[d][s].median;
	return best;
}

static bool any(const struct algorithm *algorithm, bool ours)
{
	size_t d;

	for (d = 0; d < nr_drivers; d++)
		if (drivers[d].algorithm == algorithm && drivers[d].ours == ours)
			return true;
	return false;
}

static void print_table(const struct algorithm *algorithm)
{
	size_t d, s;

	heading(algorithm, "MB/s");
	for (d = 0; d < nr_drivers; d++) {
		if (drivers[d].algorithm != algorithm)
			continue;
		printf("%-40s", drivers[d].name);
		for (s = 0; s < nr_sizes; s++)
			printf("%8.0f", cells[d][s].median);
		printf("\n");
	}
	if (!any(algorithm, true) || !any(algorithm, false))
		return;
	heading(algorithm, "ratio to the kernel's best");
	for (d = 0; d < nr_drivers; d++) {
		if (drivers[d].algorithm != algorithm || !drivers[d].ours)
			continue;
		printf("%-40s", drivers[d].name);
		for (s = 0; s < nr_sizes; s++)
			printf("%8.2f", cells[d][s].median /
			       best_in_tree(algorithm, s));
		printf("\n");
	}
}

static void write_csv(const char *path)
{
	FILE *file = fopen(path, "w");
	size_t d, s;

	if (!file)
		fail(path, strerror(errno));
	fprintf(file, "driver,size_bytes,mb_per_s\n");
	for (d = 0; d < nr_drivers; d++)
		for (s = 0; s < nr_sizes; s++)
			fprintf(file, "%s,%zu,%.1f\n", drivers[d].name,
				sizes[s], cells[d][s].median);
	if (fclose(file))
		fail(path, strerror(errno));
}

static const char usage[] =
	"Usage: scripts/speed [OPTION]...\n"
	"Times the drivers of the running kernel through AF_ALG, ours beside its own.\n"
	"Needs: chacha_simd loaded, AF_ALG's skcipher interface, gcc. As root it loads\n"
	"the modules itself, as another user it says what to load.\n"
	"\n"
	"  --size N     only messages of N bytes; may be repeated\n"
	"  --rounds N   samples of each, 15 unless given\n"
	"  --csv FILE   write rows \"driver,size_bytes,mb_per_s\" too\n"
	"  --help       this text\n";

static unsigned long parse_number(const char *text, unsigned long max)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	if (text[0] < '0' || text[0] > '9' || *end || !n || n > max)
		fail(text, "not a usable number");
	return n;
}

static const char *parse_options(int argc, char **argv)
{
	static const struct option options[] = {
		{ "size", required_argument, NULL, 's' },
		{ "rounds", required_argument, NULL, 'r' },
		{ "csv", required_argument, NULL, 'c' },
		{ "help", no_argument, NULL, 'h' },
		{}
	};
	const char *csv = NULL;
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 's' && nr_sizes < MAX_SIZES)
			sizes[nr_sizes++] = parse_number(optarg, MAX_BYTES);
		else if (option == 'r')
			rounds = parse_number(optarg, 100000);
		else if (option == 'c')
			csv = optarg;
		else if (option == 'h')
			exit(printf("%s", usage) < 0);
		else
			exit(2);
	}
	if (optind < argc)
		fail(argv[optind], "not an option; see --help");
	return csv;
}

int main(int argc, char **argv)
{
	const char *csv = parse_options(argc, argv);
	size_t i;

	for (i = nr_sizes; !nr_sizes; i++)
		if (!sizes[i])
			nr_sizes = i;
	read_proc_crypto();
	if (!nr_drivers)
		fail("/proc/crypto", "no driver to time");
	measure_all();
	for (i = 0; i < ARRAY_SIZE(algorithms); i++)
		if (any(&algorithms[i], true) || any(&algorithms[i], false))
			print_table(&algorithms[i]);
	if (csv)
		write_csv(csv);
	return 0;
}
