# SPDX-License-Identifier: BSD-3-Clause
#
# Pixels that are NaN or infinite are in no pair, and are told.
make_image nan.npy shape=4x4 dtype=f32 values=0,0,1,1,0,nan,1,1,0,2,2,2,2,2,3,3
make_image inf.npy shape=4x4 dtype=f32 values=inf,0,1,1,0,0,1,1,0,2,2,2,2,2,3,3
make_image nothing.npy shape=4x4 dtype=f32 nan=16
"$RUGOSE" haralick -f csv --levels 4 --aggregate none --features 13 nan.npy
"$RUGOSE" haralick -f csv --levels 4 --features 13 inf.npy
"$RUGOSE" haralick -f csv --features 13 nothing.npy
title "the numbers of pixels, and finite edges of bins, in JSON"
"$RUGOSE" haralick -qf json --levels 4 inf.npy >inf.json
json_values inf.json results.0.area results.0.region.not_finite results.0.region.bin_origin \
    results.0.region.bin_width
title "by label"
make_image labels.npy shape=4x4 values=1,1,2,2,1,1,2,2,3,3,3,3,3,3,3,3
"$RUGOSE" haralick -f csv --levels 4 --features 13 --labels labels.npy nan.npy
