# SPDX-License-Identifier: BSD-3-Clause
#
# Labels: outlines and numbers over the pixels, which still say whether they were counted.
total() { awk '/foreground_pixels/ { gsub(/[^0-9]/, ""); sum += $0 } END { print sum + 0 " counted of labels" }' "$1"; }
title "of a foreground"
"$RUGOSE" boxcount -qf json -o a.json --overlay a.png --labels $DATA/bbbc022_labels.png $DATA/bbbc022_ch0.png 2>/dev/null
total a.json
recount a.png
title "of a volume"
"$RUGOSE" boxcount -qf json -o a.json --overlay a.png --labels $DATA/nuclei3d_labels.nii.gz $DATA/nuclei3d.nii.gz 2>/dev/null
recount a.png
title "outlines are the ends of labels in rows and columns"
make_image l.npy shape=9x36 fill=blocks
for command in haralick lbp "lacunarity --gray"; do
    "$RUGOSE" $command -q --labels l.npy --overlay o.png l.npy >/dev/null 2>&1
    recount o.png 0,5 2,3 4,5 4,15
done
"$RUGOSE" lacunarity -q --labels l.npy --foreground label=7 --overlay o.png l.npy >/dev/null 2>&1
recount o.png
title "one label of 64 bits, whose number is written; a label for each pixel"
make_image ramp.npy shape=20x200 fill=ramp high=200
make_image one.npy shape=20x200 dtype=u64 fill=full high=9007199254740992
for labels in one.npy ramp.npy; do
    "$RUGOSE" haralick -q --labels $labels --overlay o.png ramp.npy >/dev/null 2>&1
    recount o.png
done
