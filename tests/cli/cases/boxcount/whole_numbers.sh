# SPDX-License-Identifier: BSD-3-Clause
#
# Thresholds and labels of 64-bit integers that no double tells apart: 2^53 and its neighbours, with
# both signs, and the ends of both dtypes. The share of the foreground tells which pixels are set.
plus=9007199254740992,9007199254740993,9007199254740994,9007199254740993,0,9007199254740993,1,2
minus=-9007199254740992,-9007199254740993,-9007199254740994,-9007199254740993,0,1,2,3
make_image u64.npy shape=2x4 dtype=u64 values=$plus
make_image i64.npy shape=2x4 dtype=i64 values=$plus
make_image minus.npy shape=2x4 dtype=i64 values=$minus
make_image top.npy shape=1x4 dtype=u64 \
    values=18446744073709551615,18446744073709551614,18446744073709551615,0
make_image ends.npy shape=1x4 dtype=i64 \
    values=9223372036854775807,-9223372036854775808,9223372036854775806,-9223372036854775807
counted()
{
    file=$1
    shift
    for rule; do "$RUGOSE" boxcount -f csv --fit 1..2 --foreground "$rule" "$file"; done 2>&1 |
        sed -n 's/^read //p'
}
for file in u64.npy i64.npy; do
    counted $file label=9007199254740993 label=9007199254740992 label=9007199254740994 \
        above=9007199254740993 below=9007199254740993 above=9007199254740992.5
done
counted minus.npy label=-9007199254740993 label=-9007199254740992 above=-9007199254740993 \
    below=-9007199254740993
counted top.npy label=18446744073709551615 above=18446744073709551615 label=18446744073709551616 \
    below=18446744073709551616 above=0 auto otsu
counted ends.npy label=9223372036854775807 label=-9223372036854775808 \
    above=9223372036854775807 below=-9223372036854775807 above=-9223372036854775807
title "the larger of two values"
make_image two.npy shape=1x4 dtype=u64 \
    values=9007199254740993,9007199254740992,9007199254740992,9007199254740992
counted two.npy auto otsu
"$RUGOSE" info --range -f csv two.npy ends.npy
"$RUGOSE" info --range -f json two.npy >out.json
check_json out.json
grep '"m[axin]*"' out.json
title "other methods"
rule=label=9007199254740993
make_image eight.npy shape=4x8 dtype=u64 values=$plus,$plus,$plus,$plus
for threads in 1 3; do
    "$RUGOSE" lacunarity -qf csv --threads $threads --sizes 1,2 --foreground $rule eight.npy
    "$RUGOSE" multifractal -qf csv --threads $threads --fit 1..4 --q 0,2 --foreground $rule eight.npy
done
title "labels"
labels=18446744073709551615,9007199254740993,9007199254740992
make_image labels.npy shape=6x9 dtype=u64 values=$(
    for row in 1 2 3 4 5 6; do printf '%s,%s,%s,' $labels $labels $labels; done | sed 's/,$//')
make_image img.npy shape=6x9 fill=noise low=1 high=5
"$RUGOSE" boxcount -qf csv --labels labels.npy --foreground above=0 --fit 1..2 img.npy | cut -d, -f1-6
"$RUGOSE" lacunarity -qf csv --labels labels.npy --foreground above=0 --sizes 1 img.npy |
    cut -d, -f1-6
"$RUGOSE" haralick -qf csv --levels 8 --labels labels.npy img.npy | cut -d, -f1-6
"$RUGOSE" lbp -qf csv --labels labels.npy img.npy | cut -d, -f1-4
for command in boxcount lacunarity haralick lbp; do
    "$RUGOSE" $command -qf json --labels labels.npy img.npy >out.json
    check_json out.json
    grep -o '"label": [0-9]*' out.json | uniq | sed "s/^/$command: /"
done
