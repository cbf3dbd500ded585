# SPDX-License-Identifier: BSD-3-Clause
#
# Plots of spectra: standard errors, and a line and hollow points where there is none.
make_image cascade.tif dtype=u16 shape=64x64 values="$(cascade_values)"
"$RUGOSE" multifractal -qf csv --q -1,0,2 --fit 1..16 --plot good.gp cascade.tif
grep -o 'title ".*"' good.gp
grep -c 'no spectrum' good.gp || true
sed -n '/^\$panel2_series1 /,/^END/p' good.gp
grep -o 'set label 1 "D_q".*enhanced' good.gp | cut -d ' ' -f 4,12-
title "no spectrum"
"$RUGOSE" multifractal -qf csv --foreground auto --q -2..10:2 --plot none.gp $DATA/bin_retina_vessels.png | cut -d , -f 2,8,9
grep 'no spectrum' none.gp | cut -d '"' -f 2
grep -o 'title ".*"' none.gp
title "several, of which one is none; nothing at all"
"$RUGOSE" multifractal -qf csv --foreground auto --q 0,2 --plot all.gp $DATA/bin_retina_vessels.png $DATA/bin_sierpinski_256.png
grep -o 'title ".*"' all.gp
grep 'say little or' all.gp | cut -d '"' -f 2
make_image black.npy shape=16x16 high=0
"$RUGOSE" multifractal -qf csv --q 0,2 --plot black.gp black.npy
grep 'no spectrum' black.gp | cut -d '"' -f 2
"$RUGOSE" multifractal -qf csv --method alpha --slices 2 --plot slices.gp black.npy
grep 'no spectrum' slices.gp | cut -d '"' -f 2
