# SPDX-License-Identifier: BSD-3-Clause
#
# The libraries that unpack cannot be loaded: packed files say which package is needed, others are read.
make_image volume.nii shape=8x8x8
gzip -k volume.nii
mkdir broken
for library in /usr/lib/*/libisal.so.[0-9] /usr/lib/libisal.so.[0-9] libisal.so.2; do
    echo "not a library" >"broken/${library##*/}"
done
for library in /usr/lib/*/libbz2.so.[0-9] /usr/lib/libbz2.so.[0-9] libbz2.so.1; do
    echo "not a library" >"broken/${library##*/}"
done
exits 1 env LD_LIBRARY_PATH="$PWD/broken" "$RUGOSE" boxcount -qf csv volume.nii.gz volume.nii 2>log
sed '/ISA-L/s/(.*)/(...)/' log
exits 1 env LD_LIBRARY_PATH="$PWD/broken" "$RUGOSE" boxcount -qf csv "$DATA/volumes/pynrrd_u16.nrrd" 2>log
sed '/libbz2/s/(.*)/(...)/' log
