# SPDX-License-Identifier: BSD-3-Clause
#
# What goes with an image besides its pixels: into the stream, and out of it into a picture.
make_image scan.tif shape=48x40 fill=ramp low=0 high=250 orientation=6 dpi=300 "profile=Grey gamma 2.2"
make_image plain.tif shape=48x40 fill=ramp low=0 high=250
"$RUGOSE" compress -f csv -o scan.rfi scan.tif | cut -d, -f 1-3
for ending in png tif jpg; do "$RUGOSE" decompress -qf csv -o back.$ending scan.rfi | cut -d, -f 1-4; done
"$RUGOSE" info --notes -qf csv scan.tif back.png back.tif back.jpg plain.tif
"$RUGOSE" info --notes -qf csv scan.rfi
"$RUGOSE" info -qf csv scan.rfi | cut -d, -f 1-4
title "the pixels are those that are stored, for whom they are compared with, too"
"$RUGOSE" compress -qf csv -o plain.rfi plain.tif | cut -d, -f 1-3
"$RUGOSE" decompress -qf csv -o plain.pgm plain.rfi >log
"$RUGOSE" decompress -qf csv -o scan.pgm scan.rfi >log
cmp plain.pgm scan.pgm
"$RUGOSE" compare -qf csv scan.tif scan.rfi | cut -d, -f 1-5
"$RUGOSE" compare -qf csv scan.rfi back.png | cut -d, -f 1-6
title "without loss a picture comes back as the same bytes, alpha included"
make_image alpha.tif shape=48x40 fill=noise high=200 alpha=2 orientation=3 dpi=150 "profile=Linear grey"
"$RUGOSE" compress -f csv -o alpha.rfi alpha.tif | cut -d, -f 1-3
"$RUGOSE" decompress -qf csv -o alpha.png alpha.rfi | cut -d, -f 1-4
"$RUGOSE" compare -qf csv alpha.tif alpha.rfi | cut -d, -f 1-5,15
for name in back.png back.tif alpha.png; do
    "$RUGOSE" compress -qf csv --lossless -o again.rfi $name 2>>log | cut -d, -f 1-3
    "$RUGOSE" decompress -q -o again.${name#*.} again.rfi >log
    cmp $name again.${name#*.}
done
"$RUGOSE" info --notes -qf csv alpha.rfi
"$RUGOSE" info alpha.rfi 2>&1 >log | grep -o "u8, grey and alpha\|orientation.* dpi"
"$RUGOSE" compress -f csv --no-alpha -o none.rfi alpha.tif | cut -d, -f 1-3
"$RUGOSE" compare -qf csv alpha.tif none.rfi | cut -d, -f 1-5,15
"$RUGOSE" decompress -qf csv -o alpha.jpg alpha.rfi | cut -d, -f 1-4
make_image multiplied.tif shape=24x24 fill=ramp high=200 alpha=1
"$RUGOSE" compress -qf csv -o multiplied.rfi multiplied.tif | cut -d, -f 1-3
for ending in tif png; do "$RUGOSE" decompress -qf csv -o back.$ending multiplied.rfi | cut -d, -f 1-4; done
"$RUGOSE" info --notes -qf csv multiplied.rfi | cut -d, -f 5
"$RUGOSE" info --notes -qf csv back.tif | cut -d, -f 5
title "apply, without a profile"
"$RUGOSE" compress -f csv --orientation apply --no-profile -o turned.rfi scan.tif | cut -d, -f 1-3
"$RUGOSE" info --notes -qf csv turned.rfi
"$RUGOSE" compare -qf csv scan.tif turned.rfi | cut -d, -f 1-5
"$RUGOSE" compress -qf json --orientation apply -o j.rfi scan.tif >out.json
json_values out.json parameters.orientation results.0.shape
title "pixels alone"
"$RUGOSE" compress -qf csv --strip -o stripped.rfi scan.tif | cut -d, -f 1-3
"$RUGOSE" info --notes -qf csv stripped.rfi
exits 2 "$RUGOSE" compress --strip --no-profile -o stripped.rfi scan.tif
title "what streams of version 1 do not hold"
"$RUGOSE" compress -f csv --stream-version 1 -o one.rfi scan.tif | cut -d, -f 1-3
exits 2 "$RUGOSE" compress --stream-version 1 --orientation keep -o one.rfi scan.tif
exits 1 "$RUGOSE" decompress -q --partial -o one.pgm one.rfi
title "a JPEG file without a resolution has none"
"$RUGOSE" decompress -q -o plain.jpg plain.rfi >log
"$RUGOSE" info --notes -qf csv plain.jpg
title "what a picture does not hold"
"$RUGOSE" decompress -qf csv -o back.pgm scan.rfi | cut -d, -f 1-4
title "enlarged, upright"
"$RUGOSE" upscale -qf csv --scale 2 -o large.png alpha.tif | cut -d, -f 1-3
"$RUGOSE" info --notes -qf csv large.png
title "one of several pages"
make_image pages.tif shape=3x24x24 fill=steps high=200
"$RUGOSE" compress -qf csv -o pages.rfi pages.tif | cut -d, -f 1-3
"$RUGOSE" compress -qf csv --page 1 -o pages.rfi pages.tif | cut -d, -f 1-3
exits 2 "$RUGOSE" info --notes --range scan.tif
