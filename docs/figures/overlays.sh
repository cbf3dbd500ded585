#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Draws the overlays of docs/gallery.md: overlays.sh BUILD. BUILD is a build folder.
set -eu
rugose=$(cd "$1" && pwd)/cli/rugose
cd "$(dirname "$0")/../.."
data=tests/data
images=docs/images

draw() { # NAME COMMAND...
    name=$1
    shift
    "$rugose" "$@" -q --overlay "$images/overlay_$name.png" >/dev/null
}

draw brain boxcount $data/mni152_gm_mask.nii.gz
draw cells haralick --labels $data/bbbc022_labels.png $data/bbbc022_ch0.png
draw camera boxcount --foreground otsu-dark $data/camera.png
draw coast boxcount --points --resolution 1024 $data/gb_coast_xy.tsv
