#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Draws docs/images/mukundan_sides.svg: mukundan_sides.sh BUILD [DEVICE [RUNS]]. BUILD is a build folder,
# whose bench_boxcount_cl is used on DEVICE (default opencl:0), best of RUNS (default 3); gnuplot draws.
# Prints the rows too.
set -eu
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$build/bench/bench_boxcount_cl" "${3-3}" "${2-opencl:0}" 256 512 1024 2048 4096 8192 >rows.tsv
cat rows.tsv
curve() { awk -F'\t' -v way="$1" '{ n = split($1, f, ", ") } n == 2 && f[2] == way { print f[1] + 0, $2 }' rows.tsv; }
curve sequential >sequential.txt
curve 'kernel 1 (atomic)' >kernel_1.txt
curve 'kernel 2 (local)' >kernel_2.txt
curve 'pyramid on the device' >device.txt
curve 'pyramid on the processor' >processor.txt
cat >figure.gp <<'GNUPLOT'
set terminal svg size 640,400 font 'sans,11' background 'white'
set logscale xy
set xtics (256, 512, 1024, 2048, 4096, 8192)
set format y '%g'
set grid lc rgb '#dddddd'
set key outside right
set xlabel 'side of the image (pixels)'
set ylabel 'time of the whole call (ms)'
plot [230:9100] \
  'kernel_1.txt' with linespoints pt 7 ps 0.6 lc rgb '#cc4422' title 'kernel 1', \
  'kernel_2.txt' with linespoints pt 7 ps 0.6 lc rgb '#dd9922' title 'kernel 2', \
  'sequential.txt' with linespoints pt 7 ps 0.6 lc rgb '#555555' title 'sequential', \
  'device.txt' with linespoints pt 7 ps 0.6 lc rgb '#88aadd' title 'pyramid, device', \
  'processor.txt' with linespoints pt 7 ps 0.6 lc rgb '#2255aa' title 'pyramid, processor'
GNUPLOT
gnuplot figure.gp >"$here/../images/mukundan_sides.svg"
