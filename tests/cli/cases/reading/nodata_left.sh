# SPDX-License-Identifier: BSD-3-Clause
#
# What is said where pixels without data leave little or nothing; and what takes no NaN.
make_image all.tif shape=16x16 low=7 high=7 nodata=7
make_image few.tif shape=16x16 side=3 low=7 high=9 nodata=7
make_image no.tif shape=16x16 fill=checker nodata=7
make_image word.tif shape=16x16 fill=checker nodata=unknown
title "nothing is left"
"$RUGOSE" boxcount -f csv all.tif
"$RUGOSE" boxcount -f csv --gray all.tif
"$RUGOSE" haralick -f csv --features contrast all.tif
"$RUGOSE" lbp -f csv all.tif
"$RUGOSE" multifractal -f csv --q 0,1,2 all.tif
"$RUGOSE" lacunarity -f csv --sizes 1,2 all.tif
title "little, and all"
"$RUGOSE" haralick -f csv --features contrast few.tif no.tif
"$RUGOSE" boxcount -f csv --fit 1..4 --nodata 5 no.tif
"$RUGOSE" boxcount -f csv --fit 1..4 word.tif
title "masks and labels"
make_image image.tif shape=16x32 fill=ramp high=200
make_image mask.tif shape=16x32 side=16 low=255 high=1 nodata=255
make_image labels.tif shape=16x32 fill=blocks low=0 nodata=2
"$RUGOSE" haralick -f csv --features contrast --mask mask.tif image.tif
"$RUGOSE" haralick -f csv --features contrast --labels labels.tif image.tif
title "pictures hold values only"
"$RUGOSE" compress few.tif -o few.rfi >table
"$RUGOSE" compare -f csv few.tif no.tif
title "training and classifying"
mkdir -p train/a train/b
make_image train/a/1.tif shape=32x32 fill=ramp low=1 high=200 nodata=1
make_image train/b/1.tif shape=32x32 fill=noise low=7 nodata=3
"$RUGOSE" train -f csv --model model.json train
"$RUGOSE" classify -f csv --model model.json train/b/1.tif
