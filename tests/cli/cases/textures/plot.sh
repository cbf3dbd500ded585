# SPDX-License-Identifier: BSD-3-Clause
#
# The confusion matrix as a picture: shares of the true class, and the number of images.
"$RUGOSE" train -q --model m.json $DATA/textures/train >train.txt
mkdir -p test/brick test/sand
cp $DATA/textures/test/brick/* test/brick
cp $DATA/textures/test/grass/* test/sand
"$RUGOSE" classify -qf csv --model m.json --plot c.gp --confusion c.csv test >table.csv
cat c.csv
grep -o 'set label 2 ".*"' c.gp
grep 'set [xy]tics' c.gp
sed -n '/^\$panel1/,/^END/p' c.gp
"$RUGOSE" classify -qf csv --model m.json --plot c.svg test >table.csv
grep -c '</svg>' c.svg
title "no truth; one of all images"
"$RUGOSE" classify -qf csv --model m.json --plot none.gp test/brick
grep -o 'set label 2 ".*"' none.gp
exits 2 "$RUGOSE" classify -q --model m.json --plot '{}.gp' test
exits 2 "$RUGOSE" classify -q --model m.json --plot c.jpg test
