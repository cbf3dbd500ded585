# SPDX-License-Identifier: BSD-3-Clause
#
# Histograms of local binary patterns: tables, several operators, every method with its number of
# bins, shares, JSON, threads.
brick=$DATA/textures/train/brick/00.png
"$RUGOSE" lbp "$brick"
title "three operators: bins that one lacks are nan; pixels inside"
"$RUGOSE" lbp -f csv --border skip --lbp 8,1 --lbp 16,2 --lbp 24,3 "$brick"
title "points and radius"
"$RUGOSE" lbp -qf csv --points 4 --radius 1.5 "$brick"
title "every method says how many bins it has"
for method in default ror riu2 nri_uniform; do
    for points in 8 16; do
        if [ $method$points = ror16 ] || [ $method$points = default16 ]; then continue; fi
        "$RUGOSE" lbp -f csv --lbp $points,2 --method $method -o out.csv "$brick"
        head -n 1 out.csv | tr , '\n' | grep -c '^bin_'
        awk -F, 'NR == 2 { for (i = 6; i <= NF; i++) n += $i; print n, $5 }' out.csv
    done
done
title "a flat image keeps its empty bins"
make_image flat.npy shape=16x16 fill=full high=7
"$RUGOSE" lbp -qf csv flat.npy
"$RUGOSE" lbp -qf csv --normalize --border skip flat.npy
title "variance: bins between cuts, alone and with the codes"
"$RUGOSE" lbp -f csv --method var --cuts 10,100,1000 "$brick"
"$RUGOSE" lbp -f csv --points 2 --cuts 100 "$brick"
title "nearest pixels, decimal and single precision"
"$RUGOSE" lbp -qf csv --interpolation nearest "$brick"
"$RUGOSE" lbp -qf csv --exact decimal "$brick"
"$RUGOSE" lbp -qf csv --exact float "$brick"
title "JSON"
"$RUGOSE" lbp -qf json --lbp 8,1 --lbp 4,1 --normalize "$brick" >out.json
check_json out.json
grep -A 12 '"parameters"' out.json | head -n 30
grep -c '"n_bins"' out.json
grep -A 3 '"n_bins"' out.json
title "threads"
"$RUGOSE" lbp -qf csv --threads 1 --lbp 16,2 "$brick" >one.csv
"$RUGOSE" lbp -qf csv --threads 4 --lbp 16,2 "$brick" >four.csv
cmp one.csv four.csv
title "a list, with a mask for one image"
make_image mask.npy shape=128x128 fill=checker
printf 'image,mask\ndata/textures/train/brick/00.png,mask.npy\ndata/textures/train/grass/00.png,\n' >list.csv
"$RUGOSE" lbp -f csv --list list.csv
title "times"
"$RUGOSE" lbp -v -o out.csv "$brick"
