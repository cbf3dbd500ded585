# SPDX-License-Identifier: BSD-3-Clause
#
# Every rule, on integers with a sign.
make_image ramp.npy shape=16x16 dtype=i16 fill=ramp low=-128 high=127
for rule in auto nonzero otsu above=100 below=-100 label=7 above=1e2 above=-0.5 label=-128 \
    label=7.5; do
    "$RUGOSE" boxcount -f csv --fit 1..16 --foreground $rule ramp.npy
done 2>&1 | grep -v '^image,\|less than a decade\|^rugose: warning'
