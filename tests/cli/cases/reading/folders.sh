# SPDX-License-Identifier: BSD-3-Clause
#
# A folder stands for its images, in natural order. What is no image is said once; what claims to be
# one and is damaged fails.
mkdir -p plain/more empty texts classes/c2 classes/c10
for i in 10 2 1 02 100000000000000000000000 99999999999999999999999; do
    make_image plain/img$i.npy shape=8x8 fill=checker
done
make_image plain/b.npy shape=8x8
make_image plain/.hidden.npy shape=8x8
printf '\320\317\021\340\241\261' >plain/Thumbs.db
printf 'x,y\n1,2\n' >plain/t.csv
: >plain/nothing
title "in natural order"
"$RUGOSE" info -qf csv plain | cut -d, -f 1
title "an operand among others; a trailing slash"
"$RUGOSE" info -qf csv plain/b.npy classes empty plain/ plain/b.npy 2>/dev/null | cut -d, -f 1 | head -n 3
title "damaged files are images: by their first bytes, or by their name"
printf '\211PNG\r\n' >classes/c2/cut
: >classes/c2/empty.tif
printf 'text' >classes/c2/text.jpg
exits 1 "$RUGOSE" info -qf csv classes/c2
title "no image"
printf 'text' >texts/a.txt
exits 1 "$RUGOSE" info -qf csv texts
exits 1 "$RUGOSE" info -qf csv empty plain/b.npy
printf 'text' >texts/b.txt
exits 1 "$RUGOSE" info -qf csv texts
title "nothing but folders: what is in them is not read"
mkdir -p tree/site2
cp plain/b.npy tree/site2
exits 1 "$RUGOSE" info -qf csv tree
exits 1 "$RUGOSE" info -qf csv --volume tree/
mkdir tree/site10
printf 'text' >tree/readme
exits 1 "$RUGOSE" info -qf csv tree/ plain/b.npy
printf 'image\n../tree\n' >plain/l.csv
exits 1 "$RUGOSE" info -qf csv --list plain/l.csv
rmdir tree/site10
"$RUGOSE" info -qf csv tree/* 2>/dev/null | cut -d, -f 1
title "sets of points, where they are asked for"
printf '1,2\n3,4\n' >texts/p10.csv
cp texts/p10.csv texts/p2.csv
rm texts/*.txt
"$RUGOSE" info -qf csv --points texts | cut -d, -f 1-3
title "classes, and what lies among their images"
rm classes/c2/*
cp plain/img10.npy plain/img2.npy plain/Thumbs.db plain/t.csv classes/c2
cp plain/b.npy classes/c10
"$RUGOSE" train -f csv --model m.json classes
exits 1 "$RUGOSE" train -q --model m.json empty
mkdir none
printf 'text' >none/readme
exits 1 "$RUGOSE" train -q --model m.json none
title "in a list: each image of it, with the row's fields"
printf 'image,n\n../classes/c2,7\nb.npy,8\n' >plain/l.csv
"$RUGOSE" info -qf csv --list plain/l.csv | cut -d, -f 1-3
printf 'image,labels\n../classes/c2,b.npy\n' >plain/l.csv
exits 1 "$RUGOSE" boxcount -qf csv --list plain/l.csv
title "side by side as one by one"
"$RUGOSE" boxcount -f csv --threads 1 plain >one.csv 2>one.err
"$RUGOSE" boxcount -f csv --threads 4 plain >four.csv 2>four.err
cmp one.csv four.csv && cmp one.err four.err
