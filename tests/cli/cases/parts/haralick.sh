# SPDX-License-Identifier: BSD-3-Clause
#
# Co-occurrence in parts: pairs lie across cuts, and so do labels.
make_image cells.tif shape=200x150 fill=noise high=255
make_image stack.nii shape=20x40x30 fill=steps dtype=i16 high=9
make_image real.npy shape=90x40 fill=noise high=3 dtype=f32 nan=7
make_image map.tif shape=80x50 fill=noise high=9 nodata=4
make_image inside.tif shape=200x150 fill=checker side=60 high=255
make_image labels.tif shape=200x150 fill=steps high=5
for n in 2 7; do same_in_parts $n haralick cells.tif stack.nii real.npy map.tif; done
same_in_parts 3 haralick --distances 1,3 --aggregate none --angles 45,135 --asymmetric cells.tif
same_in_parts 3 haralick --labels labels.tif --levels 8 --range roi cells.tif
same_in_parts 3 haralick --labels labels.tif --levels 16 --mask inside.tif cells.tif
same_in_parts 3 haralick --labels labels.tif --bin-width 25 --features all cells.tif
same_in_parts 3 haralick --slices mean stack.nii
same_in_parts 2 haralick --resegment 10..200 --bin-width 10 --aggregate range cells.tif
make_image wide.npy shape=130x40 fill=noise high=4000000000 dtype=u64
same_in_parts 2 haralick --levels 16 wide.npy
title "a plot"
for k in 1 2; do "$RUGOSE" haralick --part $k/2 -q --labels labels.tif -o $k.rgs cells.tif 2>/dev/null; done
"$RUGOSE" haralick -q --labels labels.tif --plot a.svg cells.tif >/dev/null 2>&1
"$RUGOSE" merge ./?.rgs -q --plot b.svg >/dev/null 2>&1
cmp a.svg b.svg
title "what is refused"
exits 2 "$RUGOSE" haralick --part 1/2 -o 1.rgs --window 5 --map m.tif cells.tif
exits 2 "$RUGOSE" haralick --part 1/2 -o 1.rgs --pairs frame cells.tif
exits 1 "$RUGOSE" haralick --part 1/2 -o 1.rgs -q --resegment 1..2 real.npy
exits 1 "$RUGOSE" haralick --part 1/2 -o 1.rgs -q --bin-width 1 --labels real.npy real.npy
