# SPDX-License-Identifier: BSD-3-Clause
#
# Without smoothing a class that lacks a pattern of the image is ruled out. The first rows are the
# bins: by them every score can be worked out.
make_image flat.npy shape=5x6 fill=full
make_image checker.npy shape=5x6 fill=checker
make_image noise.npy shape=20x20 fill=noise
printf 'image,class\nflat.npy,flat\nchecker.npy,checker\n' >two.csv
printf 'image,class\nflat.npy,flat\nchecker.npy,checker\nnoise.npy,noise\n' >three.csv
"$RUGOSE" train -q --model two.json --border skip --list two.csv >/dev/null
"$RUGOSE" train -q --model three.json --border skip --list three.csv >/dev/null
"$RUGOSE" lbp -qf csv --border skip flat.npy checker.npy noise.npy
title "the others are ruled out; all are ruled out"
"$RUGOSE" classify -qf csv --alpha 0 --model two.json --list three.csv --confusion matrix.csv
cat matrix.csv
title "one is ruled out; G, nearest samples"
"$RUGOSE" classify -qf csv --alpha 0 --model three.json --list three.csv
"$RUGOSE" classify -qf csv --alpha 0 --score g --nearest --model three.json --list three.csv
title "JSON has null, the number of classes and the warnings"
"$RUGOSE" classify -qf json --alpha 0 --model two.json noise.npy >out.json
check_json out.json
grep -e '"alpha"' -e '"score"' -e '"margin"' -e '"predicted"' -e '"ruled_out"' -e '"status"' out.json
title "smoothing decides"
"$RUGOSE" classify -qf csv --alpha 1 --model two.json noise.npy
"$RUGOSE" classify -qf csv --alpha 1e-100 --model two.json noise.npy
