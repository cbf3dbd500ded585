#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Decodes streams by the program and by the independent decoder, and compares the files:
# compare.sh RUGOSE IFS_INDEPENDENT FOLDER_OF_STREAMS
set -eu
rugose=$1 independent=$2 streams=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

compare() { # STREAM OPTIONS_OF_RUGOSE ARGUMENT_OF_THE_OTHER
    # shellcheck disable=SC2086 # words of their own
    "$rugose" decompress -q $2 -o "$work/a.pnm" "$streams/$1" >"$work/table"
    # shellcheck disable=SC2086
    "$independent" "$streams/$1" "$work/b.pnm" $3
    cmp "$work/a.pnm" "$work/b.pnm"
}

compare colour.rfi "" ""
compare v1/tree_grey16.rfi "--scale 4" 4
compare v1/overlap.rfi "--size 91x77" 91x77

# It can fail: half a stream is refused.
head -c 200 "$streams/colour.rfi" >"$work/half.rfi"
if "$independent" "$work/half.rfi" "$work/c.pnm" 2>"$work/said"; then
    echo "half a stream was decoded" >&2
    exit 1
fi
grep -q "half.rfi: " "$work/said"
