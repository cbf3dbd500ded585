# SPDX-License-Identifier: BSD-3-Clause
#
# A row for each label that is there, known by its number.
make_image img.npy shape=4x4 values=0,1,2,3,1,0,3,2,2,2,0,1,3,3,0,3
make_image labels.npy shape=4x4 values=1,1,2,2,1,1,2,2,4,4,0,7,4,4,0,7
"$RUGOSE" haralick -f csv --labels labels.npy --aggregate none --features 13 img.npy
title "all directions together"
"$RUGOSE" haralick -f csv --labels labels.npy img.npy
title "a mask that was saved as 0 and 255"
make_image mask255.npy shape=4x4 values=0,0,0,0,0,255,255,0,0,255,255,0,0,255,255,0
"$RUGOSE" haralick -qf csv --labels mask255.npy img.npy | cut -d, -f 1-10
title "one pixel: a row with its reason, the other label as ever"
make_image block.npy shape=8x8 fill=ramp high=63
make_image two.npy shape=8x8 values="$(awk 'BEGIN { for (i = 0; i < 64; i++) { x = i % 8; y = int(i / 8)
    printf "%d,", x < 5 && y < 5 ? 1 : x == 7 && y == 7 ? 2 : 0 } }')"
"$RUGOSE" haralick -f csv --labels two.npy block.npy | cut -d, -f 1-10,22
title "where a label lies, in JSON"
"$RUGOSE" haralick -qf json --labels two.npy block.npy >two.json
json_values two.json results.1.region.first results.1.region.shape results.1.labels.image results.1.status
title "three images, two threads or one"
cp img.npy second.npy
cp img.npy third.npy
for image in img second third volume a; do cp labels.npy labels-$image.npy; done
"$RUGOSE" haralick -q -o one.csv --threads 1 --labels 'labels-{}.npy' img.npy second.npy third.npy
"$RUGOSE" haralick -q -o four.csv --threads 4 --labels 'labels-{}.npy' img.npy second.npy third.npy
cmp one.csv four.csv
cut -d, -f 1-6 one.csv
title "no label"
make_image none.npy shape=4x4 low=0 high=0
"$RUGOSE" haralick -f csv --labels none.npy img.npy
title "other shapes, values that are no labels, colours; the others go on"
make_image a.npy shape=64x64 fill=checker
make_image b.npy shape=64x63
make_image volume.npy shape=2x4x4 fill=checker
make_image half.npy shape=4x4 dtype=f32 low=0.5 high=1.5
exits 1 "$RUGOSE" haralick -qf csv --labels b.npy a.npy
exits 1 "$RUGOSE" haralick -qf csv --labels 'labels-{}.npy' volume.npy a.npy img.npy | cut -d, -f 1-6
exits 1 "$RUGOSE" haralick -qf csv --labels half.npy img.npy
exits 1 "$RUGOSE" haralick -qf csv --labels gone.npy img.npy
title "the label image is an input"
cp labels.npy labels.csv
exits 2 "$RUGOSE" haralick -q --labels labels.csv -o labels.csv img.npy
cmp labels.npy labels.csv
title "pages: one label image for all of them"
make_image pages.tif shape=3x4x4 fill=steps
"$RUGOSE" haralick -qf csv --page all --labels labels.npy pages.tif 2>/dev/null | cut -d, -f 1-6
