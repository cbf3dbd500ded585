# SPDX-License-Identifier: BSD-3-Clause
#
# Several values that are aimed at: a row and, where it has a name, a stream for each, the same as one by one.
make_image a.tif shape=40x30 fill=ramp low=10 high=200
make_image b.tif shape=24x32 fill=noise low=90 high=110
"$RUGOSE" compress -f csv --quality 20,80,50.5 -o '{}-{quality}.rfi' a.tif b.tif 2>lines | cut -d, -f 1-5
grep '^read' lines
for q in 20 80 50.5; do "$RUGOSE" compress -q --quality $q -o one.rfi b.tif >/dev/null 2>&1 && cmp one.rfi b-$q.rfi; done
ls ./*-*.rfi
title "a table alone"
rm ./*.rfi
"$RUGOSE" compress -qf csv --bpp 2,4 b.tif 2>/dev/null >table.csv
head -n 1 table.csv
awk -F, 'NR > 1 { print $4, ($6 <= $4 && $6 > 0.7 * $4 ? "kept" : $6) }' table.csv
"$RUGOSE" compress -qf csv --psnr 30,45 b.tif 2>/dev/null | awk -F, 'NR > 1 { print $4, ($9 >= $4 ? "kept" : $9) }'
ls ./*.rfi 2>/dev/null || echo "nothing is written"
title "one value in a name, and all that is said of it"
mkdir c
"$RUGOSE" compress -qf json --bpp 4 -o 'c/{bpp}.rfi' a.tif >a.json 2>/dev/null
json_values a.json parameters.target parameters.target_value results.0.output
"$RUGOSE" compress -qf json --bpp 4,5 a.tif >a.json 2>/dev/null
json_values a.json parameters.target_value.0 parameters.target_value.1 results.0.asked_bpp results.1.asked_bpp
title "threads"
for n in 1 3; do
    mkdir $n
    "$RUGOSE" compress -qf csv --threads $n --quality 10,90 -o "$n/{}{quality}.rfi" a.tif b.tif 2>/dev/null | cut -d, -f 1-4,6 >$n/table
done
diff -r 1 3
title "names that meet"
cp a.tif a9.tif
exits 1 "$RUGOSE" compress -qf csv --quality 99,9 -o '{}{quality}.rfi' a.tif a9.tif 2>lines | cut -d, -f 1,4,5
grep -v warning lines
