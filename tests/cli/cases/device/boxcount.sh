# SPDX-License-Identifier: BSD-3-Clause
#
# The processor is the default and can be named; a device that is not there fails by its name, with
# the list of those that are, before any file is read. No driver is no obstacle to cpu and auto.
export LD_LIBRARY_PATH="$TOOLS/fake_opencl"
make_image a.npy shape=8x8
for device in cpu auto; do "$RUGOSE" boxcount -qf csv --device $device a.npy; done
title "no driver"
exits 1 "$RUGOSE" boxcount -qf csv --device opencl a.npy
exits 1 "$RUGOSE" boxcount -qf csv --device opencl:0 a.npy
title "two devices"
export FAKE_OPENCL="cpu:4096;gpu:8192"
exits 1 "$RUGOSE" boxcount -qf csv --device opencl:99 missing.npy
exits 1 "$RUGOSE" boxcount -qf csv --device opencl:2 a.npy
title "no such words"
for device in gpu opencl: opencl:x opencl:10000; do
    exits 2 "$RUGOSE" boxcount -qf csv --device $device a.npy
done
title "a driver that fails"
FAKE_OPENCL_FAIL=clGetPlatformIDs=-6 exits 1 "$RUGOSE" boxcount -qf csv --device opencl a.npy
