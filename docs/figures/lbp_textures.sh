#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Draws docs/images/lbp_map.png, a photograph and the codes of its pixels, and
# docs/images/lbp_confusion.svg, the confusion matrices of ten materials:
# lbp_textures.sh BUILD TEXTURES. BUILD is a build folder; TEXTURES holds train/CLASS/*.png at one
# angle and test/CLASS/*.png at six. Prints the accuracies of docs/lbp.md. Needs gnuplot and python3.
set -eu
rugose=$(cd "$1" && pwd)/cli/rugose
textures=$(cd "$2" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
camera=$here/../../tests/data/camera.png
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# The map as a table of numbers, which gnuplot reads.
"$rugose" lbp -q -o out.csv --lbp 8,1 --map codes.tif "$camera"
python3 - <<'PYTHON'
import struct, zlib
data = open('codes.tif', 'rb').read()
at, = struct.unpack_from('<I', data, 4)
tags = {}
for i in range(struct.unpack_from('<H', data, at)[0]):
    tag, kind, n, value = struct.unpack_from('<HHII', data, at + 2 + 12 * i)
    form = '<%d' % n + {3: 'H', 4: 'I'}.get(kind, 'B')
    size = struct.calcsize(form)
    where = at + 10 + 12 * i if size <= 4 else value
    tags[tag] = struct.unpack_from(form, data, where)
width = tags[256][0]
pixels = b''.join(zlib.decompress(data[o:o + n]) for o, n in zip(tags[273], tags[279]))
with open('codes.txt', 'w') as out:
    for y in range(len(pixels) // width):
        print(*pixels[y * width:(y + 1) * width], file=out)
PYTHON
cat >map.gp <<'GNUPLOT'
set terminal pngcairo size 1090,540 font 'sans,11' background 'white'
set multiplot layout 1,2 margins 0.01,0.93,0.02,0.93 spacing 0.02
unset tics
unset key
set size ratio -1
set title 'camera, 256 x 256 of 512 x 512 pixels'
plot [140:396][316:60] camera binary filetype=png flipy with rgbimage
set title 'riu2 (8, 1): ones on the circle, 9 where they change more than twice'
set palette maxcolors 10 defined (0 '#1b1b3a', 1 '#2b4c9b', 2 '#3a8fb7', 3 '#6cc5b0', 4 '#c6e5a5', 5 '#fff2a8', 6 '#fdc86b', 7 '#f08a4b', 8 '#b9dff5', 9 '#c2185b')
set cbrange [-0.5:9.5]
set cbtics 0,1,9
plot [140:396][316:60] 'codes.txt' matrix with image
GNUPLOT
gnuplot -e "camera='$camera'" map.gp >"$here/../images/lbp_map.png"

accuracy() { # MODEL SCORE [OPTION]
    "$rugose" classify -q --threads 1 --model "$1.json" --score $2 ${3-} -o out.csv \
        --confusion "$1.csv" "$textures/test" 2>err.txt
    printf '%s %s %s %s\n' "$1" "$2" "${3---all}" "$(sed -n 's/^accuracy \(.*\) (.*/\1/p' err.txt)"
}
train() { # MODEL OPTION...
    model=$1
    shift
    "$rugose" train -q --threads 1 --model "$model.json" --border skip -o out.csv "$@" "$textures/train"
    for score in likelihood g chi2; do
        accuracy "$model" $score
        accuracy "$model" $score --nearest
    done
}
train 8_1 --lbp 8,1
train 16_2 --lbp 16,2
train 24_3 --lbp 24,3
train all_three --lbp 8,1 --lbp 16,2 --lbp 24,3
train all_three_var --lbp 8,1 --lbp 16,2 --lbp 24,3 --var-bins 16
cat >confusion.gp <<'GNUPLOT'
set terminal svg size 900,900 font 'sans,10' background 'white'
set datafile separator ','
set multiplot layout 2,2 margins 0.09,0.99,0.09,0.96 spacing 0.1,0.11
unset key
unset colorbox
set size ratio 1
set palette defined (0 'white', 1 '#dde7f3', 48 '#6d93c9')
set cbrange [0:48]
set xtics rotate by 45 right scale 0
set ytics scale 0
n = 10
do for [m in "8_1 16_2 24_3 all_three"] {
    file = m.'.csv'
    set title system("sed -n 's/^".m." //p' titles.txt")
    plot [-0.5:n-0.5][n-0.5:-0.5] for [k=1:n] file every ::1 using (k-1):0:(0.5):(0.5):(column(k+1)):xtic(word(names, k)) \
            with boxxyerror fillstyle solid 1 noborder linecolor palette, \
        for [k=1:n] file every ::1 using (k-1):0:(column(k+1) > 0 ? sprintf('%d', column(k+1)) : ''):ytic(1) with labels font 'sans,9'
}
unset multiplot
GNUPLOT
for m in 8_1 16_2 24_3 all_three; do
    correct=$(awk -F, 'NR > 1 { right += $NR; for (i = 2; i <= NF; i++) all += $i } END { printf "%d of %d", right, all }' $m.csv)
    case $m in all_three) name='all three together' ;; *) name="($(echo $m | sed 's/_/, /'))" ;; esac
    echo "$m $name: $correct right" >>titles.txt
done
names=$(sed -n '1s/^[^,]*,//; 1s/,(none)//; 1s/,/ /gp' 8_1.csv)
gnuplot -e "names='$names'" confusion.gp >"$here/../images/lbp_confusion.svg"
