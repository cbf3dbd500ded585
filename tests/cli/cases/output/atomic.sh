# SPDX-License-Identifier: BSD-3-Clause
#
# An output file is whole or untouched.
make_image s64.npy shape=64x64 fill=sierpinski
echo before >kept.csv
exits 2 "$RUGOSE" boxcount -q -o kept.csv --fit 9..3 s64.npy
exits 2 "$RUGOSE" boxcount -q -o kept.csv --unknown s64.npy
exits 2 "$RUGOSE" boxcount -q -o kept.csv
exits 2 "$RUGOSE" boxcount -q -o kept.csv --counts a.eps s64.npy
exits 2 "$RUGOSE" boxcount -q -o kept.csv --plot a.eps s64.npy
exits 2 "$RUGOSE" boxcount -q -o kept.csv --foreground above=x s64.npy
cat kept.csv
title "a folder that is not there, and one that is a file"
exits 1 "$RUGOSE" boxcount -q -o nowhere/a.csv s64.npy
exits 1 "$RUGOSE" boxcount -q -o kept.csv/a.csv s64.npy
exits 1 "$RUGOSE" boxcount -q --counts nowhere/a.csv s64.npy | wc -l
mkdir folder.csv
exits 1 "$RUGOSE" boxcount -q -o folder.csv s64.npy
title "no space left"
exits 1 "$RUGOSE" boxcount -q -f csv -o /dev/full s64.npy
exits 1 "$RUGOSE" boxcount -q -f csv s64.npy >/dev/full
title "replaced when whole, with its permissions; links stay links"
chmod 640 kept.csv
ln -s kept.csv link.csv
"$RUGOSE" boxcount -q -o link.csv s64.npy
[ -h link.csv ]
stat -c %a kept.csv
head -n 1 kept.csv
ls -A | sort
