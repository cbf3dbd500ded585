#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# `rugose haralick` against golden tables of data that are not part of this tree: more cells, the
# digital phantom of IBSI in its six aggregations, and the regression values of PyRadiomics. Needs
# RUGOSE (the program) and RUGOSE_SHARED_DATA (the data set); without the data it is skipped.
set -eu

if [ ! -d "${RUGOSE_SHARED_DATA-}/golden/haralick" ]; then
    echo "SKIPPED: RUGOSE_SHARED_DATA does not name the shared data set"
    exit 77
fi
data=$RUGOSE_SHARED_DATA
. "$(dirname "$0")/prelude.sh"
work=$(mktemp -d "${TMPDIR:-/tmp}/rugose-golden.XXXXXX")
trap 'rm -rf "$work"' EXIT
ours=$work/ours.csv
failed=0

haralick() { "$RUGOSE" haralick -qf csv "$@" >"$ours" 2>"$work/warnings"; }

# expect TEXT COMMAND...: the command must print that and nothing else.
expect() {
    wanted=$1
    shift
    got=$("$@")
    if [ "$got" != "$wanted" ]; then
        echo "expected: $wanted"
        echo "$got" | head -n 20
        failed=1
    fi
}

cells() { # NAME ROWS NUMBERS BASE IMAGE LABELS OPTIONS...
    name=$1 rows=$2 numbers=$3 base=$4 image=$5 labels=$6
    shift 6
    echo "== $name"
    haralick --labels "$data/cells/$labels" "$@" "$data/cells/$image"
    expect "$rows rows, $numbers numbers agree to 1e-9, 0 are nan" \
        compare_golden "$ours" "$data/golden/haralick/$name.tsv" "$base"
}
cells dsb2018_raw 125 1750 0 dsb2018.png dsb2018_labels.png
cells dsb2018_q32 125 1750 1 dsb2018.png dsb2018_labels.png --levels 32 --range 0..256
cells dsb2018_fbn32 125 1750 1 dsb2018.png dsb2018_labels.png --levels 32 --range roi
cells dsb2018_fbn32_perdir 16 224 1 dsb2018.png dsb2018_labels.png --levels 32 --range roi --aggregate none
cells bbbc022_ch1_fbn32 25 350 1 bbbc022_ch1.png bbbc022_labels.png --levels 32 --range roi
cells bbbc022_ch2_fbn32 25 350 1 bbbc022_ch2.png bbbc022_labels.png --levels 32 --range roi
cells maize_q32 460 6440 1 maize.png maize_labels.png --levels 32 --range 0..256
cells maize_q32_perdir 12 168 1 maize.png maize_labels.png --levels 32 --range 0..256 --aggregate none

echo "== mosaic12: a label is a flip of one of the 25 cells that it is made of"
haralick --labels "$data/cells/mosaic12_labels.png" "$data/cells/mosaic12.png"
expect "400 labels, 375 as the one they are made of" awk -F, '
    NR > 1 {
        n++
        first = ($2 - 1) % 25 + 1
        line = ""
        for (i = 8; i <= NF; i++) line = line " " ($i + 0 == $i ? sprintf("%.9g", $i) : $i)
        if ($2 <= 25) own[first] = line
        else if (own[first] == line) same++
        else print "label " $2 ":" line " instead of" own[first]
    }
    END { print n " labels, " same " as the one they are made of" }' "$ours"

# Golden tables of one row, in long form: compare_named TSV PATTERN WHERE NAME VALUE, the columns of
# the name and the value of rows that match a pattern in column WHERE.
compare_named() {
    awk -F, -v pattern="$2" -v where="$3" -v name="$4" -v value="$5" '
        NR == FNR && FNR == 1 { for (i = 1; i <= NF; i++) place[$i] = i; next }
        NR == FNR { for (i = 1; i <= NF; i++) ours[i] = $i; next }
        /^#/ { next }
        { split($0, f, "\t") }
        f[where] != pattern { next }
        !(f[name] in place) { print f[name] ": no such column"; next }
        {
            is = ours[place[f[name]]]
            wanted = f[value]
            bound = 1e-9 * (wanted > 1 ? wanted : wanted < -1 ? -wanted : 1)
            if (is - wanted > bound || wanted - is > bound) print f[name] ": " is " instead of " wanted
            else n++
        }
        END { print n " features agree to 1e-9" }' "$ours" "$1"
}

# The names of the phantom's table in the words of ours.
sed 's/^joint_max\t/joint_maximum\t/
s/^joint_avg\t/joint_average\t/
s/^joint_var\t/joint_variance\t/
s/^joint_entr\t/joint_entropy\t/
s/^diff_avg\t/difference_average\t/
s/^diff_var\t/difference_variance\t/
s/^diff_entr\t/difference_entropy\t/
s/^sum_avg\t/sum_average\t/
s/^sum_var\t/sum_variance\t/
s/^sum_entr\t/sum_entropy\t/
s/^energy\t/angular_second_moment\t/
s/^inv_diff\t/inverse_difference\t/
s/^inv_diff_norm\t/normalised_inverse_difference\t/
s/^inv_diff_mom\t/inverse_difference_moment\t/
s/^inv_diff_mom_norm\t/normalised_inverse_difference_moment\t/
s/^inv_var\t/inverse_variance\t/
s/^corr\t/correlation\t/
s/^auto_corr\t/autocorrelation\t/
s/^clust_tend\t/cluster_tendency\t/
s/^clust_shade\t/cluster_shade\t/
s/^clust_prom\t/cluster_prominence\t/
s/^info_corr\([12]\)\t/information_correlation_\1\t/' "$data/golden/ibsi/glcm_phantom.tsv" >"$work/phantom.tsv"
phantom() { # AGGREGATION OPTIONS...
    echo "== the phantom of IBSI, $1"
    pattern=$1
    shift
    haralick --features all --names ibsi --mask "$data/volumes/ibsi_phantom_mask.nii.gz" "$@" \
        "$data/volumes/ibsi_phantom.nii.gz"
    expect "25 features agree to 1e-9" compare_named "$work/phantom.tsv" "$pattern" 2 1 5
}
phantom 2D_avg --slices mean
phantom 2D_comb --slices mean --aggregate merged
phantom 2_5D_avg --slices merged
phantom 2_5D_comb --slices merged --aggregate merged
phantom 3D_avg
phantom 3D_comb --aggregate merged

brain() { # MODE OPTIONS...
    echo "== PyRadiomics, $1"
    pattern=$1
    shift
    haralick --bin-width 25 --features all --names pyradiomics --mask "$data/volumes/pyrad_brain1_label.nii.gz" \
        "$@" "$data/volumes/pyrad_brain1.nii.gz"
    expect "24 features agree to 1e-9" compare_named "$data/golden/pyradiomics/glcm_baseline.tsv" "$pattern" 2 3 5
}
brain 3D
brain 2D --slices merged
[ $failed -eq 0 ] || exit 1
echo "all agree"
