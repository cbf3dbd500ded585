# SPDX-License-Identifier: BSD-3-Clause
#
# Machines without a device: an empty table, the reason on the error stream and in JSON, status 0;
# and everything else works.
make_image a.npy shape=8x8
mkdir none broken
echo "no library" >broken/libOpenCL.so.1
title "no driver"
LD_LIBRARY_PATH="$TOOLS/fake_opencl" "$RUGOSE" devices
LD_LIBRARY_PATH="$TOOLS/fake_opencl" "$RUGOSE" devices -f json
title "the machine's loader without a driver, or no loader"
OCL_ICD_VENDORS="$PWD/none" "$RUGOSE" devices -f csv 2>log
grep -c 'rugose: no OpenCL' log
title "no library"
export LD_LIBRARY_PATH="$PWD/broken"
"$RUGOSE" devices -f csv 2>log
sed 's/library: .*/library: WHY/' log >&2
for device in cpu auto; do "$RUGOSE" boxcount -qf csv --device $device a.npy 2>&1 | tail -n 1; done
exits 1 "$RUGOSE" boxcount -qf csv --device opencl a.npy 2>log
sed 's/library: .*/library: WHY/' log >&2
"$RUGOSE" version | grep -c '^engines: cpu, opencl$'
