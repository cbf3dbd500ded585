# SPDX-License-Identifier: BSD-3-Clause
#
# A stack of 128 KiB suffices every command (sanitizers need more for each frame: SMALL_STACK), and threads do not get their small one from it.
make_image a.npy shape=160x120 fill=noise high=255
make_image b.npy shape=160x120 fill=blocks
make_image v.npy shape=5x16x16 fill=noise high=5
printf 'x,y\n1,2\n3,5\n4,4\n8,9\n1.5,2\n' >c.csv
mkdir tex tex/one tex/two
cp a.npy tex/one/
cp b.npy tex/two/
ulimit -s "${SMALL_STACK:-128}"
run() { "$RUGOSE" "$@" -q >out 2>err || { echo "exit status $?: $*"; cat err; }; }
for threads in 1 2; do
    run boxcount --threads $threads a.npy v.npy
    run boxcount --threads $threads --labels b.npy a.npy
    run boxcount --threads $threads --grid min --fit auto --plot p.gp a.npy
    run boxcount --threads $threads --method hou a.npy
    run boxcount --threads $threads --gray a.npy
    run boxcount --threads $threads --points c.csv
    run multifractal --threads $threads a.npy
    run multifractal --threads $threads --method alpha --map m.tif a.npy
    run lacunarity --threads $threads a.npy
    run haralick --threads $threads --labels b.npy --levels 8 a.npy
    run haralick --threads $threads --levels 8 --window 5 --map 'h-{}.tif' a.npy
    run lbp --threads $threads --map l.tif a.npy
    run train --threads $threads --var-bins 4 --model model.json tex
    run classify --threads $threads --model model.json tex
    run compress --threads $threads --quality 80 -o z.rfi a.npy
    run compress --threads $threads --partition overlap --range-size 32 -o y.rfi a.npy
    run decompress --threads $threads --scale 2 -o d.tif --export-ascii t.txt z.rfi
    run decompress --threads $threads -o d.png y.rfi
    run upscale --threads $threads -o u.png a.npy
    run compare --threads $threads -f json a.npy z.rfi
    run info -f json a.npy d.tif d.png
done
echo done
