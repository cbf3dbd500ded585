# SPDX-License-Identifier: BSD-3-Clause
#
# Shapes whose dimension is known.
make_image full64.npy shape=64x64
make_image s64.npy shape=64x64 fill=sierpinski
make_image line.npy shape=1x64
make_image full32.npy shape=32x32x32
make_image full60.npy shape=60x60
make_image full100.npy shape=100x100
make_image slices.npy shape=3x16x16
make_image outline.npy shape=64x64 fill=outline side=64
make_image menger.npy shape=27x27x27 fill=menger
"$RUGOSE" boxcount -qf csv --fit 1..32 --counts c.csv -o r.csv full64.npy s64.npy line.npy full32.npy full60.npy \
    full100.npy slices.npy outline.npy menger.npy 2>/dev/null
cat c.csv r.csv
