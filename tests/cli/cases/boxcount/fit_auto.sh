# SPDX-License-Identifier: BSD-3-Clause
#
# The automatic range finds the sizes that scale, and says which.
make_image canvas.npy shape=128x128 fill=sierpinski side=64
"$RUGOSE" boxcount -qf csv --fit 1..128 canvas.npy
"$RUGOSE" boxcount -qf csv --fit auto canvas.npy
title "no three sizes agree"
make_image point.npy shape=16x16 side=3 fill=checker
"$RUGOSE" boxcount -qf csv --fit auto point.npy
