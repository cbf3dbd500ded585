# SPDX-License-Identifier: BSD-3-Clause
#
# Alpha of every pixel, and the dimension of its slices.
make_image even.npy shape=64x64 low=7 high=7
title "an even image: the sum goes with the area, but for windows that the edge cuts; the largest value with nothing"
"$RUGOSE" multifractal --method alpha --slices 4 --fit 1..16 even.npy
"$RUGOSE" multifractal -f csv --method alpha --slices 2 --fit 1..16 --measure max even.npy
"$RUGOSE" multifractal -qf csv --method alpha --slices 4 --fit 1..16 even.npy >sum.csv
"$RUGOSE" multifractal -qf csv --method alpha --slices 4 --fit 1..16 --measure iso even.npy | cmp - sum.csv && echo "as many are like it"
title "the map, and that pixels inside have alpha 2"
"$RUGOSE" multifractal -qf csv --method alpha --slices 1 --map map.tif even.npy
"$RUGOSE" info --range map.tif
"$RUGOSE" boxcount -qf json --foreground above=1.9999 map.tif | grep foreground_pixels
title "a range, in which the upper edge is the last slice's; a mask"
make_image inside.npy shape=64x64 side=56 first=4
"$RUGOSE" multifractal -f csv --method alpha --slices 2 --alpha-range 1.5..2 --fit 1..16 even.npy
"$RUGOSE" multifractal -f csv --method alpha --slices 2 --alpha-range 1.75..2.25 --fit 1..16 --mask inside.npy even.npy
title "measures of a photograph"
for measure in max min sum iso; do
    "$RUGOSE" multifractal -f csv --method alpha --slices 3 --measure $measure $DATA/camera.png
done
"$RUGOSE" multifractal -qf csv --method alpha --slices 3 --measure iso --iso-tolerance 8 --windows 8 $DATA/camera.png
title "a volume, with its map as pages"
make_image ball.nii shape=8x16x16 low=1 high=9 fill=noise
"$RUGOSE" multifractal -f csv --method alpha --slices 2 --fit 1..4 --map 'm-{}.tif' ball.nii
"$RUGOSE" info --range m-ball.tif
title "nothing to measure: black, negative, NaN"
make_image black.npy shape=16x16 high=0
make_image bad.npy dtype=f32 shape=16x16 fill=ramp low=-20 high=235 nan=1
"$RUGOSE" multifractal -f csv --method alpha --slices 2 --fit 1..4 black.npy
"$RUGOSE" multifractal -f csv --method alpha --slices 2 --fit 1..4 bad.npy
title "JSON, a plot, times"
"$RUGOSE" multifractal -qf json --method alpha --slices 2 --fit 1..4 even.npy >out.json
check_json out.json
json_values out.json parameters.method parameters.measure parameters.windows parameters.slices parameters.alpha_range
grep -A 20 '"range_min"' out.json | head -n 21
"$RUGOSE" multifractal -vf csv --method alpha --slices 8 --fit 1..4 --map 't-{}.tif' --plot a.gp even.npy
sed -n '/^\$panel2_series1/,/^END/p' a.gp
exits 1 "$RUGOSE" multifractal -qf csv --method alpha --map nowhere/m.tif even.npy
ls -A | sort
