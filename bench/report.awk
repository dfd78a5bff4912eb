# SPDX-License-Identifier: GPL-2.0
#
# Tables from what scripts/bench --raw writes: lines "driver bytes fragment
# apart mb_per_s best ns". With -v fine=1 only the drivers of ours that are
# slower than the in-tree driver of their level, length by length.

BEGIN {
	nr_algs = split("chacha20 chacha12 chacha8 xchacha20 xchacha12 xchacha8 salsa20 salsa12 salsa8 xsalsa20", algs)
	nr_makers = split("scalar sse2 ssse3 avx2 avx512vl avx512 kernel-generic kernel-ssse3 kernel-avx2 kernel-avx512vl", makers)
	nr_ours = 6

	# What each of ours has to be faster than at its own level
	rival["scalar"] = "kernel-generic"
	rival["sse2"] = "kernel-ssse3"
	rival["ssse3"] = "kernel-ssse3"
	rival["avx2"] = "kernel-avx2"
	rival["avx512vl"] = "kernel-avx512vl"
	rival["avx512"] = "kernel-avx512vl"
}

$4 == 0 {
	speed[$1, $2, $3] = $5
	best[$1, $2, $3] = $6
	ns[$1, $2, $3] = $7
	if ($1 ~ /^adiantum/)
		has_adiantum = 1
	else if (!(($2, $3) in seen)) {
		seen[$2, $3] = 1
		size[$3, ++nr_sizes[$3]] = $2
	}
}

END {
	# The lines are sorted by driver before size: all sizes are in order.
	if (fine) {
		slower()
		exit
	}
	for (a = 1; a <= nr_algs; a++)
		speeds(algs[a])
	for (a = 1; a <= nr_algs; a++)
		ratios(algs[a])
	short_requests()
	scatterlists("1480", "entries of 1480 bytes")
	scatterlists("odd", "entries of one to three pages, cut at odd bytes")
	adiantum()
}

function heading(text, fragment,	i) {
	printf "\n%s\n%-26s", text, ""
	for (i = 1; i <= nr_sizes[fragment]; i++)
		printf "%8d", size[fragment, i]
	print ""
}

function measured(driver, fragment) {
	return (driver, size[fragment, 1], fragment) in speed
}

function any_of(alg, first, last,	m) {
	for (m = first; m <= last; m++)
		if (measured(alg "-" makers[m], 0))
			return 1
	return 0
}

function speeds(alg,	m, i, driver) {
	if (any_of(alg, 1, nr_makers))
		heading(alg ", MB/s", 0)
	for (m = 1; m <= nr_makers; m++) {
		driver = alg "-" makers[m]
		if (!measured(driver, 0))
			continue
		printf "%-26s", driver
		for (i = 1; i <= nr_sizes[0]; i++)
			printf "%8.0f", speed[driver, size[0, i], 0]
		print ""
	}
}

# To name an element of an array is to make it; hence the tests with "in".
function best_in_tree(alg, bytes,	m, top, driver) {
	top = 0
	for (m = nr_ours + 1; m <= nr_makers; m++) {
		driver = alg "-" makers[m]
		if ((driver, bytes, 0) in speed && speed[driver, bytes, 0] > top)
			top = speed[driver, bytes, 0]
	}
	return top
}

function ratios(alg,	m, i, us) {
	if (!any_of(alg, 1, nr_ours) || !any_of(alg, nr_ours + 1, nr_makers))
		return
	heading(alg ", ratio to the best in-tree driver at that size", 0)
	for (m = 1; m <= nr_ours; m++) {
		us = alg "-" makers[m]
		if (!measured(us, 0))
			continue
		printf "%-26s", us
		for (i = 1; i <= nr_sizes[0]; i++)
			printf "%8.2f", speed[us, size[0, i], 0] / best_in_tree(alg, size[0, i])
		print ""
	}
	heading(alg ", ratio to the in-tree driver of that level", 0)
	for (m = 1; m <= nr_ours; m++)
		ratio_to_rival(alg, makers[m])
}

function ratio_to_rival(alg, maker,	i, us, them) {
	us = alg "-" maker
	them = alg "-" rival[maker]
	if (!measured(us, 0) || !measured(them, 0))
		return
	printf "%-26s", maker " : " rival[maker]
	for (i = 1; i <= nr_sizes[0]; i++)
		printf "%8.2f", speed[us, size[0, i], 0] / speed[them, size[0, i], 0]
	print ""
}

