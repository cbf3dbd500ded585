#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Draws docs/images/grid_positions.svg: grid_positions.sh BUILD. BUILD is a build folder, whose program
# and make_image are used; gnuplot draws.
set -eu
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$build/tests/make_image" triangle.npy shape=128x128 fill=sierpinski side=64 first=31
"$build/tests/make_image" sponge.npy shape=512x512x512 fill=menger
"$build/cli/rugose" boxcount -q --grid min --sizes 1,2,4,8,16,32 --fit 1..32 \
    --counts triangle.csv -o out.csv triangle.npy
"$build/cli/rugose" boxcount -q --counts origin.csv -o out.csv triangle.npy
"$build/cli/rugose" boxcount -q --grid min --sizes 3..81:2 --counts sponge.csv -o out.csv sponge.npy
cat >figure.gp <<'GNUPLOT'
set terminal svg size 900,380 font 'sans,11' background 'white'
set datafile separator ','
set multiplot layout 1,2
set logscale xy
set xtics (1, 2, 4, 8, 16, 32)
set grid lc rgb '#dddddd'
set key above left reverse Left maxrows 2
set xlabel 'box size (pixels)'
set ylabel 'nonempty boxes'
set title 'Sierpinski triangle, 31 pixels off the grid: ln 3 / ln 2 = 1.585'
plot [0.9:36][2:1500] \
  'origin.csv' using (column('size')):(column('nonempty')) with linespoints pt 7 ps 0.6 lc rgb '#cc4422' title 'grid at the origin: D = 1.340', \
  'triangle.csv' using (column('size')):(column('nonempty')) with linespoints pt 7 ps 0.6 lc rgb '#2255aa' title 'best of all positions: D = 1.585'
set title 'Menger sponge, 512 x 512 x 512: all positions'
set xtics (3, 9, 27, 81)
plot [2.8:90] \
  'sponge.csv' using (column('size')):(column('least')):(column('most')) with filledcurves fc rgb '#ccd9ee' title 'least to most', \
  '' using (column('size')):(column('least')) with lines lw 1.5 lc rgb '#2255aa' title 'best position', \
  '' using (column('size')):(column('mean')) with lines dt 2 lc rgb '#555555' title 'mean', \
  '' using (column('size')):(column('most')) with lines lw 1 lc rgb '#cc4422' title 'worst position'
unset multiplot
GNUPLOT
gnuplot figure.gp >"$here/../images/grid_positions.svg"
