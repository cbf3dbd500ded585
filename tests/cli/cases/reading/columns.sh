# SPDX-License-Identifier: BSD-3-Clause
#
# Which columns of a table are coordinates: those that the header or the caller names, and never
# numbers that nobody called so.
{
    echo '"id","frame","x [nm]","y [nm]","sigma [nm]","intensity [photon]"'
    for i in 0 1 2 3 4 5 6 7; do
        echo "$i,1,$((8 * i)).5,$((8 * i)).5,130.25,900"
    done
} >storm.csv
sed 1d storm.csv >bare.csv
printf '0 0 0 255 0 0\n8 0 0 0 255 0\n0 8 0 0 0 255\n' >colours.xyz
title "a table of localisations"
"$RUGOSE" boxcount -f csv --fit 1..8 storm.csv
"$RUGOSE" info -f json storm.csv >out.json
check_json out.json
grep '"columns"\|"left_out"' out.json
title "named, numbered, behind other rows"
"$RUGOSE" boxcount -f csv --fit 1..8 --columns y,3 storm.csv
"$RUGOSE" boxcount -f csv --fit 1..8 --columns 3,4 bare.csv
"$RUGOSE" multifractal -f csv --q 0,1,2 --fit 1..8 --skip-rows 1 --columns 3,4 storm.csv
title "coordinates and colours"
exits 1 "$RUGOSE" boxcount -q colours.xyz
"$RUGOSE" info -f csv --columns 1,2,3 colours.xyz
title "columns that are not there"
exits 1 "$RUGOSE" boxcount -qf csv --columns x,w storm.csv
exits 1 "$RUGOSE" boxcount -qf csv --columns x,9 storm.csv
exits 1 "$RUGOSE" boxcount -qf csv --columns x bare.csv
exits 1 "$RUGOSE" boxcount -qf csv --skip-rows 99 storm.csv
title "of an array, and of an image"
make_image rows.npy shape=50x6 dtype=u16 fill=ramp low=0 high=1000
exits 1 "$RUGOSE" info -f csv --points rows.npy
"$RUGOSE" info -f csv --points --columns 6,1 rows.npy
exits 1 "$RUGOSE" boxcount -qf csv --columns 6,1 rows.npy
