# SPDX-License-Identifier: BSD-3-Clause
#
# Compressing, decompressing and enlarging on the first OpenCL device: the bytes that the processor makes,
# where there is something for a device to do. A machine without one leaves the rest out, which under CI=true is
# a difference.
image=$DATA/textures/train/brick/00.png
(
    export LD_LIBRARY_PATH="$TOOLS/fake_opencl" FAKE_OPENCL="gpu:8192"
    exits 2 "$RUGOSE" compress -q --device opencl --stream-version 1 --search fast -o fast.rfi "$image"
    exits 2 "$RUGOSE" compress -q --device opencl -o latest.rfi "$image"
)
if ! "$RUGOSE" devices -f csv 2>no_device | grep -q '^0,'; then
    [ "${CI-}" != true ] || echo "there is no OpenCL device: install pocl-opencl-icd"
    cat <<END
quadtree: the same
fixed: the same
overlap: the same
overlap --domain-wrap: the same
enlarged: the same
END
    exit
fi
export XDG_CACHE_HOME="$PWD"
make_image small.tif shape=37x52
same() { cmp "$1" "$2" && echo "$3: the same"; }
for partition in quadtree fixed overlap "overlap --domain-wrap"; do
    file=small.tif version=
    [ "$partition" != quadtree ] || file=$image version="--stream-version 1"
    for device in cpu opencl; do
        "$RUGOSE" compress -q --device $device $version --partition $partition -o $device.rfi "$file" >table
        "$RUGOSE" decompress -q --device $device --scale 3 -o $device.tif $device.rfi >table
    done
    cmp cpu.tif opencl.tif
    same cpu.rfi opencl.rfi "$partition"
done
for device in cpu opencl; do
    "$RUGOSE" upscale -q --device $device -o $device.tif small.tif >table
done
same cpu.tif opencl.tif enlarged
