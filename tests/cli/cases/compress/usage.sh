# SPDX-License-Identifier: BSD-3-Clause
#
# What the command line cannot mean: nothing is read, nothing is written.
make_image a.tif shape=32x32 fill=ramp high=255
cp a.tif b.tif
"$RUGOSE" compress -q -o a.rfi a.tif >/dev/null 2>&1
wrong() { exits 2 "$RUGOSE" "$@"; }
title compress
wrong compress
wrong compress a.tif
wrong compress a.tif -o -
wrong compress a.tif -o a.png
wrong compress a.tif b.tif -o both.rfi
wrong compress --page all a.tif -o a.rfi
wrong compress --volume a.tif -o b.rfi
for q in 0 101 x '' nan; do wrong compress --quality "$q" a.tif -o b.rfi; done
for b in 0 -1 x; do wrong compress --bpp "$b" a.tif -o b.rfi; done
wrong compress --psnr 0 a.tif -o b.rfi
wrong compress --quality 50 --bpp 1 a.tif -o b.rfi
wrong compress --partition fixed --quality 50 a.tif -o b.rfi
wrong compress --partition square a.tif -o b.rfi
wrong compress --range-size 8 a.tif -o b.rfi
wrong compress --partition fixed --range-size 33 a.tif -o b.rfi
wrong compress --partition overlap --range-size 5 a.tif -o b.rfi
wrong compress --domain-step 3 a.tif -o b.rfi
wrong compress --partition fixed --residual off a.tif -o b.rfi
wrong compress --partition fixed --search fast a.tif -o b.rfi
wrong compress --scale-max 1.5 a.tif -o b.rfi
for v in 0 9; do wrong compress --shadow-limit $v a.tif -o b.rfi; done
for v in -1 nan 2e9; do wrong compress --partition fixed --shadow-limit $v a.tif -o b.rfi; done
wrong compress --domain-wrap a.tif -o b.rfi
wrong compress --partition quadtree --residual off --domain-wrap a.tif -o b.rfi
wrong compress --partition fixed --domain-wrap=on a.tif -o b.rfi
wrong compress -o a.rfi a.rfi
title decompress
wrong decompress
wrong decompress a.rfi
wrong decompress a.rfi -o a.gif
wrong decompress a.rfi -o a.rfi
wrong decompress a.rfi a.rfi -o a.png
for k in 0 0.2 17 x; do wrong decompress --scale $k a.rfi -o a.png; done
for s in 1 x 4x 4x-1 4x4x4 0x4; do wrong decompress --size $s a.rfi -o a.png; done
wrong decompress --scale 2 --size 4x4 a.rfi -o a.png
wrong decompress --iterations 65 a.rfi -o a.png
wrong decompress --max-pixels 1.5 a.rfi -o a.png
wrong decompress --scale 2 --export-ascii t.tsv a.rfi
wrong decompress --channel 1 a.rfi -o a.png
title "upscale and compare"
wrong upscale a.tif
wrong upscale --scale 3 a.tif -o b.png
wrong upscale a.tif b.tif -o c.png
wrong upscale a.tif -o ./a.tif
wrong compare a.tif
wrong compare a.tif b.tif a.tif
wrong compare --page all a.tif b.tif
wrong compare --peak 0 a.tif b.tif
wrong compare --level 1 a.rfi a.rfi
wrong compare --max-pixels 9 a.tif b.tif
title info
wrong info a.tif a.rfi
wrong info --points a.rfi
wrong info --range a.rfi
ls
