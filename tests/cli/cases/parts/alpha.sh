# SPDX-License-Identifier: BSD-3-Clause
#
# Slices of alpha in parts: windows reach into the parts beside, and the range is that of the whole image.
make_image cells.tif shape=200x50 fill=noise high=99
make_image stack.nii shape=20x30x24 fill=steps dtype=i16 high=9
make_image real.npy shape=90x40 fill=noise high=3 dtype=f32 nan=7
make_image map.tif shape=80x50 fill=ramp high=9 nodata=9
make_image inside.tif shape=200x50 fill=checker side=60 high=255
alpha="multifractal --method alpha --slices 5"
for n in 2 7; do same_in_parts $n $alpha cells.tif stack.nii real.npy map.tif; done
same_in_parts 3 $alpha --measure iso --iso-tolerance 3 --windows 6 --alpha-range 0.5..2 cells.tif stack.nii
same_in_parts 2 $alpha --measure max --mask inside.tif cells.tif
title "a plot"
for k in 1 2; do "$RUGOSE" $alpha --part $k/2 -q -o $k.rgs cells.tif; done
"$RUGOSE" $alpha -q --plot one.svg cells.tif >/dev/null 2>&1
"$RUGOSE" merge ./?.rgs -q --plot all.svg >/dev/null 2>&1
cmp one.svg all.svg
title "not in parts"
exits 2 "$RUGOSE" $alpha --part 1/2 -o x.rgs --map alpha.tif cells.tif
