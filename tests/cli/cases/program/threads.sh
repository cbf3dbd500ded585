# SPDX-License-Identifier: BSD-3-Clause
#
# The number of threads changes no byte.
make_image noise.npy shape=70x150x230 fill=noise
for file in noise.npy $DATA/camera.png $DATA/menger_81.nii.gz; do
    for n in 1 2 3 4; do
        "$RUGOSE" boxcount -f json --threads $n --counts counts.$n.csv $file >$n.json 2>$n.log
        cmp 1.json $n.json
        cmp 1.log $n.log
        cmp counts.1.csv counts.$n.csv
    done
    cat 1.log >&2
done
