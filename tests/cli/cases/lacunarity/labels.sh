# SPDX-License-Identifier: BSD-3-Clause
#
# A table of many files and labels: a row for each file, label and size.
make_image img.npy shape=8x20 fill=checker
make_image labels.npy shape=8x20 fill=blocks
cp img.npy second.npy
make_image third.npy shape=8x20
for image in img second third; do cp labels.npy labels-$image.npy; done
"$RUGOSE" lacunarity -f csv --labels 'labels-{}.npy' --sizes 2 --foreground nonzero img.npy second.npy third.npy
title "a label is an image by itself, of its bounding box"
make_image two.npy shape=5x8 values=0,3,3,3,0,9,9,0,0,3,0,3,0,9,9,9,0,3,3,3,0,0,9,9,0,0,0,0,0,0,0,0,3,0,0,0,0,0,0,0
make_image ones.npy shape=5x8
"$RUGOSE" lacunarity -f csv --labels two.npy --foreground nonzero --sizes 1..4 ones.npy
"$RUGOSE" lacunarity -qf csv --labels two.npy --gray --sizes 1..4 ones.npy | cut -d, -f 2- >gray.csv
"$RUGOSE" lacunarity -qf csv --labels two.npy --foreground nonzero --sizes 1..4 ones.npy | cut -d, -f 2- | cmp - gray.csv
title "the default sizes are those of each label"
"$RUGOSE" lacunarity -qf csv --labels two.npy --foreground nonzero ones.npy
title "real pixels"
"$RUGOSE" lacunarity -qf csv --labels $DATA/bbbc022_labels.png --gray --sizes 4 $DATA/bbbc022_ch0.png | tail -n 3
title "plots of labels; JSON; no label; another shape"
"$RUGOSE" lacunarity -qf csv --labels two.npy --plot 'l-{}.gp' --sizes 1 --foreground nonzero ones.npy
ls l-*
"$RUGOSE" lacunarity -qf json --labels two.npy --sizes 1 --foreground nonzero ones.npy >out.json
check_json out.json
grep -A 3 '"region"' out.json
make_image none.npy shape=5x8 low=0 high=0
"$RUGOSE" lacunarity -f csv --labels none.npy ones.npy
exits 1 "$RUGOSE" lacunarity -qf csv --labels none.npy img.npy
title "usage"
wrong() { exits 2 "$RUGOSE" lacunarity -q "$@" ones.npy; }
exits 2 "$RUGOSE" lacunarity
for sizes in 0 x '' 4..2 1..5000; do wrong --sizes "$sizes"; done
wrong --gray --foreground auto
wrong --foreground x
wrong --boxes x
wrong --plot p.eps
wrong --mask
wrong -o ones.npy
