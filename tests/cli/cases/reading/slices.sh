# SPDX-License-Identifier: BSD-3-Clause
#
# Files as the slices of one volume: the same numbers as those of the volume in one file.
mkdir -p s m few odd texts
make_image volume.npy shape=12x9x7 fill=noise low=10 high=200
make_image mask.npy shape=12x9x7 fill=layers
make_image slice.npy shape=9x7
# The header of a slice, and its part of the volume behind the volume's header.
cut_slice() {
    head -c 128 slice.npy
    tail -c +$((129 + $2 * 63)) "$1" | head -c 63
}
for z in 0 1 2 3 4 5 6 7 8 9 10 11; do
    cut_slice volume.npy $z >s/z$((z + 1)).npy
    cut_slice mask.npy $z >m/z$((z + 1)).npy
done
printf 'no image' >s/notes
row() { "$RUGOSE" boxcount -qf csv "$@" 2>/dev/null | sed 1d; }
title "a folder"
"$RUGOSE" boxcount -f csv --volume s
row volume.npy
row --volume s/
title "files, whatever their order: 2 before 10"
"$RUGOSE" boxcount -f csv --volume s/*.npy
row --volume s/z3.npy s/z1.npy s/z12.npy
row --volume s/z12.npy s/z3.npy s/z1.npy
title "masks and labels are folders, too"
row volume.npy --mask mask.npy
"$RUGOSE" boxcount -f csv --volume s --mask m
"$RUGOSE" haralick -qf csv --volume s --labels m --features contrast,entropy
"$RUGOSE" haralick -qf csv volume.npy --labels mask.npy --features contrast,entropy
title "JSON: how many, and the sum of all, one after the other"
"$RUGOSE" boxcount -qf json --volume s --mask m >out.json 2>/dev/null
check_json out.json
grep -e '"image"' -e '"files"' -e '"shape"' -e '"page' -e '"sha256"' out.json
cat s/z1.npy s/z2.npy s/z3.npy s/z4.npy s/z5.npy s/z6.npy s/z7.npy s/z8.npy s/z9.npy s/z1?.npy |
    sha256sum | cut -d ' ' -f 1
title "several folders; in a list"
row --volume s m
printf 'image,mask,n\ns,m,1\nvolume.npy,mask.npy,2\n' >list.csv
"$RUGOSE" boxcount -qf csv --volume --list list.csv 2>/dev/null
title "pictures and comparisons"
"$RUGOSE" compare -qf csv --volume s volume.npy 2>/dev/null
"$RUGOSE" boxcount -q -o out.csv --volume --plot '{}.svg' s/ 2>/dev/null
ls *.svg
title "slices that do not go together"
make_image odd/a1.npy shape=4x5
make_image odd/a2.npy shape=4x5
make_image odd/a10.npy shape=5x4
exits 1 "$RUGOSE" boxcount -qf csv --volume odd
make_image odd/a10.npy shape=4x5 dtype=u16
exits 1 "$RUGOSE" boxcount -qf csv --volume odd
make_image odd/a10.npy shape=2x4x5
exits 1 "$RUGOSE" boxcount -qf csv --volume odd
head -c 100 s/z1.npy >odd/a10.npy
exits 1 "$RUGOSE" boxcount -qf csv --volume odd volume.npy
cp s/z1.npy s/z2.npy few
exits 1 "$RUGOSE" boxcount -qf csv --volume s --mask few
exits 1 "$RUGOSE" boxcount -qf csv --volume volume.npy s/z1.npy
exits 1 "$RUGOSE" boxcount -qf csv --volume texts
title "several volumes of a file each are volumes, as ever"
row --volume volume.npy mask.npy
title "no output over a slice"
mv few/z2.npy few/z2.csv
exits 2 "$RUGOSE" boxcount -q -o few/z2.csv --volume few
exits 2 "$RUGOSE" boxcount -q -o few/z2.csv --volume few/z2.csv few/z1.npy
"$RUGOSE" boxcount -qf csv --volume few -o few/out.csv 2>/dev/null
"$RUGOSE" boxcount -qf csv --volume few -o few/out.csv 2>/dev/null
cat few/out.csv
exits 2 "$RUGOSE" boxcount -q --page all --volume s
