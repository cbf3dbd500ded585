# SPDX-License-Identifier: BSD-3-Clause
#
# Sets of points: the mass of a pixel is the number of points in it.
awk 'BEGIN { for (y = 0; y < 16; y++) for (x = 0; x < 16; x++) if (y % 4 < 2) { print x "," y; if (x % 2) print x "," y } }' >grid.csv
printf '0.5 0.5 0.5\n1.5 0.5 0.5\n-0.25 8 1\n' >real.xyz
"$RUGOSE" multifractal --q -1,0,1,2 --fit 1..8 --moments sums.csv grid.csv
grep ',2,' sums.csv
title "real coordinates: a resolution, a spacing"
"$RUGOSE" multifractal --q 0,1 --fit 1..64 --resolution 128 real.xyz
"$RUGOSE" multifractal --q 0,1 --fit 1..8 --spacing 0.5 real.xyz
title "the coast of Great Britain; D0 is that of boxcount"
"$RUGOSE" multifractal -f csv --q 0,1,2 --resolution 512 --fit 1..64 $DATA/gb_coast_xy.tsv
"$RUGOSE" boxcount -qf csv --resolution 512 --fit 1..64 $DATA/gb_coast_xy.tsv | cut -d, -f 5,6
"$RUGOSE" multifractal -qf json --q 0 --fit 1..8 grid.csv >out.json
check_json out.json
json_values out.json parameters.points parameters.resolution
title "options that are not theirs"
make_image img.npy shape=8x8
exits 1 "$RUGOSE" multifractal -q --foreground nonzero grid.csv
exits 1 "$RUGOSE" multifractal -q --mask img.npy grid.csv
exits 1 "$RUGOSE" multifractal -q --resolution 4 img.npy
exits 2 "$RUGOSE" multifractal -q --resolution 4 --spacing 1 real.xyz
exits 1 "$RUGOSE" multifractal -q --method alpha grid.csv
