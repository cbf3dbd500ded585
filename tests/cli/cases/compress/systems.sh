# SPDX-License-Identifier: BSD-3-Clause
#
# Attractors of function systems: sets that are known, what is no system, and what the command line
# cannot mean.
draw() { "$RUGOSE" ifs -f csv "$@" | cut -d, -f 1-5; }
cp $DATA/ifs/*.json .
title "3^k pixels of the triangle at 2^k, and the fern"
for n in 1 2 8 64 512; do draw -q --size ${n}x$n -o triangle.png triangle.json | tail -n 1; done
draw -o '{}.png' fern.json triangle.json
"$RUGOSE" info -qf csv fern.png | cut -d, -f 1-4
"$RUGOSE" boxcount -qf csv triangle.png >counted.csv
column counted.csv dimension
title "the test image of the triangle stands on its head"
echo '{"maps":[[0.5,0,0,0.5,0,0.5],[0.5,0,0,0.5,0.5,0.5],[0.5,0,0,0.5,0,0]]}' >turned.json
draw -q --size 256x256 -o turned.png turned.json
"$RUGOSE" compare -qf csv turned.png $DATA/bin_sierpinski_256.png | cut -d, -f 6,15
title "a point, and a line in every format"
echo '{"maps": [[0.5, 0, 0, 0.5, 3, 1]]}' >point.json
echo '{"maps": [[0.5, 0, 0, 0, 0, 1], [5e-1, 0, 0, 0, 1, 1.0]]}' >line.json
draw -q -o point.png point.json
for ending in png tif pgm pnm jpg webp; do draw -q --size 40x30 -o line.$ending line.json | tail -n 1; done
"$RUGOSE" ifs -qf json --size 3x2 -o line.png line.json >line.out
json_values line.out command parameters.size results.0.shape results.0.set results.0.sha256
title "several threads"
for n in 1 2 8; do
    mkdir $n
    for i in 1 2 3 4 5 6; do cp fern.json $n/fern$i.json; done
    echo '{"maps": []}' >$n/none.json
    (cd $n && exits 1 "$RUGOSE" ifs -f csv --threads $n --size 50x60 -o '{}.png' *.json 2>err | cut -d, -f 1-6 >table)
done
diff -r 1 2
diff -r 1 8
cat 1/err
title "no systems"
fails() {
    got=0
    "$RUGOSE" ifs -q -o bad.png "$@" >table || got=$?
    [ $got -eq 1 ] && [ ! -e bad.png ] || echo "exit status $got"
}
bad() {
    printf '%s' "$1" >bad.json
    fails bad.json
}
bad ''
bad 'maps'
bad '[[0,0,0,0,0,0]]'
bad '{"maps": [[0,0,0,0,0,0]]'
bad '{}'
bad '{"maps": {}}'
bad '{"maps": []}'
bad '{"maps": [[0,0,0,0,0]]}'
bad '{"maps": [[0,0,0,0,0,0], 7]}'
bad '{"maps": [[0,0,0,0,0,0], [0,0,0,0,0,"1"]]}'
bad '{"maps": [[0,0,0,0,0,[0]]]}'
bad '{"maps": [[0,0,0,0,0,1e999]]}'
bad '{"maps": [[0,0,NaN,0,0,0]]}'
bad '{"maps": [[0,0,0,0,0,0]], "probabilities": [1]}'
bad "{\"maps\": [$(printf '[0,0,0,0,0,0],%.0s' $(seq 100))[0,0,0,0,0,0]]}"
bad "{\"maps\": $(printf '[%.0s' $(seq 99))"
bad "{\"maps\": [$(printf '[],%.0s' $(seq 2000))[]]}"
bad '{"maps": [[0.5,0,0,0.5,0,0], [0,1,-1,0,0,0]]}'
bad '{"maps": [[0.5,0,0,0.5,0,0], [1.5,0,0,0,0,0]]}'
bad '{"maps": [[0.99999,0,0,0.5,0,0]]}'
fails missing.json
fails --size 65535x65535 fern.json
title usage
wrong() { exits 2 "$RUGOSE" ifs "$@"; }
wrong
wrong fern.json
wrong fern.json -o fern.gif
wrong fern.json -o fern.json
wrong fern.json triangle.json -o both.png
for s in 1 0x4 4x65536 4x4x4; do wrong --size $s fern.json -o bad.png; done
wrong --page 1 fern.json -o bad.png
