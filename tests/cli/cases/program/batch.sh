# SPDX-License-Identifier: BSD-3-Clause
#
# One bad file does not end a batch: two rows, one named failure, exit status 1.
make_image good.npy shape=64x64 fill=sierpinski
head -c 60000 $DATA/camera.png >cut.png
exits 1 "$RUGOSE" boxcount -f csv good.npy cut.png $DATA/camera.png 2>log
sed 's/\(cut.png: \).*/\1REASON/' log >&2
title "all bad: the header alone"
exits 1 "$RUGOSE" boxcount -f csv missing.npy nowhere/missing.npy
title "the good ones are written to the file"
exits 1 "$RUGOSE" boxcount -q -o a.csv missing.npy good.npy
cat a.csv
