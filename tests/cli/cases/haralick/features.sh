# SPDX-License-Identifier: BSD-3-Clause
#
# The names of the columns: distance and direction in columns of their own, features by name.
make_image h4.npy shape=4x4 values=0,0,1,1,0,0,1,1,0,2,2,2,2,2,3,3
columns() { "$RUGOSE" haralick -qf csv "$@" h4.npy | head -n 1 | tr , '\n' | paste -sd ' ' -; }
columns
columns --features 13
columns --features all
columns --features all --names ibsi
columns --features all --names pyradiomics
title "all of them, and what the fewer leave out is not different"
"$RUGOSE" haralick -qf csv --features all --angles 0 h4.npy
"$RUGOSE" haralick -qf csv --features all --angles 0 h4.npy | cut -d, -f 1-20 >all.csv
"$RUGOSE" haralick -qf csv --features 13 --angles 0 h4.npy | cut -d, -f 1-20 | cmp - all.csv
title "for people, and for programs"
"$RUGOSE" haralick -q --features 13 h4.npy
"$RUGOSE" haralick -qf json --features 13 h4.npy
