# SPDX-License-Identifier: BSD-3-Clause
#
# Photographs of three materials, turned by 0, 30 and 90 degrees.
textures=$DATA/textures
"$RUGOSE" train -q --model m.json --border skip --lbp 8,1 --lbp 16,2 $textures/train >/dev/null
"$RUGOSE" classify --model m.json --confusion confusion.csv $textures/test
cat confusion.csv
title "every score, whole classes and nearest samples"
for score in likelihood chi2 g; do
    "$RUGOSE" classify -q --model m.json --score $score -o out.csv --confusion - $textures/test
    "$RUGOSE" classify -q --model m.json --score $score --nearest -o out.csv --confusion - $textures/test
done
title "files of no known class: true is nan; one class that the model lacks"
"$RUGOSE" classify -qf csv --model m.json $textures/test/grass
printf 'image,class\ndata/textures/test/grass/000_00.png,lawn\ndata/textures/test/brick/000_00.png,brick\n' >list.csv
"$RUGOSE" classify -f csv --model m.json --list list.csv --confusion confusion.csv
cat confusion.csv
title "no pixel has a code"
make_image small.npy shape=4x4
"$RUGOSE" classify -f csv --model m.json small.npy
printf 'image,class\ndata/textures/test/brick/000_00.png,brick\n' >truth.csv
title "JSON: what it was compared with"
"$RUGOSE" classify -qf json --model m.json --score chi2 --nearest --list truth.csv >out.json
check_json out.json
grep -e '"correct"' -e '"total"' -e '"nearest"' -e '"predicted"' -e '"score"' -e '"alpha"' -e '"samples"' out.json
title "the others go on"
echo text >bad.png
exits 1 "$RUGOSE" classify -qf csv --model m.json bad.png small.npy
title "no truth, no matrix"
"$RUGOSE" classify -q -o out.csv --model m.json --confusion - small.npy
title "options"
exits 2 "$RUGOSE" classify small.npy
exits 2 "$RUGOSE" classify --model m.json --alpha 1e-101 small.npy
exits 2 "$RUGOSE" classify --model m.json --alpha 1e308 small.npy
exits 2 "$RUGOSE" classify --model m.json --alpha 2 --score chi2 small.npy
exits 2 "$RUGOSE" classify --model m.json --confusion m.json small.npy
exits 2 "$RUGOSE" classify --model m.json --confusion c.csv -o c.csv small.npy
exits 2 "$RUGOSE" classify --model m.json -o m.json small.npy
exits 2 "$RUGOSE" classify --model m.json -f csv --confusion - small.npy
exits 2 "$RUGOSE" classify --model m.json
mkdir -p empty/a
exits 2 "$RUGOSE" classify --model m.json empty
