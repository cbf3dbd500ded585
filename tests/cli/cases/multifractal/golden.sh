# SPDX-License-Identifier: BSD-3-Clause
#
# The sums of every order and size against golden tables: a set, volumes, a photograph.
golden() { # NAME FILE OPTIONS...
    title "$1"
    name=$1 file=$2
    shift 2
    "$RUGOSE" multifractal -qf csv --q -5,-3,-2,-1,0,0.5,1,1.5,2,3,5,10 --moments sums.csv "$@" $DATA/$file >out.csv 2>log
    compare_sums sums.csv $DATA/golden/multifractal_$name.tsv
}
golden bin_retina_vessels bin_retina_vessels.png --foreground nonzero
golden bin_carpet_243 bin_carpet_243.png --foreground nonzero
golden menger_81 menger_81.nii.gz --foreground nonzero
golden mni152_gm_mask mni152_gm_mask.nii.gz --foreground nonzero
golden grey_camera camera.png
title "the comparison sees what differs"
compare_sums sums.csv $DATA/golden/multifractal_bin_camera_otsu.tsv | tail -n 3
