# SPDX-License-Identifier: BSD-3-Clause
#
# Colour becomes luma and it is said; a channel can be chosen; equal channels are grey.
printf 'P6 2 2 255\n\377\000\000\000\377\000\000\000\377\377\377\377' >colour.ppm
printf 'P6 2 2 255\n\012\012\012\310\310\310\012\012\012\310\310\310' >grey.ppm
for file in colour.ppm grey.ppm; do
    "$RUGOSE" info --range -f csv $file
    "$RUGOSE" boxcount -f csv --fit 1..2 --foreground above=100 $file
done
for channel in 0 1 2; do
    "$RUGOSE" boxcount -f csv --fit 1..2 --channel $channel --foreground above=100 colour.ppm
done
exits 1 "$RUGOSE" boxcount -f csv --channel 3 colour.ppm
