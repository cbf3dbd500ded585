# SPDX-License-Identifier: BSD-3-Clause
#
# Whatever is written, a full disk is a failure with a message, also where less is written than a buffer
# holds.
make_image a.npy shape=24x20 fill=noise high=255
mkdir tex tex/one tex/two
cp a.npy tex/one/1.npy
make_image tex/two/2.npy shape=24x20 fill=checker
"$RUGOSE" compress -q -o z.rfi a.npy >out
"$RUGOSE" train -q --model model.json tex >out
for ending in csv json txt html gp tif png pgm ppm webp jpg rfi; do ln -s /dev/full full.$ending; done
full() {
    exits 1 "$RUGOSE" "$@" >out 2>err
    grep "exit status" out || true
    grep "cannot write" err || echo "no message: $*"
}
full boxcount -q -o full.csv a.npy
full boxcount -q -o full.json a.npy
full boxcount -q --report full.html a.npy
full boxcount -q -o full.txt a.npy
full boxcount -q --counts full.csv a.npy
full boxcount -q --plot full.gp a.npy
full multifractal -q --moments full.csv a.npy
full multifractal -q --summary full.json a.npy
full multifractal -q --method alpha --map full.tif a.npy
full haralick -q --levels 8 --window 3 --features contrast --map full.tif a.npy
full lbp -q --map full.tif a.npy
full train -q --model full.json tex
full classify -q --model model.json --confusion full.csv a.npy
full compress -q -o full.rfi a.npy
for ending in tif png pgm webp jpg; do full decompress -q -o full.$ending z.rfi; done
full decompress -q --export-ascii full.txt z.rfi
full upscale -q -o full.png a.npy
full info -q -o full.csv a.npy
full devices -o full.csv
for ending in csv json txt html gp tif png pgm ppm webp jpg rfi; do [ -c full.$ending ] || echo "full.$ending was replaced"; done
