# SPDX-License-Identifier: BSD-3-Clause
#
# The error of each transform against the image that was coded.
make_image a.tif shape=40x60 fill=ramp low=10 high=200
make_image other.tif shape=60x40 fill=ramp low=10 high=200
make_image deep.tif shape=40x60 dtype=u16 fill=ramp low=10 high=200
title "blocks that are 10 above and below their mean, chequered"
make_image c.tif shape=8x8 values=$(awk 'BEGIN {
    for (y = 0; y < 8; y++) for (x = 0; x < 8; x++)
        printf "%s%d", y + x ? "," : "", 100 + 8 * int(y / 4) + 10 * ((x + y) % 2 ? 1 : -1) }')
"$RUGOSE" compress -q --partition fixed --range-size 4 --shadow-limit 1000 -o c.rfi c.tif >/dev/null 2>&1
"$RUGOSE" decompress -qf csv --export-ascii t.tsv --original c.tif c.rfi | cut -d, -f 1-4
cat t.tsv
title "ramps: the column stands behind the others, which stay as they are"
for partition in fixed overlap quadtree; do
    "$RUGOSE" compress -q --stream-version 1 --partition $partition -o $partition.rfi a.tif >/dev/null 2>&1
    "$RUGOSE" decompress -q --export-ascii t.tsv $partition.rfi >/dev/null
    "$RUGOSE" decompress -q --export-ascii e.tsv --original a.tif $partition.rfi >/dev/null
    cut -f 1-10 e.tsv | cmp - t.tsv
    awk -v p=$partition 'NR > 1 { n++; if ($11 == "nan") outside++; else if (!($11 >= 0 && $11 < 128)) bad++ }
        END { print p, (n > 1 ? "transforms," : "none,"), bad + 0, "bad,", (outside > 0 ? "some outside" : "none outside") }' e.tsv
done
"$RUGOSE" decompress -qf json --export-ascii e.tsv --original a.tif fixed.rfi >out.json
json_values out.json parameters.original parameters.channel results.0.original.image
title "colours, and a channel of them"
awk 'BEGIN { print "P3 40 32 255"; for (i = 0; i < 1280; i++) print i % 40 * 6, int(i / 40) * 7, 90 + i % 40 }' >rgb.ppm
"$RUGOSE" compress -q --stream-version 1 -o rgb.rfi rgb.ppm >/dev/null 2>&1
"$RUGOSE" decompress -q --export-ascii e.tsv --original rgb.ppm rgb.rfi >/dev/null
awk 'NR > 1 { n[$1]++; if ($11 != "nan" && !($11 >= 0 && $11 < 128)) bad++ } END { print (n[0] && n[1] && n[2]), bad + 0 }' e.tsv
"$RUGOSE" compress -q --stream-version 1 --channel 1 -o green.rfi rgb.ppm >/dev/null 2>&1
"$RUGOSE" decompress --export-ascii e.tsv --original rgb.ppm --channel 1 green.rfi >/dev/null
title "images that were not coded"
fails() {
    got=0
    "$RUGOSE" decompress -q --export-ascii no.tsv --original "$@" >table || got=$?
    [ $got -eq 1 ] && [ ! -e no.tsv ] || echo "exit status $got"
}
fails other.tif fixed.rfi
fails deep.tif fixed.rfi
fails rgb.ppm fixed.rfi
fails a.tif rgb.rfi
fails missing.tif fixed.rfi
fails fixed.rfi fixed.rfi
title usage
wrong() { exits 2 "$RUGOSE" decompress "$@"; }
wrong --original a.tif -o b.png fixed.rfi
wrong --channel 1 --export-ascii e.tsv fixed.rfi
wrong --original a.tif --export-ascii 'e-{}.tsv' fixed.rfi overlap.rfi
wrong --original a.tif --export-ascii a.tif fixed.rfi
wrong --original a.tif --export-ascii e.tsv -o a.tif fixed.rfi
