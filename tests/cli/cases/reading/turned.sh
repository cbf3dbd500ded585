# SPDX-License-Identifier: BSD-3-Clause
#
# Pictures that are stored turned or mirrored come upright, and the read line says so.
values=1,2,3,4,5,6,7,8
for orientation in 1 2 3 4 5 6 7 8; do
    make_image a.tif shape=2x4 values=$values orientation=$orientation
    "$RUGOSE" info -f csv a.tif | tail -n 1 | cut -d, -f 3
    "$RUGOSE" lbp --map map.tif --exact skimage -q a.tif >/dev/null
    "$RUGOSE" info -qf csv map.tif | tail -n 1 | cut -d, -f 3
done
title "in JSON"
"$RUGOSE" info -qf json a.tif >a.json
json_values a.json results.0.read.orientation results.0.shape
title "a mask that is stored so"
make_image image.tif shape=4x2 values=1,1,0,1,0,0,1,1
make_image mask.tif shape=2x4 values=1,0,0,1,0,1,1,1 orientation=6
"$RUGOSE" boxcount -f csv --foreground nonzero --mask mask.tif image.tif 2>&1 | grep -v warning
title "slices"
make_image volume.tif shape=3x4x6 orientation=8
"$RUGOSE" info volume.tif
