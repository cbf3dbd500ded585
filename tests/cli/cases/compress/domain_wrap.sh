# SPDX-License-Identifier: BSD-3-Clause
#
# Domains that go on at the opposite edge: what the stream says, which they are, and that streams without them
# stay what they were.
brick=$DATA/textures/train/brick/00.png
blocks="--partition fixed --range-size 8 --domain-step 4"
code() { "$RUGOSE" compress -qf csv "$@" >table.csv; }
title "what is said"
"$RUGOSE" compress $blocks --domain-wrap -o a.rfi "$brick" >table
"$RUGOSE" decompress -o a.png a.rfi >table 2>lines
sed -E 's/[0-9]+ iterations, [0-9]+ bytes, [0-9.]+ bpp/N/' lines
code $blocks --domain-wrap -o a.rfi "$brick"
code $blocks -o inside.rfi "$brick"
"$RUGOSE" info -qf csv a.rfi inside.rfi | cut -d, -f 1,5-9,14
"$RUGOSE" compress -qf json $blocks --domain-wrap -o a.rfi "$brick" >a.json
"$RUGOSE" decompress -qf json -o a.png a.rfi >b.json
json_values a.json parameters.domain_wrap
json_values b.json results.0.stream.domain_wrap results.0.stream.version
title "the last column says which they are"
for i in inside a; do
    "$RUGOSE" decompress -q --export-ascii $i.tsv $i.rfi >/dev/null
    awk -v name=$i 'NR == 1 { print name, $10 }
        NR > 1 && $5 != "nan" { n[$10]++; if ($5 > 124 || $6 > 124 || $10 != ($5 + 16 > 128 || $6 + 16 > 128)) wrong++ }
        END { print "inside: " n[0] + 0 ", going on: " n[1] + 0 ", wrong: " wrong + 0 }' $i.tsv
done
title "9 x 8 pixels, continued to 12 x 8"
printf 'P2 9 8 255' >a.pgm
printf ' %s' 10 20 90 60 30 10 80 70 70  40 10 20 90 60 50 10 80 80  20 50 10 30 90 60 70 10 10 \
    90 20 70 10 20 95 60 90 90  10 80 20 60 10 20 90 50 50  70 10 90 20 80 10 20 90 90 \
    30 60 10 90 20 70 10 30 30  90 30 50 10 80 20 60 10 10 >>a.pgm
code --partition fixed --range-size 4 --domain-step 3 --domain-wrap -o a.rfi a.pgm
"$RUGOSE" decompress -q --export-ascii a.tsv -o a.png a.rfi >/dev/null
cat a.tsv
title "threads; other sizes; stored streams"
for partition in fixed overlap; do
    for n in 1 3; do code --threads $n --partition $partition --domain-wrap -o $n.rfi "$brick"; done
    cmp 1.rfi 3.rfi
    file=$DATA/ifs/${partition}_wrap.rfi
    for size in "--scale 1" "--scale 2" "--size 31x90"; do
        for n in 1 3; do "$RUGOSE" decompress -qf csv --threads $n $size -o $n.png "$file" >$n.csv; done
        cmp 1.png 3.png
        cut -d, -f 2-6 1.csv | tail -n 1
    done
done
title "a picture without room for a domain"
make_image a.tif shape=5x60 fill=ramp low=10 high=200
code $blocks --domain-wrap -o a.rfi a.tif
"$RUGOSE" decompress -q --export-ascii a.tsv a.rfi >/dev/null
cut -f 5,10 a.tsv | sort -u
