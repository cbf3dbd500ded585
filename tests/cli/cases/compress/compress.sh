# SPDX-License-Identifier: BSD-3-Clause
#
# An image becomes a stream and a picture again: sizes are those on disk, the errors are those
# that compare finds, the bytes do not depend on threads.
brick=$DATA/textures/train/brick/00.png
neutral() { sed -E 's/[0-9.]+ bytes/N bytes/g; s/[0-9.]+ bpp/B bpp/; s/steps of [0-9.]+/steps of Q/; s/[0-9]+ iterations(, deblocked)?/N iterations/'; }
"$RUGOSE" compress -f csv -o brick.rfi "$brick" >table.csv
head -n 1 table.csv
cut -d, -f 1-4,12 table.csv
[ "$(column table.csv bytes)" -eq "$(wc -c <brick.rfi)" ] && echo "bytes are those of the file"
[ "$(column table.csv input_bytes)" -eq "$(wc -c <"$brick")" ] && echo "of the input, too"
awk -F, 'NR == 2 { print (($6 - 8 * $5 / 16384) ^ 2 < 1e-12 ? "bpp is of the whole file" : "bpp " $6)
    print (($7 - 16384 / $5) ^ 2 < 1e-12 ? "ratio is to the pixels" : "ratio " $7)
    print ($6 < 4 && $9 > 25 ? "small and good" : "bytes " $5 ", PSNR " $9) }' table.csv
title "the picture"
"$RUGOSE" decompress -f csv -o brick.png brick.rfi >picture.csv 2>lines
neutral <lines
cut -d, -f 1-5,8 picture.csv
"$RUGOSE" info -qf csv brick.png | cut -d, -f 1-4
title "compared: with the stream, and with the picture"
"$RUGOSE" compare -qf csv "$brick" brick.rfi >stream.csv
"$RUGOSE" compare -qf csv "$brick" brick.png >picture.csv
for c in psnr ssim; do
    [ "$(column stream.csv $c)" = "$(column table.csv $c)" ] && echo "$c as the table says"
    [ "$(column stream.csv $c)" = "$(column picture.csv $c)" ] && echo "$c as the picture's"
done
title "what the stream says of itself"
"$RUGOSE" info -f csv brick.rfi 2>lines | cut -d, -f 1-10,14
neutral <lines
title "more threads, the same bytes"
for n in 1 2 3; do
    "$RUGOSE" compress -q --threads $n -o threads.rfi "$brick" >/dev/null
    cmp brick.rfi threads.rfi
done
title "better costs more; aims are kept"
for q in 20 80; do "$RUGOSE" compress -qf csv --quality $q -o q$q.rfi "$brick" >q$q.csv; done
awk -v a="$(column q20.csv bytes)" -v b="$(column q80.csv bytes)" 'BEGIN { print (a < b ? "larger" : a " " b) }'
awk -v a="$(column q20.csv psnr)" -v b="$(column q80.csv psnr)" 'BEGIN { print (a < b ? "better" : a " " b) }'
"$RUGOSE" compress -qf csv --bpp 1 -o a.rfi "$brick" >a.csv
awk -v a="$(column a.csv bpp)" 'BEGIN { print (a <= 1 && a > 0.9 ? "at 1 bpp" : a " bpp") }'
"$RUGOSE" compress -qf csv --psnr 34 -o a.rfi "$brick" >a.csv
awk -v a="$(column a.csv psnr)" 'BEGIN { print (a >= 34 && a < 34.5 ? "at 34 dB" : a " dB") }'
title "json"
"$RUGOSE" compress -qf json -o a.rfi "$brick" >a.json
json_values a.json command parameters.partition parameters.target parameters.target_value parameters.channel \
    results.0.output results.0.read.dtype results.0.sha256
