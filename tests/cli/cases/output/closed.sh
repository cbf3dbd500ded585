# SPDX-License-Identifier: BSD-3-Clause
#
# A standard output that cannot be written is an error of every command, not only of tables.
make_image s64.npy shape=64x64 fill=sierpinski
for words in 'help' 'help boxcount' 'help --man' 'help --completion' 'version' 'boxcount -h'; do
    exits 1 "$RUGOSE" $words >/dev/full
done
exits 1 "$RUGOSE" boxcount -qf csv s64.npy >&-
exits 1 "$RUGOSE" boxcount -qf csv -o a.csv --counts - s64.npy >/dev/full
ls -A | sort
title "a reader that leaves early is no error of ours to tell"
"$RUGOSE" help boxcount | head -n 1
