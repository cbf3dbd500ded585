# SPDX-License-Identifier: BSD-3-Clause
#
# Masks: pixels outside are neither foreground nor background. One for all images, or one each in a list.
make_image img.npy shape=8x8
make_image left.npy shape=8x8 fill=full side=5
make_image small.npy shape=4x4
make_image s64.npy shape=64x64 fill=sierpinski
"$RUGOSE" boxcount --mask left.npy --counts - img.npy
title "every grid"
"$RUGOSE" boxcount -q --mask left.npy --grid min --sizes 2,3 --counts - img.npy
"$RUGOSE" boxcount -q --mask left.npy --grid mean --sizes 2,3 --counts - img.npy
title "a list with a mask for one of two"
printf 'image,mask\nimg.npy,left.npy\ns64.npy,\n' >list.csv
"$RUGOSE" boxcount -f csv --list list.csv --fit 1..4
title "in JSON the mask has its checksum"
"$RUGOSE" boxcount -qf json --mask left.npy img.npy | grep -A 4 '"mask"'
title "the image itself, another shape, no file; the others go on"
"$RUGOSE" boxcount -f csv --mask img.npy img.npy
exits 1 "$RUGOSE" boxcount -qf csv --mask small.npy img.npy small.npy
exits 1 "$RUGOSE" boxcount -qf csv --mask gone.npy img.npy
title "a mask is an input and is never written over"
exits 2 "$RUGOSE" boxcount -q --mask left.npy --counts left.npy img.npy
cp left.npy left.csv
exits 2 "$RUGOSE" boxcount -q --mask left.csv -o left.csv img.npy
cmp left.npy left.csv
title "a mask without pixels; a mask twice"
make_image nothing.npy shape=8x8 low=0 high=0
"$RUGOSE" boxcount -f csv --mask nothing.npy img.npy
exits 2 "$RUGOSE" boxcount -q --mask left.npy --list list.csv
