# SPDX-License-Identifier: BSD-3-Clause
#
# What --part takes, and what it does not go together with.
make_image a.tif shape=70x40 fill=noise
make_image labels.tif shape=70x40 fill=blocks
printf 'image,labels\na.tif,labels.tif\n' >list.csv
refuse() { exits 2 "$RUGOSE" "$@" a.tif; }
for part in 0/2 3/2 2 /2 1/ 1/0 -1/2 1/2/3 a/b 1/65537 ''; do refuse boxcount --part "$part" -o x.rgs; done
refuse boxcount --part 1/2
refuse boxcount --part 1/2 -o x.csv
refuse boxcount -o x.rgs
for option in "--counts x.csv" "--plot x.svg" "-f csv" "--overlay x.png" "--save-volume x.nii" \
    "--report x.html" --resume "--labels labels.tif" "--method hou" "--device cpu"; do
    refuse boxcount --part 1/2 -o x.rgs $option
done
exits 2 "$RUGOSE" boxcount --part 1/2 -o x.rgs --list - <list.csv
refuse multifractal --part 1/2 -o x.rgs --summary x.csv
exits 2 "$RUGOSE" lacunarity --part 1/2 -o x.rgs --list list.csv
exits 2 "$RUGOSE" boxcount --part 1/2 -o a.tif a.tif
exits 1 "$RUGOSE" boxcount --foreground nonzero --part 1/2 -q -o nowhere/x.rgs a.tif
refuse compress --part 1/2
refuse train --part 1/2
ls
