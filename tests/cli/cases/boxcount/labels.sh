# SPDX-License-Identifier: BSD-3-Clause
#
# A row for each label: of its foreground, in its bounding box.
make_image labels.npy shape=20x30 fill=blocks
make_image img.npy shape=20x30
"$RUGOSE" boxcount -f csv --labels labels.npy --fit 1..4 img.npy
title "three images: a row for each label of each"
cp img.npy second.npy
make_image third.npy shape=20x30 fill=checker
for image in img second third small; do cp labels.npy labels-$image.npy; done
"$RUGOSE" boxcount -qf csv --labels 'labels-{}.npy' --foreground nonzero --fit 1..4 img.npy second.npy third.npy
title "tables, threads"
"$RUGOSE" boxcount -q --labels labels.npy --sizes 1,2,3 --counts counts.csv -o out.csv --threads 1 img.npy
"$RUGOSE" boxcount -q --labels labels.npy --sizes 1,2,3 --counts four.csv -o four_out.csv --threads 4 img.npy
cmp counts.csv four.csv
cat out.csv counts.csv
"$RUGOSE" boxcount -qf json --labels labels.npy img.npy >out.json
check_json out.json
grep -A 3 '"region"' out.json
title "the label image itself"
"$RUGOSE" boxcount -qf csv --foreground nonzero --labels labels.npy --fit 1..4 labels.npy
title "plots"
"$RUGOSE" boxcount -q -o out.csv --labels labels.npy --plot 'plot-{}.gp' img.npy
ls plot-*
"$RUGOSE" boxcount -q -o out.csv --labels labels.npy --plot all.gp img.npy
grep -o 'title ".*"' all.gp
title "no labels, another shape, values that are no labels; the others go on"
make_image none.npy shape=20x30 low=0 high=0
make_image half.npy shape=20x30 dtype=f32 low=0.5 high=1.5
make_image small.npy shape=4x4
"$RUGOSE" boxcount -f csv --labels none.npy img.npy
exits 1 "$RUGOSE" boxcount -qf csv --labels 'labels-{}.npy' small.npy img.npy
exits 1 "$RUGOSE" boxcount -qf csv --labels half.npy img.npy
exits 2 "$RUGOSE" boxcount -q --labels labels.npy --counts labels.npy img.npy
title "pages: one label image for all of them"
make_image pages.tif shape=3x20x30
"$RUGOSE" boxcount -qf csv --page all --labels labels.npy --fit 1..4 pages.tif
