# SPDX-License-Identifier: BSD-3-Clause
#
# Image and mask or labels that say where they lie must be one grid, up to the order and the direction of
# axes; else they are refused, unless --ignore-geometry is given.
at() { echo "affine=2,0,0,$1,0,2,0,20,0,0,5,30"; } # 2 x 2 x 5 mm, x of the first pixel given
make_image image.nii shape=6x7x8 spacing=5x2x2 fill=ramp high=99 "$(at -10)"
mask() { name=$1; shift; make_image "$name.nii" shape=6x7x8 fill=noise "$@"; }
mask same "$(at -10)"
mask near "$(at -9.999)"
mask far "$(at -9.997)"
mask ten "$(at 0)"
mask fifty "$(at 40)"
mask fine affine=1,0,0,-10,0,1,0,20,0,0,1,30
mask silent
mask x flip=x affine=-2,0,0,4,0,2,0,20,0,0,5,30
mask zy flip=zy affine=2,0,0,-10,0,-2,0,32,0,0,-5,55
count() { "$RUGOSE" boxcount -f csv --foreground above=50 "$@" 2>err.txt >out.csv; status=$?; grep -v warning err.txt; return $status; }
count --mask same.nii image.nii
cp out.csv same.csv
title "the same place, no place, and axes in other directions: the same numbers"
for name in near silent x zy; do
    count --mask $name.nii image.nii
    cmp same.csv out.csv
done
count --mask x.nii --mask-value 1 image.nii
cmp same.csv out.csv
count --mask x.nii --ignore-geometry image.nii
if cmp -s same.csv out.csv; then echo "it makes no difference whether the mask is turned"; fi
title "elsewhere"
for name in far ten fifty fine; do exits 1 count --mask $name.nii image.nii; done
title "shapes alone"
count --ignore-geometry --mask ten.nii image.nii
cmp same.csv out.csv
"$RUGOSE" boxcount -qf json --ignore-geometry --mask ten.nii image.nii 2>/dev/null >out.json
json_values out.json parameters.ignore_geometry
exits 2 "$RUGOSE" boxcount --ignore-geometry image.nii
exits 1 count --ignore-geometry --mask other.nii image.nii
title "other axes: z y x of 2x3x4 are x z y of the mask"
values=1,0,0,1,1,1,0,0,1,0,1,1,0,0,0,1,1,0,1,0,0,1,1,1
make_image small.nii shape=2x3x4 fill=full affine=1,0,0,0,0,1,0,0,0,0,1,0
make_image straight.nii shape=2x3x4 values=$values affine=1,0,0,0,0,1,0,0,0,0,1,0
make_image moved.nii shape=3x4x2 values=1,0,0,0,0,0,1,1,1,1,1,0,0,1,0,0,1,0,0,1,1,1,1,1 affine=0,1,0,0,0,0,1,0,1,0,0,0
pixels() { "$RUGOSE" boxcount -f csv --foreground nonzero "$@" 2>err.txt | cut -d, -f 2,5; grep -v warning err.txt; }
pixels --mask straight.nii small.nii
pixels --mask moved.nii small.nii
exits 1 count --mask moved.nii image.nii
exits 1 count --mask moved.nii --ignore-geometry small.nii
title "labels"
make_image labels.nii shape=6x7x8 fill=noise low=1 high=2 "$(at -10)"
make_image turned.nii shape=6x7x8 fill=noise low=1 high=2 flip=xz affine=-2,0,0,4,0,2,0,20,0,0,-5,55
make_image shifted.nii shape=6x7x8 fill=noise low=1 high=2 "$(at 0)"
for command in boxcount haralick "lbp --planes xy" lacunarity; do
    "$RUGOSE" $command -qf csv --labels labels.nii image.nii >a.csv 2>/dev/null
    "$RUGOSE" $command -f csv --labels turned.nii image.nii 2>err.txt | cmp a.csv
    grep turned: err.txt
    exits 1 "$RUGOSE" $command -qf csv --labels shifted.nii image.nii >/dev/null 2>&1
    "$RUGOSE" $command -qf csv --ignore-geometry --labels shifted.nii image.nii 2>/dev/null | cmp a.csv
done
title "maps: a pixel is 10 metres"
make_image map.tif shape=16x16 fill=ramp high=99 map=500000.5,4600000.25,10
make_image mask.tif shape=16x16 fill=noise map=500000.5,4600000.25,10
make_image pixel.tif shape=16x16 fill=noise map=500010.5,4600000.25,10
count --mask mask.tif map.tif
exits 1 count --mask pixel.tif map.tif
count --mask pixel.tif --ignore-geometry map.tif
title "a list goes on behind one that is elsewhere"
printf 'image,mask\nimage.nii,ten.nii\nimage.nii,x.nii\n' >list.csv
exits 1 count --list list.csv
cmp same.csv out.csv
title "the other commands with masks"
for command in "boxcount --gray" "multifractal --q 0,2" "multifractal --method alpha" lacunarity \
    haralick "lbp --planes xy"; do
    "$RUGOSE" $command -qf csv --mask same.nii image.nii >a.csv 2>/dev/null
    "$RUGOSE" $command -qf csv --mask x.nii image.nii 2>/dev/null | cmp a.csv
    exits 1 "$RUGOSE" $command -qf csv --mask ten.nii image.nii >/dev/null 2>&1
done
