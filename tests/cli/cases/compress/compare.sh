# SPDX-License-Identifier: BSD-3-Clause
#
# Errors between images, by numbers that are known.
make_image a.npy shape=2x2 values=10,20,30,40
make_image b.npy shape=2x2 values=10,22,30,30
make_image c.npy shape=2x3 values=1,2,3,4,5,6
make_image d.npy shape=2x2 dtype=u16 values=10,20,30,40
make_image f.npy shape=2x2 dtype=f64 values=1,2,3,5
make_image nan.npy shape=2x2 dtype=f64 nan=1
make_image ramp.tif shape=32x32 fill=ramp high=255
make_image noise.tif shape=32x32 fill=noise high=255
"$RUGOSE" compare a.npy b.npy
"$RUGOSE" compare -qf csv a.npy b.npy
"$RUGOSE" compare -qf csv a.npy a.npy
"$RUGOSE" compare -qf csv --peak 100 a.npy b.npy
"$RUGOSE" compare -qf csv f.npy f.npy
"$RUGOSE" compare -qf csv ramp.tif ramp.tif
"$RUGOSE" compare -qf csv $DATA/camera.png $DATA/brick.png
title "pages and volumes"
make_image pages.tif shape=3x16x16 fill=ramp high=99
"$RUGOSE" compare -qf csv --page 1 pages.tif pages.tif
"$RUGOSE" compare -qf csv --volume pages.tif pages.tif
title "json"
"$RUGOSE" compare -qf json -o a.json ramp.tif noise.tif
json_values a.json command parameters.peak results.0.image results.0.compared_with.image results.0.status
title "what cannot be compared"
exits 1 "$RUGOSE" compare -q a.npy c.npy
exits 1 "$RUGOSE" compare -q a.npy d.npy
exits 1 "$RUGOSE" compare -q f.npy nan.npy
exits 1 "$RUGOSE" compare -q a.npy missing.npy
exits 1 "$RUGOSE" compare -q missing.npy a.npy
