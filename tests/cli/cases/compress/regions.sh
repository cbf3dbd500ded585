# SPDX-License-Identifier: BSD-3-Clause
#
# Regions of a picture, and what is there of a stream that is cut off.
camera=$DATA/camera.png
rows() { # WIDTH FILE: the pixels of a PGM file, a row a line
    tail -c +"$(($(wc -c <"$2") - $3 * $1 + 1))" "$2" | od -An -v -tu1 -w"$1"
}
code() { "$RUGOSE" compress -q "$@" "$camera" >table; }
code --effort 1 --tile 256 -o tiles.rfi
code --stream-version 1 -o first.rfi
code --lossless --tile 256 -o exact.rfi
"$RUGOSE" info -qf csv tiles.rfi first.rfi exact.rfi | cut -d, -f 1,14,17,21
for name in tiles first exact; do
    "$RUGOSE" decompress -q -o whole.pgm $name.rfi >table
    "$RUGOSE" decompress -qf csv --crop 200,230,90,60 -o part.pgm $name.rfi | cut -d, -f 2-5,11
    rows 512 whole.pgm 512 | awk 'NR > 230 && NR <= 290 { for (x = 201; x <= 290; x++) printf "%s ", $x; print "" }' >expected
    rows 90 part.pgm 60 | awk '{ for (x = 1; x <= 90; x++) printf "%s ", $x; print "" }' | cmp - expected && echo "$name: as in the whole"
done
"$RUGOSE" decompress -qf csv --crop 511,0,1,512 -o part.pgm tiles.rfi | cut -d, -f 2-3 | tail -n 1
"$RUGOSE" decompress -qf csv --crop 200,230,90,60 --scale 2 -o part.pgm tiles.rfi | cut -d, -f 2-3 | tail -n 1
"$RUGOSE" decompress -qf csv --crop 200,230,90,60 --size 45x33 -o part.pgm tiles.rfi | cut -d, -f 2-3 | tail -n 1
"$RUGOSE" decompress -qf json --crop 200,230,90,60 --partial -o part.pgm tiles.rfi >out.json
json_values out.json parameters.crop parameters.partial results.0.shape results.0.status
title "beyond the image"
exits 1 "$RUGOSE" decompress -q --crop 500,0,20,20 -o part.pgm tiles.rfi
exits 1 "$RUGOSE" decompress -q --crop 0,512,1,1 -o part.pgm tiles.rfi
title "cut off"
code --effort 1 --tile 256 --progressive -o small.rfi
for name in tiles small exact; do
    head -c $(($(wc -c <$name.rfi) * 6 / 10)) $name.rfi >cut.rfi
    exits 1 "$RUGOSE" decompress -q -o cut.pgm cut.rfi 2>lines >table
    sed -E "s/[0-9]+ of [0-9]+ bytes/N of N bytes/" lines
    "$RUGOSE" decompress -qf csv --partial -o cut.pgm cut.rfi 2>lines | cut -d, -f 2-5,11 | tail -n 1 | sed -E 's/[0-9.]+ %/N %/'
    sed -E 's/[0-9.]+ %/N %/' lines
    "$RUGOSE" compare -qf csv "$camera" cut.pgm >$name.csv
done
awk -v a="$(column tiles.csv psnr)" -v b="$(column small.csv psnr)" 'BEGIN { print (a + 1 < b ? "the small picture helps" : a " " b) }'
"$RUGOSE" decompress -qf csv --partial -o whole.pgm small.rfi | cut -d, -f 11 | tail -n 1
head -c 9 small.rfi >cut.rfi
exits 1 "$RUGOSE" decompress -q --partial -o cut.pgm cut.rfi
