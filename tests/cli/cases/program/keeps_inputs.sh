# SPDX-License-Identifier: BSD-3-Clause
#
# An output never replaces an input: '{}.png' in the folder of the images would, and so would -o
# with the name of the list.
make_image s64.npy shape=64x64 fill=sierpinski
cp $DATA/bin_sierpinski_256.png a.png
ln a.png other-name.png
printf 'image\na.png\n' >list.csv
sha256sum a.png list.csv s64.npy >sums
exits 2 "$RUGOSE" boxcount -qf csv --plot a.png a.png
exits 2 "$RUGOSE" boxcount -qf csv --plot ./a.png a.png
exits 2 "$RUGOSE" boxcount -qf csv --plot other-name.png a.png
exits 1 "$RUGOSE" boxcount -qf csv --plot '{}.png' a.png s64.npy
exits 2 "$RUGOSE" boxcount -q -o list.csv --list list.csv
exits 2 "$RUGOSE" boxcount -q --counts list.csv -f csv --list list.csv
exits 2 "$RUGOSE" boxcount -q -f csv -o s64.npy s64.npy
exits 2 "$RUGOSE" info -q -f csv -o s64.npy s64.npy
cp s64.npy t.csv.part
exits 2 "$RUGOSE" boxcount -q -o t.csv t.csv.part
exits 2 "$RUGOSE" boxcount -q --counts t.csv t.csv.part
cmp s64.npy t.csv.part
sha256sum -c sums
