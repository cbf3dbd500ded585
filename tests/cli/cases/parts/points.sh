# SPDX-License-Identifier: BSD-3-Clause
#
# Points in parts: rows of a table. What all points decide (whether they are whole numbers, where they
# lie) each part knows, since it reads all of the file.
awk 'BEGIN { for (i = 0; i < 700; i++) print i * i % 97 - 40 "," i * 7 % 53 }' >whole.csv
awk 'BEGIN { for (i = 0; i < 500; i++) printf "%.6f %.6f %.3f\n", cos(i) * i / 3, sin(i) * i / 3, i % 7 }' >spiral.txt
printf 'x,y\n1,2\n1,2\n' >one.csv
printf 'x,y\n1,2\nnan,3\n' >bad.csv
make_image rows.npy shape=300x3 fill=noise high=9 dtype=f32
files="whole.csv spiral.txt one.csv bad.csv"
for n in 1 2 5; do same_in_parts $n boxcount $files; done
same_in_parts 3 boxcount --resolution 100 $files
same_in_parts 3 boxcount --spacing 2.5 --sizes 1,3,4 --threads 1 $files
same_in_parts 2 boxcount --grid mean --spacing 3 whole.csv
same_in_parts 3 boxcount --points --method hou rows.npy
same_in_parts 4 multifractal $files
same_in_parts 2 multifractal --spacing 1 --q=-2..4:1 spiral.txt
title "what is said of a part"
"$RUGOSE" boxcount --part 2/3 -o 2.rgs whole.csv bad.csv one.csv || true
title "parts that do not go together"
for k in 1 2; do "$RUGOSE" boxcount --part $k/2 -q -o $k.rgs whole.csv; done
exits 1 "$RUGOSE" merge 1.rgs
exits 1 "$RUGOSE" merge 1.rgs 1.rgs 2.rgs
"$RUGOSE" merge 2.rgs 1.rgs -o all.rgs
"$RUGOSE" merge all.rgs -q -f csv | cut -d, -f 1-6
echo 1,1 >>whole.csv
exits 1 "$RUGOSE" merge 1.rgs 2.rgs
title "what points do not need"
exits 1 "$RUGOSE" info --part 1/2 -q -o x.rgs one.csv
make_image a.tif shape=9x9 fill=noise
"$RUGOSE" info --part 1/1 -q -o values.rgs a.tif
exits 1 "$RUGOSE" boxcount --part 1/2 --values values.rgs -q -o x.rgs one.csv
exits 2 "$RUGOSE" boxcount --part 1/2 -o 1.rgs --overlay x.png whole.csv
