# SPDX-License-Identifier: BSD-3-Clause
#
# What a message says is true: of which file, of which axis, and why.
make_image a.npy shape=8x8 fill=ramp high=63
make_image two.npy shape=8x8 fill=noise high=200
make_image zero.npy shape=8x8 low=0 high=0
make_image half.npy shape=8x8 dtype=f32 fill=noise high=1.5
make_image row.npy shape=1x100 fill=noise
title "an empty mask leaves no range"
"$RUGOSE" haralick --features contrast --mask zero.npy a.npy
title "labels that are no whole numbers: which file, and no z in two axes"
for command in haralick lbp; do exits 1 "$RUGOSE" $command -q --labels half.npy a.npy; done
title "rows before columns, as in the read line"
exits 1 "$RUGOSE" compress --bpp 0.001 -o row.rfi row.npy 2>lines
sed "s/has [0-9.]*$/has N/" lines >&2
title "why pixels is nan"
"$RUGOSE" lbp --points 24 --method default --map codes.tif a.npy
"$RUGOSE" lbp --method var --map var.tif a.npy
title "two values are few, whatever the bins"
"$RUGOSE" haralick -q --levels 64 --features contrast two.npy
