# SPDX-License-Identifier: BSD-3-Clause
#
# NRRD, MetaImage and MRC files of other programs: what they hold, one channel of two, one image of a stack.
for name in pynrrd_u16.nrrd pynrrd_i32.nhdr simpleitk_f64.mha mrcfile_f16.mrc mrcfile_stack.mrc.gz; do
    "$RUGOSE" info --range "$DATA/volumes/$name" -f csv
done
"$RUGOSE" boxcount "$DATA/volumes/simpleitk_vector.mhd" --channel 1 --foreground below=-100 -f csv
exits 1 "$RUGOSE" boxcount -q "$DATA/volumes/simpleitk_vector.mhd"
"$RUGOSE" info "$DATA/volumes/mrcfile_stack.mrc.gz" --page 2 -f csv
"$RUGOSE" info "$DATA/volumes/mrcfile_stack.mrc.gz" --volume -f csv

title "a mask of another format, whose x runs the other way"
"$RUGOSE" boxcount "$DATA/volumes/pynrrd_u16.nrrd" --mask "$DATA/volumes/simpleitk_mask.nii.gz" \
    --foreground above=100 --sizes 1 -f csv

title "a place elsewhere"
exits 1 "$RUGOSE" boxcount -q "$DATA/volumes/simpleitk_f64.mha" --mask "$DATA/volumes/pynrrd_u16.nrrd"

title "features of a region, as PyRadiomics gives them: contrast 47.4921251144, joint entropy 8.7996962702"
"$RUGOSE" haralick "$DATA/volumes/brain1.nrrd" --mask "$DATA/volumes/brain1_label.nrrd" --bin-width 25 \
    --features all -f csv >features.csv
for name in contrast entropy; do column features.csv $name; done
