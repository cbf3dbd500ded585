# SPDX-License-Identifier: BSD-3-Clause
#
# The pixels of an overlay that are not grey are those that were counted, whatever chose them.
same() { # ARGUMENTS
    rm -f set.nii o.png
    "$RUGOSE" boxcount -q --overlay o.png --save-volume set.nii "$@" >/dev/null 2>&1
    recount o.png set.nii
}
for rule in auto otsu-dark above=200 below=50 label=120 nonzero; do
    title $rule
    same --foreground $rule $DATA/camera.png
done
title "bits, nothing, everything, one row, one pixel"
make_image bits.tif shape=17x19 dtype=bit fill=sierpinski
same bits.tif
same --foreground above=300 bits.tif
make_image full.npy shape=8x11
same full.npy
make_image row.npy shape=1x500 fill=ramp high=250
same row.npy
make_image one.npy shape=1x1
same one.npy
title "a mask, by rules of its own"
make_image half.npy shape=512x512 fill=full side=200
make_image ramp.npy shape=512x512 fill=ramp high=200
same --mask half.npy $DATA/camera.png
same --mask half.npy --mask-value 0 $DATA/camera.png
same --mask ramp.npy --mask-above 100 $DATA/camera.png
title "floats with NaN, no data, 64-bit integers, a mask with NaN"
make_image f.tif shape=30x40 dtype=f32 fill=ramp low=-3 high=5 nan=47
same f.tif
same --foreground below=0 f.tif
same $DATA/nodata_surface.tif
same --nodata none $DATA/nodata_surface.tif
make_image i.npy shape=9x9 dtype=i64 fill=ramp low=-40 high=40
same --foreground above=-5 i.npy
make_image m.npy shape=30x40 dtype=f64 fill=full nan=100
same --mask m.npy f.tif
title "a picture that is turned, and one of pages"
make_image turned.tif shape=30x20 fill=steps orientation=6
same turned.tif
make_image pages.tif shape=3x30x20 fill=noise high=9
same --page 1 pages.tif
title "volumes: the three slices through the middle"
same $DATA/nuclei3d.nii.gz
same $DATA/menger_81.nii.gz
same $DATA/mni152_gm_mask.nii.gz
make_image v.nii shape=5x8x6 dtype=i16 fill=noise low=-9 high=9 flip=xz
same --foreground above=0 v.nii
make_image vm.nii shape=5x8x6 fill=ramp high=4
same --mask vm.nii v.nii
same --volume pages.tif
title "a mesh, whose voxels are bits"
same --resolution 40 --solid $DATA/meshes/trimesh_binary.ply
