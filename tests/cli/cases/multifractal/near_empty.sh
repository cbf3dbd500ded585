# SPDX-License-Identifier: BSD-3-Clause
#
# A few pixels with next to nothing in them change every negative order, and that gets a warning; positive
# orders stay. Boxes without mass are left out.
values=$(cascade_values)
make_image c64.npy dtype=f64 shape=64x64 values="$values"
make_image spoilt.npy dtype=f64 shape=64x64 values="$(echo "$values" |
    awk -F, '{ for (i = 1; i <= NF; i++) printf "%s%s", (i > 1 ? "," : ""), (i % 509 == 100 ? 0.001 : $i) }')"
"$RUGOSE" multifractal -f csv --q -5,-2,-1,0,1,2 --fit 1..32 c64.npy
"$RUGOSE" multifractal -f csv --q -5,-2,-1,0,1,2 --fit 1..32 spoilt.npy
title "one order"
"$RUGOSE" multifractal -f csv --q -2 --fit 1..32 spoilt.npy
title "no order below 0, no warning"
"$RUGOSE" multifractal -f csv --q 0,1,2 --fit 1..32 spoilt.npy
title "pixels without mass are no boxes; what is below half a unit beside 10^300 has none"
make_image holes.npy dtype=f64 shape=4x4 values=0,0,5,0,0,3,0,0,1e300,0,0,0,1,0,0,nan
"$RUGOSE" multifractal -f csv --q -1,0,1 --fit 1..2 holes.npy
title "no single power law: below 16 pixels vessels are solid, and D rises; f leaves 0..D0"
"$RUGOSE" multifractal -f csv --foreground auto --q -2,0,1,2,10 $DATA/bin_retina_vessels.png
"$RUGOSE" multifractal -f csv --foreground auto --q 0,1,2,10 --fit 16..512 $DATA/bin_retina_vessels.png
