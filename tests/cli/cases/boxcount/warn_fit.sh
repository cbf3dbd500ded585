# SPDX-License-Identifier: BSD-3-Clause
#
# A fit over less than a decade or fewer than five sizes gets a warning.
"$RUGOSE" boxcount -f csv --fit 1..2 $DATA/bin_sierpinski_256.png
"$RUGOSE" boxcount -f csv --fit 2..32 $DATA/bin_sierpinski_256.png
"$RUGOSE" boxcount -f csv --fit 16..128 $DATA/bin_sierpinski_256.png
"$RUGOSE" boxcount -f csv --fit 1..8 $DATA/bin_sierpinski_256.png
"$RUGOSE" boxcount -f csv --fit 3..3 $DATA/bin_sierpinski_256.png
"$RUGOSE" boxcount -f csv --fit 4..4 $DATA/bin_sierpinski_256.png
"$RUGOSE" boxcount -f csv --fit 1..1000000 $DATA/bin_sierpinski_256.png
