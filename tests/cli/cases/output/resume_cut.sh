# SPDX-License-Identifier: BSD-3-Clause
#
# Wherever a part is cut, and wherever its log, --resume makes the same tables of it: no row is lost,
# none doubled, also of an input with several rows.
make_image pages.tif shape=2x16x16 fill=steps
make_image b.npy shape=9x9 fill=noise
make_image c.npy shape=5x7 fill=ramp
cp c.npy slow.npy
inputs='pages.tif none.npy b.npy c.npy slow.npy'
run() { # FORMAT OPTION...
    form=$1
    shift
    "$RUGOSE" boxcount -q --page all "$@" -o t.$form --counts counts.$form $inputs 2>/dev/null || [ $? -eq 1 ]
}
# stop FORMAT: what a killed run leaves goes to the folder FORMAT, and what it should become beside it.
stop() {
    run $1
    mkdir $1 $1/whole
    mv t.$1 counts.$1 $1/whole
    make_image slow.npy shape=3x3000x3000 fill=noise
    run $1 --threads 1 &
    while [ "$(grep -c '"inputs":4' t.$1.part.log 2>/dev/null)" != 1 ]; do sleep 0.01; done
    kill -KILL $(ps -o pid= --ppid $!)
    wait $! 2>/dev/null || true
    mv t.$1.part t.$1.part.log counts.$1.part $1
    cp c.npy slow.npy
}
# cut FORMAT FILE STEP: a run goes on from each cut of one of the files.
cut_each() {
    size=$(stat -c %s $1/$2)
    [ $size -gt 100 ] || echo "$2 has $size bytes"
    at=0
    while [ $at -le $size ]; do
        cp $1/*.* .
        head -c $at $1/$2 >$2
        run $1 --resume
        cmp t.$1 $1/whole/t.$1 && cmp counts.$1 $1/whole/counts.$1 || echo "cut $2 at $at"
        ls | grep part && echo "cut $2 at $at: a part is left"
        rm t.$1 counts.$1
        at=$((at + $3))
    done
    echo "$2"
}
stop csv
cut_each csv t.csv.part 59
cut_each csv counts.csv.part 211
cut_each csv t.csv.part.log 131
stop json
sed 's/"sha256": .*/"sha256": SUM/' json/whole/t.json | grep -c warnings
