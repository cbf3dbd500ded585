# SPDX-License-Identifier: BSD-3-Clause
#
# The same as CSV; to standard output, to a file by its ending, and with "-".
"$RUGOSE" boxcount -f csv $DATA/camera.png $DATA/menger_81.nii.gz
"$RUGOSE" boxcount -q -o a.csv $DATA/camera.png $DATA/menger_81.nii.gz
"$RUGOSE" boxcount -qfcsv --output - $DATA/camera.png $DATA/menger_81.nii.gz | cmp - a.csv
