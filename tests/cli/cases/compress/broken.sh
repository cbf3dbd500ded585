# SPDX-License-Identifier: BSD-3-Clause
#
# Streams that are cut or changed: an error or a picture, never a crash.
make_image a.tif shape=12x20 fill=ramp low=10 high=200
for partition in quadtree fixed; do
    "$RUGOSE" compress -q --partition $partition -o a.rfi a.tif >/dev/null 2>&1
    n=$(wc -c <a.rfi) crashes=0 pictures=0
    try() {
        status=0
        "$RUGOSE" decompress -q -o out.png bad.rfi >/dev/null 2>error || status=$?
        [ $status -le 1 ] || { crashes=$((crashes + 1)); echo "$1: status $status"; }
        [ $status -eq 1 ] && ! grep -q '^rugose: bad.rfi: ' error && echo "$1: $(cat error)"
        [ $status -eq 0 ] && pictures=$((pictures + 1))
        return 0
    }
    i=0
    while [ $i -lt "$n" ]; do
        head -c $i a.rfi >bad.rfi
        try "cut at $i"
        i=$((i + 1 + n / 12))
    done
    [ $pictures -eq 0 ] || echo "$pictures cut streams gave a picture"
    i=0
    while [ $i -lt "$n" ]; do
        byte=$(od -An -tu1 -j $i -N 1 a.rfi)
        { head -c $i a.rfi; printf "\\$(printf %03o $((255 - byte)))"; tail -c +$((i + 2)) a.rfi; } >bad.rfi
        [ "$(wc -c <bad.rfi)" -eq "$n" ] || echo "the test is wrong"
        try "byte $i inverted"
        i=$((i + 1 + n / 12))
    done
    echo "$partition: $crashes crashes, $([ $pictures -eq 0 ] && echo all refused || echo "$pictures pictures")"
done
title "more pixels than are allowed"
exits 1 "$RUGOSE" decompress -q --max-pixels 239 -o out.png a.rfi
"$RUGOSE" decompress -qf csv --max-pixels 240 -o out.png a.rfi | cut -d, -f 1-5
exits 1 "$RUGOSE" decompress -q --max-pixels 240 --scale 2 -o out.png a.rfi
exits 1 "$RUGOSE" decompress -q --max-pixels 4096 --size 320x4 -o out.png a.rfi
exits 1 "$RUGOSE" compare -q --max-pixels 239 a.tif a.rfi
"$RUGOSE" compare -qf csv --max-pixels 240 a.tif a.rfi | cut -d, -f 1-4
