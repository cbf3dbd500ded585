# SPDX-License-Identifier: BSD-3-Clause
#
# The default: a table for people, the read line on the other stream.
"$RUGOSE" boxcount $DATA/camera.png $DATA/menger_81.nii.gz
