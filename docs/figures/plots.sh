#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Draws docs/images/retina.svg and the plots of docs/look.md: plots.sh BUILD. BUILD is a build folder, whose
# program is used; gnuplot draws.
set -eu
rugose=$(cd "$1" && pwd)/cli/rugose
here=$(cd "$(dirname "$0")" && pwd)
images=$here/../images
data=$(cd "$here/../../tests/data" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$data"
run() { "$rugose" "$@" -q >/dev/null 2>"$work/log"; }
run boxcount --plot "$images/retina.svg" bin_retina_vessels.png
run boxcount --plot "$images/plot_several.svg" bin_retina_vessels.png bin_uk_coast_2048.png bin_hubble_gt60.png
run multifractal --foreground auto --plot "$images/plot_no_spectrum.svg" bin_retina_vessels.png
printf 'image,class\n' >"$work/list.csv"
for class in brick fabric grass; do
    for image in textures/train/$class/*.png textures/test/$class/*.png; do
        printf '%s/%s,%s\n' "$data" "$image" $class >>"$work/list.csv"
    done
done
run haralick --features contrast,entropy,correlation --list "$work/list.csv" --plot "$images/plot_features.svg"
run lbp --lbp 8,1 --plot "$images/plot_histograms.svg" textures/train/*/00.png
run train --lbp 8,1 --model "$work/model.json" textures/train
run classify --model "$work/model.json" --plot "$images/plot_confusion.svg" textures/test
