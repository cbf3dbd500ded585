# SPDX-License-Identifier: BSD-3-Clause
#
# Grey levels: exact, in bins, of which range; what deserves doubt gets a warning.
make_image h4.npy shape=4x4 values=0,0,1,1,0,0,1,1,0,2,2,2,2,2,3,3
make_image low.npy shape=4x4 dtype=i16 values=-1000,-1000,-999,-999,-1000,-1000,-999,-999,-1000,-998,-998,-998,-998,-998,-997,-997
title "negative values: the shift changes nothing, in bins of the region and in exact levels but for sums"
"$RUGOSE" haralick -qf csv --levels 4 --range roi h4.npy | cut -d, -f 2- | tee h4.csv
"$RUGOSE" haralick -qf csv --levels 4 --range roi low.npy | cut -d, -f 2- | cmp - h4.csv
"$RUGOSE" haralick -qf csv low.npy
title "floats are never cut to whole numbers: 64 levels, those of the same ramp in 8 bits"
make_image ramp.npy shape=8x8 fill=ramp high=63
make_image unit.npy shape=8x8 dtype=f32 fill=ramp high=1
"$RUGOSE" haralick -f csv --levels 64 ramp.npy | cut -d, -f 2- | tee ramp.csv
"$RUGOSE" haralick -f csv unit.npy | cut -d, -f 2- | cmp - ramp.csv
exits 1 "$RUGOSE" haralick -qf csv --levels exact unit.npy h4.npy | cut -d, -f 1-8
exits 1 "$RUGOSE" haralick -qf csv --levels 8 --range type unit.npy
title "the top edge belongs to the last bin: 1..254 in 8 bins, 1..5 in width 1"
make_image all.npy shape=1x254 fill=ramp low=1 high=254
make_image five.npy shape=1x5 values=1,2,3,4,5
"$RUGOSE" haralick -qf json --levels 8 --range 1..254 --angles 0 all.npy >all.json
json_values all.json results.0.levels results.0.region.bin_origin results.0.region.bin_width \
    results.0.region.clamped parameters.levels parameters.range
"$RUGOSE" haralick -f csv --bin-width 1 --angles 0 five.npy | cut -d, -f 1-10
"$RUGOSE" haralick -f csv --bin-width 1 --range 1..5 --angles 0 five.npy | cut -d, -f 1-10
title "A and 2 A: equal in bins of the image, not in those of a fixed range"
make_image a.npy shape=8x8 fill=ramp high=63
make_image twice.npy shape=8x8 fill=ramp high=126
"$RUGOSE" haralick -qf csv --levels 16 a.npy twice.npy | cut -d, -f 1-10
"$RUGOSE" haralick -f csv --levels 16 --range 0..127 a.npy twice.npy | cut -d, -f 1-10
title "12 bits in 16: the range of the type leaves a sixteenth of the levels"
make_image camera.npy shape=64x64 dtype=u16 fill=ramp high=4095
"$RUGOSE" haralick -f csv --levels 256 --range type camera.npy | cut -d, -f 1-10
"$RUGOSE" haralick -f csv --levels 256 --range 0..4095 camera.npy | cut -d, -f 1-10
title "values outside of the range; too few levels"
"$RUGOSE" haralick -f csv --levels 8 --range 10..40 a.npy | cut -d, -f 1-10
"$RUGOSE" haralick -f csv --bin-width 25 unit.npy | cut -d, -f 1-10
title "16 bits far apart take no matrix of their own; wider ones are refused with the number"
make_image far.npy shape=8x8 dtype=u16 fill=checker high=65535
"$RUGOSE" haralick -f csv far.npy | cut -d, -f 1-10
make_image wide.nii shape=1x2x2 dtype=f64 values=0,1,2,100000
exits 1 "$RUGOSE" haralick -f csv --bin-width 1 wide.nii
title "values as far apart as doubles can be"
make_image huge.npy shape=2x4 dtype=f64 values=-1e308,1e308,0,1,2,3,4,5
"$RUGOSE" haralick -f csv --levels 8 huge.npy | cut -d, -f 1-10
"$RUGOSE" haralick -f csv --levels 8 --range -1.7e308..1.7e308 huge.npy | cut -d, -f 1-10
