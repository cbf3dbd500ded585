# SPDX-License-Identifier: BSD-3-Clause
#
# Plots of how features are spread: over labels, distances and classes.
make_image img.npy shape=20x30 fill=noise
make_image labels.npy shape=20x30 fill=blocks
"$RUGOSE" haralick -qf csv --features contrast,entropy --labels labels.npy --plot a.gp img.npy >a.csv
"$RUGOSE" haralick -qf csv --features contrast,entropy --labels labels.npy img.npy | cmp - a.csv
cut -d , -f 2,8,9 a.csv
sed -n '/^\$panel._series2/,/^END/p' a.gp
grep -o 'set label 1 "[a-z]*"' a.gp
title "distances, directions"
"$RUGOSE" haralick -qf csv --features contrast --distances 1,3 --aggregate none --plot d.gp img.npy | cut -d , -f 4,5,8
sed -n '/^\$panel/,/^END/p' d.gp
grep -o ' title ".*"' d.gp
title "images; classes of a list"
for i in 1 2 3 4; do make_image i$i.npy shape=2${i}x20 fill=noise high=$((i * 50)); done
"$RUGOSE" haralick -qf csv --features contrast --plot i.gp i1.npy i2.npy >i.csv
grep 'set xtics' i.gp
printf 'image,class\ni1.npy,x\ni2.npy,y y\ni3.npy,x\ni4.npy,y y\n' >list.csv
"$RUGOSE" haralick -qf csv --features contrast --list list.csv --plot c.gp >c.csv
grep 'set xtics' c.gp
sed -n '/^\$panel1_series2/,/^END/p' c.gp | grep -c '^[12]'
"$RUGOSE" haralick -qf csv --features contrast --list list.csv | cmp - c.csv
title "one of each; nothing that could be measured"
"$RUGOSE" haralick -qf csv --features contrast --plot 'e-{}.gp' i1.npy i2.npy >i.csv
ls e-*
make_image flat.npy dtype=f32 shape=4x4 low=nan high=nan
"$RUGOSE" haralick -qf csv --features contrast --plot f.gp flat.npy 2>log
grep -c 'plot NaN' f.gp
