# SPDX-License-Identifier: BSD-3-Clause
#
# Wherever a part is cut, and wherever its log, --resume makes the same tables of it: no row is lost,
# none doubled, also of an input with several rows. (unit/test_run_log cuts at each byte.)
make_image pages.tif shape=2x16x16 fill=steps
make_image b.npy shape=9x9 fill=noise
cp b.npy slow.npy
inputs='pages.tif none.npy b.npy slow.npy'
run() {
    "$RUGOSE" boxcount -q --page all --grid min --threads 1 "$@" -o t.csv --counts counts.json $inputs 2>err || [ $? -eq 1 ]
}
run
mkdir whole part
mv t.csv counts.json whole
cp err whole

# What a killed run leaves.
make_image slow.npy shape=4000x4000 fill=noise
killed_behind 3 t.csv "$RUGOSE" boxcount -q --page all --grid min --threads 1 -o t.csv --counts counts.json $inputs
mv *.part *.log part
cp b.npy slow.npy
cut -d , -f 1,2 part/t.csv.part

for cut in t.csv.part counts.json.part t.csv.part.log; do
    size=$(stat -c %s part/$cut)
    for eighth in 0 1 2 3 4 5 6 7 8; do
        cp part/* .
        head -c $((size * eighth / 8)) part/$cut >$cut
        run --resume
        cmp t.csv whole/t.csv && cmp counts.json whole/counts.json || echo "$cut, $eighth/8"
        ls | grep part. || true
    done
    echo "$cut"
done
grep none err
title "a part without a log"
cp part/t.csv.part .
run --resume
cmp t.csv whole/t.csv && cmp counts.json whole/counts.json
title "a log without a part"
rm t.csv counts.json
cp part/t.csv.part.log .
run --resume
cmp t.csv whole/t.csv && cmp counts.json whole/counts.json
ls
