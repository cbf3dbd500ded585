# SPDX-License-Identifier: BSD-3-Clause
#
# Several images need '{}' in the name of the plot; two images never share a plot.
make_image s64.npy shape=64x64 fill=sierpinski
make_image full.npy shape=64x64
make_image pages.tif shape=2x16x16 fill=steps
mkdir other
cp s64.npy other
"$RUGOSE" boxcount -q -f csv --plot 'plot-{}.gp' s64.npy full.npy
exits 2 "$RUGOSE" boxcount -q --plot plot.gp s64.npy full.npy
exits 2 "$RUGOSE" boxcount -q --plot plot.gp --page all pages.tif
"$RUGOSE" boxcount -q -f csv --page all --plot 'page-{}.gp' pages.tif
printf 'image\ns64.npy\nfull.npy\n' >list.csv
exits 2 "$RUGOSE" boxcount -q --plot plot.gp --list list.csv
title "the same name twice"
exits 2 "$RUGOSE" boxcount -q -f csv --plot 'again-{}.gp' s64.npy other/s64.npy
title "endings that are no plot"
exits 2 "$RUGOSE" boxcount -qf csv --plot plot.pdf s64.npy
exits 2 "$RUGOSE" boxcount -qf csv --plot plot s64.npy
title "a folder that is not there"
exits 1 "$RUGOSE" boxcount -q -f csv --plot nowhere/plot.gp s64.npy
ls -A | sort
