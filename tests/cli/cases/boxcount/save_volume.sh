# SPDX-License-Identifier: BSD-3-Clause
#
# The pixels or voxels that were counted, as a NIfTI volume: it has the same counts, and lies where the image does.
star=$DATA/meshes/trimesh_binary.ply
counts() { # TABLE ARGUMENTS
    table=$1
    shift
    "$RUGOSE" boxcount -q --counts "$table" "$@" >/dev/null 2>warnings
}
same() { # VOLUME ARGUMENTS
    name=$1
    shift
    counts first.csv --save-volume "$name" "$@"
    counts again.csv --foreground nonzero "$name"
    cut -d, -f 2- first.csv >a
    cut -d, -f 2- again.csv >b
    cmp a b && echo "$name: same counts"
}
title "a mesh, its surface and its inside; its place"
same surface.nii --resolution 32 "$star"
same inside.nii.gz --resolution 32 --solid "$star"
gzip -t inside.nii.gz
"$RUGOSE" info -f csv surface.nii inside.nii.gz
"$RUGOSE" boxcount -qf csv --resolution 32 --solid --mask inside.nii.gz "$star" 2>/dev/null | cut -d, -f 3,4
title "a volume with a place and a unit"
make_image v.nii shape=6x8x10 fill=noise low=0 high=9 spacing=3x1x2 \
    affine=0,-2,0,7,1,0,0,-4,0,0,3,50
same above.nii.gz --foreground above=5 v.nii
"$RUGOSE" info -f csv above.nii.gz v.nii
"$RUGOSE" boxcount -qf csv --mask above.nii.gz v.nii >/dev/null 2>warnings && echo "on the same grid"
title "an image, of float and of bits, with NaN; a place on Earth"
make_image f.tif shape=9x12 dtype=f32 fill=ramp high=5 nan=7
same f.nii f.tif
make_image bits.tif shape=17x19 dtype=bit fill=sierpinski
same bits.nii.gz bits.tif
make_image map.tif shape=20x30 fill=blocks map=4500000.3,5400000.7,0.1
same map.nii map.tif
"$RUGOSE" boxcount -qf csv --mask map.nii map.tif >/dev/null 2>warnings && echo "on the same grid"
title "a mask: what is outside is 0"
make_image full.npy shape=8x8
make_image left.npy shape=8x8 fill=full side=5
"$RUGOSE" boxcount -qf csv --save-volume left.nii --mask left.npy full.npy 2>/dev/null | cut -d, -f 3,4
"$RUGOSE" boxcount -qf csv left.nii 2>/dev/null | cut -d, -f 3,4
title "a volume for each of several, also side by side"
cp full.npy second.npy
"$RUGOSE" boxcount -qf csv --threads 2 --save-volume '{}_set.nii.gz' full.npy left.npy second.npy >/dev/null
ls -- *_set.nii.gz
title "refused"
printf '1,2\n3,4\n' >p.csv
exits 1 "$RUGOSE" boxcount -qf csv --save-volume p.nii p.csv
exits 2 "$RUGOSE" boxcount -q --points --save-volume p.nii p.csv
exits 2 "$RUGOSE" boxcount -q --gray --save-volume x.nii full.npy
exits 2 "$RUGOSE" boxcount -q --labels left.npy --save-volume x.nii full.npy
printf 'image,labels\nfull.npy,left.npy\n' >list.csv
exits 2 "$RUGOSE" boxcount -q --list list.csv --save-volume x.nii
exits 2 "$RUGOSE" boxcount -q --save-volume x.tif full.npy
exits 2 "$RUGOSE" boxcount -q --save-volume .gz full.npy
exits 2 "$RUGOSE" boxcount -q --save-volume x.nii full.npy left.npy
exits 2 "$RUGOSE" boxcount -q --save-volume v.nii v.nii
title "a folder that is not there; the others go on, without a row for it"
exits 1 "$RUGOSE" boxcount -qf csv --save-volume '{dir}/{}/x.nii' full.npy
mkdir left
exits 1 "$RUGOSE" boxcount -qf csv --save-volume '{}/x.nii.gz' full.npy left.npy
ls left
