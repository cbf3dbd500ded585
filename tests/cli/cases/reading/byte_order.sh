# SPDX-License-Identifier: BSD-3-Clause
#
# Both byte orders of a TIFF give the same image.
make_image little.tif shape=32x32 fill=ramp low=1 high=60000 dtype=u16 order=II
make_image big.tif shape=32x32 fill=ramp low=1 high=60000 dtype=u16 order=MM
head -c 2 little.tif && head -c 2 big.tif && echo
"$RUGOSE" boxcount -f csv --foreground above=30000 little.tif big.tif
