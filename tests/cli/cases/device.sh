# SPDX-License-Identifier: BSD-3-Clause
#
# The processor is the default and can be named; a device that is not there fails by its name.
make_image a.npy shape=8x8
"$RUGOSE" boxcount -qf csv --device cpu a.npy
"$RUGOSE" boxcount -qf csv --device auto a.npy
exits 1 "$RUGOSE" boxcount -qf csv --device opencl:99 a.npy 2>log
sed 's/version [0-9.]*/version X/' log >&2
