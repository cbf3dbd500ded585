# SPDX-License-Identifier: BSD-3-Clause
#
# Rows are in NAME.part as they come, also when the program is killed, and --resume goes on from there:
# the tables become those of a run that nobody stopped, and maps that were finished stay.
for i in 1 2 3; do make_image s$i.npy shape=16x1$i fill=noise high=$((i * 3)); done
cp s3.npy slow.npy
inputs='s1.npy none.npy s2.npy s3.npy slow.npy'
options='--window 31 --features contrast --map map-{}.tif'
exits 1 "$RUGOSE" haralick -q $options -o whole.csv $inputs
exits 1 "$RUGOSE" haralick -q $options -o whole.json $inputs
sed -i 's/"sha256": .*/"sha256": SUM/' whole.json
mkdir kept
mv map-* kept

# stop NAME: kills a run that has done all but the last input.
stop() {
    make_image slow.npy shape=2048x2048 fill=noise high=63
    killed_behind 4 $1 "$RUGOSE" haralick -q --threads 1 $options -o $1 $inputs
    cp s3.npy slow.npy
}
stop a.csv
cat a.csv.part
touch -d 2020-01-01 map-s1.tif
exits 1 "$RUGOSE" haralick $options --resume --threads 2 -o a.csv $inputs
cmp a.csv whole.csv
stat -c '%n %.10y' map-s1.tif
for f in kept/*; do cmp $f $(basename $f); done
title "JSON"
stop a.json
exits 1 "$RUGOSE" haralick -q $options --resume -o a.json $inputs
check_json a.json
sed -i 's/"sha256": .*/"sha256": SUM/' a.json
cmp a.json whole.json
ls -A | sort
title "nothing to do"
"$RUGOSE" haralick -q $options --resume -o a.csv $inputs
title "nothing to go on from"
exits 1 "$RUGOSE" haralick --resume $options -o b.csv $inputs
cmp b.csv whole.csv
title "another command line"
stop c.csv
exits 2 "$RUGOSE" haralick $options --resume --levels 8 -o c.csv $inputs
exits 2 "$RUGOSE" haralick --window 31 --features entropy --map 'map-{}.tif' --resume -o c.csv $inputs
exits 2 "$RUGOSE" haralick --window 31 --features contrast --map 'b-{}.tif' --resume -o c.csv $inputs
exits 2 "$RUGOSE" haralick $options --resume -o c.csv s1.npy s2.npy
exits 2 "$RUGOSE" haralick $options --resume -o c.csv s1.npy
exits 2 "$RUGOSE" lbp --resume -o c.csv $inputs
mv c.csv.part kept
mkdir c.csv.part
exits 1 "$RUGOSE" haralick $options --resume -o c.csv $inputs
rmdir c.csv.part
mv kept/c.csv.part .
sed -i '1s/"version":"[^"]*"/"version":"0.0.1"/' c.csv.part.log
exits 2 "$RUGOSE" haralick $options --resume -o c.csv $inputs 2>err
sed 's/and is "[^"]*"/and is VERSION/' err >&2
title "where it cannot be"
exits 2 "$RUGOSE" haralick --resume s1.npy
exits 2 "$RUGOSE" haralick --resume -o - s1.npy
exits 2 "$RUGOSE" haralick --resume -o a.txt s1.npy
exits 2 "$RUGOSE" haralick --resume -o /dev/null -f csv s1.npy
exits 2 "$RUGOSE" boxcount --resume -o d.csv --counts - s1.npy
exits 2 "$RUGOSE" boxcount --resume -o d.csv --counts d.txt s1.npy
exits 2 "$RUGOSE" compress --resume -o '{}.rfi' s1.npy
exits 2 "$RUGOSE" train --resume --model m.json -o d.csv $DATA/textures/train
exits 2 "$RUGOSE" compare --resume -o d.csv s1.npy s2.npy
exits 2 "$RUGOSE" classify --resume --model m.json -o d.csv s1.npy
