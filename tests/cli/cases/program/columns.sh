# SPDX-License-Identifier: BSD-3-Clause
#
# The columns are the same whatever the data.
make_image flat.npy shape=8x8 high=0
make_image volume.nii shape=4x8x8
"$RUGOSE" boxcount -qf csv flat.npy 2>/dev/null | head -n 1 >header
cat header
for file in volume.nii $DATA/camera.png missing.npy; do
    "$RUGOSE" boxcount -qf csv $file 2>/dev/null | head -n 1 | cmp - header
done
