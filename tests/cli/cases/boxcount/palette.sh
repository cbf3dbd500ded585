# SPDX-License-Identifier: BSD-3-Clause
#
# A palette, white first: colours for an image, indices for a mask and for labels, where 0 is outside.
{
    printf '\211\120\116\107\015\012\032\012\000\000\000\015\111\110\104\122\000\000\000\004\000\000\000'
    printf '\004\002\003\000\000\000\324\237\166\355\000\000\000\014\120\114\124\105\377\377\377\377\000'
    printf '\000\000\377\000\000\000\377\126\245\046\007\000\000\000\014\111\104\101\124\170\234\143\220'
    printf '\146\000\103\000\001\270\000\155\224\010\213\015\000\000\000\000\111\105\116\104\256\102\140'
    printf '\202'
} >labels.png
make_image a.tif shape=4x4 fill=ramp high=15
title "an image"
"$RUGOSE" info -f csv labels.png
title "a mask"
"$RUGOSE" boxcount -f csv --no-progress --mask labels.png --sizes 1,2 a.tif | cut -d, -f 1-4
title labels
"$RUGOSE" boxcount -f csv --no-progress --labels labels.png --sizes 1,2 a.tif | cut -d, -f 1-4
