# SPDX-License-Identifier: BSD-3-Clause
#
# The help of every command; asked by a word, an option, or for the program.
"$RUGOSE" help
"$RUGOSE" --help | cmp - "$("$RUGOSE" help >overview; echo overview)"
"$RUGOSE" -h | cmp - overview
for command in boxcount haralick info devices version help; do
    title $command
    "$RUGOSE" help $command | tee asked
    "$RUGOSE" $command --help | cmp - asked
    "$RUGOSE" $command -h | cmp - asked
done
title "examples for one file, a folder and a list"
"$RUGOSE" help boxcount | grep -c 'rugose boxcount cell.tif\|slides/\*.png\|--list images.csv'
title "no line is wider than 90 columns"
for command in boxcount multifractal lacunarity haralick compress decompress upscale ifs compare info devices version help; do "$RUGOSE" help $command; done | awk 'length > 90'
