# SPDX-License-Identifier: BSD-3-Clause
#
# The example of the paper of 1973, whose numbers can be worked out by hand.
H4=0,0,1,1,0,0,1,1,0,2,2,2,2,2,3,3
make_image h4.npy shape=4x4 values=$H4
make_image mirror.npy shape=4x4 values=1,1,0,0,1,1,0,0,2,2,2,0,3,3,2,2
"$RUGOSE" haralick -f csv --aggregate none h4.npy
title "contrast: each direction, mean, range, and that of the merged matrix, which is another number"
contrast() { "$RUGOSE" haralick -qf csv "$@" | cut -d, -f 4-6,9; }
contrast --aggregate none h4.npy
for aggregate in mean range merged; do contrast --aggregate $aggregate h4.npy | tail -n 1; done
title "one-way pairs; mirrored, symmetric ones are the same along the rows"
"$RUGOSE" haralick -qf csv --angles 0 --asymmetric h4.npy
"$RUGOSE" haralick -qf csv --angles 0 h4.npy | sed s/h4/mirror/ >one.csv
"$RUGOSE" haralick -qf csv --angles 0 mirror.npy | cmp - one.csv
title "45 degrees at distance 2 is (-2, 2)"
contrast --angles 45 --distances 1,2 h4.npy
title "directions by name, in any order, are shown in theirs"
contrast --angles 135,0 --aggregate none h4.npy
title "90 degrees is up: a pair goes from a pixel to the one above"
make_image corner.npy shape=3x3 values=2,0,0,0,0,0,0,0,0
"$RUGOSE" haralick -f json -q --angles 90 --asymmetric --aggregate none corner.npy >up.json
json_values up.json results.0.offset.y results.0.offset.x results.0.pairs results.0.sum_average results.0.variance
title "logarithms"
"$RUGOSE" haralick -qf csv --angles 0 --log 2 h4.npy | cut -d, -f 15,16,18-20
"$RUGOSE" haralick -qf csv --angles 0 --log e h4.npy | cut -d, -f 15,16,18-20
title "known small ones: two levels in turn, and independent ones"
make_image checker.npy shape=8x8 fill=checker
make_image five.npy shape=1x5 values=0,0,1,1,0
"$RUGOSE" haralick -qf csv --angles 0 checker.npy five.npy
