# SPDX-License-Identifier: BSD-3-Clause
#
# Slope 0 means no scaling, other slopes are applied.
make_image slope0.nii shape=4x16x16 fill=ramp high=255 slope=0 inter=7
make_image slope1.nii shape=4x16x16 fill=ramp high=255 slope=1
make_image slope2.nii shape=4x16x16 fill=ramp high=255 slope=2 inter=-10
gzip -k slope1.nii
"$RUGOSE" info --range -f csv slope0.nii slope1.nii slope1.nii.gz slope2.nii
"$RUGOSE" boxcount -qf csv --fit 1..16 --foreground above=100 slope0.nii slope1.nii
"$RUGOSE" boxcount -qf csv --fit 1..16 --foreground above=190 slope2.nii
