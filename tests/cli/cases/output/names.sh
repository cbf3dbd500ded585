# SPDX-License-Identifier: BSD-3-Clause
#
# Names of files that are written for each image: '{}' is its name, '{dir}' its folder. Two images of
# one name are told before anything is read.
mkdir a b other
make_image a/img.npy shape=20x20 fill=noise
make_image b/img.npy shape=20x20 fill=noise
make_image img.npy shape=20x20 fill=noise
cp a/img.npy a/more.npy
exits 2 "$RUGOSE" lbp -q --map '{}-map.tif' a/img.npy none.npy b/img.npy
exits 2 "$RUGOSE" boxcount -q --plot 'x.{}.gp' a/img.npy none.npy b/img.npy
exits 2 "$RUGOSE" compress -q -o '{}.rfi' a/img.npy b/img.npy
exits 2 "$RUGOSE" upscale -q -o '{}.png' a/img.npy b/img.npy
exits 2 "$RUGOSE" lbp -q --map '{}-map.tif' a/img.npy b/../a/img.npy
ls a b
title "folders that are one"
ln -s ../a b/link
exits 2 "$RUGOSE" lbp -q --map '{dir}/{}.tif' a/img.npy b/link/img.npy
exits 2 "$RUGOSE" lbp -q --map '{dir}/map.tif' a/img.npy b/img.npy a/more.npy
title "what differs"
"$RUGOSE" lbp -qf csv --map '{dir}/{}-map.tif' a/img.npy b/img.npy img.npy a/more.npy | wc -l
"$RUGOSE" lbp -qf csv --map '{dir}/map.tif' "$PWD/a/img.npy" b/img.npy ./img.npy | wc -l
"$RUGOSE" lbp -qf csv --map 'other/{}-{}.tif' a/img.npy a/more.npy | wc -l
rm b/link
find . -name '*.tif' | sort
title "without a place for the name, or for the folder"
exits 2 "$RUGOSE" lbp -q --map 'map.tif' a/img.npy a/more.npy
exits 2 "$RUGOSE" lbp -q --page all --map '{dir}/map.tif' a/img.npy
exits 1 "$RUGOSE" lbp -qf csv --map 'none/{}.tif' a/img.npy
title "labels of each image"
make_image a/img-cells.npy shape=20x20 fill=full
make_image b/img-cells.npy shape=20x20 fill=full
"$RUGOSE" lbp -qf csv --labels '{dir}/{}-cells.npy' a/img.npy b/img.npy | cut -d , -f 1-6
mkdir c
cp a/img.npy c
cp a/img-cells.npy c/cells.npy
cp a/img-cells.npy b/cells.npy
"$RUGOSE" lbp -qf csv --labels '{dir}/cells.npy' b/img.npy c/img.npy | cut -d , -f 1-6
title "frames"
"$RUGOSE" compress -q --stream-version 1 -o x.rfi img.npy >/dev/null
exits 2 "$RUGOSE" decompress -q --frames x -o ./x00.png x.rfi
exits 2 "$RUGOSE" decompress -q --frames x --export-ascii "$PWD/x03.png" x.rfi
exits 2 "$RUGOSE" decompress -q --frames x -o other/../x12.png x.rfi
"$RUGOSE" decompress -qf csv --frames x --iterations 2 -o x03.png x.rfi | wc -l
ls x*
