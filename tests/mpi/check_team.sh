#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Processes that share their inputs, on this machine alone: check_team.sh CASE. Environment: RUGOSE (built
# with MPI), TOOLS (the folder of make_image).
#
#   equal    tables, messages and the exit status are those of one process, with failures in between, an
#            image that is large, and pages
#   files    files of each image have the names and bytes of one process, also where names are equal
#   cut      one image by all processes, each with its own layers, also where one of them fails
#   killed   a process that is killed ends the job; --resume goes on
#   refused  what all processes must see alike, and a build without the module
set -eu

here=$(cd "$(dirname "$0")" && pwd)
RUGOSE=$(cd "$(dirname "$RUGOSE")" && pwd)/$(basename "$RUGOSE")
TOOLS=$(cd "$TOOLS" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/rugose-mpi.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
ln -s "$here/../data" "$work/data"
cd "$work"
export LC_ALL=C OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
[ -f "$(dirname "$RUGOSE")/rugose-mpi.so" ] || {
    echo "check_team.sh: built without MPI, which the tests need: -DRUGOSE_MPI=ON" >&2
    exit 1
}
command -v mpirun >/dev/null || { echo "check_team.sh: there is no mpirun: openmpi-bin is needed" >&2; exit 1; }

failed=0
differs() {
    echo "check_team.sh: $*" >&2
    failed=1
}

# start WORD...: mpirun, so that it works in a container, too; it does not wait for those that it ends.
start() {
    timeout 60 mpirun --oversubscribe --mca btl_vader_single_copy_mechanism none \
        --mca odls_base_sigkill_timeout 0 "$@"
}

# team N WORD...: N processes. What mpirun says itself where one fails stands behind a line of minus signs.
team() {
    n=$1
    shift
    status=0
    start -n "$n" "$RUGOSE" "$@" 2>team.said || status=$?
    sed '/^------/,$d; /^$/d' team.said >team.err
}

# as_one N NAME WORD...: the table NAME and messages of N processes and of one.
as_one() {
    n=$1 name=$2
    shift 2
    rm -f one.* many.*
    wanted=0
    "$RUGOSE" "$@" -o "one.$name" >one.out 2>one.err || wanted=$?
    team "$n" "$@" -o "many.$name" >many.out
    [ "$status" -eq "$wanted" ] || differs "$n processes, $*: exit status $status, $wanted expected"
    cmp "one.$name" "many.$name" || differs "$n processes, $*: another table"
    cmp one.out many.out || differs "$n processes, $*: another output"
    diff one.err team.err || differs "$n processes, $*: other messages"
    [ ! -e many.$name.part ] || differs "$n processes, $*: a part is left"
}

check_equal() {
    "$TOOLS/make_image" large.npy shape=4200x4200 fill=checker
    "$TOOLS/make_image" pages.tif shape=3x40x50 fill=noise high=200
    inputs="data/b[bir]*.png none.png data/textures/train/* data/nodata_*.tif data/c*.png"
    as_one 1 csv boxcount $inputs large.npy
    as_one 2 json boxcount --counts - --plot plot.gp large.npy $inputs
    mv plot.gp many.gp
    "$RUGOSE" boxcount -q --plot plot.gp -o one.csv large.npy $inputs 2>/dev/null || :
    cmp plot.gp many.gp || differs "another plot of all images"
    as_one 3 json lbp --threads 2 --page all pages.tif none.png $inputs
    as_one 2 csv haralick $inputs
    as_one 4 json multifractal --threads 1 $inputs
    as_one 2 html.json boxcount --report many.html data/c*.png none.png
    export OMPI_MCA_osc=^sm,rdma,ucx,pt2pt # counters without a window
    as_one 4 csv boxcount $inputs
}

# Names that begin alike may be those of each other's files.
check_files() {
    mkdir a maps
    cp data/textures/train/brick/0*.png a
    cp a/00.png a/00_x.png
    "$TOOLS/make_image" a/01_y.tif shape=3x40x50 fill=noise high=200
    as_one 3 csv lbp --page all --map 'maps/{}.tif' a/*
    mv maps many
    mkdir maps
    "$RUGOSE" lbp -q --page all --map 'maps/{}.tif' a/* >/dev/null
    diff -r maps many || differs "other maps"
    [ "$(ls maps | wc -l)" -eq 7 ] || differs "the wrong number of maps"
}

# The second process has another file of the same name: what is measured has its layers.
check_cut() {
    mkdir a b
    "$TOOLS/make_image" a/v.npy shape=128x40x50 fill=noise high=200
    "$TOOLS/make_image" b/v.npy shape=128x40x50 fill=noise high=90
    half=$((64 * 40 * 50)) size=$(wc -c <a/v.npy)
    (head -c $((size - half)) a/v.npy; tail -c $half b/v.npy) >v.npy
    "$RUGOSE" boxcount --foreground above=80 -o one.csv v.npy 2>one.err
    start -n 1 -wdir "$work/a" "$RUGOSE" boxcount --foreground above=80 -o ../many.csv v.npy : \
        -n 1 -wdir "$work/b" "$RUGOSE" boxcount --foreground above=80 -o ../many.csv v.npy 2>team.err
    cmp one.csv many.csv || differs "the second half is not that of the second process"
    diff one.err team.err || differs "other messages"
    as_one 2 json boxcount --counts counts.csv v.npy
    as_one 4 csv boxcount --foreground otsu none.npy --mask a/v.npy --mask-above 20 v.npy b/v.npy
    as_one 3 csv boxcount data/camera.png data/gb_coast_xy.tsv
    as_one 2 csv multifractal -q v.npy
    as_one 2 csv boxcount -q --foreground above=190 v.npy
    rm b/v.npy
    start -n 1 -wdir "$work/a" "$RUGOSE" boxcount v.npy : -n 1 -wdir "$work/b" "$RUGOSE" boxcount v.npy \
        >out 2>&1 && differs "a process without the file: it is not missed"
    grep -q '^rugose: v.npy: process 1 did not measure it: v.npy: cannot be opened' out ||
        differs "a process without the file: not said"
}

# The last input takes long, and one process does it.
check_killed() {
    for i in 1 2 3; do "$TOOLS/make_image" s$i.npy shape=16x1$i fill=noise high=$((i * 3)); done
    cp s3.npy slow.npy
    inputs="s1.npy none.npy s2.npy s3.npy slow.npy"
    options="haralick -q --window 31 --features contrast --map map-{}.tif --threads 1"
    "$RUGOSE" $options -o one.csv $inputs 2>/dev/null || :
    "$TOOLS/make_image" slow.npy shape=2048x2048 fill=noise high=63
    for rank in 0 1; do
        rm -f many.csv.part*
        mpirun --oversubscribe --mca btl_vader_single_copy_mechanism none -n 2 \
            "$RUGOSE" $options -o many.csv $inputs 2>said &
        job=$!
        for _ in $(seq 1000); do
            ! grep -qs '^{"inputs":4,' many.csv.part.log || break
            sleep 0.01
        done
        for pid in $(ps -o pid= --ppid $job); do
            ! tr '\0' '\n' <"/proc/$pid/environ" | grep -qx "OMPI_COMM_WORLD_RANK=$rank" || kill -KILL "$pid"
        done
        if wait $job; then differs "process $rank was killed, but the job goes on"; fi
        grep -q "rank $rank .* exited on signal 9" said || differs "process $rank: mpirun does not say which one"
        [ $rank -eq 0 ] || grep -q 'many.csv.part holds 4 of 5 inputs; --resume' said ||
            differs "process $rank was killed: process 0 does not say what there is"
        [ ! -e many.csv ] || differs "there is a table of a job that was killed"
        head -n "$(wc -l <many.csv.part)" one.csv | cmp - many.csv.part || differs "another part"
    done
    cp s3.npy slow.npy
    team 3 $options --resume -o many.csv $inputs
    [ "$status" -eq 1 ] || differs "resumed: exit status $status, 1 expected"
    cmp one.csv many.csv || differs "resumed: another table"
    [ ! -e many.csv.part ] || differs "resumed: a part is left"
}

check_refused() {
    "$TOOLS/make_image" image.npy shape=16x16 fill=checker
    status=0
    start -n 1 "$RUGOSE" boxcount -q -o a.csv image.npy image.npy : \
        -n 1 "$RUGOSE" boxcount -q -o a.csv image.npy >out 2>&1 || status=$?
    [ "$status" -ne 0 ] || differs "different inputs are taken"
    grep -q '^rugose: process 1 has other inputs' out || differs "different inputs: not said"
    team 2 boxcount --nonsense image.npy
    [ "$status" -eq 2 ] || differs "a wrong option: exit status $status, 2 expected"
    [ "$(grep -c nonsense team.err)" -eq 1 ] || differs "a wrong option: not said once"
    team 2 boxcount --list - </dev/null
    [ "$status" -eq 2 ] || differs "a list from standard input: exit status $status, 2 expected"
    cp "$RUGOSE" alone
    start -n 2 ./alone boxcount -q image.npy >out 2>&1 &&
        differs "several processes do the same work"
    [ "$(grep -c '^rugose: .*RUGOSE_MPI' out)" -eq 1 ] || differs "no module: not said once"
    [ "$(start -n 1 ./alone boxcount -q -f csv image.npy 2>/dev/null | wc -l)" -eq 2 ] ||
        differs "one process needs no module"
    [ "$(RUGOSE_MPI=off start -n 2 ./alone boxcount -q -f csv image.npy 2>/dev/null | wc -l)" -eq 4 ] ||
        differs "RUGOSE_MPI=off is not heard"
}

"check_$1"
exit $failed
