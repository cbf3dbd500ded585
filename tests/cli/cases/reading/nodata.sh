# SPDX-License-Identifier: BSD-3-Clause
#
# Pixels that a GeoTIFF says hold no data are left out of everything; --nodata says otherwise.
surface=$DATA/nodata_surface.tif binary=$DATA/nodata_binary.tif
title "what the tag says"
"$RUGOSE" info -f csv $surface $binary
"$RUGOSE" haralick -f csv --features contrast $surface
"$RUGOSE" boxcount -f csv --gray $surface
"$RUGOSE" boxcount -f csv $binary
"$RUGOSE" multifractal -f csv --q 0,1,2 $binary
"$RUGOSE" multifractal -f csv --method alpha --slices 2 $surface
"$RUGOSE" lacunarity -f csv --sizes 1,2 --gray $surface
"$RUGOSE" lbp -f csv $binary
title "other values, and none"
"$RUGOSE" haralick -f csv --features contrast --nodata none $surface
"$RUGOSE" boxcount -f csv --nodata none $binary
"$RUGOSE" boxcount -f csv --nodata 0 $binary
"$RUGOSE" boxcount -f csv --nodata nan $binary
title "any format"
make_image a.npy shape=16x16 fill=blocks dtype=u16
make_image i.npy shape=2x2 dtype=i64 values=9007199254740993,9007199254740992,5,6
"$RUGOSE" info -f csv --range --nodata 7 a.npy
"$RUGOSE" info -f csv --range --nodata 9007199254740993 i.npy
exits 1 "$RUGOSE" info -f csv --range --nodata 5 i.npy
title "JSON"
"$RUGOSE" boxcount -qf json $binary >out.json
check_json out.json
grep '"nodata\|"dtype\|"nan"' out.json
"$RUGOSE" boxcount -qf json --nodata none $binary >out.json
grep '"nodata\|"dtype' out.json
title "words"
exits 2 "$RUGOSE" boxcount --nodata 1,2 $binary
exits 2 "$RUGOSE" boxcount --nodata nothing $binary
exits 2 "$RUGOSE" compress --nodata 0 $binary -o out.rfi
printf '1,2\n3,4\n5,5\n' >points.csv
exits 1 "$RUGOSE" boxcount -qf csv --nodata 0 points.csv
