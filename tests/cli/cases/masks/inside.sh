# SPDX-License-Identifier: BSD-3-Clause
#
# What is inside a mask: neither 0 nor NaN, or what --mask-value, --mask-above and --mask-below say.
make_image s.tif shape=64x64 fill=sierpinski low=2 high=1
make_image ones.npy shape=64x64
pixels() { "$RUGOSE" boxcount -qf json --foreground nonzero "$@" ones.npy 2>/dev/null >out.json && check_json out.json results.0.pixels; }
title "no 0: the gasket of 729 pixels is 1, the others are 2"
pixels --mask s.tif
"$RUGOSE" boxcount -f csv --foreground nonzero --mask s.tif ones.npy
title "1 is inside"
"$RUGOSE" boxcount -f csv --foreground nonzero --mask s.tif --mask-value 1 ones.npy
pixels --mask s.tif --mask-value 1
json_values out.json parameters.mask_value results.0.foreground_pixels
title "both, thresholds, none"
pixels --mask s.tif --mask-value 1,2
pixels --mask s.tif --mask-above 2
pixels --mask s.tif --mask-above 1.5
json_values out.json parameters.mask_above
pixels --mask s.tif --mask-below 2
json_values out.json parameters.mask_below
pixels --mask s.tif --mask-value 7
"$RUGOSE" boxcount -f csv --foreground nonzero --mask s.tif --mask-value 1,2 ones.npy
"$RUGOSE" boxcount -f csv --foreground nonzero --mask s.tif --mask-value 7 ones.npy
title "all commands with masks; those of a list"
make_image ramp.npy shape=64x64 fill=ramp high=200
make_image zero.tif shape=64x64 fill=sierpinski
"$RUGOSE" multifractal -qf csv --q 0,2 --mask s.tif --mask-value 1 ramp.npy >a.csv 2>/dev/null
"$RUGOSE" multifractal -qf csv --q 0,2 --mask zero.tif ramp.npy 2>/dev/null | cmp - a.csv
for command in boxcount "boxcount --gray" lacunarity haralick lbp; do
    "$RUGOSE" $command -qf csv --mask s.tif --mask-value 1 ramp.npy >a.csv 2>/dev/null
    "$RUGOSE" $command -qf csv --mask zero.tif ramp.npy 2>/dev/null | cmp - a.csv
done
printf 'image,mask,class\nramp.npy,s.tif,a\nramp.npy,zero.tif,b\n' >list.csv
"$RUGOSE" haralick -qf csv --mask-below 2 --list list.csv 2>/dev/null | cut -d, -f 1-4
"$RUGOSE" train -qf csv --model m.json --mask-value 1 --list list.csv
"$RUGOSE" classify -qf csv --model m.json --mask-value 1 --list list.csv | cut -d, -f 1-3
title "numbers that no double tells apart, signs, NaN, bits"
make_image big.npy shape=1x4 dtype=u64 values=9007199254740992,9007199254740993,18446744073709551615,0
make_image signed.npy shape=1x4 dtype=i64 values=-9007199254740993,-9007199254740992,-1,5
make_image real.npy shape=1x4 dtype=f64 values=nan,-0.5,-0,2
make_image bits.tif shape=1x12 dtype=bit values=0,1,0,1,1,1,1,1,0,0,0,1
make_image four.npy shape=1x4
make_image twelve.npy shape=1x12
four() { "$RUGOSE" haralick -f csv "$@" four.npy 2>&1 | grep -E '^mask|^four' | cut -d, -f 1-3; }
four --mask big.npy --mask-value 9007199254740993
four --mask big.npy --mask-above 9007199254740993
four --mask big.npy --mask-value 18446744073709551615
four --mask signed.npy --mask-value -9007199254740993
four --mask signed.npy --mask-below -9007199254740992
four --mask real.npy
four --mask real.npy --mask-below 0
four --mask real.npy --mask-value 0
"$RUGOSE" haralick -f csv --mask bits.tif --mask-value 0 twelve.npy 2>&1 | grep ^mask
title "larger than memory: slab by slab"
make_image large.npy shape=1x1 promise=30000x20000 values=0
truncate -s $((128 + 30000 * 20000)) large.npy
"$RUGOSE" boxcount -f csv --foreground nonzero --sizes 1,2,4 --mask large.npy --mask-below 1 large.npy | cut -d, -f 1-3
title "usage"
wrong() { exits 2 "$RUGOSE" boxcount -q "$@" ones.npy; }
wrong --mask-value 1
wrong --mask s.tif --mask-value 1 --mask-above 2
wrong --mask s.tif --mask-value 1,
wrong --mask s.tif --mask-value x
wrong --mask s.tif --mask-value nan
wrong --mask s.tif --mask-above ''
wrong --mask s.tif --mask-below 1x
