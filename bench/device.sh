#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Tries an OpenCL device, in less than four minutes: bench/device.sh [DEVICE [FOLDER]]. Builds the preset
# `release` where it can (else what is built is taken), runs the tests of OpenCL and the benchmarks on the
# device, and prints one summary; all rows are kept in device.tsv of the build folder. A device that is a
# processor gets smaller images, one run of each, and five minutes.
#
#   DEVICE  opencl (default: the first GPU, else the first device) or opencl:N of `rugose devices`
#   FOLDER  of bunny_solid_512.nii.gz and its like, or a mesh (.ply, .obj); without it the study counts a
#           Menger sponge only
#
# Environment: BUILD, the build folder (default build/release). Exit status 1: a test or a benchmark failed.
set -eu

device=${1-opencl}
case ${2-} in
'' | /*) folder=${2-} ;;
*) folder=$PWD/$2 ;;
esac
cd "$(dirname "$0")/.."
build=${BUILD-build/release}
export RUGOSE_TEST_DATA="$PWD/tests/data"
work=$(mktemp -d "${TMPDIR:-/tmp}/rugose-device.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
failed=0
rows=$work/rows

say() { printf '== %s\n' "$*"; }

# ---- The programs ----

build_all() {
    [ -f "$build/build.ninja" ] || cmake --preset release || return 1
    cmake --build "$build"
}

if ! build_all >"$work/build.log" 2>&1; then
    tail -n 5 "$work/build.log"
    [ -x "$build/bench/bench_device" ] || { echo "device.sh: the build failed" >&2; exit 1; }
    say "not built anew: $build is taken as it is"
fi

# ---- The device, as the only one that programs see ----

facts() { "$build/bench/bench_device" "$1" 0 | head -n 1; }

# Tests take opencl:0: a folder of drivers with that of the device alone makes it so.
hide_others() {
    mkdir "$work/vendors"
    for icd in "${OCL_ICD_VENDORS:-/etc/OpenCL/vendors}"/*.icd; do
        [ -f "$icd" ] || continue
        rm -f "$work/vendors"/*
        cp "$icd" "$work/vendors"
        if [ "$(OCL_ICD_VENDORS=$work/vendors facts opencl:0 2>/dev/null)" = "$wanted" ]; then
            export OCL_ICD_VENDORS="$work/vendors"
            device=opencl:0
            return
        fi
    done
    say "tests run on opencl:0, which is another device: $(facts opencl:0)"
}

wanted=$(facts "$device")
[ -n "$wanted" ] || exit 1
hide_others

say "$(date -u '+%Y-%m-%d %H:%M UTC'), $(uname -m), $device: ${wanted#\# }"

# ---- Tests ----

started=$(date +%s)

case $wanted in
'# cpu: '*) is_processor=1 most=290 ;;
*) is_processor=0 most=225 ;;
esac

# The seconds that a step may take: its own, or what is left of all.
seconds() {
    left=$((most - $(date +%s) + started))
    [ "$left" -lt "$1" ] || left=$1
    [ "$left" -gt 1 ] || left=1
    echo "$left"
}

for test in test_ocl test_ocl_buffers test_ocl_cache test_ocl_sort test_boxcount_cl test_hou_cl \
    test_lbp_cl test_glcm_cl test_dbc_cl test_alpha_cl test_multifractal_cl test_ifs_cl \
    test_ifs_cl_decode; do
    status=0
    CI=true timeout "$(seconds 45)" "$build/tests/$test" >"$work/test" 2>&1 || status=$?
    if [ $status -eq 0 ]; then
        echo "passed  $test: $(grep -c '\[       OK \]' "$work/test") tests"
    else
        echo "FAILED  $test: exit status $status (124: no time left)"
        grep -E 'ERROR|FAILED' "$work/test" | head -n 20
        failed=1
    fi
done

# ---- Benchmarks ----

# bench SECONDS WHAT-TO-SHOW PROGRAM [ARGUMENTS]
bench() {
    limit=$1 shown=$2 status=0
    shift 2
    program=$1
    shift
    say "$program $*"
    timeout "$(seconds "$limit")" "$build/bench/$program" "$@" >"$work/out" 2>"$work/err" || status=$?
    cat "$work/out" >>"$rows"
    grep -E "$shown" "$work/out" || true
    if [ $status -ne 0 ]; then
        echo "FAILED  $program: exit status $status (124: no time left)"
        cat "$work/err"
        failed=1
    fi
}

if [ $is_processor -eq 1 ]; then
    say "a processor: small images and one run of each; no meshes, and no shapes of groups of lbp"
    bench 60 . bench_device "$device" 1
    bench 45 ', (sequential|kernel|pyramid)|^case' bench_boxcount_cl 1 "$device" 1024
    bench 45 'whole	|sorting rate|^#|^case' bench_hou_study -r 1 -s 128 -d "$device"
    bench 45 '512|^case' bench_lbp_cl 1 "$device" skimage sizes 512
    bench 45 . bench_glcm_cl 1 "$device"
    bench 45 . bench_multifractal_cl 1 "$device" 1024
    bench 45 . bench_ifs_cl 1 "$device" 64
else
    bench 40 . bench_device "$device" 3
    bench 45 ', (sequential|kernel|pyramid)|^case' bench_boxcount_cl 2 "$device"
    bench 75 'whole	|sorting rate|^#|^case' bench_hou_study -r 2 -d "$device" ${folder:+"$folder"}
    bench 45 '4096|^case' bench_lbp_cl 1 "$device"
    bench 30 . bench_glcm_cl 2 "$device"
    bench 40 . bench_multifractal_cl 2 "$device"
    bench 40 . bench_ifs_cl 2 "$device"
fi
cp "$rows" "$build/device.tsv"
if [ $failed -eq 0 ]; then
    say "all passed; all rows: $build/device.tsv"
else
    say "SOMETHING FAILED; rows: $build/device.tsv"
fi
exit $failed
