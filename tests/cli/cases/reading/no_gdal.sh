# SPDX-License-Identifier: BSD-3-Clause
#
# GDAL cannot be loaded: files for it say which package is needed, others are read.
make_image image.npy shape=8x8
mkdir broken
for library in /usr/lib/*/libgdal.so.[0-9]* /usr/lib/libgdal.so.[0-9]* libgdal.so.32; do
    echo "not a library" >"broken/${library##*/}"
done
cp -r "$DATA/arrays/volume.zarr" "$DATA/arrays/volume.h5" .
exits 1 env LD_LIBRARY_PATH="$PWD/broken" "$RUGOSE" info -qf csv volume.h5 image.npy volume.zarr 2>log
sed '/GDAL/s/(.*)/(...)/; s/libgdal[0-9]*/libgdal/' log
