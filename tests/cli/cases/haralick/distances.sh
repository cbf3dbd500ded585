# SPDX-License-Identifier: BSD-3-Clause
#
# Distances: pairs as they are counted, and none where the object is no larger.
make_image img.npy shape=5x7 fill=ramp high=34
"$RUGOSE" haralick -f csv --distances 1,2,5,7 --aggregate none --asymmetric img.npy | cut -d, -f 1-10
title "mean over the directions that have pairs"
"$RUGOSE" haralick -f csv --distances 1,4,5,7,32767 img.npy
title "no larger than the distance: how many of the labels"
make_image labels.npy shape=5x7 values=1,1,2,2,2,0,3,1,1,2,2,2,0,0,0,0,2,2,2,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4
"$RUGOSE" haralick -f csv --distances 1,2,3 --labels labels.npy img.npy | cut -d, -f 1-10
title "a frame of background around the region"
make_image two.npy shape=2x2 values=1,2,2,1
"$RUGOSE" haralick -f csv --pairs frame --aggregate none --features 13 two.npy
"$RUGOSE" haralick -qf csv --pairs frame --labels labels.npy img.npy | cut -d, -f 1-10
