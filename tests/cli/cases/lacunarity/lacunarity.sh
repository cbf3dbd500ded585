# SPDX-License-Identifier: BSD-3-Clause
#
# Lacunarity of small images that can be worked out by hand: gliding boxes, moments of the
# population, boxes wholly inside.
make_image checker.npy shape=8x8 fill=checker
make_image four.npy shape=4x4 values=1,0,0,0,0,0,0,1,0,1,0,0,0,0,1,0
make_image half.npy shape=8x8 values=1,1,1,1,0,0,0,0,1,1,1,1,0,0,0,0,1,1,1,1,0,0,0,0,1,1,1,1,0,0,0,0,1,1,1,1,0,0,0,0,1,1,1,1,0,0,0,0,1,1,1,1,0,0,0,0,1,1,1,1,0,0,0,0
"$RUGOSE" lacunarity --sizes 1..4 checker.npy
"$RUGOSE" lacunarity -f csv --sizes 1..4 four.npy
"$RUGOSE" lacunarity -f csv half.npy
title "side by side"
"$RUGOSE" lacunarity -f csv --boxes fixed --sizes 1..5 half.npy
title "grey values: the same of 0 and 7, and of floats in steps of a half"
make_image seven.npy shape=8x8 fill=checker high=7
make_image floats.npy dtype=f32 shape=8x8 fill=checker low=0 high=0.5
"$RUGOSE" lacunarity -f csv --gray --sizes 1..4 seven.npy floats.npy
title "a mask: boxes that it cuts do not count"
make_image inside.npy shape=8x8 side=6 first=1
"$RUGOSE" lacunarity -f csv --sizes 1,4,6,7 --mask inside.npy half.npy
title "a volume, a row, black, white, larger boxes than the image"
make_image volume.nii shape=4x8x8 fill=checker
make_image row.npy shape=1x9 values=1,0,0,1,0,0,1,0,0
make_image black.npy shape=32x32 high=0
make_image white.npy shape=5x5
"$RUGOSE" lacunarity -f csv volume.nii row.npy
"$RUGOSE" lacunarity -f csv --sizes 1,2,64 black.npy white.npy
title "NaN, negative values, a bad file among others"
make_image nan.npy dtype=f32 shape=4x4 fill=ramp low=1 high=16 nan=2
make_image negative.npy dtype=i16 shape=4x4 fill=ramp low=-1 high=14
head -c 100 half.npy >cut.npy
exits 1 "$RUGOSE" lacunarity -f csv --gray --sizes 2 nan.npy cut.npy negative.npy half.npy
title "no data: holes, unless the image is its own mask"
binary=$DATA/nodata_binary.tif surface=$DATA/nodata_surface.tif
"$RUGOSE" lacunarity -qf csv --sizes 2 $binary
"$RUGOSE" lacunarity -qf csv --sizes 2 --mask $binary --mask-below 255 $binary
"$RUGOSE" lacunarity -qf csv --sizes 2 --nodata none $binary
"$RUGOSE" lacunarity -qf csv --sizes 2 --gray $surface
"$RUGOSE" lacunarity -qf csv --sizes 2 --gray --mask $surface --mask-above -9999 $surface
make_image 64.npy shape=64x64
"$RUGOSE" lacunarity -qf csv --sizes 2 --mask 64.npy $binary
"$RUGOSE" lacunarity -qf csv --sizes 2 --labels 64.npy $binary
make_image some.npy dtype=f32 shape=4x4 fill=ramp low=1 high=16 nan=2
"$RUGOSE" lacunarity -qf csv --gray --sizes 2 --nodata 16 some.npy
"$RUGOSE" lacunarity -qf csv --gray --sizes 2 --nodata 7 some.npy
"$RUGOSE" lacunarity -qf csv --gray --sizes 2 --nodata 99 some.npy
title "JSON, a plot, times, threads"
"$RUGOSE" lacunarity -qf json --sizes 2 half.npy >out.json
check_json out.json
json_values out.json command parameters.boxes parameters.gray parameters.foreground parameters.sizes
grep -A 8 '"lacunarity": ' out.json | tail -n 9
"$RUGOSE" lacunarity -vf csv --plot a.gp half.npy
sed -n '/^\$panel1_series1/,/^END/p' a.gp
"$RUGOSE" lacunarity -qf csv --threads 1 --gray $DATA/camera.png >one.csv
"$RUGOSE" lacunarity -qf csv --threads 4 --gray $DATA/camera.png | cmp - one.csv && cat one.csv
