# SPDX-License-Identifier: BSD-3-Clause
#
# What does not fit in memory comfortably is read slab by slab: 576 million pixels, most of them a
# hole in the file, as masses and as grey values.
header='\223NUMPY\001\000\166\000{"descr": "|u1", "fortran_order": False, "shape": (24000, 24000), }'
{
    printf "$header" | tr '"' "'"
    printf '%*s\n' $((128 - 10 - 67 - 1)) ''
} | head -c 128 >large.npy
truncate -s $((128 + 24000 * 24000)) large.npy
pixel() { printf "$3" | dd of=large.npy bs=1 seek=$((128 + $1 * 24000 + $2)) conv=notrunc 2>dd.log; }
pixel 0 0 '\007'
pixel 0 1 '\007'
pixel 10000 5000 '\003'
pixel 12345 23999 '\001'
pixel 23999 23999 '\377'
"$RUGOSE" multifractal --q -1,0,1,2 --fit 1..32768 --moments - large.npy
"$RUGOSE" multifractal -qf csv --q 0 --foreground nonzero --fit 1..64 --mask large.npy large.npy
"$RUGOSE" boxcount --gray --fit 2..64 --counts - large.npy
rm large.npy
