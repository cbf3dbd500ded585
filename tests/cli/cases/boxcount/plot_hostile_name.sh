# SPDX-License-Identifier: BSD-3-Clause
#
# An image whose name gnuplot would run as a command: the script that is kept only draws.
make_image '|touch PWNED;#.npy' shape=64x64 fill=sierpinski
make_image '`touch PWNED`$(touch PWNED).npy' shape=64x64 fill=sierpinski
make_image '-.npy' shape=64x64 fill=sierpinski
"$RUGOSE" boxcount -q -f csv --plot '{}.gp' ./*.npy
for script in ./*.gp; do
    gnuplot -d "$script" 2>/dev/null # which warns of the locale
    grep '^set output' "$script"
done
title "names that look like pages"
mkdir 'd[page=x'
cp ./-.npy 'd[page=x/b.npy]'
cp ./-.npy 'c[label=2].npy'
"$RUGOSE" boxcount -q -f csv --plot '{}.gp' 'd[page=x/b.npy]' 'c[label=2].npy' >rows.csv
grep -h -o 'set label 2 "[^"]*"' b.gp 'c[label=2].gp'
title "a long name, of which the middle is left out"
cp ./-.npy "$(printf 'µ%060d' 7)end.npy"
"$RUGOSE" boxcount -q -f csv --plot long.gp ./*end.npy >rows.csv
grep -h -o 'set label 2 "[^"]*"' long.gp
rm ./*end.npy long.gp
ls -A | sort