function short_requests(	a, m, driver) {
	if (!((16, 0) in seen) || !((64, 0) in seen))
		return
	print "\nShort requests, 10^6 a second, and the ratio to the in-tree generic driver"
	printf "%-26s%11d%18d\n", "", 16, 64
	for (a = 1; a <= nr_algs; a++)
		for (m = 1; m <= nr_makers; m++) {
			driver = algs[a] "-" makers[m]
			if (!measured(driver, 0))
				continue
			printf "%-26s", driver
			short_request(driver, algs[a] "-kernel-generic", 16)
			short_request(driver, algs[a] "-kernel-generic", 64)
			print ""
		}
}

function short_request(driver, base, bytes) {
	printf "%11.2f", 1000 / ns[driver, bytes, 0]
	if ((base, bytes, 0) in ns)
		printf "%7.2f", ns[base, bytes, 0] / ns[driver, bytes, 0]
	else
		printf "%7s", ""
}

function scatterlists(fragment, text,	a, m, i, driver, bytes) {
	if (!nr_sizes[fragment])
		return
	heading("Scatterlists, " text ": speed relative to one piece", fragment)
	for (a = 1; a <= nr_algs; a++)
		for (m = 1; m <= nr_makers; m++) {
			driver = algs[a] "-" makers[m]
			if (!measured(driver, fragment))
				continue
			printf "%-26s", driver
			for (i = 1; i <= nr_sizes[fragment]; i++) {
				bytes = size[fragment, i]
				printf "%8.2f", speed[driver, bytes, fragment] / speed[driver, bytes, 0]
			}
			print ""
		}
}

# Of 4096 bytes Adiantum's stream cipher does all but the last 16.
function adiantum(	m, driver, stream) {
	if (!has_adiantum)
		return
	print "\nadiantum(xchacha12,aes), 4096 bytes, aes and nhpoly1305 in generic C"
	printf "%-26s%8s%14s%22s\n", "over", "MB/s", "us a request", "share of xchacha12, %"
	for (m = 1; m <= nr_makers; m++) {
		stream = "xchacha12-" makers[m]
		driver = "adiantum(" stream ",aes-generic,nhpoly1305-generic)"
		if ((driver, 4096, 0) in speed && (stream, 4080, 0) in ns)
			printf "%-26s%8.0f%14.2f%22.0f\n", stream,
				speed[driver, 4096, 0], ns[driver, 4096, 0] / 1000,
				100 * ns[stream, 4080, 0] / ns[driver, 4096, 0]
	}
}

# The median shows what is typical, the best sample what is left without the
# machine's noise; ours is slower where both say so by more than 2 %.
function slower(	a, m, us, them) {
	for (a = 1; a <= nr_algs; a++)
		for (m = 1; m <= nr_ours; m++) {
			us = algs[a] "-" makers[m]
			them = algs[a] "-" rival[makers[m]]
			if (measured(us, 0) && measured(them, 0))
				slower_than(us, them)
		}
	printf "\n%s", summary
}

function slower_than(us, them,	i, bytes, ratio, best_ratio, smallest, below, lost, where) {
	smallest = 1000
	below = lost = 0
	for (i = 1; i <= nr_sizes[0]; i++) {
		bytes = size[0, i]
		ratio = speed[us, bytes, 0] / speed[them, bytes, 0]
		best_ratio = best[us, bytes, 0] / best[them, bytes, 0]
		if (ratio < smallest) {
			smallest = ratio
			where = bytes
		}
		if (ratio >= 1)
			continue
		below++
		if (ratio < 0.98 && best_ratio < 0.98)
			lost++
		printf "%s : %s, %d bytes: median %.3f, best %.3f%s\n", us, them,
			bytes, ratio, best_ratio,
			ratio < 0.98 && best_ratio < 0.98 ? "  SLOWER" : ""
	}
	summary = summary sprintf("%-52s %d lengths, %d below 1.0, %d slower, smallest %.3f at %d bytes\n",
		us " : " them, nr_sizes[0], below, lost, smallest, where)
}
