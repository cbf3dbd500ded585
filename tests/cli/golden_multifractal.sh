#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# `rugose multifractal` against golden tables of data that are not part of this tree: the sums of every
# order and size of images and volumes, and the formulas of cascades. Needs RUGOSE (the program) and
# RUGOSE_SHARED_DATA (the data set); without the data it is skipped.
set -eu

if [ ! -d "${RUGOSE_SHARED_DATA-}/golden/multifractal" ]; then
    echo "SKIPPED: RUGOSE_SHARED_DATA does not name the shared data set"
    exit 77
fi
data=$RUGOSE_SHARED_DATA
. "$(dirname "$0")/prelude.sh"
work=$(mktemp -d "${TMPDIR:-/tmp}/rugose-golden.XXXXXX")
trap 'rm -rf "$work"' EXIT
failed=0

sums() { # NAME SIZES FILE OPTIONS...
    name=$1 sizes=$2 file=$3
    shift 3
    echo "== $name"
    "$RUGOSE" multifractal -qf csv --q -5,-3,-2,-1,0,0.5,1,1.5,2,3,5,10 --moments "$work/sums.csv" "$@" \
        "$data/$file" >"$work/orders.csv" 2>"$work/warnings"
    got=$(compare_sums "$work/sums.csv" "$data/golden/multifractal/$name.tsv")
    if [ "$got" != "$sizes sizes, $((12 * sizes)) sums agree to 1e-9" ]; then
        echo "$got" | head -n 20
        failed=1
    fi
}
for image in bin_camera_otsu:10 bin_carpet_243:9 bin_retina_vessels:12 bin_sierpinski_256:9 bin_uk_coast_2048:12; do
    sums ${image%:*} ${image#*:} images/${image%:*}.png --foreground nonzero
done
for volume in bunny_solid_128:8 bunny_surface_128:8 colin27_gm_mask:9 dragon_solid_128:8 dragon_surface_128:8 \
    menger_243:9 menger_81:8 mni152_gm_mask:9; do
    sums ${volume%:*} ${volume#*:} volumes/${volume%:*}.nii.gz --foreground nonzero
done
for cascade in cascade_0113_k8:9 cascade_1234_k7:8 cascade_1234_k7_shuffled:8; do
    sums ${cascade%:*} ${cascade#*:} images/${cascade%:*}.png
done
sums grey_camera 10 images/camera.png
sums grey_retina_green 12 images/retina_green.png

# The slopes of cascades: all sizes but the largest lie on a line.
slopes() { # NAME LARGEST
    echo "== $1, by its formulas"
    "$RUGOSE" multifractal -qf csv --q -10,-5,-3,-2,-1,-0.5,0,0.5,1,1.5,2,3,5,10 --fit 1..$2 \
        "$data/images/$1.png" >"$work/orders.csv" 2>"$work/warnings"
    got=$(awk '
        FNR == 1 { file++ }
        /^#/ { next }
        file == 1 { split($0, f, ","); ours[f[2]] = f[3] " " f[5] " " f[7] " " f[8]; next }
        $1 == "q" { next }
        {
            split(ours[$1], is, " ")
            for (i = 1; i <= 4; i++)
                if (is[i] == "" || is[i] - $(i + 1) > 1e-9 || $(i + 1) - is[i] > 1e-9)
                    print "q " $1 ": " is[i] " instead of " $(i + 1)
                else n++
        }
        END { print n + 0 " numbers agree to 1e-9" }' "$work/orders.csv" "$data/golden/multifractal/$1_exact.tsv")
    if [ "$got" != "56 numbers agree to 1e-9" ]; then
        echo "$got" | head -n 20
        failed=1
    fi
}
slopes cascade_0113_k8 256
slopes cascade_1234_k7 128
slopes cascade_1234_k7_shuffled 128
[ $failed -eq 0 ] || exit 1
echo "all agree"
