#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Prints the table of docs/papers.md about classes with one reference image each, without smoothing
# (--alpha 0) and with it: lbp_one_sample.sh BUILD TEXTURES [CLASS...]. BUILD is a build folder;
# TEXTURES holds train/CLASS/*.png, of which the first is the reference, and test/CLASS/*.png, all of
# which are classified. Without CLASS: the first six classes. tests/data/textures has three.
set -eu
rugose=$(cd "$1" && pwd)/cli/rugose
textures=$(cd "$2" && pwd)
shift 2
[ $# -gt 0 ] || set -- $(ls "$textures/train" | head -n 6)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

for list in train test; do
    echo image,class >$list.csv
    for class in "$@"; do
        for image in "$textures/$list/$class"/*.png; do
            echo "$image,$class" >>$list.csv
            [ $list = test ] || break
        done
    done
done

# A row: right with alpha 0, images without a prediction, with another class ruled out; right with alpha 1.
row() {
    name=$1
    shift
    "$rugose" train -q --model m.json --border skip --list train.csv -o out.csv "$@"
    right=
    for alpha in 0 1; do
        "$rugose" classify -q --model m.json --alpha $alpha --list test.csv -o $alpha.json 2>err.txt
        right="$right $(sed -n 's/^accuracy [^=]*= \([^%]*\) %.*/\1/p' err.txt)"
    done
    none=$(grep -c '"status": "all ruled out"' 0.json) || true
    some=$(grep -c '"ruled_out": [1-9]' 0.json) || true
    echo "| $name | ${right% *} % | $((some - none)) | $none | ${right##* } % |" | sed 's/|  */| /g'
}

echo "$# classes ($*), $(($(wc -l <test.csv) - 1)) images"
echo "| histogram | alpha 0 | others ruled out | all ruled out | alpha 1 |"
row 'riu2 (8,1)' --lbp 8,1
row 'riu2 (16,2)' --lbp 16,2
row 'riu2 (24,3)' --lbp 24,3
row 'riu2, all three' --lbp 8,1 --lbp 16,2 --lbp 24,3
row 'nri_uniform (8,1)' --method nri_uniform --lbp 8,1
row 'nri_uniform (16,2)' --method nri_uniform --lbp 16,2
row 'default (8,1)' --method default --lbp 8,1
row 'riu2 (8,1), 16 bins of the variance' --lbp 8,1 --var-bins 16
