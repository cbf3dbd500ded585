# SPDX-License-Identifier: BSD-3-Clause
#
# Names of overlays: '{}' and '{dir}', never over an input or another file of the run, whole or not at all.
make_image a.npy shape=8x8
make_image b.npy shape=8x8 fill=checker
make_image pages.tif shape=2x8x8 fill=steps
mkdir other
cp a.npy other
title "several images, with any number of workers; pages; a list"
"$RUGOSE" boxcount -qf csv --threads 2 --overlay '{dir}/{}_seen.png' a.npy b.npy other/a.npy 2>/dev/null | cut -d, -f 1,4
for threads in 1 4; do
    "$RUGOSE" boxcount -qf csv --threads $threads --overlay "{dir}/{}_$threads.png" a.npy b.npy other/a.npy \
        >/dev/null 2>&1
done
cmp a_1.png a_4.png && cmp b_1.png b_4.png && cmp other/a_1.png other/a_4.png
rm -f ./*_[14].png other/*_[14].png
"$RUGOSE" boxcount -qf csv --page all --overlay '{}.png' pages.tif 2>/dev/null | cut -d, -f 1,4
printf 'image\na.npy\nb.npy\n' >list.csv
"$RUGOSE" lacunarity -qf csv --sizes 1 --overlay 'of-list-{}.png' --list list.csv >/dev/null 2>&1
ls -A . other
title "refused"
exits 2 "$RUGOSE" boxcount -q --overlay o.png a.npy b.npy
exits 2 "$RUGOSE" boxcount -q --page all --overlay o.png pages.tif
exits 2 "$RUGOSE" boxcount -q --overlay '{}.png' a.npy other/a.npy
exits 2 "$RUGOSE" boxcount -q --overlay o.tif a.npy
exits 2 "$RUGOSE" boxcount -q --overlay '' a.npy
exits 2 "$RUGOSE" boxcount -q --overlay - a.npy
exits 2 "$RUGOSE" boxcount -q --plot o.png --overlay ./o.png a.npy
exits 2 "$RUGOSE" boxcount -q -f csv -o o.png --overlay o.png a.npy
exits 2 "$RUGOSE" info --overlay o.png a.npy
cp $DATA/camera.png in.png
exits 2 "$RUGOSE" boxcount -q --overlay in.png in.png
exits 2 "$RUGOSE" boxcount -q --mask in.png --overlay in.png in.png
exits 1 "$RUGOSE" boxcount -qf csv --overlay '{}.png' in.png
exits 1 "$RUGOSE" boxcount -qf csv --plot a.png --overlay '{}.png' a.npy
cmp in.png $DATA/camera.png
title "a folder that is not there: the others go on, and the input has no row"
mkdir a
exits 1 "$RUGOSE" boxcount -qf csv --overlay '{}/o.png' b.npy a.npy | cut -d, -f 1,4
ls -A a
title "a file that cannot be read leaves no picture"
printf 'P5 9 9 255 ' >bad.pgm
exits 1 "$RUGOSE" boxcount -qf csv --overlay bad.png bad.pgm
title "a full disk leaves what was there"
trap '' XFSZ # writing beyond the limit fails
echo before >full.png
make_image noise.npy shape=200x200 fill=noise high=255
exits 1 sh -c 'ulimit -f 8; exec "$RUGOSE" boxcount -qf csv --overlay full.png noise.npy'
cat full.png
ls -A | grep -e bad.png -e tmp || true
