# SPDX-License-Identifier: BSD-3-Clause
#
# Parts of images with masks, of lists, shards, pages, and of pixels without data.
make_image a.tif shape=130x40 fill=noise high=200
make_image b.tif shape=90x40 fill=ramp high=200
make_image inside.tif shape=130x40 fill=checker side=60 high=255
make_image levels.npy shape=130x40 fill=ramp high=99 dtype=f64 nan=5
make_image pages.tif shape=3x70x20 fill=noise
make_image map.tif shape=130x40 fill=noise high=9 nodata=4
printf 'image,mask,day\na.tif,inside.tif,1\nb.tif,,2\n' >list.csv
for command in boxcount multifractal lacunarity "info --range"; do same_in_parts 3 $command map.tif; done
for command in boxcount multifractal lacunarity; do same_in_parts 2 $command --list list.csv; done
same_in_parts 3 boxcount --nodata 0 map.tif b.tif
same_in_parts 2 boxcount --page all pages.tif a.tif
same_in_parts 2 boxcount --volume pages.tif
same_in_parts 2 boxcount --shard 2/2 a.tif b.tif pages.tif
same_in_parts 3 boxcount --mask levels.npy --mask-above 50 a.tif
