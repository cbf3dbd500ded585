#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Coding takes little more memory than the image: one of 2048 x 2048 pixels is coded in 100 MB of
# data and decoded in 75 MB, of which the program itself reserves about 35. RUGOSE is the program;
# the first argument is the folder of the data.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
VIPS_CONCURRENCY=1
export VIPS_CONCURRENCY
(
    ulimit -d 100000
    "$RUGOSE" compress -q --threads 1 -o coast.rfi "$1/bin_uk_coast_2048.png" >table
)
(
    ulimit -d 75000
    "$RUGOSE" decompress -q --threads 1 -o coast.pgm coast.rfi >>table
)
[ "$(grep -c coast table)" -eq 2 ] || { cat table; echo "2 rows of results expected"; exit 1; }
