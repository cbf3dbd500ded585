# SPDX-License-Identifier: BSD-3-Clause
#
# Of the same warning about many images three are printed and the others counted, whatever the number
# of threads; other warnings stand as they are.
make_image full.npy shape=8x8
make_image noise.npy shape=64x64 fill=noise
for i in 1 2 3 4 5 6 7 8 9; do
    cp full.npy "full$i.npy"
    cp noise.npy "noise$i.npy"
done
for threads in 1 2 7; do
    "$RUGOSE" boxcount --threads $threads -o $threads.csv *[1-9].npy 2>$threads.err
done
cmp 1.csv 2.csv && cmp 1.csv 7.csv && cmp 1.err 2.err && cmp 1.err 7.err && echo equal
grep -c ^read 1.err
grep -v ^read 1.err
title "three are all"
"$RUGOSE" boxcount -q -o a.csv full1.npy full2.npy full3.npy
title "four"
"$RUGOSE" boxcount -q -o a.csv full1.npy full2.npy full3.npy full4.npy
