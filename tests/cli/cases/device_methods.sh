# SPDX-License-Identifier: BSD-3-Clause
#
# Methods that only an OpenCL device has, and those that only the processor has, say so before any file
# is read; counts of labels and points stay on the processor.
export LD_LIBRARY_PATH="$TOOLS/fake_opencl" FAKE_OPENCL="gpu:8192"
make_image a.npy shape=8x8
printf '1,2\n3,4\n' >points.csv
for method in atomic local; do exits 2 "$RUGOSE" boxcount -q --method $method missing.npy; done
exits 2 "$RUGOSE" boxcount -q --device opencl --method atomic --sizes 1,3 a.npy
exits 2 "$RUGOSE" boxcount -q --device opencl --method hou missing.npy
exits 2 "$RUGOSE" boxcount -q --device opencl --sizes 1,3 missing.npy
title "labels and points"
exits 1 "$RUGOSE" boxcount -q --device opencl --labels a.npy a.npy
exits 1 "$RUGOSE" boxcount -q --device opencl --points points.csv
exits 2 "$RUGOSE" boxcount -q --method local --points points.csv
