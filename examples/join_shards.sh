#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Joins the tables of all shards: join_shards.sh TABLE.csv OUT N makes TABLE.csv of OUT/shard-1.csv to
# OUT/shard-N.csv. Fails if one of them is not complete.
set -eu
table=$1 out=$2 n=$3
set --
for k in $(seq "$n"); do
    shard=$out/shard-$k.csv
    [ -f "$shard" ] && [ ! -e "$shard.part" ] || { echo "join_shards.sh: $shard is not complete" >&2; exit 1; }
    set -- "$@" "$shard"
done
awk 'FNR > 1 || NR == 1' "$@" >"$table.tmp"
mv "$table.tmp" "$table"
