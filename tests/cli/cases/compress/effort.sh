# SPDX-License-Identifier: BSD-3-Clause
#
# Options of version 3 of the stream: each changes the bytes, is told, and can be decoded.
brick=$DATA/textures/train/brick/00.png
awk 'BEGIN { print "P3 96 64 255"; for (i = 0; i < 6144; i++) print i % 96 * 2, int(i / 96) * 4, (i * i + int(i / 96) * 37) % 251 }' >rgb.ppm
code() { # NAME IMAGE OPTION...
    name=$1 image=$2
    shift 2
    "$RUGOSE" compress -f csv "$@" -o "$name.rfi" "$image" 2>lines >$name.csv
    sed 's/^read [^,]*, //' lines
    "$RUGOSE" decompress -q -o "$name.png" "$name.rfi" >table
    [ "$(column $name.csv psnr)" = "$("$RUGOSE" compare -qf csv "$image" "$name.png" | awk -F, 'NR == 2 { print $7 }')" ] || echo "$name: another picture"
}
less() { awk -v a="$(column $1.csv $3)" -v b="$(column $2.csv $3)" -v t="$3: $1 below $2" 'BEGIN { print (a < b ? t : a " " b) }'; }
code plain "$brick"
code fast "$brick" --effort 1
code slow "$brick" --effort 9
code psnr "$brick" --tune psnr
code colours rgb.ppm
code halved rgb.ppm --chroma 420
code poor rgb.ppm --chroma-quality 5
less halved colours bytes
less poor colours bytes
code small rgb.ppm --progressive
less colours small bytes
code first "$brick" --stream-version 1
for name in fast slow psnr first; do ! cmp -s plain.rfi $name.rfi || echo "$name is as without options"; done
"$RUGOSE" info -qf csv plain.rfi colours.rfi halved.rfi small.rfi first.rfi | cut -d, -f 1,14,17-21
"$RUGOSE" compress -qf json --effort 7 --chroma-quality 40 -o a.rfi rgb.ppm 2>/dev/null >a.json
json_values a.json parameters.effort parameters.tune parameters.chroma parameters.chroma_quality parameters.lossless \
    parameters.progressive parameters.tile parameters.stream_version
title "grey among colours"
"$RUGOSE" compress -q --chroma 420 -o grey.rfi "$brick" >table
cmp grey.rfi plain.rfi
title "what is gained in the same bytes"
"$RUGOSE" compress -q --lossless -o whole.rfi $DATA/camera.png >table
"$RUGOSE" decompress -q --crop 100,200,224,224 -o part.png whole.rfi >table
at() { "$RUGOSE" compress -qf csv --bpp 0.4 $2 -o a.rfi part.png >$1.csv; }
at fast "--tune psnr --effort 1"
at slow "--tune psnr --effort 9"
at psnr "--tune psnr"
at ssim "--tune ssim"
less fast slow psnr
less psnr ssim ssim
title "a size and a PSNR, at every effort"
for n in 1 5; do
    "$RUGOSE" compress -qf csv --effort $n --bpp 1 -o a.rfi "$brick" 2>/dev/null >a.csv
    "$RUGOSE" compress -qf csv --effort $n --psnr 34 -o a.rfi "$brick" 2>/dev/null >b.csv
    awk -v a="$(column a.csv bpp)" -v b="$(column b.csv psnr)" 'BEGIN {
        print (a <= 1 && a > 0.95 ? "at 1 bpp" : a " bpp") ", " (b >= 34 && b < 34.3 ? "at 34 dB" : b " dB") }'
done
