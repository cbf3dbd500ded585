#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# A batch takes no more memory with each image: 120 images in 200 MB of data, of which one image
# takes less than half. RUGOSE is the program; the first argument is the folder of the data.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
for i in $(seq 120); do ln -s "$1/bbbc022_ch0.png" "$i.png"; done
ulimit -d 200000
VIPS_CONCURRENCY=2 "$RUGOSE" haralick -q --threads 2 --levels 32 -o table.csv ./*.png
[ "$(wc -l <table.csv)" -eq 121 ] || { echo "$(wc -l <table.csv) lines, 121 expected"; exit 1; }
