# SPDX-License-Identifier: BSD-3-Clause
#
# Any sizes: lists, ranges, steps, larger than the image; known counts of the Sierpinski triangle and
# of filled squares that no power of two divides.
make_image s64.npy shape=64x64 fill=sierpinski
make_image full60.npy shape=60x60
make_image row.npy shape=1x10
"$RUGOSE" boxcount -q --sizes 1,3,9,27,81 --counts - s64.npy
"$RUGOSE" boxcount -q --sizes 1..6 --counts - -f text full60.npy
"$RUGOSE" boxcount -q --sizes 5..60:25 --fit 5..55 --counts - full60.npy
"$RUGOSE" boxcount -q --sizes 1,2,4,1000000000000 --counts - row.npy
make_image sponge.npy shape=27x27x27 fill=menger
"$RUGOSE" boxcount -q --sizes 1,3,9 --fit 1..9 --counts - sponge.npy
title "powers of two by every method"
for method in auto pyramid window hou; do
    "$RUGOSE" boxcount -qf csv --sizes 1,4,16,64 --method $method --counts $method.csv s64.npy
    cmp auto.csv $method.csv
done
title "refused"
for sizes in 0 1..0 '' 3, ,3 1:2 2..8:0 1..2000 a 1.5 -- -3 18446744073709551617; do
    exits 2 "$RUGOSE" boxcount -q --sizes "$sizes" s64.npy
done
exits 2 "$RUGOSE" boxcount -q --sizes 3 --method pyramid s64.npy
title "no size in the range; sizes at which every box holds foreground are no scaling"
make_image noise.npy shape=200x250 fill=noise
"$RUGOSE" boxcount -f csv --sizes 1000,2000 s64.npy
"$RUGOSE" boxcount -f csv --fit auto --sizes 9,12,84,85,90 noise.npy
"$RUGOSE" boxcount -f csv --fit auto noise.npy
