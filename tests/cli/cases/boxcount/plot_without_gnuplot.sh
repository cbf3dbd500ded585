# SPDX-License-Identifier: BSD-3-Clause
#
# Without gnuplot the script can still be kept, and a picture is refused with the reason.
make_image s64.npy shape=64x64 fill=sierpinski
mkdir empty
exits 1 env PATH="$PWD/empty" "$RUGOSE" boxcount -q -f csv --plot a.svg s64.npy
exits 0 env PATH="$PWD/empty" "$RUGOSE" boxcount -q -f csv --plot a.gp s64.npy
ls -A | sort
