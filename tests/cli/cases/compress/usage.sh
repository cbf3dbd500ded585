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
title "several values"
wrong compress --quality 30,50 a.tif -o a.rfi
wrong compress --quality 30,50 a.tif -o '{bpp}.rfi'
wrong compress --bpp 0.5 a.tif -o '{quality}.rfi'
wrong compress --partition fixed a.tif -o '{quality}.rfi'
wrong compress --quality 30,30.0 a.tif
wrong compress --quality 30, a.tif
wrong compress --psnr 30,40 --bpp 1,2 a.tif
wrong compress --quality "$(seq -s, 1 65)" a.tif
cp a.tif q-30.rfi
wrong compress --quality 50,30 q-30.rfi -o 'q-{quality}.rfi'
rm q-30.rfi
title "what goes with what"
for o in "--quality 50" "--effort 5" "--tune psnr" "--chroma 420" "--chroma-quality 50" "--progressive" "--search fast" \
    "--domain-step 8" "--scale-max 0.5" "--residual on" "--stream-version 1" "--partition fixed"; do
    wrong compress --lossless $o a.tif -o b.rfi
done
for o in "--effort 5" "--tune ssim" "--chroma 444" "--chroma-quality 50" "--lossless" "--progressive" \
    "--tile 256"; do
    wrong compress --stream-version 1 $o a.tif -o b.rfi
    wrong compress --residual off $o a.tif -o b.rfi
    wrong compress --partition overlap $o a.tif -o b.rfi
done
for o in "--domain-step 8" "--search fast" "--search exhaustive"; do wrong compress $o a.tif -o b.rfi; done
wrong compress --scale-max 0.5 --effort 9 a.tif -o b.rfi
wrong compress --lossless a.tif -o '{quality}.rfi'
wrong compress --stream-version 3 --residual off a.tif -o b.rfi
wrong compress --stream-version 3 --partition fixed a.tif -o b.rfi
wrong compress --stream-version 1 --partition fixed --domain-wrap a.tif -o b.rfi
wrong compress --stream-version 2 a.tif -o b.rfi
wrong compress --chroma 420 --channel 0 a.tif -o b.rfi
for n in 0 10; do wrong compress --effort $n a.tif -o b.rfi; done
for n in 255 288 65537; do wrong compress --tile $n a.tif -o b.rfi; done
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
for c in 1,2,3 1,2,3,0 -1,0,3,4 1,2,3,4,5 1,2,3,x ''; do wrong decompress --crop "$c" a.rfi -o a.png; done
wrong decompress --crop 0,0,8,8 --export-ascii t.tsv a.rfi
wrong decompress --partial --export-ascii t.tsv a.rfi
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
