# SPDX-License-Identifier: BSD-3-Clause
#
# The pixels of a GeoTIFF have the size that it says, in the unit of its coordinates, and so have maps.
make_image metre.tif shape=64x64 fill=sierpinski map=500000,4600000,10 unit=9001
make_image foot.tif shape=64x64 fill=sierpinski map=500000,4600000,10 unit=9003
make_image degree.tif shape=64x64 fill=sierpinski map=10,50,0.25 unit=9102
make_image unknown.tif shape=64x64 fill=sierpinski map=10,50,0.25
"$RUGOSE" info -f csv metre.tif foot.tif degree.tif unknown.tif | cut -d, -f 1,3-6
title "boxes in its unit: those of the same number of pixels"
count() { "$RUGOSE" boxcount -qf csv "$@" | cut -d, -f 1,5-9; }
count --fit 2..16 metre.tif
count --box-unit m --fit 20..160 metre.tif
count --box-unit km --fit 0.02..0.16 metre.tif
count --box-unit degree --fit 0.5..4 degree.tif
count --box-unit US_survey_foot --fit 20..160 foot.tif
count --box-unit file --fit 0.5..4 unknown.tif
title "a degree is no length, and another unit none that is known"
exits 1 "$RUGOSE" boxcount -q --box-unit m degree.tif
exits 1 "$RUGOSE" boxcount -q --box-unit m unknown.tif
title "maps, and slices"
"$RUGOSE" lbp -q --map 'map-{}.tif' metre.tif degree.tif >table
"$RUGOSE" info -f csv map-metre.tif map-degree.tif | cut -d, -f 1,3-6
mkdir slices
cp metre.tif slices/1.tif
cp metre.tif slices/2.tif
"$RUGOSE" info -qf csv --volume slices | cut -d, -f 1,3-6
