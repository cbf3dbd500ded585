# SPDX-License-Identifier: BSD-3-Clause
#
# Unknown words get the nearest known one, also where another program calls it so; lists that are out
# of order are sorted, and what stands in them twice counts once.
make_image s16.npy shape=16x16 fill=noise high=7
title "commands"
for name in hist box glcm haralik dimension xyzzy; do exits 2 "$RUGOSE" $name s16.npy; done
title "options"
exits 2 "$RUGOSE" boxcount --threshold 50 s16.npy
exits 2 "$RUGOSE" boxcount --foregroud auto s16.npy
exits 2 "$RUGOSE" haralick --binwith=3 s16.npy
exits 2 "$RUGOSE" haralick --feat 13 s16.npy
exits 2 "$RUGOSE" haralick --bins 13 s16.npy
exits 2 "$RUGOSE" haralick --force2D s16.npy
exits 2 "$RUGOSE" haralick --weightingNorm=no_weighting s16.npy
exits 2 "$RUGOSE" info --xyzzy s16.npy
title "values"
exits 2 "$RUGOSE" boxcount --format cvs s16.npy
exits 2 "$RUGOSE" boxcount --format xyzzy s16.npy
exits 2 "$RUGOSE" haralick --features entropy,contrst s16.npy
exits 2 "$RUGOSE" haralick --names pyradiomics --features contrast,JointEntrpy s16.npy
exits 2 "$RUGOSE" haralick --features xyzzy,contrast s16.npy
same() { # OPTION SORTED GIVEN COMMAND...: both give the same table
    option=$1 sorted=$2 given=$3
    shift 3
    "$RUGOSE" "$@" -q -f csv "$option" "$sorted" -o a.csv s16.npy
    "$RUGOSE" "$@" -q -f csv "$option" "$given" -o b.csv s16.npy
    cmp a.csv b.csv && echo "$option $given"
}
title "lists"
same --sizes 1,2,4,8 8,2,1,4,2 boxcount
same --sizes 2,4 4,4,2 lacunarity
same --q -2,0.5,2 2,-2,0.5,2 multifractal
same --distances 1,2,5 5,1,2,1 haralick
same --angles 0,45 45,0,45 haralick
same --features contrast,entropy contrast,entropy,contrast haralick
same --cuts 1,2,3 3,1,2,2 lbp
