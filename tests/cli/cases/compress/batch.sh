# SPDX-License-Identifier: BSD-3-Clause
#
# Many images: names, pages, one that fails, and outputs that must not take another's place.
for name in a b; do make_image $name.tif shape=40x30 fill=ramp low=10 high=200; done
make_image pages.tif shape=2x24x24 fill=steps high=200
mkdir other
cp a.tif other/
cp a.tif cut.tif
truncate -s 300 cut.tif
exits 1 "$RUGOSE" compress -qf csv -o 'out-{}.rfi' a.tif cut.tif missing.tif b.tif 2>lines | cut -d, -f 1-4
grep -v warning lines | sed 's/cut.tif: .*/cut.tif: .../'
title pages
"$RUGOSE" compress -qf csv --page all -o '{}.rfi' pages.tif 2>/dev/null | cut -d, -f 1-4
title "two of one name, a list"
exits 2 "$RUGOSE" compress -qf csv -o '{}.rfi' a.tif other/a.tif
"$RUGOSE" compress -qf csv -o '{dir}/{}.rfi' a.tif other/a.tif 2>/dev/null | cut -d, -f 1-4
printf 'image\na.tif\nb.tif\n' >list.csv
"$RUGOSE" compress -qf csv --list list.csv -o 'l-{}.rfi' 2>/dev/null | cut -d, -f 1-4
title "streams: one of them is none"
printf 'no stream at all, but long enough to look like one' >bad.rfi
: >empty.rfi
exits 1 "$RUGOSE" decompress -qf csv -o '{}.png' a.rfi bad.rfi empty.rfi b.tif l-b.rfi 2>lines | cut -d, -f 1-5
cut -d: -f 1-2 lines
title "places where nothing can be written"
exits 1 "$RUGOSE" compress -q -o /nowhere/a.rfi a.tif 2>lines
grep -v warning lines
exits 1 "$RUGOSE" decompress -q -o /nowhere/a.png a.rfi
ln -s /dev/full full.rfi
ln -s /dev/full full.png
exits 1 "$RUGOSE" compress -q -o full.rfi a.tif 2>lines
grep -v warning lines
exits 1 "$RUGOSE" decompress -q -o full.png a.rfi
ls -A
