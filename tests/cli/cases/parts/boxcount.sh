# SPDX-License-Identifier: BSD-3-Clause
#
# Box counts in parts: the tables of all parts are those of one run, also where parts have no rows, and
# cuts are between the rows of a block.
make_image cells.tif shape=200x150 fill=noise high=255
make_image stack.nii shape=10x70x30 fill=menger dtype=u8
make_image real.npy shape=90x40 fill=noise high=3 dtype=f32 nan=7
make_image thin.npy shape=2x60 fill=noise
make_image one.npy shape=1x9 fill=full
files="cells.tif stack.nii real.npy thin.npy one.npy"
for n in 1 2 3 7; do same_in_parts $n boxcount $files; done
same_in_parts 3 boxcount --grid min --sizes 2,3,5 cells.tif
same_in_parts 3 boxcount --method window --of gray --foreground above=0.5 $files
same_in_parts 2 boxcount --box-unit file --sizes 1..8 stack.nii
same_in_parts 2 boxcount --fit auto --threads 1 $files
title "other tables and plots"
for k in 1 2; do "$RUGOSE" boxcount --part $k/2 -q -o $k.rgs cells.tif real.npy 2>/dev/null; done
"$RUGOSE" boxcount -q --counts counts.csv --plot plot.gp cells.tif real.npy >table 2>/dev/null
"$RUGOSE" merge 2.rgs 1.rgs -q --counts merged.csv --plot merged.gp >merged 2>/dev/null
cmp table merged
cmp counts.csv merged.csv
sed s/merged/plot/ merged.gp | cmp plot.gp -
title "what is said of a part"
"$RUGOSE" boxcount --foreground nonzero --part 2/3 -o 2.rgs $files
"$RUGOSE" boxcount --part 2/3 -o 2.rgs cells.tif
