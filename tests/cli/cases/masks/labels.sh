# SPDX-License-Identifier: BSD-3-Clause
#
# Label images: those that are none, those of other images, and their names.
measure() { "$RUGOSE" haralick -qf csv "$@" 2>/dev/null | cut -d, -f 1-3; }
title "an image of grey values: many labels, small and scattered"
make_image img.npy shape=64x64 fill=ramp high=200
make_image noise.npy shape=64x64 dtype=u16 values="$(awk 'BEGIN { for (i = 1; i <= 4096; i++) printf "%s%d", (i > 1 ? "," : ""), i * i * 7919 % 3001 }')"
for command in boxcount lacunarity haralick lbp; do
    "$RUGOSE" $command -qf csv --labels noise.npy img.npy 2>&1 >/dev/null | grep 'label image'
done
"$RUGOSE" haralick -qf csv --levels 8 --labels $DATA/nuclei3d.nii.gz $DATA/nuclei3d_labels.nii.gz 2>&1 >/dev/null | grep 'label image'
for image in mri_t1_axial camera; do
    "$RUGOSE" haralick -qf csv --labels $DATA/$image.png $DATA/$image.png 2>&1 >/dev/null | grep 'label image'
done
title "label images are not doubted"
for command in boxcount lacunarity haralick lbp; do
    "$RUGOSE" $command -qf csv --labels $DATA/bbbc022_labels.png $DATA/bbbc022_ch0.png 2>&1 >/dev/null | grep 'label image' || true
done
"$RUGOSE" haralick -qf csv --levels 8 --labels $DATA/nuclei3d_labels.nii.gz $DATA/nuclei3d.nii.gz 2>&1 >/dev/null | grep 'label image' || true
make_image sticks.npy shape=64x64 dtype=u16 values="$(awk 'BEGIN { for (i = 0; i < 4096; i++) printf "%s%d", (i > 0 ? "," : ""), i % 2 * (i % 64 + 64 * int(i / 512)) }')"
"$RUGOSE" haralick -qf csv --labels sticks.npy img.npy 2>/dev/null | tail -n 1 | cut -d, -f 1-3
"$RUGOSE" haralick -qf csv --labels sticks.npy img.npy 2>&1 >/dev/null | grep 'label image' || true
title "fractions"
make_image half.npy shape=64x64 dtype=f32 fill=sierpinski high=2.0004
for command in boxcount lacunarity haralick lbp; do
    exits 1 "$RUGOSE" $command -qf csv --labels half.npy img.npy >/dev/null
done
title "one label image for several images"
cp img.npy other.npy
make_image a.npy shape=64x64 fill=blocks
for command in boxcount lacunarity haralick lbp; do
    exits 2 "$RUGOSE" $command -q --labels a.npy img.npy other.npy
done
printf 'image\nimg.npy\nother.npy\n' >images.csv
exits 2 "$RUGOSE" haralick -q --labels a.npy --list images.csv
title "a name with {}"
mkdir labels
cp a.npy labels/img-cells.npy
make_image labels/other-cells.npy shape=64x64 fill=sierpinski high=9
measure --labels 'labels/{}-cells.npy' img.npy other.npy
"$RUGOSE" haralick -qf json --labels 'labels/{}-cells.npy' img.npy other.npy >out.json 2>/dev/null
json_values out.json parameters.labels results.0.labels.image results.3.labels.image
exits 1 "$RUGOSE" haralick -qf csv --labels 'labels/{}.npy' img.npy | cut -d, -f 1-6
title "a list that names one for each image"
printf 'image,labels\nimg.npy,labels/img-cells.npy\nother.npy,labels/other-cells.npy\n' >list.csv
measure --list list.csv
for command in boxcount lacunarity lbp; do
    "$RUGOSE" $command -qf csv --list list.csv 2>/dev/null | cut -d, -f 1,2 | uniq
done
exits 2 "$RUGOSE" haralick -q --list list.csv -o labels/img-cells.npy
title "a list for some of them, and where labels are of no use"
printf 'image,labels\nimg.npy,a.npy\nother.npy,\n' >some.csv
exits 2 "$RUGOSE" haralick -q --list some.csv
exits 2 "$RUGOSE" haralick -q --labels a.npy --list list.csv
exits 1 "$RUGOSE" multifractal -q --list list.csv
exits 1 "$RUGOSE" train -q --model m.json --list list.csv
exits 2 "$RUGOSE" boxcount -q --gray --list list.csv
