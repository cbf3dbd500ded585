# SPDX-License-Identifier: BSD-3-Clause
#
# Local binary patterns in parts: pixels beside a part are read with it, labels that cuts divide have one
# row, and all planes of a volume are measured at once.
make_image cells.tif shape=200x50 fill=noise high=9
make_image stack.nii shape=20x30x24 fill=steps dtype=i16 high=9
make_image real.npy shape=90x40 fill=noise high=3 dtype=f32 nan=7
make_image map.tif shape=80x50 fill=ramp high=9 nodata=9
make_image labels.tif shape=200x50 fill=blocks
make_image labels.nii shape=20x30x24 fill=blocks dtype=u8
make_image inside.tif shape=200x50 fill=checker side=60 high=255
for n in 2 7; do same_in_parts $n lbp --lbp 8,1 --lbp 16,2.5 cells.tif real.npy map.tif; done
same_in_parts 3 lbp --method ror --cuts 1,5 --border skip --normalize cells.tif map.tif
same_in_parts 3 lbp --method var --cuts 1,5 --mask inside.tif cells.tif
same_in_parts 2 lbp --radius 150 --exact float cells.tif
same_in_parts 4 lbp --labels labels.tif --exact decimal cells.tif
same_in_parts 3 lbp --labels labels.nii --planes all stack.nii
same_in_parts 2 lbp --planes xy stack.nii
title "a plot"
for k in 1 2; do "$RUGOSE" lbp --part $k/2 -q -o $k.rgs cells.tif; done
"$RUGOSE" lbp -q --plot one.svg cells.tif >/dev/null
"$RUGOSE" merge ./?.rgs -q --plot all.svg >/dev/null
cmp one.svg all.svg
title "not in parts"
exits 1 "$RUGOSE" lbp --part 1/2 -o x.rgs stack.nii
exits 2 "$RUGOSE" lbp --part 1/2 -o x.rgs --map map.tif cells.tif
exits 2 "$RUGOSE" lbp --part 1/2 -o x.rgs --interpolation hardware cells.tif
