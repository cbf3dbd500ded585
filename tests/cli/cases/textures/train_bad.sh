# SPDX-License-Identifier: BSD-3-Clause
#
# A model is written whole or not at all.
mkdir -p few/a few/b empty flat
make_image few/a/1.npy shape=9x9 fill=checker
make_image few/b/1.npy shape=9x9 fill=noise
make_image flat/1.npy shape=9x9
echo text >few/b/2.png
train() { exits "$1" "$RUGOSE" train -q --model m.json "$2" "$3"; }
title "an image that cannot be read"
echo old >m.json
exits 1 "$RUGOSE" train -q --model m.json few
exits 1 "$RUGOSE" train -q --model m.json --var-bins 4 few
cat m.json
rm few/b/2.png
title "a volume; an image smaller than the circle"
make_image few/b/v.npy shape=3x4x5
exits 1 "$RUGOSE" train -q --model m.json few
rm few/b/v.npy
exits 1 "$RUGOSE" train -q --model m.json --lbp 8,6 --border skip few
title "nothing to learn from"
exits 1 "$RUGOSE" train -q --model m.json empty
exits 2 "$RUGOSE" train -q --model m.json flat
exits 2 "$RUGOSE" train -q --model m.json few/a/1.npy
printf 'image,class\nfew/a/1.npy,a\nfew/b/1.npy,\n' >list.csv
exits 2 "$RUGOSE" train -q --model m.json --list list.csv
exits 2 "$RUGOSE" train -q --model m.json nowhere
mkdir -p alike/a
make_image alike/a/1.npy shape=9x9
exits 1 "$RUGOSE" train -q --model m.json --border skip --var-bins 4 alike
title "options"
exits 2 "$RUGOSE" train -q few
exits 2 "$RUGOSE" train -q --model few/a/1.npy few
exits 2 "$RUGOSE" train -q --model m.json -o ./m.json few
exits 2 "$RUGOSE" train -q --model - few
exits 2 "$RUGOSE" train -q --model m.json --method var few
exits 2 "$RUGOSE" train -q --model m.json --var-bins 1 few
exits 2 "$RUGOSE" train -q --model m.json --var-bins 8 --exact float few
exits 2 "$RUGOSE" train -q --model m.json --method default --points 20 few
exits 1 "$RUGOSE" train -q --model nowhere/m.json few
cat m.json
