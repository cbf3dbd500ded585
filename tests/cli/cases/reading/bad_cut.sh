# SPDX-License-Identifier: BSD-3-Clause
#
# Files cut off: never a row from half an image.
make_image page.tif shape=64x64 fill=sierpinski dtype=u16
make_image volume.nii shape=8x8x8
make_image array.npy shape=8x8 dtype=f64
gzip -k volume.nii
cut_at() { # FILE BYTES
    head -c "$2" "$1" >"cut.${1#*.}"
    exits 1 "$RUGOSE" boxcount -f csv "cut.${1#*.}" >>rows 2>>log
}
for n in 1 4 8 9 50 1000 8000 8192 8300; do cut_at page.tif $n; done
for n in 1 4 200 347 348 352 353 863; do cut_at volume.nii $n; done
for n in 1 5 6 9 11 127 128 200 639; do cut_at array.npy $n; done
size=$(wc -c <volume.nii.gz)
for n in 1 2 10 30 $((size - 9)) $((size - 8)) $((size - 1)); do cut_at volume.nii.gz $n; done
for n in 1 8 33 100 5000; do cut_at $DATA/camera.png $n 2>/dev/null; done
grep -v '^image,' rows || echo "no rows"
wc -l <log
grep -v '^rugose: cut.' log || echo "every line names the file"
grep 'npy\|nii' log
