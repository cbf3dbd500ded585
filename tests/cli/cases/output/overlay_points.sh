# SPDX-License-Identifier: BSD-3-Clause
#
# Points: a pixel is orange where there are some, and brighter where there are more. x goes right and y up.
printf '0,0\n10,0\n10,0\n10,5\n' >p.csv
for command in boxcount multifractal; do
    "$RUGOSE" $command -q --overlay o.png p.csv >/dev/null 2>&1
    recount o.png 499,0 499,999 0,999 0,0
done
title "of three axes: three projections; of four the first two"
printf '0,0,0\n4,2,1\n' >p.csv
"$RUGOSE" boxcount -q --overlay o.png p.csv >/dev/null 2>&1
recount o.png
printf '0,0,0,9\n4,2,1,8\n' >p.xyz
"$RUGOSE" boxcount -q --columns 1,2,3,4 --overlay o.png p.xyz >/dev/null 2>&1
recount o.png
title "on a line, at one place"
printf '1\n2\n5\n' >p.csv
"$RUGOSE" boxcount -q --overlay o.png p.csv >/dev/null 2>&1
recount o.png
printf '3,3\n3,3\n' >p.csv
"$RUGOSE" boxcount -q --overlay o.png p.csv >/dev/null 2>&1
recount o.png
