# SPDX-License-Identifier: BSD-3-Clause
#
# Dark pixels as the foreground, the share of the foreground, and the warning above half.
make_image dark.npy shape=64x64 fill=sierpinski low=200 high=20
make_image bright.npy shape=64x64 fill=sierpinski low=20 high=200
"$RUGOSE" boxcount -f csv bright.npy dark.npy
title "the others"
"$RUGOSE" boxcount -f csv --foreground otsu-dark bright.npy dark.npy
"$RUGOSE" boxcount -f csv --foreground otsu bright.npy dark.npy
title "by value"
"$RUGOSE" boxcount -f csv --foreground above=20 bright.npy
"$RUGOSE" boxcount -f csv --foreground below=200 dark.npy
"$RUGOSE" boxcount -f csv --foreground below=201 dark.npy
"$RUGOSE" boxcount -f csv --foreground below=150 bright.npy
"$RUGOSE" boxcount -f csv --foreground nonzero bright.npy
"$RUGOSE" boxcount -f csv --foreground label=200 dark.npy
title "other commands"
"$RUGOSE" lacunarity -f csv --sizes 4 --foreground otsu-dark dark.npy
"$RUGOSE" multifractal -f csv --q 0 --foreground otsu-dark dark.npy
title "no such rule"
exits 2 "$RUGOSE" boxcount --foreground otsu-light dark.npy
