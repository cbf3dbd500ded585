# SPDX-License-Identifier: BSD-3-Clause
#
# Differential box counting: grey values as a surface.
make_image flat.npy shape=64x64 low=100 high=100
make_image ramp.npy dtype=u16 shape=64x64 fill=ramp low=0 high=4095
make_image noise.npy shape=128x128 fill=noise low=0 high=255
"$RUGOSE" boxcount --gray --counts - --fit 2..32 flat.npy
"$RUGOSE" boxcount -f csv --gray --counts ramp.csv --fit 2..32 ramp.npy
cat ramp.csv
"$RUGOSE" boxcount -f csv --gray noise.npy $DATA/camera.png
title "a number of levels, a mask, a range that is found"
"$RUGOSE" boxcount -f csv --gray --levels 4096 --fit 2..16 ramp.npy
make_image inside.npy shape=64x64 side=32
"$RUGOSE" boxcount -f csv --gray --counts masked.csv --fit 2..16 --mask inside.npy ramp.npy
cat masked.csv
"$RUGOSE" boxcount -f csv --gray --fit auto noise.npy
title "floats, NaN, a volume, a single pixel, pixels outside of the mask alone"
make_image floats.npy dtype=f32 shape=32x32 fill=ramp low=-1 high=1 nan=3
make_image volume.nii shape=8x16x16 fill=noise low=0 high=9
make_image one.npy shape=1x1
make_image none.npy shape=64x64 low=0 high=0
"$RUGOSE" boxcount -f csv --gray --fit 2..8 floats.npy volume.nii one.npy
"$RUGOSE" boxcount -f csv --gray --mask none.npy flat.npy
title "JSON, a plot, times, threads"
"$RUGOSE" boxcount -qf json --gray --fit 2..8 floats.npy >out.json 2>log
check_json out.json
json_values out.json parameters.gray parameters.levels parameters.fit
grep -A 9 '"counts"' out.json
"$RUGOSE" boxcount -vf csv --gray --plot a.gp noise.npy
sed -n '/^\$panel1_series1/,/^END/p' a.gp
"$RUGOSE" boxcount -qf csv --gray --threads 1 $DATA/camera.png >one.csv
"$RUGOSE" boxcount -qf csv --gray --threads 4 $DATA/camera.png | cmp - one.csv && echo same
title "the columns are the same whatever the data, and those of sets stay"
"$RUGOSE" boxcount -qf csv --gray flat.npy | head -n 1 >header
for file in volume.nii one.npy missing.npy; do "$RUGOSE" boxcount -qf csv --gray $file 2>log | head -n 1 | cmp - header; done
"$RUGOSE" boxcount -qf csv noise.npy | head -n 1
title "options that do not go with it"
wrong() { exits 2 "$RUGOSE" boxcount -q "$@" flat.npy; }
wrong --levels 4
for levels in 0 -1 x nan; do wrong --gray --levels $levels; done
wrong --gray --foreground otsu
wrong --gray --sizes 2,4
wrong --gray --grid min
wrong --gray --of black
wrong --gray --method hou
wrong --gray --labels flat.npy
wrong --gray --points
exits 1 "$RUGOSE" boxcount -q --gray --resolution 4 flat.npy
wrong --gray --spacing 1
printf '1,2\n3,4\n' >points.csv
exits 1 "$RUGOSE" boxcount -q --gray points.csv
