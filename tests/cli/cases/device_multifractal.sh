# SPDX-License-Identifier: BSD-3-Clause
#
# Multifractals, lacunarity and grey values stay on the processor: a device that is named is refused with
# the reason, and auto takes the processor.
export LD_LIBRARY_PATH="$TOOLS/fake_opencl" FAKE_OPENCL="gpu:8192"
make_image a.npy shape=16x16 fill=ramp low=1 high=256 dtype=u16
for device in opencl auto; do
    title $device
    wanted=$([ $device = auto ] && echo 0 || echo 1)
    exits $wanted "$RUGOSE" multifractal -qf csv --device $device --q 0 --fit 1..8 a.npy
    exits $wanted "$RUGOSE" multifractal -qf csv --device $device --method alpha --slices 1 --fit 1..8 a.npy
    exits $wanted "$RUGOSE" lacunarity -qf csv --device $device --gray --sizes 2 a.npy
    exits $wanted "$RUGOSE" boxcount -qf csv --device $device --gray --fit 2..8 a.npy
done
