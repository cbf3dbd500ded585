# SPDX-License-Identifier: BSD-3-Clause
#
# What rugose lbp refuses before it reads anything.
make_image img.npy shape=8x8
lbp() { exits 2 "$RUGOSE" lbp "$@"; }
lbp --lbp 8 img.npy
lbp --lbp 33,1 img.npy
lbp --lbp 8,0 img.npy
lbp --lbp 8,1025 img.npy
lbp --lbp 8,1x img.npy
lbp --lbp 8,1 --lbp 8,1.0 img.npy
lbp --lbp 8,1 --radius 2 img.npy
lbp --points 0 img.npy
lbp --radius -1 img.npy
lbp --points 8 --points 8 img.npy
lbp --method uniform img.npy
lbp --lbp 1,1 --lbp 2,1 --lbp 3,1 --lbp 4,1 --lbp 5,1 --lbp 6,1 --lbp 7,1 --lbp 8,1 --lbp 9,1 \
    --lbp 10,1 --lbp 11,1 --lbp 12,1 --lbp 13,1 --lbp 14,1 --lbp 15,1 --lbp 16,1 --lbp 17,1 img.npy
title "too many bins"
lbp --method default --lbp 24,3 img.npy
lbp --method ror --points 24 img.npy
lbp --method nri_uniform --points 32 --cuts 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64,65,66,67 img.npy
title "variance"
lbp --method var img.npy
lbp --method var --cuts 3,-2 img.npy
lbp --cuts 0 img.npy
lbp --cuts 1,,2 img.npy
lbp --method var --cuts 1 --exact decimal img.npy
lbp --interpolation nearest --exact float img.npy
title "maps"
lbp --map codes.png img.npy
lbp --map codes.tif img.npy img.npy
lbp --map codes.tif --lbp 8,1 --lbp 4,1 img.npy
lbp --map codes.tif --planes all img.npy
lbp --map codes.tif --page all img.npy
lbp --map codes.tif --method default --points 32 --border skip img.npy
cp img.npy input.tif
lbp --map input.tif input.tif
title "planes"
lbp --planes zx img.npy
exits 1 "$RUGOSE" lbp -q -o out.csv --planes xy img.npy
make_image volume.npy shape=4x8x8
exits 1 "$RUGOSE" lbp -q -o out.csv volume.npy
ls
