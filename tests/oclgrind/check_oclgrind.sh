#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Runs a program whose OpenCL device is the simulator Oclgrind: check_oclgrind.sh PROGRAM. It must
# succeed without a report of a race, of memory out of bounds or of a wrong call; a kernel with a race
# must be reported. Exit status 77: Oclgrind is not installed, which under CI=true is a failure.
set -eu

[ $# -eq 1 ] || { echo "usage: check_oclgrind.sh PROGRAM" >&2; exit 2; }
library=
if command -v oclgrind >/dev/null; then
    prefix=$(dirname "$(dirname "$(command -v oclgrind)")")
    library=$(ls "$prefix"/lib*/oclgrind/liboclgrind-rt-icd.so "$prefix"/lib*/liboclgrind-rt-icd.so \
        "$prefix"/lib/*/oclgrind/liboclgrind-rt-icd.so 2>/dev/null | head -n 1)
fi
if [ -z "$library" ]; then
    echo "LEFT OUT: oclgrind is not installed, kernels were not checked for races"
    [ "${CI-}" != true ] || exit 1
    exit 77
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/rugose-oclgrind.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir "$work/vendors"
echo "$library" >"$work/vendors/oclgrind.icd"
export OCL_ICD_VENDORS="$work/vendors" OCLGRIND_DATA_RACES=1 OCLGRIND_CHECK_API=1
# Oclgrind frees its images as the buffers that they are derived from, which the address sanitizer sees.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}new_delete_type_mismatch=0"

# The log of Oclgrind, which says nothing when nothing is wrong.
run() {
    : >"$work/log"
    status=0
    OCLGRIND_LOG="$work/log" "$@" >"$work/output" 2>&1 || status=$?
    if [ $status -ne 0 ] || ! grep -q "on Oclgrind" "$work/output"; then
        echo "$*: exit status $status"
        cat "$work/output"
        exit 1
    fi
}

run "$1"
if [ -s "$work/log" ]; then
    head -n 60 "$work/log"
    exit 1
fi
run "$1" race
if ! grep -q "data race" "$work/log"; then
    echo "a kernel with a race was not reported"
    exit 1
fi
