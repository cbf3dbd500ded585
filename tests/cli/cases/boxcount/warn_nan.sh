# SPDX-License-Identifier: BSD-3-Clause
#
# NaN is background under every rule, and counted.
make_image hole.npy shape=64x64 dtype=f64 fill=sierpinski nan=3
for rule in auto nonzero below=9 above=-9 label=1; do
    "$RUGOSE" boxcount -f csv --foreground $rule hole.npy
done
make_image nothing.npy shape=8x8 dtype=f32 nan=64
"$RUGOSE" boxcount -f csv nothing.npy
