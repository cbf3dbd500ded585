# SPDX-License-Identifier: BSD-3-Clause
#
# The tables of summaries and sums, JSON, the plots, and times.
make_image c64.tif dtype=u16 shape=64x64 values="$(cascade_values)"
make_image even.npy shape=32x32 low=7 high=7
"$RUGOSE" multifractal -qf csv --summary s.csv --moments m.csv --fit 1..16 --q 0,1,2 c64.tif even.npy
cat s.csv
head -n 9 m.csv
wc -l <m.csv
title "Z beyond the range of a double is nan, ln Z is there; without boxes Z is 0"
make_image black.npy shape=2x2 high=0
"$RUGOSE" multifractal -qf csv --moments m.csv --fit 1..2 --q -1000,1000 c64.tif black.npy >/dev/null
grep -E 'image|tif,-?1000,(1|64)|npy,1000,' m.csv
title "for people, one after the other"
"$RUGOSE" multifractal -q --summary - --moments - --fit 1..16 --q 2 $DATA/camera.png
title "JSON: what was read, the parameters, the sums"
"$RUGOSE" multifractal -qf json --q 0,2 --fit 1..16 c64.tif >out.json
check_json out.json
json_values out.json command parameters.method parameters.q parameters.fit parameters.foreground parameters.points
grep -A 25 '"summary": {' out.json | head -n 26
grep -A 10 '"moments": \[' out.json | head -n 11
title "a mask: pixels outside of it have no mass"
make_image half.npy shape=64x64 side=32
"$RUGOSE" multifractal -f csv --q 0,1,2 --fit 1..16 --mask half.npy c64.tif
title "a plot; it changes no number"
"$RUGOSE" multifractal -qf csv c64.tif >plain.csv
for form in gp svg png; do
    "$RUGOSE" multifractal -qf csv --plot a.$form c64.tif | cmp - plain.csv
done
tail -n 3 a.svg | grep -c '</svg>'
sed -n '/^\$panel2_series1/,/^END/p' a.gp | head -n 4
title "times"
"$RUGOSE" multifractal -vf csv --q 0 --fit 1..16 c64.tif
"$RUGOSE" multifractal -vf csv --q 0 --fit 1..16 --foreground above=3 c64.tif
