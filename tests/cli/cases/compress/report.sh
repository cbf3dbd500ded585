# SPDX-License-Identifier: BSD-3-Clause
#
# --report of the commands of fractal coding: the picture, and the same part of original and decoded one
# where there is most to see, pixel by pixel.
"$RUGOSE" compress -q --report page.html -f csv -o coded.rfi $DATA/mri_t1_axial.png >table.csv
check_page page.html table.csv
"$RUGOSE" compress -q --report page.html -f csv --quality 20,60 $DATA/mri_t1_axial.png >table.csv
check_page page.html table.csv
"$RUGOSE" decompress -q --report page.html -f csv -o decoded.png coded.rfi >table.csv
check_page page.html table.csv
exits 1 "$RUGOSE" decompress -q --report page.html --export-ascii page.html coded.rfi
"$RUGOSE" compare -q --report page.html -o table.json $DATA/mri_t1_axial.png decoded.png
check_page page.html table.json
"$RUGOSE" upscale -q --report page.html -f csv -o large.png $DATA/textures/test/brick/000_00.png >table.csv
check_page page.html table.csv
"$RUGOSE" ifs -q --report page.html -f csv --size 40x30 -o maps.png $DATA/ifs/triangle.json >table.csv
check_page page.html table.csv
"$RUGOSE" info -q --report page.html -f csv coded.rfi >table.csv
check_page page.html table.csv
"$RUGOSE" info -q --range --report page.html -o table.json large.png
check_page page.html table.json
