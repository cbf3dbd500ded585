# SPDX-License-Identifier: BSD-3-Clause
#
# Moments of points and lacunarity stay on the processor: a device that is named is refused with the reason. auto
# takes the processor for all of them.
export LD_LIBRARY_PATH="$TOOLS/fake_opencl" FAKE_OPENCL="gpu:8192"
make_image a.npy shape=16x16 fill=ramp low=1 high=256 dtype=u16
printf '1,2\n3,4\n' >points.csv
exits 1 "$RUGOSE" multifractal -qf csv --device opencl --q 0 --fit 1..8 points.csv
exits 1 "$RUGOSE" lacunarity -qf csv --device opencl --gray --sizes 2 a.npy
title auto
"$RUGOSE" multifractal -qf csv --device auto --q 0 --fit 1..8 a.npy
"$RUGOSE" multifractal -qf csv --device auto --method alpha --slices 1 --fit 1..8 a.npy
"$RUGOSE" lacunarity -qf csv --device auto --gray --sizes 2 a.npy
"$RUGOSE" boxcount -qf csv --device auto --gray --fit 2..8 a.npy
