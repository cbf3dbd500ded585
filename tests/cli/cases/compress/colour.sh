# SPDX-License-Identifier: BSD-3-Clause
#
# Colours are kept unless a channel is chosen; alpha is never data; 16 bits stay 16 bits.
pixels() { # CHANNELS MAXIMUM: 48 x 40 smooth colours, as PAM-like text
    awk -v n="$1" -v m="$2" 'BEGIN { print n == 3 ? "P3" : "P2", 48, 40, m
        for (y = 0; y < 40; y++) for (x = 0; x < 48; x++)
            for (c = 0; c < n; c++) print int(m * ((x + 3 * c) % 48 / 48 + y / 40) / 2) }'
}
pixels 3 255 >colour.ppm
pixels 1 255 >grey.pgm
pixels 3 65535 >wide.ppm
"$RUGOSE" compress -f csv --quality 80 -o '{}.rfi' colour.ppm grey.pgm wide.ppm 2>lines | cut -d, -f 1-4
sed 's/^rugose: warning.*larger/warning: larger/' lines
"$RUGOSE" decompress -qf csv -o '{}.png' colour.rfi grey.rfi wide.rfi | cut -d, -f 1-5
for name in colour.ppm grey.pgm wide.ppm; do
    "$RUGOSE" compare -qf csv $name ${name%.*}.png | cut -d, -f 1-5
    "$RUGOSE" compare -qf csv $name ${name%.*}.rfi | awk -F, 'NR == 2 { print ($7 > 30 ? "close" : $7 " dB") }'
done
title "one channel"
"$RUGOSE" compress -f csv --channel 1 -o green.rfi colour.ppm 2>lines | cut -d, -f 1-4
grep '^read' lines
"$RUGOSE" compare -qf csv --channel 1 colour.ppm colour.rfi | cut -d, -f 1-5
exits 1 "$RUGOSE" compare -q colour.ppm green.rfi
exits 1 "$RUGOSE" compare -q --channel 1 colour.ppm green.rfi
exits 1 "$RUGOSE" compare -q grey.pgm wide.ppm
title "pictures that a format cannot hold"
exits 1 "$RUGOSE" decompress -q -o colour.pgm colour.rfi
exits 1 "$RUGOSE" decompress -q -o wide.jpg wide.rfi
ls
