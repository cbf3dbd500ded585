# SPDX-License-Identifier: BSD-3-Clause
#
# Masks: a pair counts when both of its pixels are inside, whatever lies outside.
make_image img.npy shape=4x4 values=9,9,9,9,9,0,1,9,9,1,0,9,9,9,9,9
make_image other.npy shape=4x4 values=200,200,200,200,200,0,1,200,200,1,0,200,200,200,200,200
make_image mask.npy shape=4x4 values=0,0,0,0,0,1,1,0,0,1,1,0,0,0,0,0
"$RUGOSE" haralick -f csv --mask mask.npy --aggregate none img.npy
"$RUGOSE" haralick -qf csv --mask mask.npy --aggregate none other.npy 2>/dev/null | cut -d, -f 2- >other.csv
"$RUGOSE" haralick -qf csv --mask mask.npy --aggregate none img.npy 2>/dev/null | cut -d, -f 2- | cmp - other.csv
title "grey value 0 is a value: 16 bits below 256, in 8 levels of the region, and 100 times as much"
make_image dim.npy shape=8x8 dtype=u16 fill=ramp low=10 high=73
make_image bright.npy shape=8x8 dtype=u16 fill=ramp low=1000 high=7300
make_image half.npy shape=8x8 side=5
bins() { "$RUGOSE" haralick -qf csv --mask half.npy --levels 8 --range roi "$@" | cut -d, -f 2-; }
bins dim.npy | tee dim.csv
bins bright.npy | cmp - dim.csv
title "pixels without neighbours: no pairs"
make_image alone.npy shape=5x5 values=1,0,2,0,3,0,0,0,0,0,0,0,4,0,5,0,0,0,0,0,6,0,7,0,8
"$RUGOSE" haralick -f csv --mask alone.npy alone.npy
title "an empty mask; labels inside a mask; a list with a mask for one of two"
make_image nothing.npy shape=4x4 low=0 high=0
"$RUGOSE" haralick -f csv --mask nothing.npy img.npy
make_image labels.npy shape=4x4 values=1,1,1,1,1,1,1,1,2,2,2,2,2,2,2,2
"$RUGOSE" haralick -qf csv --mask mask.npy --labels labels.npy img.npy | cut -d, -f 1-10
printf 'image,mask\nimg.npy,mask.npy\nother.npy,\n' >list.csv
"$RUGOSE" haralick -qf csv --list list.csv | cut -d, -f 1-10
exits 2 "$RUGOSE" haralick -q --mask mask.npy --list list.csv
title "another shape"
exits 1 "$RUGOSE" haralick -qf csv --mask half.npy img.npy dim.npy | cut -d, -f 1-10
