# SPDX-License-Identifier: BSD-3-Clause
#
# In JSON each row has all warnings about its image, without its name: also those that the summing up
# leaves out, and those of workers. Without one the list is empty.
make_image good.npy shape=64x64 fill=sierpinski
for i in 1 2 3 4 5; do make_image full$i.npy shape=8x8; done
make_image large.npy shape=2200x8200
"$RUGOSE" boxcount -qf json good.npy full*.npy large.npy >a.json 2>err
tail -n 2 err >&2
list() { # FILE: image and warnings of each row
    grep -E -A 3 '^      "(image|warnings)": ' $1 | grep -E '"image"|^        "|"warnings": ' | tr -d '\n' |
        sed -e 's/ *"image"/\n"image"/g' -e 's/  */ /g'
    echo
}
list a.json
"$RUGOSE" boxcount -qf json --threads 1 good.npy full*.npy large.npy >b.json 2>/dev/null
cmp a.json b.json
title "pages, labels, points"
make_image stack.tif shape=2x16x16 fill=steps
"$RUGOSE" boxcount -qf json --page all stack.tif 2>/dev/null >c.json
list c.json
"$RUGOSE" lacunarity -qf json --sizes 2 --labels good.npy good.npy 2>/dev/null >d.json
list d.json
printf '1 2\n3 4\n' >points.txt
"$RUGOSE" boxcount -qf json points.txt 2>/dev/null >e.json
list e.json
title "what is written about is a mask, two images, a stream"
make_image mask.npy shape=64x64 fill=full
"$RUGOSE" boxcount -qf json --mask mask.npy good.npy 2>/dev/null >f.json
list f.json
"$RUGOSE" compare -qf json good.npy good.npy >g.json
list g.json
"$RUGOSE" compress -qf json -o good.rfi --quality 99 good.npy >h.json 2>/dev/null
list h.json
"$RUGOSE" info -f json good.rfi 2>/dev/null >i.json
list i.json
