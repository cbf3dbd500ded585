# SPDX-License-Identifier: BSD-3-Clause
#
# Maps of codes: what they hold, how they are named, and that a failure leaves none.
brick=$DATA/textures/train/brick/00.png
"$RUGOSE" lbp -qf csv --map codes.tif "$brick"
"$RUGOSE" info --range codes.tif
title "the map and the histogram agree"
for code in 0 8 9; do
    "$RUGOSE" boxcount -qf csv --foreground label=$code --sizes 1,2,4 --counts counts.csv -o out.csv codes.tif 2>/dev/null
    column counts.csv nonempty
done
title "no histogram is needed for a map"
"$RUGOSE" lbp --map codes.tif --method default --points 24 --radius 3 "$brick"
"$RUGOSE" lbp --map var.tif --method var "$brick"
"$RUGOSE" lbp -q -o out.csv --map skip.tif --method default --border skip "$brick"
"$RUGOSE" info --range codes.tif skip.tif
title "images, operators and planes are told apart by name"
"$RUGOSE" lbp -q -o out.csv --map 'm-{}.tif' --lbp 8,1 --lbp 16,2.5 "$brick" $DATA/textures/train/grass/01.png
make_image volume.nii shape=3x4x5 fill=ramp high=99
"$RUGOSE" lbp -q -o out.csv --map 'm-{}.tif' --planes all volume.nii
make_image pages.tif shape=2x6x5
"$RUGOSE" lbp -q -o out.csv --map 'm-{}.tif' --page all pages.tif
ls m-*
"$RUGOSE" info --range --volume m-volume-xy.tif m-volume-xz.tif m-volume-yz.tif
title "two images of one name; an image that fails"
mkdir other
cp "$brick" other/00.png
exits 2 "$RUGOSE" lbp -q -o out.csv --map 'n-{}.tif' "$brick" other/00.png
make_image mask.npy shape=3x3
exits 1 "$RUGOSE" lbp -q -o out.csv --mask mask.npy --map failed.tif "$brick"
ls -A | grep -e failed -e tmp || echo "nothing is left"
title "radii that differ little; what would take the place of a map"
"$RUGOSE" lbp -q -o out.csv --map 'r-{}.tif' --lbp 8,1 --lbp 8,1.0000001 "$brick"
ls r-*
exits 2 "$RUGOSE" lbp -qf csv -o same.tif --map ./same.tif "$brick"
exits 1 "$RUGOSE" lbp -qf csv -o s-00.tif --map './s-{}.tif' "$brick"
title "a full disk is reported once"
make_image small.npy shape=9x9
ln -s /dev/full full.tif
exits 1 "$RUGOSE" lbp -q -o out.csv --map full.tif small.npy
