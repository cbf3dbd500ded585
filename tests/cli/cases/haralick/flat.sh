# SPDX-License-Identifier: BSD-3-Clause
#
# A flat image: what is 0 is 0 and never -0, what is 0/0 is nan and says why. The columns depend on
# the options alone.
make_image flat.npy shape=16x16 values="$(awk 'BEGIN { for (i = 0; i < 256; i++) printf "7," }')"
make_image h4.npy shape=4x4 values=0,0,1,1,0,0,1,1,0,2,2,2,2,2,3,3
"$RUGOSE" haralick -f csv --features all flat.npy | tee flat.csv
grep -c -e '-0\b' flat.csv || true
title "binned, and each direction"
"$RUGOSE" haralick -f csv --levels 8 --aggregate none flat.npy
title "the same columns for any image"
for options in "" "--features 13" "--features all --names ibsi" "--aggregate none" "--levels 8 --range roi"; do
    "$RUGOSE" haralick -qf csv $options flat.npy 2>/dev/null | head -n 1 >header
    for image in h4.npy $DATA/camera.png $DATA/menger_81.nii.gz missing.npy; do
        "$RUGOSE" haralick -qf csv $options $image 2>/dev/null | head -n 1 | cmp - header
    done
done
title "rows that are flat, the others are not"
make_image rows.npy shape=2x4 values=0,0,0,0,5,5,5,5
"$RUGOSE" haralick -f csv --aggregate none rows.npy
"$RUGOSE" haralick -qf csv rows.npy
title "in JSON nan is null"
"$RUGOSE" haralick -qf json flat.npy >flat.json
json_values flat.json results.0.correlation results.0.entropy results.0.status
