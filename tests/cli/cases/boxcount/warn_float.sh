# SPDX-License-Identifier: BSD-3-Clause
#
# Probability maps: the values are told and a threshold is asked for; not when it is given.
make_image map.nii shape=4x16x16 dtype=f32 fill=ramp
"$RUGOSE" boxcount -f csv --fit 1..16 map.nii
"$RUGOSE" boxcount -f csv --fit 1..16 --foreground above=0.5 map.nii
title "two values need no warning"
make_image mask.nii shape=4x16x16 dtype=f32 fill=checker high=0.5
"$RUGOSE" boxcount -f csv --fit 1..16 mask.nii
