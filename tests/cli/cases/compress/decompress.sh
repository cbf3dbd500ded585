# SPDX-License-Identifier: BSD-3-Clause
#
# Pictures of other sizes, iterations one by one, every format, and the transforms as text.
make_image a.tif shape=40x60 fill=ramp low=10 high=200
"$RUGOSE" compress -q -o a.rfi a.tif >/dev/null 2>&1
shape() { "$RUGOSE" decompress -qf csv "$@" -o out.png a.rfi | cut -d, -f 2-5; }
shape | tail -n 1
for k in 0.25 0.3 1 2 2.5 4 16; do shape --scale $k | tail -n 1; done
for s in 60x40 61x41 15x10 960x640 100x40; do shape --size $s | tail -n 1; done
exits 1 "$RUGOSE" decompress -q --size 14x10 -o out.png a.rfi
title "formats"
for ending in png tif pgm pnm jpg webp; do
    "$RUGOSE" decompress -qf csv -o out.$ending a.rfi | cut -d, -f 3,5,8 | tail -n 1
    "$RUGOSE" info -qf csv out.$ending | cut -d, -f 2-4 | tail -n 1
done
for ending in tif pgm pnm; do "$RUGOSE" compare -qf csv out.png out.$ending | cut -d, -f 6,9,15 | tail -n 1; done
title "frames and iterations"
"$RUGOSE" compress -q --stream-version 1 -o first.rfi a.tif >/dev/null 2>&1
"$RUGOSE" decompress -qf csv --iterations 3 --frames f- first.rfi | cut -d, -f 1-6,8
ls f-*
"$RUGOSE" decompress -q --iterations 3 -o three.png first.rfi >/dev/null
"$RUGOSE" compare -qf csv three.png f-03.png | cut -d, -f 6,15 | tail -n 1
exits 1 "$RUGOSE" decompress -q --iterations 3 -o three.png a.rfi
exits 1 "$RUGOSE" decompress -q --frames g- a.rfi
title "transforms"
"$RUGOSE" compress -q --partition fixed --range-size 8 --domain-step 8 -o fixed.rfi a.tif >/dev/null 2>&1
"$RUGOSE" decompress -qf csv --export-ascii t.tsv fixed.rfi | cut -d, -f 1-6,8
head -n 1 t.tsv
awk 'NR > 1 { n++; if (NF == 10 && $4 == 8 && $2 % 8 == 0 && $3 % 8 == 0 && $8 >= -1 && $8 <= 1 && $10 != 1) good++ }
    END { print n, "transforms,", good, "as they should be" }' t.tsv
"$RUGOSE" decompress -q --export-ascii q.tsv first.rfi >/dev/null
awk 'NR > 1 { area += $4 * $4 } END { print (area >= 2400 ? "the ranges cover the image" : area) }' q.tsv
title "blocks of little variance by their mean alone"
for v in 0 2 1000; do
    "$RUGOSE" compress -q --partition fixed --shadow-limit $v -o shadow.rfi a.tif >/dev/null 2>&1
    "$RUGOSE" decompress -q --export-ascii t.tsv shadow.rfi >/dev/null
    awk -v v=$v 'NR > 1 && $5 == "nan" { n++ } END { print v, n + 0, "of", NR - 1 }' t.tsv
done
title "one file is asked for twice"
rm -f f-* q.tsv
exits 2 "$RUGOSE" decompress -q --iterations 3 -o f-02.png --frames f- a.rfi
exits 2 "$RUGOSE" decompress -q --export-ascii f-01.png --frames f- a.rfi
