# SPDX-License-Identifier: BSD-3-Clause
#
# Methods that only an OpenCL device has, and those that only the processor has, say so before any file
# is read; counts of labels, and of points on all grids, stay on the processor, as do points whose keys
# are too long for a device.
export LD_LIBRARY_PATH="$TOOLS/fake_opencl" FAKE_OPENCL="gpu:8192"
make_image a.npy shape=8x8
printf '1,2\n3,4\n' >points.csv
printf '0,0,0\n4000000,4000000,4000000\n' >far.csv
for method in atomic local; do exits 2 "$RUGOSE" boxcount -q --method $method missing.npy; done
exits 2 "$RUGOSE" boxcount -q --device opencl --method atomic --sizes 1,3 a.npy
exits 2 "$RUGOSE" boxcount -q --device opencl --sizes 1,3 missing.npy
title "labels and points"
exits 1 "$RUGOSE" boxcount -q --device opencl --labels a.npy a.npy
exits 2 "$RUGOSE" boxcount -q --device opencl --grid min --points points.csv
exits 1 "$RUGOSE" boxcount -q --device opencl --points far.csv
"$RUGOSE" boxcount -qf csv --points far.csv
exits 2 "$RUGOSE" boxcount -q --method local --points points.csv
