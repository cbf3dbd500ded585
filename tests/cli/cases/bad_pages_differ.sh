# SPDX-License-Identifier: BSD-3-Clause
#
# Pages of different sizes are no volume, and are named; one by one they are measured.
make_image a.tif shape=8x8
printf 'P5 4 4 255\n................' >b.pgm
exits 1 "$RUGOSE" boxcount --volume b.pgm
