# SPDX-License-Identifier: BSD-3-Clause
#
# Enlarging: sizes, depths, colours; what is flat stays flat exactly; better than repeating pixels.
make_image flat.tif shape=20x30 low=77 high=77
make_image wide.tif shape=9x7 dtype=u16 fill=ramp low=100 high=60000
printf 'P6 2 2 255\n\377\000\000\000\377\000\000\000\377\377\377\377' >colour.ppm
"$RUGOSE" upscale -f csv -o 'up-{}.png' flat.tif wide.tif colour.ppm | cut -d, -f 1-6
"$RUGOSE" upscale -qf csv --scale 4 -o 'four-{}.tif' flat.tif wide.tif colour.ppm | cut -d, -f 1-6
"$RUGOSE" upscale -qf csv --channel 0 -o red.png colour.ppm | cut -d, -f 1-6
"$RUGOSE" info --range -qf csv up-flat.png four-flat.tif | cut -d, -f 3-6
"$RUGOSE" info --range -qf csv up-wide.png four-wide.tif up-colour.png | cut -d, -f 3,4,17
title "nothing is left of what fails"
make_image float.tif shape=8x8 dtype=f32
exits 1 "$RUGOSE" upscale -q -o float.png float.tif
exits 1 "$RUGOSE" upscale -q -o wide.jpg wide.tif
ls -A
