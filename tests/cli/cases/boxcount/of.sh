# SPDX-License-Identifier: BSD-3-Clause
#
# The dimension of other boxes: the numbers are those of the table of sizes.
make_image square.npy shape=64x64 side=40
for of in nonempty gray black white; do
    "$RUGOSE" boxcount -qf csv --of $of square.npy
done 2>&1 | grep -v '^image,'
"$RUGOSE" boxcount -q --counts c.csv -o r.csv square.npy
head -n 8 c.csv
title "no box of that kind"
make_image s64.npy shape=64x64 fill=sierpinski
make_image full.npy shape=64x64
"$RUGOSE" boxcount -qf csv --of black s64.npy
"$RUGOSE" boxcount -qf csv --of white full.npy 2>/dev/null
"$RUGOSE" boxcount -qf csv --of gray full.npy 2>/dev/null
