# SPDX-License-Identifier: BSD-3-Clause
#
# Labels of 538 million bytes, most of them a hole in the file, which are turned slab by slab.
place() { printf "$2" | dd of="$1" bs=1 seek=$(($3 * (($4 * 4100 + $5) * 4100 + $6) + 352 + $7)) conv=notrunc 2>dd.log; }
make_image image.nii shape=1x1x1 high=0 promise=4x4100x4100 affine=1,0,0,0,0,1,0,0,0,0,1,0
make_image labels.nii shape=1x1x1 high=0 promise=4x4100x4100 dtype=f64 affine=-1,0,0,4099,0,-1,0,4099,0,0,1,0
truncate -s $((352 + 4 * 4100 * 4100)) image.nii
truncate -s $((352 + 8 * 4 * 4100 * 4100)) labels.nii
one() { # z y x: a pixel of the image, and the label 2 there
    place image.nii '\001' 1 "$1" "$2" "$3" 0
    place labels.nii '\100' 8 "$1" $((4099 - $2)) $((4099 - $3)) 7
}
one 0 1 2
one 0 1 3
one 3 4000 77
"$RUGOSE" boxcount --foreground above=1 --labels labels.nii -f csv image.nii 2>err.txt | cut -d, -f 1-5
head -n 1 err.txt
