# SPDX-License-Identifier: BSD-3-Clause
#
# Maps of features: what they hold, how they are named, and that a failure leaves none.
make_image img.npy shape=20x30 fill=ramp high=40
"$RUGOSE" haralick -f csv --window 5 --map 'm-{}.tif' img.npy
ls m-*
"$RUGOSE" info --range m-img-contrast.tif m-img-info_correlation_2.tif
title "a window that holds the whole image has its features, at each pixel"
make_image h4.npy shape=4x4 values=0,0,1,1,0,0,1,1,0,2,2,2,2,2,3,3
"$RUGOSE" haralick -qf csv --window 7 --map 'w-{}.tif' --features contrast,correlation,entropy h4.npy | tee w.csv
for f in contrast correlation entropy; do
    "$RUGOSE" info --range -f csv w-h4-$f.tif >info.csv 2>/dev/null
    echo "$f: $(column info.csv min) to $(column info.csv max), $(column w.csv $f)"
done
title "one feature, one file; names of others; a list without maps"
"$RUGOSE" haralick -q --window 3 --map contrast.tif --features contrast --angles 0 h4.npy
"$RUGOSE" info --range contrast.tif
"$RUGOSE" haralick -q --window 3 --map 'i-{}.tif' --names ibsi --features joint_entropy,contrast h4.npy
ls i-*
"$RUGOSE" haralick -qf csv --features cluster_shade,max_correlation_coefficient h4.npy
title "bins, a mask, pixels that are nan; a list of features decides which warnings there are"
make_image real.npy shape=6x6 dtype=f64 fill=ramp high=9 nan=2
make_image half.npy shape=6x6 side=4
"$RUGOSE" haralick -f csv --window 3 --map 'r-{}.tif' --levels 4 --mask half.npy --features contrast,variance real.npy
"$RUGOSE" info --range r-real-contrast.tif
make_image flat.npy shape=5x5 low=3 high=3
"$RUGOSE" haralick -f csv --window 3 --map flat.tif --features contrast flat.npy
"$RUGOSE" haralick -f csv --window 3 --map flat.tif --features correlation flat.npy
"$RUGOSE" info --range flat.tif
title "three rows of five: contrast along a row"
"$RUGOSE" haralick -qf json --window 3x5 --map sides.tif --features contrast --angles 0 h4.npy >out.json
json_values out.json parameters.window
"$RUGOSE" info --range sides.tif
"$RUGOSE" haralick -qf csv --window 3x255 --map 'row-{}.tif' --distances 3 --features contrast h4.npy
"$RUGOSE" info --range row-h4.tif
title "what is asked for is in JSON"
"$RUGOSE" haralick -qf json --window 3 --map contrast.tif --features contrast h4.npy >out.json
json_values out.json parameters.window parameters.map parameters.features
title "an image that fails leaves no file, and the others go on"
make_image deep.npy shape=80x80 dtype=u16 fill=ramp high=6399
make_image volume.nii shape=3x4x5
exits 1 "$RUGOSE" haralick -qf csv --window 3 --map 'f-{}.tif' --features contrast deep.npy volume.nii h4.npy
ls -A | grep -e '^f-' -e tmp
exits 1 "$RUGOSE" haralick -qf csv --window 3 --map missing/m.tif --features contrast h4.npy
title "options that have no effect on maps, and those that are missing"
wrong() { exits 2 "$RUGOSE" haralick "$@" h4.npy; }
wrong --window 3
wrong --map m.tif
for window in 0 1 4 257 x '' 3x 3x4 x7 3x7x9 3,7; do wrong --window "$window" --map 'm-{}.tif'; done
wrong --window 3 --map m.tif
wrong --window 3 --map 'm-{}.png'
wrong --window 3 --map h4.npy --features contrast
for list in '' x contrast, f1; do wrong --features "$list"; done
map() { wrong --window 3 --map 'm-{}.tif' "$@"; }
map --features 14
map --features all
map --features joint_maximum
map --asymmetric
map --pairs frame
map --aggregate none
map --aggregate merged
map --distances 1,2
map --distances 3
wrong --window 3x9 --map "m-{}.tif" --distances 3 --angles 90
map --slices mean
map --levels 8 --range roi
map --labels h4.npy
map --angles z+1,y+0,x+0
