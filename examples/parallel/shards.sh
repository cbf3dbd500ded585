#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Measures the images of a list, a shard in each process: shards.sh LIST.csv OUT N makes OUT/images.csv. GNU
# parallel runs them on all processors, or with PARALLEL='--sshloginfile HOSTS --workdir .' on hosts that share
# the folder. A process that is stopped is started again, up to three times, and continues after its last
# complete input; OUT/shard-K.log names inputs that failed.
set -eu
export list="$1" out="$2" n="$3"
mkdir -p "$out"
# shellcheck disable=SC2016 # for the shells of the processes
seq "$n" | parallel --env list --env out --env n --retries 3 \
    'rugose boxcount -q --resume --threads 1 --shard {}/$n --list "$list" -o "$out/shard-{}.csv" \
        2>>"$out/shard-{}.log" || test -f "$out/shard-{}.csv"'
"$(dirname "$0")/../join_shards.sh" "$out/images.csv" "$out" "$n"
