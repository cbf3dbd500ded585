#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Measures one large image, a part in each process, and merges them: parts.sh IMAGE OUT N makes OUT/image.csv.
# Parts that are there are complete, and are not measured again.
set -eu
export image="$1" out="$2" n="$3"
mkdir -p "$out"
# shellcheck disable=SC2016 # for the shells of the processes
seq "$n" | parallel --env image --env out --env n --retries 3 \
    'test -f "$out/part-{}.rgs" || rugose boxcount -q --foreground above=128 --threads 1 \
        --part {}/$n -o "$out/part-{}.rgs" "$image"'
rugose merge -q -o "$out/image.csv" "$out"/part-*.rgs
