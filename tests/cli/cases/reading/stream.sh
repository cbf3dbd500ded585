# SPDX-License-Identifier: BSD-3-Clause
#
# What does not fit in memory comfortably is read slab by slab: 576 million pixels, most of them a
# hole in the file, with a foreground rule that is given and one that has to be found.
header='\223NUMPY\001\000\166\000{"descr": "|u1", "fortran_order": False, "shape": (24000, 24000), }'
{
    printf "$header" | tr '"' "'"
    printf '%*s\n' $((128 - 10 - 67 - 1)) ''
} | head -c 128 >large.npy
truncate -s $((128 + 24000 * 24000)) large.npy
pixel() { printf '\007' | dd of=large.npy bs=1 seek=$((128 + $1 * 24000 + $2)) conv=notrunc 2>dd.log; }
pixel 0 0
pixel 0 1
pixel 10000 5000
pixel 12345 23999
pixel 23999 23999
"$RUGOSE" boxcount --foreground above=7 --fit 1..64 --counts - large.npy
"$RUGOSE" boxcount -qf csv --fit 1..64 large.npy
title "other sizes, and the file as its own mask"
"$RUGOSE" boxcount -q --sizes 3,6000,30000 --counts - -f text large.npy
"$RUGOSE" boxcount -q --foreground nonzero --fit 1..64 --mask large.npy large.npy
title "cut off, after the header has promised more"
truncate -s 500000000 large.npy
exits 1 "$RUGOSE" boxcount -q --foreground nonzero large.npy
rm large.npy
