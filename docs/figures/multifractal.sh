#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Draws docs/images/multifractal.svg and lacunarity.svg: multifractal.sh BUILD. BUILD is a build folder,
# whose program and make_image are used; gnuplot draws.
set -eu
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
data=$here/../../tests/data
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
RUGOSE=$build/cli/rugose TOOLS=$build/tests
. "$here/../../tests/cli/prelude.sh"
make_image cascade.tif dtype=u16 shape=64x64 values="$(cascade_values)"
"$RUGOSE" multifractal -q --fit 1..32 -o cascade.csv cascade.tif
"$RUGOSE" multifractal -q --foreground auto --q -2..10:0.5 -o all.csv "$data/bin_retina_vessels.png" 2>log
"$RUGOSE" multifractal -q --foreground auto --q -2..10:0.5 --fit 16..512 -o wide.csv "$data/bin_retina_vessels.png" 2>log
cat >figure.gp <<'GNUPLOT'
set encoding utf8
set terminal svg size 900,380 font 'sans,11' background 'white'
set datafile separator ','
set multiplot layout 1,2
set grid lc rgb '#dddddd'
set key above left reverse Left maxrows 2
set xlabel 'α'
set ylabel 'f(α)'
set title 'a cascade of factors 0.4, 0.3, 0.2, 0.1'
z(q) = 0.4**q + 0.3**q + 0.2**q + 0.1**q
mean(q, a, b, c, d) = (0.4**q * a + 0.3**q * b + 0.2**q * c + 0.1**q * d) / z(q)
alpha(q) = -mean(q, log(0.4), log(0.3), log(0.2), log(0.1)) / log(2)
f(q) = alpha(q) * q + log(z(q)) / log(2)
set parametric
set trange [-10:10]
set samples 400
plot [-10:10] alpha(t), f(t) with lines lc rgb '#555555' title 'by its formulas', \
  'cascade.csv' using (column('alpha')):(column('f')) with points pt 7 ps 0.5 lc rgb '#0072b2' title '41 orders of rugose'
unset parametric
set xlabel 'order q'
set ylabel 'D_q'
set title 'the vessels of a retina'
plot [-2.3:10.3][0.7:2.3] \
  'all.csv' using (column('q')):(column('D')):(column('D_error')) with yerrorbars pt 7 ps 0.5 lc rgb '#d55e00' title 'sizes 1 to 256', \
  'wide.csv' using (column('q')):(column('D')):(column('D_error')) with yerrorbars pt 7 ps 0.5 lc rgb '#0072b2' title 'sizes 16 to 512'
unset multiplot
GNUPLOT
gnuplot figure.gp >"$here/../images/multifractal.svg"

awk 'BEGIN {
    print "P2\n1411 1411\n1"
    for (i = x = 1; i <= 1411 * 1411; i++) { x = x * 16807 % 2147483647; print (x < 0.06912632 * 2147483647) }
}' >noise.pgm
"$RUGOSE" lacunarity -q -o vessels.csv "$data/bin_retina_vessels.png"
"$RUGOSE" lacunarity -q -o noise.csv noise.pgm
cat >figure.gp <<'GNUPLOT'
set encoding utf8
set terminal svg size 560,380 font 'sans,11' background 'white'
set datafile separator ','
set logscale xy
set xtics (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)
set grid lc rgb '#dddddd'
set key above left reverse Left maxrows 2
set xlabel 'box size (pixels)'
set ylabel 'lacunarity Λ'
plot [0.9:1200][0.9:20] \
  'vessels.csv' using (column('size')):(column('lacunarity')) with linespoints pt 7 ps 0.6 lc rgb '#0072b2' title 'vessels of a retina', \
  'noise.csv' using (column('size')):(column('lacunarity')) with linespoints pt 7 ps 0.6 lc rgb '#d55e00' title 'as many pixels at random places'
GNUPLOT
gnuplot figure.gp >"$here/../images/lacunarity.svg"
