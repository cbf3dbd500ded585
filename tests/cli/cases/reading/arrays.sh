# SPDX-License-Identifier: BSD-3-Clause
#
# Files that hold several arrays: HDF5 and NetCDF, the array chosen by --dataset or behind the file's name, also
# of masks and labels.
arrays=$DATA/arrays
"$RUGOSE" info -f csv "$arrays/volume.h5" "$arrays/height.nc" "$arrays/height4.nc" "$arrays/dem.img"
title "which array"
exits 1 "$RUGOSE" info -f csv "$arrays/several.h5"
"$RUGOSE" info -f csv --dataset raw "$arrays/several.h5"
"$RUGOSE" info -f csv "$arrays/several.h5:/seg/labels" "$arrays/several.h5:f64"
title "that it does not have"
exits 1 "$RUGOSE" info -f csv --dataset labels "$arrays/several.h5" "$DATA/camera.png"
exits 1 "$RUGOSE" info -f csv --dataset raw "$arrays/several.h5:raw"
title "channels of ilastik, pages"
"$RUGOSE" boxcount -f csv --foreground above=1200 --channel 1 --dataset exported_data "$arrays/ilastik.h5"
"$RUGOSE" info -f csv --page all --dataset four "$arrays/several.h5"
title "masks and labels"
"$RUGOSE" boxcount -f csv --foreground above=300 --mask "$arrays/several.h5:/seg/labels" "$arrays/several.h5:raw"
"$RUGOSE" boxcount -f csv --foreground nonzero --labels "$arrays/several.h5:/seg/labels" "$arrays/several.h5:raw"
title "places"
"$RUGOSE" boxcount -qf csv --foreground above=10 --mask "$arrays/height4.nc" "$arrays/height.nc"
title "in JSON"
cp "$arrays/several.h5" .
"$RUGOSE" info -qf json --dataset raw several.h5 >a.json
"$RUGOSE" info -qf json several.h5:raw >b.json
json_values a.json parameters.dataset results.0.read.format results.0.sha256
json_values b.json results.0.image results.0.sha256
title "an array's file is not written over, and names maps"
exits 2 "$RUGOSE" info -qf csv -o several.h5 several.h5:raw
"$RUGOSE" lbp -qf csv --map '{dir}/{}.tif' several.h5:/big several.h5:f64 >/dev/null
ls ./*.tif
title "maps of a raster lie where it does, and nowhere else"
"$RUGOSE" lbp -qf csv --border skip --map map.tif "$arrays/dem.img" >/dev/null
"$RUGOSE" boxcount -qf csv --foreground nonzero --mask "$arrays/dem.img" map.tif
exits 1 "$RUGOSE" boxcount -qf csv --foreground nonzero --mask "$arrays/turned.dat" map.tif
title "damage"
head -c 3000 several.h5 >cut.h5
printf '\211HDF\r\n\032\n' >head.h5
exits 1 "$RUGOSE" info -qf csv cut.h5 head.h5
