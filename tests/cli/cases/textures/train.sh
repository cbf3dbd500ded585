# SPDX-License-Identifier: BSD-3-Clause
#
# Two folders of 20 patches become a model, which another process uses: all 40 are right.
mkdir -p patches/checker patches/noise
for i in $(seq 10 29); do
    make_image patches/checker/$i.npy shape=${i}x32 fill=checker low=$i high=200
    make_image patches/noise/$i.npy shape=32x$i fill=noise low=$i high=200
done
"$RUGOSE" train -q --model model.json patches
"$RUGOSE" classify -q --model model.json -o out.csv patches
awk -F, 'NR > 1 { n++; right += $2 == $6 } END { print right "/" n }' out.csv
title "folders by name, files by name; what is reported"
mkdir -p few/b few/a
cp patches/noise/11.npy patches/noise/10.npy few/b
cp patches/checker/10.npy few/a
touch few/readme.txt few/a/.hidden
mkdir few/a/more
"$RUGOSE" train --model few.json few
cat few.json
title "a list, with masks; CSV and JSON tables"
make_image mask.npy shape=10x32 fill=steps
printf 'image,mask,class\nfew/b/10.npy,,rough\nfew/a/10.npy,mask.npy,smooth\n' >list.csv
"$RUGOSE" train -q -f csv --model list.json --list list.csv
"$RUGOSE" train -q -f json --model list.json --list list.csv >out.json
check_json out.json
grep -A 20 '"results"' out.json
title "codes and variances together: cuts that part all pixels alike"
"$RUGOSE" train -v --model joint.json --var-bins 4 --points 4 few 2>err
grep -v '^time' err >&2
sed -n 3,12p joint.json | grep -v rugose
"$RUGOSE" train -q --model joint.json --var-bins 4 --method var --list list.csv
grep -A 3 cuts joint.json
title "one class"
mkdir -p one
cp -r few/b one/b
"$RUGOSE" train --model one.json one
