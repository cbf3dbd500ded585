# SPDX-License-Identifier: BSD-3-Clause
#
# Usage errors of multifractal.
make_image a.npy shape=8x8 fill=checker
wrong() { exits 2 "$RUGOSE" multifractal "$@" a.npy; }
exits 2 "$RUGOSE" multifractal
for q in x '' , 1, nan inf 1001 -1000.5 1..2 1..2: 1..2:0 1..2:-1 2..1:1 1..1:1 ..2:1 1..:1 1..2:x 1..2:1:1; do
    wrong --q "$q"
done
wrong --q 0..10:0.001
wrong --q "$(awk 'BEGIN { for (i = 0; i < 1025; i++) printf "%s%g", i ? "," : "", i / 2 }')"
for fit in x 0..4 4..1 1.. auto..2; do wrong --fit "$fit"; done
for rule in x above above=x label=; do wrong --foreground "$rule"; done
wrong --method x
for option in 'q 1' 'foreground auto' points 'spacing 1' 'summary s.csv' 'moments m.csv'; do
    wrong --method alpha --${option% *} $(echo "$option" | sed -n 's/.* //p')
done
for option in 'measure sum' 'windows 3' 'iso-tolerance 1' 'slices 4' 'alpha-range 1..2' 'map m.tif'; do
    wrong --${option% *} $(echo "$option" | sed -n 's/.* //p')
done
alpha() { wrong --method alpha "$@"; }
alpha --fit auto
alpha --measure x
for windows in 1 17 x; do alpha --windows $windows; done
for slices in 0 1025 x; do alpha --slices $slices; done
for range in x 1 2..1 1..1 1..nan ..; do alpha --alpha-range $range; done
alpha --iso-tolerance 1
for tolerance in -1 x nan; do alpha --measure iso --iso-tolerance $tolerance; done
alpha --map m.png
alpha --map a.npy
wrong --plot p.eps
wrong --plot a.npy
wrong --summary a.npy
wrong --summary s.pdf
wrong --summary s.csv --moments s.csv
wrong --summary -o
wrong --summary s.csv -o s.csv
wrong -f csv --summary -
wrong --labels a.npy
ls -A
