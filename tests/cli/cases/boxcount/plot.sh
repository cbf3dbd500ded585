# SPDX-License-Identifier: BSD-3-Clause
#
# Plots of every form: a whole file of that kind, and no temporary files.
make_image s64.npy shape=64x64 fill=sierpinski
for form in svg png pdf gp; do
    "$RUGOSE" boxcount -q -f csv --plot a.$form s64.npy >a.csv
done
head -c 5 a.svg | grep -c '<?xml'
tail -n 3 a.svg | grep -c '</svg>'
grep -c 'box size (pixels)' a.svg >/dev/null && echo "the axis has its label"
head -c 8 a.png | od -An -tx1
head -c 5 a.pdf; echo
tail -c 8 a.png | od -An -tx1 | cut -c 1-12
sed -n '/^\$panel/,/^END/p' a.gp
"$RUGOSE" boxcount -q -f csv s64.npy | cmp - a.csv && echo "a plot changes no number"
ls -A | sort
