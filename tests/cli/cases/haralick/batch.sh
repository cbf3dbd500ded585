# SPDX-License-Identifier: BSD-3-Clause
#
# Many images: one that fails leaves no row, the others are done; a table appears whole or not at
# all; -q, -v; a run from saved settings is the same.
make_image a.npy shape=8x8 fill=ramp high=63
make_image wide.npy shape=1x4 dtype=f64 values=0,1,2,100000
make_image labels.npy shape=1x4 values=1,1,2,2
make_image colour.npy shape=8x8
title "label 2 cannot be measured: nor has label 1 a row"
exits 1 "$RUGOSE" haralick -qf csv --bin-width 1 --range roi --labels labels.npy wide.npy
title "the others"
exits 1 "$RUGOSE" haralick -q --bin-width 1 -o out.csv a.npy missing.npy wide.npy $DATA/camera.png
cut -d, -f 1-10 out.csv
title "an output that cannot be written"
exits 1 "$RUGOSE" haralick -q -o nowhere/out.csv a.npy
exits 2 "$RUGOSE" haralick -q -o a.npy a.npy
cp a.npy a.csv
exits 2 "$RUGOSE" haralick -q -o a.csv a.csv
title "times"
"$RUGOSE" haralick -vf csv a.npy | cut -d, -f 1-6
make_image eight.npy shape=8x8
"$RUGOSE" haralick -vf csv --labels eight.npy a.npy | cut -d, -f 1-6
title "points are no images"
echo '1,2' >points.csv
exits 1 "$RUGOSE" haralick -qf csv points.csv
title "from saved settings"
"$RUGOSE" haralick -qf json --distances 1,3 --angles 0,90 --levels 16 --range 0..255 --aggregate none \
    --asymmetric --log e --features all --names ibsi $DATA/camera.png >first.json
again() {
    p() { check_json first.json parameters.$1; }
    "$RUGOSE" "$(check_json first.json command)" -qf json --distances "$(p distances)" --angles "$(p angles)" \
        --levels "$(p levels)" --range "$(p range)" --aggregate "$(p aggregate)" --asymmetric --log "$(p log)" \
        --pairs "$(p pairs)" --slices "$(p slices)" --features "$(p features)" --names "$(p names)" \
        --page "$(p page)" --level "$(p level)" --device "$(p device)" "$(check_json first.json results.0.image)"
}
again | cmp - first.json
