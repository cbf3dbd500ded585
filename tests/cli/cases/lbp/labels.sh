# SPDX-License-Identifier: BSD-3-Clause
#
# A histogram for each label, of its own pixels: half checkerboard, half flat.
cat >halves.pgm <<'PGM'
P2
8 6
9
9 0 9 0 5 5 5 5
0 9 0 9 5 5 5 5
9 0 9 0 5 5 5 5
0 9 0 9 5 5 5 5
9 0 9 0 5 5 5 5
0 9 0 9 5 5 5 5
PGM
cat >labels.pgm <<'PGM'
P2
8 6
9
3 3 3 0 9 9 9 9
3 3 3 0 9 9 9 9
3 3 3 0 9 9 9 9
3 3 3 0 9 9 9 9
3 3 3 0 9 9 9 9
0 0 0 0 0 0 0 0
PGM
"$RUGOSE" lbp --labels labels.pgm halves.pgm
title "two operators: by label, then by operator; inside a mask"
make_image mask.npy shape=6x8 fill=checker
"$RUGOSE" lbp -f csv --lbp 8,1 --lbp 4,1 --mask mask.npy --labels labels.pgm halves.pgm
title "JSON names the label image"
"$RUGOSE" lbp -qf json --labels labels.pgm halves.pgm >out.json
check_json out.json
grep -A 2 '"labels": {' out.json | head -n 3
title "no labels; other shapes"
make_image none.npy shape=6x8 low=0 high=0
make_image small.npy shape=3x3
for image in small halves; do cp labels.pgm labels-$image.pgm; done
"$RUGOSE" lbp -f csv --labels none.npy halves.pgm
exits 1 "$RUGOSE" lbp -qf csv --labels 'labels-{}.pgm' small.npy halves.pgm
