# SPDX-License-Identifier: BSD-3-Clause
#
# Any size comes back as it was, and the border is as good as the inside.
ramp() { # HEIGHT WIDTH: a smooth gradient, as text
    awk -v h="$1" -v w="$2" 'BEGIN { print "P2", w, h, 255
        for (y = 0; y < h; y++) for (x = 0; x < w; x++) print int(20 + 200 * (x / w + y / h) / 2) }'
}
pixels() { tail -c $(($1 * $2)) "$3" | od -An -v -tu1 -w1; }
for size in "64 64" "17 13" "1 1" "1 640" "640 1" "7 5" "63 65" "123 151"; do
    set -- $size
    ramp $1 $2 >in.pgm
    for partition in quadtree fixed overlap; do
        "$RUGOSE" compress -q --partition $partition -o a.rfi in.pgm >/dev/null 2>&1 || echo "$size $partition: fails"
        "$RUGOSE" decompress -qf csv -o out.pgm a.rfi >a.csv
        [ "$(column a.csv shape)" = "$1x$2" ] || echo "$size $partition: $(column a.csv shape)"
        [ $partition = quadtree ] || continue
        cp out.pgm quadtree.pgm
        "$RUGOSE" compare -qf csv in.pgm out.pgm >c.csv
        awk -v p="$(column c.csv mse)" 'BEGIN { exit !(p < 25) }' ||
            echo "$size: mean squared error $(column c.csv mse)"
    done
done
title "border and inside"
awk 'NR > 1 { print }' in.pgm >in.txt
pixels 123 151 quadtree.pgm | paste in.txt - | awk '{
        y = int((NR - 1) / 151); x = (NR - 1) % 151; d = ($1 - $2) ^ 2
        if (y == 0 || y == 122 || x == 0 || x == 150) { border += d; n++ } else { inside += d; m++ }
    }
    END { a = border / n; b = inside / m
        print n + m, (a <= 2 * b + 1 ? "pixels, the border is as good" : "pixels, border " a ", inside " b) }'
