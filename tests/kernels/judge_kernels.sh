#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# judge_kernels.sh FOLDER: names the rows of FOLDER/table, as of compile_kernels.sh, that failed, spilled, or
# have a stack that is not by design. FOLDER/list has the options. Exit status 1: there are some.
set -eu

awk -F'\t' -v folder="$1" '
    FILENAME ~ /list$/ { options[$1] = $2; next }
    $9 != "ok" { bad($9 ", see below"); system("head -n 5 " folder "/" $2 "." $1 ".log"); next }
    # The shape of launch for processors: a few items, each with tables of its own.
    $2 ~ /^ocl_sort_chunks\./ { next }
    $2 ~ /^boxcount_hou\./ && options[$2] ~ /IS_WIDE=0/ { next }
    # Sums of both halves of integers in the most windows: five arrays that take 160 registers.
    $2 ~ /^alpha_slope\./ && options[$2] ~ /MEASURE=2 -DWIDE=1 -DWINDOWS=16$/ && $1 == "amd" { next }
    $5 != "-" && ($5 > 0 || $6 > 0) { bad($4 " registers, " $5 " bytes spilled, " $6 " of stack") }
    function bad(text) { print $1 ": " $3 " of " $2 " (" options[$2] "): " text; n++ }
    END { exit n > 0 }' "$1/list" "$1/table"
