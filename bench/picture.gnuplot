# SPDX-License-Identifier: GPL-2.0
#
# The picture of scripts/bench-report: MB/s over message length, a line for
# each driver. Variables: raw (what scripts/bench --raw wrote), picture (the
# file to write), machine (a line of text).

set terminal pngcairo size 1500,700 font "sans,12"
set output picture
set multiplot layout 1,2 title machine

set logscale x 2
set xtics (16, 64, 256, "1 K" 1024, "4 K" 4096, "16 K" 16384, "64 K" 65536)
set xrange [14:75000]
set yrange [0:*]
set xlabel "message, bytes"
set ylabel "10^6 bytes a second"
set grid
set key top left Left reverse spacing 1.1
set offsets graph 0, graph 0, graph 0.05, graph 0

# A colour for each level; ours solid with points, the kernel's own dashed
set linetype 1 lw 2 pt 7 ps 0.7 lc rgb "#c00000"
set linetype 2 lw 2 pt 7 ps 0.7 lc rgb "#e08000"
set linetype 3 lw 2 pt 7 ps 0.7 lc rgb "#208020"
set linetype 4 lw 2 pt 7 ps 0.7 lc rgb "#2060c0"
set linetype 5 lw 2 pt 7 ps 0.7 lc rgb "#20a0a0"
set linetype 6 lw 2 pt 7 ps 0.7 lc rgb "#8040a0"
set linetype 7 lw 2 dt 2 pt 0 lc rgb "#e08000"
set linetype 8 lw 2 dt 2 pt 0 lc rgb "#208020"
set linetype 9 lw 2 dt 2 pt 0 lc rgb "#2060c0"
set linetype 10 lw 2 dt 2 pt 0 lc rgb "#8040a0"

makers = "avx512 avx512vl avx2 ssse3 sse2 scalar kernel-avx512vl kernel-avx2 kernel-ssse3 kernel-generic"
name(alg, i) = alg."-".word(makers, i)
rows(driver) = sprintf("< awk '$1 == \"%s\" && $3 == 0 && $4 == 0 { print $2, $5 }' '%s'", driver, raw)
timed(driver) = int(system(sprintf("grep -c '^%s ' '%s' || true", driver, raw)))

do for [alg in "chacha20 salsa20"] {
	present = ""
	do for [i = 1:words(makers)] {
		if (timed(name(alg, i))) { present = present." ".i }
	}
	set title alg
	if (words(present)) {
		plot for [i in present] rows(name(alg, int(i))) \
			with linespoints linetype int(i) \
			title name(alg, int(i)) noenhanced
	}
}
