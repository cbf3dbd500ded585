# SPDX-License-Identifier: BSD-3-Clause
#
# Warned above 95 % and below 0.1 %, not between.
make_image full.npy shape=64x64
make_image black.npy shape=32x32 fill=full high=0
make_image one.npy shape=64x64 side=1
make_image most.npy shape=20x20 dtype=f64 nan=20
"$RUGOSE" boxcount -f csv full.npy black.npy one.npy
"$RUGOSE" boxcount -f csv --foreground nonzero most.npy
title "a ramp, all of it above"
make_image ramp.tif shape=64x64 fill=ramp low=1 high=255
"$RUGOSE" boxcount -f csv --foreground above=1 ramp.tif
title "neither"
make_image s64.npy shape=64x64 fill=sierpinski
"$RUGOSE" boxcount -f csv s64.npy
