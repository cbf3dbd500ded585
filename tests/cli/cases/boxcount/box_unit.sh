# SPDX-License-Identifier: BSD-3-Clause
#
# Boxes that are cubes in space. 8 slices of 32 x 32, 4 apart, are a cube: 64 boxes of side 8.
unit() { printf "$2" | dd of="$1" bs=1 seek=123 conv=notrunc status=none; }
make_image mm.nii shape=8x32x32 spacing=4x1x1
make_image um.nii shape=8x32x32 spacing=0.9x0.3x0.3
make_image third.nii shape=2x4x100 spacing=1x0.333333333x0.333333333
make_image none.nii shape=8x32x32 spacing=4x1x1
make_image unknown.nii shape=8x32x32 spacing=0x1x1
unit um.nii '\003'
unit none.nii '\000'
"$RUGOSE" boxcount --box-unit mm --counts - mm.nii
"$RUGOSE" boxcount -q --box-unit um --sizes 8000 --counts - mm.nii
"$RUGOSE" boxcount -q --box-unit file --fit 4..16 --counts - none.nii mm.nii
title "0.3 and 1 / 3 are no binary fractions: boxes begin at every third pixel all the same"
"$RUGOSE" boxcount -q --box-unit um --sizes 3.6,0.9,1.2,0.9,1.5 --fit 0.9..1.5 --counts - um.nii
"$RUGOSE" boxcount -q --box-unit um --sizes 0.9..2:0.3 --fit auto --counts - um.nii
"$RUGOSE" boxcount -q --box-unit mm --sizes 1,2 --counts - third.nii
title "labels begin at their corners; details"
make_image blocks.nii shape=6x20x60 fill=blocks spacing=2.5x0.5x0.5
"$RUGOSE" boxcount -q --box-unit mm --foreground nonzero --labels blocks.nii --counts - blocks.nii
"$RUGOSE" boxcount -qf json --box-unit um --fit 0.9..3.6 um.nii > um.json
json_values um.json parameters.box_unit results.0.size_min results.0.size_max results.0.size_unit \
    results.0.counts.0.size results.0.counts.0.size_unit results.0.intercept
"$RUGOSE" boxcount -q --box-unit um --plot um.gp um.nii > table.txt
grep -o 'box size (.*m)' um.gp | sort -u
"$RUGOSE" boxcount -q --box-unit pixel mm.nii > pixel.txt 2> pixel.err
"$RUGOSE" boxcount -q mm.nii 2> plain.err | cmp - pixel.txt
title "refused: by the command line"
exits 2 "$RUGOSE" boxcount --box-unit um --sizes 1,,2 um.nii
exits 2 "$RUGOSE" boxcount --box-unit um --sizes 0,2 um.nii
exits 2 "$RUGOSE" boxcount --box-unit um --sizes 1..9:0.001 um.nii
exits 2 "$RUGOSE" boxcount --box-unit um --fit 2.5..1 um.nii
exits 2 "$RUGOSE" boxcount --box-unit '' um.nii
exits 2 "$RUGOSE" boxcount --box-unit um --grid min um.nii
exits 2 "$RUGOSE" boxcount --box-unit um --method pyramid um.nii
exits 2 "$RUGOSE" boxcount --box-unit um --gray um.nii
exits 2 "$RUGOSE" boxcount --sizes 1.5,2 um.nii
exits 2 "$RUGOSE" boxcount --fit 1.5..8 um.nii
exits 2 "$RUGOSE" lacunarity --sizes 1.5 um.nii
exits 2 "$RUGOSE" multifractal --box-unit um um.nii
title "refused: by the file"
printf '1 2\n3 4\n' > points.xyz
exits 1 "$RUGOSE" boxcount -f csv --box-unit um --sizes 0.8,2 um.nii none.nii unknown.nii points.xyz mm.nii
exits 1 "$RUGOSE" boxcount -f csv --box-unit parsec um.nii
exits 1 "$RUGOSE" boxcount -f csv --box-unit pm --sizes 1..1.5 um.nii
exits 1 "$RUGOSE" boxcount -f csv --box-unit um --sizes 1000000000000000 um.nii
