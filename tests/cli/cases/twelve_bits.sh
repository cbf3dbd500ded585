# SPDX-License-Identifier: BSD-3-Clause
#
# 12 bits in 16 stay 0..4095.
"$RUGOSE" info -f csv $DATA/small/ct_12bit.png
"$RUGOSE" boxcount -f csv --foreground above=1100 $DATA/small/ct_12bit.png
