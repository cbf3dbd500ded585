# SPDX-License-Identifier: BSD-3-Clause
#
# Ratios are those of files on disk, header and all, and it is said when nothing was won.
make_image noise.tif shape=64x64 fill=noise low=0 high=255
"$RUGOSE" compress -qf csv --quality 50 -o noise.rfi noise.tif >a.csv 2>/dev/null
awk -v r="$(column a.csv ratio)" -v n="$(wc -c <noise.rfi)" \
    'BEGIN { print ((r - 4096 / n) ^ 2 < 1e-12 ? "the ratio is that of the file" : r " " n) }'
title "a picture that is smaller than any header"
printf 'P5 1 1 255\nx' >dot.pgm
"$RUGOSE" compress -qf csv -o dot.rfi dot.pgm 2>lines >a.csv
sed -E 's/of [0-9]+ bytes/of N bytes/' lines
column a.csv status
title "floats and volumes"
make_image float.tif shape=8x8 dtype=f32
make_image volume.npy shape=4x8x8
exits 1 "$RUGOSE" compress -q -o a.rfi float.tif
exits 1 "$RUGOSE" compress -q -o a.rfi volume.npy
ls -A | grep -c -e a.rfi -e tmp || true
