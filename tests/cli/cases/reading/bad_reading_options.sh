# SPDX-License-Identifier: BSD-3-Clause
#
# A page, channel or level that the file does not have.
make_image a.npy shape=8x8
make_image pages.tif shape=2x8x8
exits 1 "$RUGOSE" boxcount --page 1 a.npy
exits 1 "$RUGOSE" boxcount --page 2 pages.tif
exits 1 "$RUGOSE" boxcount --channel 1 a.npy
exits 1 "$RUGOSE" boxcount --level 1 a.npy
exits 1 "$RUGOSE" boxcount --level 1 pages.tif
exits 1 "$RUGOSE" boxcount --volume a.npy
exits 1 "$RUGOSE" boxcount --page 1 --volume pages.tif
