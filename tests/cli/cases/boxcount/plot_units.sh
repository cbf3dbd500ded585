# SPDX-License-Identifier: BSD-3-Clause
#
# Axes of plots in the unit of the file, where all sides of a pixel are equal; titles are base names.
mkdir in
make_image in/um.nii shape=4x16x16 spacing=0.325x0.325x0.325
make_image in/flat.nii shape=4x16x16 spacing=1.3x0.325x0.325
for file in in/um.nii in/flat.nii; do
    printf '\003' | dd of=$file bs=1 seek=123 conv=notrunc status=none
done
make_image in/none.npy shape=16x16
printf 'x,y\n1,2\n3,4\n5,9\n8,1\n' >in/points.csv
# axis NAME OPTION...: the title, the label and the first point
axis() {
    name=$1
    shift
    "$RUGOSE" boxcount -qf csv --plot "$name.gp" "$@" >table.csv 2>log
    grep -o 'set label 2 ".*"' $name.gp || true
    grep -o 'set xlabel ".*"' $name.gp
    sed -n '/^\$panel1_series1 /{n;p;}' $name.gp
    grep -o 'title ".*sizes.*"' $name.gp || true
}
axis um in/um.nii
axis flat in/flat.nii
axis none in/none.npy
axis points --resolution 16 in/points.csv
axis lengths --box-unit um --sizes 1.3,2.6,5.2 in/flat.nii
axis gray --gray in/um.nii
title "in one plot"
axis both in/um.nii in/none.npy
axis all in/um.nii in/points.csv
