# SPDX-License-Identifier: BSD-3-Clause
#
# A folder of Zarr is an image, also inside of a folder of images; levels and channels of OME-Zarr.
cp -r "$DATA/arrays/volume.zarr" "$DATA/arrays/group.zarr" "$DATA/arrays/ome.zarr" "$DATA/arrays/v3.zarr" .
"$RUGOSE" info -f csv volume.zarr volume.zarr/ group.zarr:inner/a group.zarr/b
title "a pyramid"
exits 1 "$RUGOSE" info -f csv ome.zarr
"$RUGOSE" info -f csv --channel 0 --level 1 ome.zarr
"$RUGOSE" info -f csv ome.zarr/labels/cells
title "slabs, threads, volumes"
for threads in 1 3; do
    "$RUGOSE" boxcount -qf csv --threads $threads --volume --foreground above=123 volume.zarr
done
"$RUGOSE" boxcount -f csv --foreground above=50 --channel 1 --mask ome.zarr:labels/cells ome.zarr
title "in a folder"
mkdir images
mv volume.zarr images
make_image images/b.npy shape=4x4
"$RUGOSE" info -f csv images
title "in JSON"
"$RUGOSE" info -qf json images/volume.zarr >a.json
json_values a.json results.0.image results.0.sha256
title "version 3, and what is none"
mkdir none.zarr
exits 1 "$RUGOSE" info -f csv v3.zarr none.zarr 2>log
sed 's/GDAL [0-9.]*/GDAL/' log
