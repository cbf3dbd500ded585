# SPDX-License-Identifier: BSD-3-Clause
#
# Frames: the box of a region, wider by each distance or by one width for all.
make_image two.npy shape=2x2 dtype=u16 values=100,200,300,50
rows() { "$RUGOSE" haralick -qf csv --angles 0 --features contrast "$@"; }
title "wider by 5: 12 x 11 pairs at distance 1, contrast 215000 / 132"
rows --pairs frame --frame 5 --distances 1,5 two.npy
title "by each distance: the largest has the same pairs"
rows --pairs frame --distances 1,5 two.npy
title "labels and masks have frames of their own"
make_image large.npy shape=6x7 dtype=u16 fill=ramp low=3 high=99
make_image labels.npy shape=6x7 values=1,1,0,0,0,2,2,1,1,0,0,0,2,2,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,3,0,0,0,0,0,0
rows --pairs frame --frame 3 --labels labels.npy large.npy
make_image corner.npy shape=6x7 values=1,1,0,0,0,0,0,1,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
rows --pairs frame --frame 3 --mask corner.npy large.npy
title "volumes: along all three axes, or in slices"
make_image cube.npy shape=2x2x2 dtype=u16 values=100,200,300,50,1,2,3,4
rows --pairs frame --frame 5 cube.npy
rows --pairs frame --frame 5 --slices mean cube.npy
title "in the parameters"
parameters() {
    "$RUGOSE" haralick -qf json -o out.json "$@" two.npy
    json_values out.json parameters.pairs parameters.frame
}
parameters --pairs frame --frame 5
parameters --pairs frame
title "refused"
exits 2 "$RUGOSE" haralick --frame 5 two.npy
exits 2 "$RUGOSE" haralick --pairs inside --frame 5 two.npy
for n in 0 -1 x 32768 1.5; do exits 2 "$RUGOSE" haralick --pairs frame --frame "$n" two.npy; done
exits 2 "$RUGOSE" haralick --pairs frame --frame 4 --distances 5,1,2 two.npy
exits 2 "$RUGOSE" haralick --pairs frame --frame 4 --window 3 --features contrast --map m.tif two.npy
