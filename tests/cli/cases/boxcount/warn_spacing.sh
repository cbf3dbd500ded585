# SPDX-License-Identifier: BSD-3-Clause
#
# Boxes are cubes of pixels: unequal spacing gets a warning with its ratio, equal spacing gets none.
make_image thick.nii shape=4x8x8 fill=checker spacing=5x1x1
make_image cube.nii shape=4x8x8 fill=checker spacing=2x2x2
make_image near.nii shape=4x8x8 fill=checker spacing=1x1x1.005
make_image unknown.nii shape=4x8x8 fill=checker spacing=0x1x1
"$RUGOSE" boxcount -f csv --fit 1..16 thick.nii cube.nii near.nii unknown.nii
