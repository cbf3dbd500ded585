# SPDX-License-Identifier: BSD-3-Clause
#
# Maps say where they lie, how far their pixels are apart, and which values are none.
make_image image.tif shape=24x20 fill=ramp side=16 low=7 high=90 nodata=7 place=1
make_image volume.nii shape=4x16x16 fill=noise low=1 high=200 spacing=2x0.5x0.25
"$RUGOSE" haralick -q -o out.csv --window 5 --features contrast --map h.tif image.tif
"$RUGOSE" lbp -q -o out.csv --map l.tif image.tif
"$RUGOSE" lbp -q -o out.csv --border skip --map s.tif image.tif
"$RUGOSE" lbp -q -o out.csv --method var --map v.tif image.tif
"$RUGOSE" multifractal -q -o out.csv --method alpha --map a.tif image.tif
"$RUGOSE" lbp -q -o out.csv --planes all --map 'p-{}.tif' volume.nii
"$RUGOSE" multifractal -q -o out.csv --method alpha --map b.tif volume.nii
"$RUGOSE" info -f csv --range h.tif l.tif s.tif a.tif p-volume-xy.tif p-volume-xz.tif p-volume-yz.tif b.tif
title "a map of a map lies where the image lies"
"$RUGOSE" lbp -q -o out.csv --map again.tif l.tif
"$RUGOSE" info -f csv again.tif
