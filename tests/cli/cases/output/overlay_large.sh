# SPDX-License-Identifier: BSD-3-Clause
#
# Pictures of at most 2000 pixels: means of grey, and orange by the share that was counted. Unequal spacing of a
# volume is shown as it is. Of an image that is not kept in memory a coarse level of its pyramid is read.
title "a checkerboard of single pixels: half of each cell was counted"
make_image checker.npy shape=24x4000 fill=checker
"$RUGOSE" boxcount -q --overlay o.png checker.npy >/dev/null 2>&1
recount o.png 0,0 11,1999
title "sides that no whole number divides; one that vanishes"
make_image steps.tif shape=31x4321 dtype=bit fill=steps
"$RUGOSE" boxcount -q --overlay o.png steps.tif >/dev/null 2>&1
recount o.png
make_image thin.npy shape=5001x1
"$RUGOSE" boxcount -q --overlay o.png thin.npy >/dev/null 2>&1
recount o.png
title "labels of a reduced picture, with a mask"
make_image labels.npy shape=30x4000 fill=blocks
make_image mask.npy shape=30x4000 fill=full side=2000
"$RUGOSE" boxcount -q --labels labels.npy --mask mask.npy --foreground nonzero --overlay o.png labels.npy >/dev/null 2>&1
recount o.png
title "voxels three times as thick as wide, and much thicker"
make_image v.nii shape=4x6x8 fill=noise high=9 spacing=3x1x1
"$RUGOSE" boxcount -q --overlay o.png v.nii >/dev/null 2>&1
recount o.png
make_image v.nii shape=4x6x8 fill=noise high=9 spacing=10000x1x1
"$RUGOSE" boxcount -q --overlay o.png v.nii >/dev/null 2>&1
recount o.png
make_image v.nii shape=2x3x3000 fill=noise high=9
"$RUGOSE" boxcount -q --overlay o.png v.nii >/dev/null 2>&1
recount o.png
