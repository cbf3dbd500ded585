# SPDX-License-Identifier: BSD-3-Clause
#
# Methods of grey values: nothing is coloured. Percentiles become black and white, outside of a mask it is dimmer,
# pixels without a value are hatched.
make_image ramp.npy shape=1x101 fill=ramp high=200
make_image side.npy shape=1x101 fill=full first=0 side=50
make_image nan.tif shape=4x40 dtype=f32 fill=ramp high=9 nan=3
make_image flat.npy shape=4x4 fill=full high=7
grey() { # COMMAND ARGUMENTS
    title "$@"
    command=$1
    shift
    rm -f o.png
    "$RUGOSE" "$command" -q --overlay o.png "$@" >/dev/null 2>&1
}
grey haralick ramp.npy
recount o.png 0,0 0,1 0,50 0,99 0,100
grey haralick --mask side.npy ramp.npy
recount o.png 0,49 0,60 0,100
grey haralick nan.tif
recount o.png 0,0 0,1 0,2 0,3 3,39
grey haralick flat.npy
recount o.png 1,1
make_image two.npy shape=20x20 fill=full side=1 low=3 high=9
grey haralick two.npy
recount o.png 0,0 1,1
grey lbp $DATA/brick.png
recount o.png
grey lacunarity --gray $DATA/brick.png
recount o.png
grey multifractal $DATA/cascade_1234_k7.png
recount o.png
grey multifractal --foreground above=100 $DATA/cascade_1234_k7.png
recount o.png
grey multifractal --method alpha $DATA/cascade_1234_k7.png
recount o.png
grey boxcount --gray $DATA/brick.png
recount o.png
grey lbp --planes all $DATA/nuclei3d.nii.gz
recount o.png
title "classify"
mkdir -p train/a train/b
make_image train/a/1.npy shape=40x40 fill=noise high=200
make_image train/b/1.npy shape=40x40 fill=checker high=200
"$RUGOSE" train -q --model m.json train >/dev/null
mv train/b/1.npy train/b/2.npy
"$RUGOSE" classify -q --model m.json --overlay 'seen-{}.png' train >/dev/null 2>&1
recount seen-1.png
recount seen-2.png
