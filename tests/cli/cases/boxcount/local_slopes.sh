# SPDX-License-Identifier: BSD-3-Clause
#
# JSON holds size, counts, local slopes and which sizes were used; they fit the counts.
"$RUGOSE" boxcount -q -f json $DATA/menger_81.nii.gz >a.json
for i in 0 1 2 3 4 5 6; do
    check_json a.json results.0.counts.$i.size
    check_json a.json results.0.counts.$i.used
    awk -v a="$(check_json a.json results.0.counts.$i.nonempty)" \
        -v b="$(check_json a.json results.0.counts.$((i + 1)).nonempty)" \
        -v s="$(check_json a.json results.0.counts.$i.local_slope)" \
        'BEGIN { e = log(a / b) / log(2) - s; print (e * e < 1e-18 ? "slope fits" : "slope differs") }'
done
check_json a.json results.0.counts.7.local_slope
