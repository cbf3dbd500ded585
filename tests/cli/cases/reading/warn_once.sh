# SPDX-License-Identifier: BSD-3-Clause
#
# A warning of a reader about the image in work names it once, one about its mask names both.
make_image a.tif shape=4x4 dtype=f32 white=1
make_image b.tif shape=4x4 dtype=f32 white=1
make_image pages.tif shape=2x4x4 dtype=f32 white=1
make_image m.npy shape=4x4
"$RUGOSE" info a.tif b.tif > table.txt
"$RUGOSE" info --page all pages.tif > table.txt
"$RUGOSE" boxcount -q --fit 1..4 --mask a.tif m.npy > table.txt
