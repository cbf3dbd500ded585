# SPDX-License-Identifier: BSD-3-Clause
#
# Usage errors of haralick, and what fails for one image alone.
make_image a.npy shape=8x8 fill=checker
wrong() { exits 2 "$RUGOSE" haralick "$@" a.npy; }
exits 2 "$RUGOSE" haralick
for list in 0 -1 1.5 x '' 1, ,1 32768 99999999999; do wrong --distances "$list"; done
wrong --distances "$(awk 'BEGIN { for (i = 1; i < 66; i++) printf i > 1 ? "," i : i }')"
for list in 30 0, '' ,0 ALL all,0 z+1 z+1,y-2,x-1; do wrong --angles "$list"; done
for levels in 0 1 65537 x '' -4 2.5 EXACT; do wrong --levels "$levels"; done
for range in x '' 5..1 1..1 1.. ..1 nan..1 0..inf roi..1; do wrong --levels 8 --range "$range"; done
for width in 0 -1 x '' nan inf; do wrong --bin-width "$width"; done
wrong --levels 8 --bin-width 2
wrong --levels exact --bin-width 2
wrong --levels exact --range type
wrong --range type
wrong --range 0..255
for choice in pairs aggregate slices features log names; do wrong --$choice x; done
wrong --slices mean --angles 0,z+1,y-1,x-1
wrong --foreground otsu
wrong --labels
wrong --device gpu
