# SPDX-License-Identifier: BSD-3-Clause
#
# Layouts that are none, or do not fit a file or other options.
printf '%0100d' 0 >a.raw
make_image a.npy shape=4x4 dtype=u8
title "sizes"
exits 1 "$RUGOSE" info -f csv --raw u16,8x8 a.raw
"$RUGOSE" info -f csv --raw u8,8x8 a.raw
exits 1 "$RUGOSE" info -f csv --raw u8,10x10 a.raw a.npy missing.raw
title "files of other formats"
"$RUGOSE" info -f csv --raw u8,4x4 a.npy
"$RUGOSE" info -f csv --raw u8,4x4,offset=128 a.npy
printf '\037\213\010\0' >zipped
"$RUGOSE" info -f csv --raw u8,2x2 zipped
gzip -c a.raw >a.raw.gz
"$RUGOSE" info -f csv --raw u8,8x8 a.raw.gz
exits 1 "$RUGOSE" info -f csv --range --raw u8,11x11 a.raw.gz
title "layouts"
for layout in '' u8 uint16,4x4 u8,100 u8,4x0 u8,1x2x3x4 u8,4x4,big u16,4x4,big,little u16,4x4,offset=x u16,4x4,middle; do
    exits 2 "$RUGOSE" info --raw "$layout" a.raw
done
title "other options"
for option in "--page 0" "--page all" "--channel 0" "--level 0" --matrix; do
    exits 2 "$RUGOSE" info --raw u8,10x10 $option a.raw
done
exits 2 "$RUGOSE" boxcount --raw u8,10x10 --points a.raw
exits 2 "$RUGOSE" info --raw u8,2x5x10 --volume a.raw
exits 1 "$RUGOSE" info --raw u8,10x10 --volume a.raw
"$RUGOSE" compress -q --raw u8,10x10 -o a.rfi a.raw >/dev/null
exits 2 "$RUGOSE" info --raw u8,10x10 a.rfi
exits 2 "$RUGOSE" compare --raw u8,10x10 a.rfi a.rfi
"$RUGOSE" compare -qf csv --raw u8,10x10 a.raw a.rfi | cut -d, -f 1-11,15
