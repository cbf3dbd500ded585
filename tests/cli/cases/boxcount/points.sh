# SPDX-License-Identifier: BSD-3-Clause
#
# Sets of points: text and .npy, whole and real coordinates, negative ones, and the options that are
# theirs alone.
printf 'x,y\n0,0\n3,0\n0,3\n3,3\n-1,-1\n3,3\n' >whole.csv
printf '0.5 0.5 0.5\n1.5 0.5 0.5\n-0.25 8 1\n' >real.xyz
make_image rows.npy shape=50x3 dtype=u16 fill=ramp low=0 high=1000
"$RUGOSE" boxcount -f csv --counts whole_counts.csv --fit 1..4 whole.csv
cat whole_counts.csv
title "real coordinates: a default, a resolution, a spacing"
"$RUGOSE" boxcount --fit 1..64 real.xyz
"$RUGOSE" boxcount --resolution 4 --counts - real.xyz
"$RUGOSE" boxcount --spacing 0.5 --sizes 1,3,5 --counts - real.xyz
title "the best position"
"$RUGOSE" boxcount -q --grid min --sizes 2,3,5 --counts - whole.csv
title "npy: an image, or points"
"$RUGOSE" boxcount -f csv --fit 1..8 rows.npy
"$RUGOSE" boxcount -f csv --points --fit 1..64 rows.npy
title "the coast of Great Britain"
"$RUGOSE" boxcount --resolution 512 --fit 1..64 --counts - $DATA/gb_coast_xy.tsv
"$RUGOSE" boxcount -qf json --resolution 512 whole.csv >out.json
check_json out.json
grep -A 18 '"read"' out.json
title "info"
"$RUGOSE" info --range -f csv whole.csv real.xyz
title "options that do not go together"
exits 2 "$RUGOSE" boxcount -q --resolution 4 --spacing 1 real.xyz
exits 2 "$RUGOSE" boxcount -q --resolution 0 real.xyz
exits 2 "$RUGOSE" boxcount -q --spacing 0 real.xyz
exits 2 "$RUGOSE" boxcount -q --spacing nan real.xyz
exits 1 "$RUGOSE" boxcount -q --resolution 4 rows.npy
exits 1 "$RUGOSE" boxcount -q --foreground nonzero real.xyz
exits 1 "$RUGOSE" boxcount -q --mask rows.npy real.xyz
exits 1 "$RUGOSE" boxcount -q --page 0 real.xyz
exits 1 "$RUGOSE" boxcount -q --method pyramid real.xyz
title "a damaged one among others"
printf '1,2\n3,nan\n' >bad.csv
exits 1 "$RUGOSE" boxcount -qf csv --fit 1..4 whole.csv bad.csv whole.csv
