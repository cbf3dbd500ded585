# SPDX-License-Identifier: BSD-3-Clause
#
# info prints what the heads of files say; only --range reads their pixels.
make_image volume.nii shape=2x4x5 fill=steps
make_image pages.tif shape=3x16x16 fill=steps
cat >points.csv <<'END'
x,y
1,2
3,-4
END
title "heads"
"$RUGOSE" info -f csv $DATA/camera.png volume.nii pages.tif points.csv
title "with the pixels"
"$RUGOSE" info -f csv --range $DATA/camera.png volume.nii pages.tif points.csv
title "cut behind its head"
head -c 200 pages.tif >no_directory.tif
head -c 5000 $DATA/camera.png >cut.png
"$RUGOSE" info -f csv cut.png
exits 1 "$RUGOSE" info -f csv --range cut.png 2>/dev/null
exits 1 "$RUGOSE" info -f csv no_directory.tif 2>/dev/null
title "JSON"
for asked in "" --range; do
    "$RUGOSE" info -qf json $asked $DATA/camera.png >out.json
    for key in dtype channels min distinct sha256; do grep -c "\"$key\":" out.json | sed "s/^/$key: /"; done
done
