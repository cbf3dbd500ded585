# SPDX-License-Identifier: BSD-3-Clause
#
# Every pixel as it is: grey and colours, 8 and 16 bits, any size; smaller on request, but not larger.
make_image noise.tif shape=33x70 fill=noise low=0 high=255
make_image ramp.tif shape=40x64 fill=ramp low=0 high=255
make_image wide.tif shape=31x17 dtype=u16 fill=noise low=100 high=4095
printf 'P5 1 1 255\nx' >dot.pgm
awk 'BEGIN { print "P3 40 32 65535"; for (i = 0; i < 1280; i++) print i % 40 * 1600, int(i / 40) * 2000, 99 + i % 7 }' >rgb.ppm
images="noise.tif ramp.tif wide.tif dot.pgm rgb.ppm"
"$RUGOSE" compress -f csv --lossless -o '{}.rfi' $images 2>lines | cut -d, -f 1-4,9,12 | sed 's/; larger than the [a-z]*//g'
grep '^read' lines
for image in $images; do "$RUGOSE" compare -qf csv $image ${image%.*}.rfi | cut -d, -f 1,2,6,15 | tail -n 1; done
"$RUGOSE" info -qf csv wide.rfi rgb.rfi | cut -d, -f 1-4,11,14,17-20
"$RUGOSE" decompress ramp.rfi -o ramp.png 2>lines >table
sed -E 's/[0-9]+ bytes.*/N bytes/' lines
awk -v n="$(wc -c <ramp.rfi)" 'BEGIN { print (n < 400 ? "a ramp takes few bytes" : "a ramp takes " n " bytes") }'
title "other sizes"
"$RUGOSE" decompress -qf csv --scale 0.5 -o half.png rgb.rfi | cut -d, -f 2-5
exits 1 "$RUGOSE" decompress -q --scale 2 -o large.png rgb.rfi
exits 1 "$RUGOSE" decompress -q --size 80x80 -o large.png rgb.rfi
exits 1 "$RUGOSE" decompress -q --export-ascii t.tsv rgb.rfi
title "threads and tiles"
for n in 1 3; do "$RUGOSE" compress -q --threads $n --lossless --tile 256 -o t$n.rfi "$DATA/camera.png" >table; done
cmp t1.rfi t3.rfi
"$RUGOSE" compare -qf csv "$DATA/camera.png" t1.rfi | cut -d, -f 6,15 | tail -n 1
