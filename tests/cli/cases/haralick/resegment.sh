# SPDX-License-Identifier: BSD-3-Clause
#
# Re-segmentation leaves pixels out, where a range clamps them; where bins of a width begin.
make_image ct.npy shape=3x6 dtype=i16 values=-1024,-900,-40,10,60,3071,-1001,-1000,-20,30,400,401,0,25,50,75,100,125
values() { json_values "$1" results.0.area results.0.pairs results.0.region.outside \
    results.0.region.clamped results.0.region.bin_origin results.0.region.shape results.0.status; }
measure() { "$RUGOSE" haralick -f json --features contrast,joint_average "$@" ct.npy >out.json && values out.json; }
title "-1000..400 in bins of 25: the first begins at -1000"
measure --resegment -1000..400 --bin-width 25
json_values out.json results.0.contrast results.0.joint_average parameters.resegment
title "a range keeps the pixels outside"
measure --range -1000..400 --bin-width 25
title "one side open, from integers as they are"
measure --resegment=..100
measure --resegment=-40..
title "a mask of the same pixels is the same; PyRadiomics begins its bins at a multiple of the width"
make_image inside.npy shape=3x6 values=0,1,1,1,1,0,0,1,1,1,1,0,1,1,1,1,1,1
measure --resegment -1000..400 --bin-width 25 --bin-origin zero --angles 0
measure --mask inside.npy --bin-width 25 --angles 0
title "labels: each by itself, one of which nothing is left"
make_image labels.npy shape=3x6 values=1,1,1,1,1,9,9,2,2,2,2,9,2,2,2,2,2,2
"$RUGOSE" haralick -f csv --features contrast --labels labels.npy --resegment -50..100 ct.npy
"$RUGOSE" haralick -f csv --features contrast --labels labels.npy --levels 8 --resegment -50..100 ct.npy
title "bins that begin at the least value of each region, of the image, at a number"
"$RUGOSE" haralick -qf json --features joint_average --labels labels.npy --bin-width 20 --bin-origin min ct.npy >out.json
json_values out.json results.0.region.bin_origin results.1.region.bin_origin results.2.region.bin_origin results.1.joint_average
measure --bin-width 20 --bin-origin min --range image --resegment=..200
measure --bin-width 20 --bin-origin -50
measure --bin-width 20 --range -1000..400 --bin-origin min
title "nothing is left"
"$RUGOSE" haralick -f csv --features contrast --resegment 4000..5000 ct.npy
"$RUGOSE" haralick -f csv --features contrast --levels 8 --resegment 4000..5000 ct.npy
title "maps: such pixels are in no pair, and have a value"
"$RUGOSE" haralick -f csv --features contrast --window 3 --map m.tif --resegment -50..100 ct.npy
"$RUGOSE" info --range -f csv m.tif 2>/dev/null | cut -d, -f 1-9
title "what does not go together"
wrong() { exits 2 "$RUGOSE" haralick "$@" ct.npy; }
for range in '' x 5 5..5 5..1 .. 1..x nan.. ..inf; do wrong --resegment "$range"; done
for origin in '' x max nan inf 1,2; do wrong --bin-width 2 --bin-origin "$origin"; done
wrong --bin-origin min
wrong --levels 8 --bin-origin 0
