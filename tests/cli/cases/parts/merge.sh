# SPDX-License-Identifier: BSD-3-Clause
#
# Files of parts: some of them in one file, parts that are missing or given twice, files that do not go
# together or are damaged, images that failed or changed.
make_image a.tif shape=130x40 fill=noise
make_image b.tif shape=90x40 fill=noise
make_image less.npy shape=64x40 promise=200x40 fill=noise
echo "no image" >c.tif
part() { # K/N NAME COMMAND...
    asked=$1 name=$2
    shift 2
    "$RUGOSE" "$@" -q --part $asked -o $name.rgs 2>/dev/null || true
}
for k in 1 2 3 4 5; do part $k/5 p$k boxcount a.tif b.tif; done
title "some parts in one file"
"$RUGOSE" merge p1.rgs p4.rgs -q -o some.rgs
exits 1 "$RUGOSE" merge some.rgs p2.rgs
"$RUGOSE" merge some.rgs p5.rgs p2.rgs -q -o more.rgs
"$RUGOSE" merge p3.rgs more.rgs -q -o all.rgs 2>/dev/null
"$RUGOSE" boxcount a.tif b.tif -q -o one.csv 2>/dev/null
for names in "p1.rgs p2.rgs p3.rgs p4.rgs p5.rgs" "p5.rgs some.rgs p3.rgs p2.rgs" all.rgs; do
    "$RUGOSE" merge $names -q -o all.csv 2>/dev/null
    cmp one.csv all.csv
done
title "parts that do not go together"
exits 1 "$RUGOSE" merge p1.rgs
exits 1 "$RUGOSE" merge p1.rgs p2.rgs p1.rgs
part 2/2 half boxcount a.tif b.tif
part 2/5 fit boxcount --fit 1..8 a.tif b.tif
part 2/5 other boxcount b.tif a.tif
part 2/5 masses multifractal a.tif b.tif
for name in half fit other masses; do exits 1 "$RUGOSE" merge p1.rgs $name.rgs; done
title "images that failed, and those that changed"
for k in 1 2; do part $k/2 f$k boxcount a.tif less.npy c.tif b.tif; done
exits 1 "$RUGOSE" merge f1.rgs f2.rgs -q
exits 1 "$RUGOSE" merge f1.rgs f2.rgs -q -o f.rgs
exits 1 "$RUGOSE" merge f.rgs -q -f csv
make_image low.npy shape=200x9 fill=ramp low=9 high=-9 dtype=f32
for k in 1 2 3 4; do part $k/4 g$k multifractal low.npy; done
exits 1 "$RUGOSE" merge g1.rgs g2.rgs g3.rgs g4.rgs -q
make_image a.tif shape=140x40 fill=noise
exits 1 "$RUGOSE" merge all.rgs -q
rm b.tif
exits 1 "$RUGOSE" merge all.rgs -q
title "no files of parts"
head -c 300 all.rgs >cut.rgs
{ head -c 100 all.rgs && printf x && tail -c +102 all.rgs; } >bad.rgs
exits 1 "$RUGOSE" merge cut.rgs 2>&1 | sed "s/[0-9]* expected/N expected/" >&2
for name in bad.rgs nowhere.rgs; do exits 1 "$RUGOSE" merge $name; done
cp a.tif picture.rgs
exits 1 "$RUGOSE" merge p1.rgs picture.rgs
exits 2 "$RUGOSE" merge
exits 2 "$RUGOSE" merge a.tif
exits 2 "$RUGOSE" merge p1.rgs --fit 1..8
exits 2 "$RUGOSE" merge p1.rgs --moments x.csv
exits 2 "$RUGOSE" merge p1.rgs -o x.rgs --counts x.csv
exits 2 "$RUGOSE" merge p1.rgs p2.rgs -qo p1.rgs
exits 2 "$RUGOSE" merge all.rgs --plot plot.nonsense
ls ./*.csv
title "inputs that have changed"
mkdir folder
for name in b c d; do make_image folder/$name.npy shape=70x10 fill=noise; done
for k in 1 2; do part $k/2 h$k boxcount --foreground nonzero folder; done
"$RUGOSE" merge h1.rgs h2.rgs -q -f csv 2>/dev/null | cut -d , -f 1,2
mv folder/c.npy folder/a.npy
exits 1 "$RUGOSE" merge h1.rgs h2.rgs -q -f csv
rm folder/a.npy
exits 1 "$RUGOSE" merge h1.rgs h2.rgs -q -f csv
