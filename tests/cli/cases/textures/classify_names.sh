# SPDX-License-Identifier: BSD-3-Clause
#
# Classes may be called anything: like columns of the confusion matrix, or what would make
# a terminal do something.
make_image a.npy shape=9x9 fill=checker
make_image b.npy shape=9x9 fill=noise
cp a.npy c.npy
printf 'image,class\na.npy,(none)\nb.npy,true/predicted\nc.npy,((none))\n' >list.csv
"$RUGOSE" train -q --model m.json --list list.csv >/dev/null
"$RUGOSE" classify -q --model m.json --list list.csv -o out.csv --confusion matrix.csv
cat matrix.csv
"$RUGOSE" classify -q --model m.json --list list.csv -o out.csv --confusion matrix.json
check_json matrix.json
title "control characters"
printf 'image,class\na.npy,"red\033[31m\nline"\n' >list.csv
"$RUGOSE" classify -q --model m.json --list list.csv -o out.csv
