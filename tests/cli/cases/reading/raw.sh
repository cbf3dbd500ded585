# SPDX-License-Identifier: BSD-3-Clause
#
# Files without a header, whose layout --raw says: the numbers are those of the same pixels as npy.
make_image v.npy shape=8x16x16 fill=noise dtype=u16 low=0 high=900
tail -c 4096 v.npy >v.raw
make_image s.npy shape=64x64 fill=sierpinski
tail -c 4096 s.npy >s.bin
title "a volume, and the same big-endian behind a header, unzipped too"
{
    printf '%0512d' 0
    od -An -v -tu1 -w2 v.raw | awk '{ printf "\\%03o\\%03o", $2, $1 }' | xargs -0 printf
} >h.raw
gzip -c h.raw >h.raw.gz
"$RUGOSE" info -f csv --range --raw u16,8x16x16 v.raw
"$RUGOSE" info -f csv --range --raw u16,8x16x16,offset=512,big h.raw h.raw.gz
"$RUGOSE" boxcount -qf csv --foreground above=500 v.npy
"$RUGOSE" boxcount -qf csv --foreground above=500 --raw u16,8x16x16 v.raw
"$RUGOSE" boxcount -qf csv --foreground above=500 --raw u16,8x16x16,big,offset=512 h.raw.gz
title "an image with a mask, which has a header"
make_image m.tif shape=64x64 side=32
"$RUGOSE" boxcount -f csv --mask m.tif s.npy
"$RUGOSE" boxcount -f csv --mask m.tif --raw u8,64x64 s.bin
title "slices"
for i in 0 1 2 3 4 5 6 7; do tail -c +$((i * 512 + 1)) v.raw | head -c 512 >"v$((i + 3)).raw"; done
"$RUGOSE" boxcount -f csv --foreground above=500 --volume --raw u16,16x16 v?.raw v10.raw
title "a folder"
mkdir folder
cp s.bin folder/a.bin
cp s.bin folder/b.DAT
echo notes >folder/notes
"$RUGOSE" info -f csv --raw u8,64x64 folder
title "a name that is one of points"
cp s.bin s.txt
"$RUGOSE" boxcount -qf csv --raw u8,64x64 s.txt
title "JSON has the layout"
"$RUGOSE" info -qf json --raw u8,64x64,offset=0 s.bin >out.json
check_json out.json
grep '"raw"\|"format"' out.json
title "points on circles are no points"
"$RUGOSE" lbp -q --raw u8,64x64 --points 4 --radius 1 s.bin | head -1
