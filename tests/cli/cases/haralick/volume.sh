# SPDX-License-Identifier: BSD-3-Clause
#
# Volumes: 13 directions, some of them, or the slices by themselves; unequal spacing gets a warning.
make_image v.nii shape=4x8x8 fill=menger high=9
make_image thick.nii shape=4x8x8 spacing=5x1x1 fill=menger high=9
make_image oblong.nii shape=4x8x8 spacing=1x2x1 fill=menger high=9
"$RUGOSE" haralick -f csv --aggregate none --features 13 v.nii
title "mean, range, merged"
for aggregate in mean range merged; do
    "$RUGOSE" haralick -qf csv --aggregate $aggregate --features 13 v.nii
done
title "some directions, whose names hold commas"
"$RUGOSE" haralick -qf csv --aggregate none --angles 90,z+1,y-1,x-1,0,z+1,y+0,x+0 --features 13 v.nii | cut -d, -f 1-9
"$RUGOSE" haralick -qf json --aggregate none --distances 2 --angles z+1,y-1,x+1 v.nii >one.json
json_values one.json results.0.angle results.0.offset.z results.0.offset.y results.0.offset.x results.0.region.shape
title "slices"
for slices in mean merged; do
    for aggregate in mean merged none; do
        "$RUGOSE" haralick -qf csv --slices $slices --aggregate $aggregate --features 13 v.nii | cut -d, -f 1-10
    done
done
title "unequal spacing matters for the directions that mix it"
"$RUGOSE" haralick -f csv thick.nii | cut -d, -f 1-6
"$RUGOSE" haralick -f csv --slices merged thick.nii | cut -d, -f 1-6
"$RUGOSE" haralick -f csv --angles 0,90 thick.nii | cut -d, -f 1-6
"$RUGOSE" haralick -f csv --angles z+1,y+0,x+0 thick.nii | cut -d, -f 1-6
"$RUGOSE" haralick -f csv --slices merged oblong.nii | cut -d, -f 1-6
"$RUGOSE" haralick -f csv --angles 0 oblong.nii | cut -d, -f 1-6
title "images have no slices and four directions; the others go on"
make_image h4.npy shape=4x4 values=0,0,1,1,0,0,1,1,0,2,2,2,2,2,3,3
exits 1 "$RUGOSE" haralick -qf csv --slices mean h4.npy v.nii | cut -d, -f 1-6
exits 1 "$RUGOSE" haralick -qf csv --angles 0,z+1,y-1,x-1 h4.npy v.nii | cut -d, -f 1-6
title "pages as slices, labels in space"
make_image pages.tif shape=3x4x10 fill=ramp high=39
make_image labels.npy shape=3x4x10 fill=blocks
"$RUGOSE" haralick -f csv --volume --labels labels.npy pages.tif | cut -d, -f 1-10
