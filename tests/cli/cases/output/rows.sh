# SPDX-License-Identifier: BSD-3-Clause
#
# Rows of CSV and JSON are written as they come, to standard output too; a full disk is noticed at its
# row, and a reader that leaves ends a run that writes nothing else.
for i in 1 2 3; do make_image s$i.npy shape=16x1$i fill=noise; done
make_image slow.npy shape=2048x2048 fill=noise high=63
cp slow.npy slow2.npy
options='haralick -q --threads 1 --window 31 --features contrast --map map-{}.tif'
# killed FORM ROW: what stands in a pipe when a run is killed behind its third row.
killed() {
    : >out
    "$RUGOSE" $options -f $1 s1.npy s2.npy s3.npy slow.npy slow2.npy >out &
    while [ "$(grep -c "$2" out)" -lt 3 ]; do sleep 0.01; done
    kill -KILL $!
    wait $! 2>/dev/null || true
    rm -f .rugose-*
    grep "$2" out | head -n 3 | cut -c 1-40
}
killed csv '^s.*ok$'
killed json '"image": '
title "the disk is full"
make_image t.npy shape=64x64 fill=sierpinski
files=$(yes t.npy | head -n 12)
(
    ulimit -f 16 # of 512 or 1024 bytes
    exits 1 "$RUGOSE" boxcount -q --threads 1 -o t.json $files none.npy
) 2>&1 | sed 's/holds [0-9]* of/holds N of/'
grep -c sha256 t.json.part | sed 's/^[1-9]$/some rows/'
tail -n 1 t.json.part
ls t.*
exits 1 "$RUGOSE" boxcount -q --resume -o t.json $files none.npy 2>/dev/null
exits 1 "$RUGOSE" boxcount -q -o whole.json $files none.npy 2>/dev/null
cmp t.json whole.json
title "two runs that write one table"
"$RUGOSE" $options -o two.csv s1.npy slow.npy slow2.npy &
while [ "$(grep -c '"inputs":1,' two.csv.part.log 2>/dev/null)" != 1 ]; do sleep 0.01; done
exits 1 "$RUGOSE" $options -o two.csv s1.npy s2.npy
kill -KILL $!
wait $! 2>/dev/null || true
head -n 2 two.csv.part
title "nothing is written under the names"
ls two.csv 2>/dev/null || true
exits 1 "$RUGOSE" boxcount -q --plot '{}.gp' -o nowhere/t.csv t.npy
ls *.gp 2>/dev/null || true
title "a reader that leaves"
{
    echo image
    yes t.npy | head -n 20000
    echo none.npy
} >list.csv
{ "$RUGOSE" boxcount -qf csv --threads 1 --list list.csv 2>err || echo $? >status; } | head -n 2 | cut -d , -f 1
cat status err
