# SPDX-License-Identifier: BSD-3-Clause
#
# The table of sizes: on standard output, and in files of each form.
make_image s64.npy shape=64x64 fill=sierpinski
make_image full.npy shape=3x16x16
"$RUGOSE" boxcount -q -f csv --counts - -o dims.csv s64.npy full.npy
"$RUGOSE" boxcount -q -o dims.csv --counts counts.csv s64.npy full.npy
"$RUGOSE" boxcount -q -f csv -o dims.csv --counts counts.json s64.npy full.npy
"$RUGOSE" boxcount -q -o dims.csv --counts counts.txt s64.npy full.npy
cat counts.csv counts.txt
check_json counts.json
cat dims.csv
title "text on standard output: both tables"
"$RUGOSE" boxcount -q --counts - $DATA/menger_81.nii.gz
title "other endings, no name, and one file for two tables"
exits 2 "$RUGOSE" boxcount -q --counts a.pdf s64.npy
exits 2 "$RUGOSE" boxcount -q --counts
exits 2 "$RUGOSE" boxcount -q --counts same.csv -o same.csv s64.npy
exits 2 "$RUGOSE" boxcount -q --counts ./same.csv -o same.csv s64.npy
exits 2 "$RUGOSE" boxcount -q -f csv --counts - s64.npy
exits 2 "$RUGOSE" boxcount -q -f json --counts - s64.npy
