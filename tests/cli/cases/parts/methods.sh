# SPDX-License-Identifier: BSD-3-Clause
#
# Other commands in parts.
make_image cells.tif shape=200x150 fill=noise high=255
make_image stack.nii shape=20x40x30 fill=steps dtype=i16 high=9
make_image real.npy shape=90x40 fill=noise high=3 dtype=f32 nan=7
make_image map.tif shape=80x50 fill=noise high=9 nodata=4
files="cells.tif stack.nii real.npy map.tif"
for n in 2 7; do same_in_parts $n multifractal $files; done
same_in_parts 3 multifractal --foreground auto --q=-2..2:1 $files
for n in 2 7; do same_in_parts $n lacunarity $files; done
same_in_parts 3 lacunarity --gray --boxes fixed cells.tif stack.nii
for n in 2 7; do same_in_parts $n info --range $files; done
title "tables of multifractal"
for k in 1 2; do "$RUGOSE" multifractal --part $k/2 -q -o $k.rgs cells.tif 2>/dev/null; done
"$RUGOSE" multifractal -q --summary a.csv --moments b.csv cells.tif >/dev/null 2>&1
"$RUGOSE" merge ./?.rgs -q --summary c.csv --moments d.csv >/dev/null 2>&1
cmp a.csv c.csv
cmp b.csv d.csv
