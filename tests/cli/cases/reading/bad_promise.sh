# SPDX-License-Identifier: BSD-3-Clause
#
# Headers that promise more than the file holds are refused before memory is taken.
small() { # runs in at most 2 GB; the sanitizers need more for themselves
    (grep -qE '__(asan|tsan)_init' "$RUGOSE" || ulimit -v 2000000; exec "$@")
}
make_image huge.npy shape=8x8 promise=1000000x1000000
make_image wrap.npy shape=8x8 promise=4294967296x4294967296x4294967296
make_image zero.npy shape=8x8 promise=0x8
make_image one.npy shape=1x8 promise=8 
make_image huge.nii shape=2x2x2 promise=32767x32767x1000
make_image zero.nii shape=2x2x2 promise=0x2x2
gzip -k huge.nii
for file in huge.npy wrap.npy zero.npy one.npy huge.nii huge.nii.gz zero.nii; do
    exits 1 small "$RUGOSE" boxcount -qf csv $file
done
