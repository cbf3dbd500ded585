# SPDX-License-Identifier: BSD-3-Clause
#
# Real pixels against the golden tables: 12 and 8 bits, exact levels, bins of a fixed range, bins of
# each pixel's own range; the mean over directions, and each of them.
golden() { # NAME IMAGE LABELS BASE OPTIONS...
    name=$1 image=$2 labels=$3 base=$4
    shift 4
    title "$name"
    "$RUGOSE" haralick -qf csv --labels $DATA/$labels.png "$@" $DATA/$image.png >ours.csv
    compare_golden ours.csv $DATA/golden/haralick_$name.tsv $base
}
golden bbbc022_ch0_raw bbbc022_ch0 bbbc022_labels 0
golden bbbc022_ch0_q32 bbbc022_ch0 bbbc022_labels 1 --levels 32 --range 0..4096
golden bbbc022_ch0_fbn32 bbbc022_ch0 bbbc022_labels 1 --levels 32 --range roi
golden bbbc022_ch0_fbn32_perdir bbbc022_ch0 bbbc022_labels 1 --levels 32 --range roi --aggregate none
golden ht29_q32 ht29_dna ht29_labels 1 --levels 32 --range 0..256
golden ht29_fbn32 ht29_dna ht29_labels 1 --levels 32 --range roi
title nuclei3d_fbn32
"$RUGOSE" haralick -qf csv --labels $DATA/nuclei3d_labels.nii.gz --levels 32 --range roi $DATA/nuclei3d.nii.gz >ours.csv
compare_golden ours.csv $DATA/golden/haralick_nuclei3d_fbn32.tsv 1
title "constant regions, pairs of pixels, a single pixel: what the table calls 1 or 0 is nan"
make_image img.npy shape=5x6 values=5,5,5,9,1,3,5,5,5,9,0,0,5,5,5,0,0,7,2,0,0,0,7,8,4,0,6,0,0,0
make_image labels.npy shape=5x6 values=1,1,1,2,4,4,1,1,1,2,0,0,1,1,1,0,0,5,7,0,0,0,5,5,7,0,9,0,0,0
"$RUGOSE" haralick -qf csv --labels labels.npy img.npy >ours.csv
compare_golden ours.csv $DATA/golden/haralick_edge_cases.tsv 0
title "the comparison sees what differs"
compare_golden ours.csv $DATA/golden/haralick_edge_cases.tsv 1
