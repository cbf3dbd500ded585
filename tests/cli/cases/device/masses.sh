# SPDX-License-Identifier: BSD-3-Clause
#
# Masses of boxes on a device are those of the processor: the same rows, bit for bit, of grey values, rules,
# masks, floats and volumes. Where there is no device the processor stands for it, but not where CI=true.
device=opencl:0
if [ "$("$RUGOSE" devices -f csv 2>/dev/null | wc -l)" -lt 2 ]; then
    [ "${CI-}" != true ] || echo "there is no OpenCL device: install pocl-opencl-icd"
    device=cpu
fi
make_image cascade.npy shape=64x64 dtype=u16 values="$(cascade_values)"
make_image mask.npy shape=64x64 fill=ramp low=0 high=3
make_image real.npy shape=64x64 fill=ramp low=0 high=0.7 dtype=f32
make_image volume.npy shape=9x40x33 fill=ramp low=1 high=200
same() {
    title "$@"
    for where in cpu $device; do
        "$RUGOSE" multifractal -qf csv --device $where --q -2,0,1,2 --fit 1..8 --moments sums.$where.csv \
            --summary summary.$where.csv "$@" >rows.$where.csv 2>/dev/null
    done
    cat rows.$device.csv
    cmp rows.cpu.csv rows.$device.csv
    cmp sums.cpu.csv sums.$device.csv
    engine=$(column summary.$device.csv engine)
    [ "${engine%%[-:]*}" = "${device%%:*}" ] || echo "engine $engine, $device expected"
}
same cascade.npy
same --foreground above=20 cascade.npy
same --mask mask.npy cascade.npy
same real.npy
same volume.npy
title points
printf '1,2\n3,4\n' >points.csv
[ $device = cpu ] || "$RUGOSE" multifractal -qf csv --device $device --points points.csv 2>&1 |
    grep -q 'measuring masses of points has no OpenCL engine' || echo "points were not refused"
