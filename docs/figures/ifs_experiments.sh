#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The tables and pictures of docs/ifs_experiments.md: ifs_experiments.sh BUILD. BUILD is a build folder,
# whose bench_ifs_paper is used. Prints the tables of the first experiment, of the least seconds of three runs,
# and those of the others; draws docs/images/ifs_iterations.svg and ifs_x16_*.png. Needs gnuplot and python3.
set -eu
bench=$(cd "$1" && pwd)/bench/bench_ifs_paper
here=$(cd "$(dirname "$0")" && pwd)
data=$here/../../tests/data
images=$here/../images
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# The rows of three runs, cells "PSNR (seconds)".
first_table() { # NAME
    printf '\n| %s | step 1 | 2 | 4 | 8 | 16 |\n| --- | ---: | ---: | ---: | ---: | ---: |\n' "$1"
    awk '$1 == "I" {
        row = $2 " " $3
        cell = row SUBSEP $4
        if (!(row in seen)) { seen[row] = 1; rows[++n] = row }
        if (!(cell in least) || $5 < least[cell]) least[cell] = $5
        psnr[cell] = $8
    } END {
        for (r = 1; r <= n; r++) {
            printf "| %s |", rows[r]
            for (step = 1; step <= 16; step *= 2) {
                cell = rows[r] SUBSEP step
                seconds = least[cell] < 0.01 ? "< 0.01" : sprintf("%#.2g", least[cell])
                printf " %.2f (%s) |", psnr[cell], seconds
            }
            print ""
        }
    }' "$1.tsv" "$1.second" "$1.third"
}

for name in camera xray_chest_nih mri_colin27_axial mri_t1_axial; do
    "$bench" 123 "$data/$name.png" $name >$name.tsv
    for run in second third; do
        "$bench" 1 "$data/$name.png" >$name.$run
    done
    first_table $name
    awk '$1 == "II" { $1 = ""; print name $0 }' name=$name $name.tsv >>second
    awk '$1 == "III" { print name, $2, $3, $4, $5, $6, $7, $8, $9 }' name=$name $name.tsv >>third
done
printf '\nimage, mode, range, step, PSNR after 0, 1, 2 ... iterations\n'
cat second
printf '\nimage, mode, range, step, scale, height, width, seconds, seconds of decoding\n'
cat third

awk '$4 == 4 { for (i = 5; i <= NF; i++) print i - 5, $i >($1 "_" $2 "_" $3 ".txt") }' second
cat >figure.gp <<'GNUPLOT'
set terminal svg size 900,760 font 'sans,11' background 'white'
set multiplot layout 2,2
set grid lc rgb '#dddddd'
set key above left reverse Left maxrows 2
set xlabel 'iterations'
set ylabel 'PSNR (dB)'
sizes = '2 4 8'
colours = '#2255aa #cc4422 #338833'
do for [name in "camera xray_chest_nih mri_colin27_axial mri_t1_axial"] {
    set title name noenhanced
    plot [0:12][0:*] \
        for [i=1:3] name.'_quad_'.word(sizes, i).'.txt' with lines lw 1.5 lc rgb word(colours, i) title 'quad '.word(sizes, i), \
        for [i=1:3] name.'_simple_'.word(sizes, i).'.txt' with lines lw 1.5 dt 2 lc rgb word(colours, i) title 'simple '.word(sizes, i)
}
unset multiplot
GNUPLOT
gnuplot figure.gp >"$images/ifs_iterations.svg"

# Of each middle a window of 24 x 24 pixels, 16 times as large: by bicubic interpolation (Keys, a = -1/2),
# simple and quad.
python3 - "$images" <<'PYTHON'
import math, struct, sys, zlib

SCALE, SIDE, GAP = 16, 24, 8

def tiff(path):
    data = open(path, 'rb').read()
    at, = struct.unpack_from('<I', data, 4)
    tags = {}
    for i in range(struct.unpack_from('<H', data, at)[0]):
        tag, kind, n, value = struct.unpack_from('<HHII', data, at + 2 + 12 * i)
        form = '<%d' % n + {3: 'H', 4: 'I'}.get(kind, 'B')
        size = struct.calcsize(form)
        tags[tag] = struct.unpack_from(form, data, at + 10 + 12 * i if size <= 4 else value)
    width = tags[256][0]
    pixels = b''.join(zlib.decompress(data[o:o + n]) for o, n in zip(tags[273], tags[279]))
    return [pixels[y:y + width] for y in range(0, len(pixels), width)]

def keys(t):
    t = abs(t)
    return 1.5 * t**3 - 2.5 * t**2 + 1 if t < 1 else -0.5 * t**3 + 2.5 * t**2 - 4 * t + 2 if t < 2 else 0

# A line of pixels, from the middles of its pixels; the ends are repeated.
def bicubic(line, start):
    out = []
    for i in range(start * SCALE, (start + SIDE) * SCALE):
        at = (i + 0.5) / SCALE - 0.5
        k = math.floor(at)
        out.append(sum(keys(at - j) * line[min(max(j, 0), len(line) - 1)] for j in range(k - 1, k + 3)))
    return out

def enlarged(pixels, x, y):
    wide = [bicubic(row, x) for row in pixels]
    tall = zip(*(bicubic(column, y) for column in zip(*wide)))
    return [bytes(min(max(round(v), 0), 255) for v in row) for row in tall]

def window(pixels, x, y):
    return [row[x * SCALE:(x + SIDE) * SCALE] for row in pixels[y * SCALE:(y + SIDE) * SCALE]]

def png(path, rows):
    def chunk(name, body):
        return struct.pack('>I', len(body)) + name + body + struct.pack('>I', zlib.crc32(name + body))
    body, above = b'', bytes(len(rows[0]))
    for row in rows:
        tries = [b'\0' + row,
                 b'\1' + bytes((a - b) & 255 for a, b in zip(row, b'\0' + row)),
                 b'\2' + bytes((a - b) & 255 for a, b in zip(row, above))]
        body += min(tries, key=lambda t: sum(min(v, 256 - v) for v in t))
        above = row
    head = struct.pack('>IIBBBBB', len(rows[0]), len(rows), 8, 0, 0, 0, 0)
    with open(path, 'wb') as out:
        out.write(b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', head) +
                  chunk(b'IDAT', zlib.compress(body, 9)) + chunk(b'IEND', b''))

for name, x, y in (('camera', 80, 52), ('xray_chest_nih', 102, 4), ('mri_colin27_axial', 50, 28),
                   ('mri_t1_axial', 48, 30)):
    panels = [enlarged(tiff(name + '_middle.tif'), x, y)]
    panels += [window(tiff('%s_%s_x16.tif' % (name, mode)), x, y) for mode in ('simple', 'quad')]
    png('%s/ifs_x16_%s.png' % (sys.argv[1], name), [(b'\xff' * GAP).join(rows) for rows in zip(*panels)])
PYTHON
