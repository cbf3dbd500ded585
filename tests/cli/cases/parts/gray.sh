# SPDX-License-Identifier: BSD-3-Clause
#
# Grey values in parts: with the range of the type, of the image, and of integers beside no data.
make_image cells.tif shape=200x150 fill=noise high=255
make_image wide.tif shape=150x90 fill=noise high=4000 dtype=u16
make_image stack.nii shape=70x40x30 fill=steps dtype=i16 high=9
make_image real.npy shape=190x70 fill=noise high=3 dtype=f32 nan=7
make_image map.tif shape=180x50 fill=noise high=9 nodata=4
make_image inside.tif shape=200x150 fill=checker side=60 high=255
for n in 2 5; do same_in_parts $n boxcount --gray cells.tif wide.tif stack.nii real.npy map.tif; done
same_in_parts 2 boxcount --gray --levels 100 wide.tif map.tif
same_in_parts 3 boxcount --gray --anchor min --mask inside.tif cells.tif
