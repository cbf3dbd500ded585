# SPDX-License-Identifier: BSD-3-Clause
#
# 12 bits in 16 stay 0..4095.
make_image ramp.tif shape=64x64 dtype=u16 fill=ramp high=4095
"$RUGOSE" info --range -f csv ramp.tif
"$RUGOSE" boxcount -f csv --foreground above=2048 ramp.tif
