#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Draws docs/images/haralick_cells.svg: haralick_cells.sh BUILD. BUILD is a build folder, whose program
# and check_json are used; gnuplot draws.
set -eu
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
data=$here/../../tests/data
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
haralick() {
    "$build/cli/rugose" haralick -q --labels "$data/bbbc022_labels.png" --levels 32 --range roi \
        --features 13 "$@" "$data/bbbc022_ch0.png"
}
haralick --distances 1,2,3,4,5,6,8,10,12 -o all.csv
haralick --distances 4 -o four.json
value() { "$build/tests/check_json" four.json "results.$1"; }
n=$(tail -n 1 all.csv | cut -d, -f 2)
i=0
while [ $i -lt "$n" ]; do
    echo "$(value $i.label) $(value $i.region.first) $(value $i.region.shape) $(value $i.area)" \
        "$(value $i.correlation)" | tr x ' '
    i=$((i + 1))
done >places.txt
# A block of lines for each cell, with its correlation at distance 4 for the colour.
awk -F, 'NR == FNR { split($0, f, " "); colour[f[1]] = f[7]; next }
    FNR == 1 { for (i = 1; i <= NF; i++) place[$i] = i; next }
    $2 != last && last { print "" }
    { print $place["distance"], $place["correlation"], colour[$2]; last = $2 }' places.txt all.csv >lines.txt
cat >figure.gp <<'GNUPLOT'
set terminal svg size 900,360 font 'sans,11' background 'white'
set multiplot layout 1,2
set palette defined (0 '#2255aa', 0.5 '#cccccc', 1 '#cc4422')
set cbrange [0:0.5]
unset key
set title '25 nuclei, coloured by correlation at distance 4'
set xlabel 'column'
set ylabel 'row'
set size ratio -1
set cblabel 'correlation'
plot [0:695][395:0] 'places.txt' using ($3+$5/2):($2+$4/2):(sqrt($6/pi)):7 with circles fill solid noborder lc palette
set size noratio
set title 'each nucleus, mean of four directions'
set xlabel 'distance (pixels)'
set ylabel 'correlation'
set grid lc rgb '#dddddd'
unset colorbox
plot [1:12][-0.6:1] 'lines.txt' using 1:2:3 with lines lw 1.2 lc palette
unset multiplot
GNUPLOT
gnuplot figure.gp >"$here/../images/haralick_cells.svg"
