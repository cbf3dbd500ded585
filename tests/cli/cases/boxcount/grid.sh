# SPDX-License-Identifier: BSD-3-Clause
#
# Every grid position: a Sierpinski triangle off its grid (CASES P51) has its own counts and dimension
# again at the best position; the spread of all positions is in the table.
make_image shifted.npy shape=128x128 fill=sierpinski side=64 first=31
make_image sparse.npy shape=5x4x3 fill=checker
title "at the origin"
"$RUGOSE" boxcount -q --fit 1..32 --counts - shifted.npy
title "at the best position"
"$RUGOSE" boxcount -q --grid min --sizes 1,2,4,8,16,32 --fit 1..32 --counts - shifted.npy
title "the mean"
"$RUGOSE" boxcount -q --grid mean --sizes 1,2,4,8,16,32 --fit 1..32 --counts - shifted.npy
title "a volume, and sizes beyond it"
"$RUGOSE" boxcount -qf csv -o out.csv --grid min --sizes 2,3,7 --counts counts.csv sparse.npy
cat out.csv counts.csv
title "the Menger sponge: where the grid lies decides"
"$RUGOSE" boxcount -q --grid min --sizes 3..27:3 --counts - $DATA/menger_81.nii.gz
"$RUGOSE" boxcount -qf json --grid mean --sizes 2,3 shifted.npy >mean.json
check_json mean.json
grep -A 12 '"counts"' mean.json
title "refused"
exits 2 "$RUGOSE" boxcount -q --grid best shifted.npy
exits 2 "$RUGOSE" boxcount -q --grid min --method pyramid shifted.npy
exits 2 "$RUGOSE" boxcount -q --grid mean --method hou shifted.npy
