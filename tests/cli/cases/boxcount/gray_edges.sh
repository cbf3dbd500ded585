# SPDX-License-Identifier: BSD-3-Clause
#
# Differential box counting: boxes that the edge cuts, heights from the least value, bounds.
make_image flat.npy shape=100x130 low=100 high=100
make_image wide.npy shape=33x1000 low=7 high=7
make_image deep.npy shape=20x30x50 low=100 high=100
"$RUGOSE" boxcount -q --gray --counts - flat.npy 2>/dev/null
"$RUGOSE" boxcount -qf csv --gray --counts counts.csv wide.npy deep.npy 2>/dev/null
cat counts.csv
title "whole boxes at every size stay what they are"
"$RUGOSE" boxcount -qf csv --gray --counts counts.csv $DATA/camera.png
awk -F, 'NR > 1 && $5 != $6 { print "differ at " $2 }' counts.csv
title "a constant that is added"
make_image dark.npy shape=100x130 fill=ramp low=3 high=70
make_image light.npy shape=100x130 fill=ramp low=40 high=107
"$RUGOSE" boxcount -f csv --gray dark.npy light.npy
for levels in 256 100; do "$RUGOSE" boxcount -f csv --gray --anchor min --levels $levels dark.npy light.npy; done
title "where the least value is the base already"
make_image words.npy dtype=u16 shape=100x130 fill=ramp low=300 high=4095
for anchor in zero min; do "$RUGOSE" boxcount -qf csv --gray --anchor $anchor words.npy; done
title "in JSON"
"$RUGOSE" boxcount -qf json --gray --anchor min flat.npy >out.json 2>log
check_json out.json
json_values out.json parameters.anchor
grep '"boxes_by_area"' out.json
title "refused"
exits 2 "$RUGOSE" boxcount -q --anchor min flat.npy
exits 2 "$RUGOSE" boxcount -q --gray --anchor mean flat.npy
