#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# One table of those of all shards: join_shards.sh TABLE.csv SHARD.csv... Fails where one is not complete.
set -eu
table=$1
shift
for shard; do
    [ -f "$shard" ] && [ ! -e "$shard.part" ] || { echo "join_shards.sh: $shard is not complete" >&2; exit 1; }
done
awk 'FNR > 1 || NR == 1' "$@" >"$table.tmp"
mv "$table.tmp" "$table"
