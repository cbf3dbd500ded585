# SPDX-License-Identifier: BSD-3-Clause
#
# Samples that the hardware of a device interpolates: who has none says so, before any file is read or
# for the file. Offsets of (4, 1) are whole, so that every device has these codes. A machine without a
# device leaves the last rows out, which under CI=true is a difference.
make_image a.npy shape=6x7 fill=checker
for device in cpu auto; do
    exits 2 "$RUGOSE" lbp -q --device $device --interpolation hardware missing.npy
done
(
    export LD_LIBRARY_PATH="$TOOLS/fake_opencl" FAKE_OPENCL="gpu:8192" FAKE_OPENCL_ARGS=filter_quarters=2
    hardware() { "$RUGOSE" "$@" --device opencl --interpolation hardware; }
    exits 2 hardware lbp -q --exact decimal missing.npy
    exits 2 hardware lbp -q --cuts 3 missing.npy
    exits 2 hardware lbp -q --method var --map out.tif missing.npy
    exits 1 hardware lbp -qf csv a.npy
    FAKE_OPENCL_IMAGE=8192 exits 1 hardware lbp -qf csv a.npy
)
if ! "$RUGOSE" devices -f csv 2>no_device | grep -q '^0,'; then
    [ "${CI-}" != true ] || echo "there is no OpenCL device: install pocl-opencl-icd"
    cat <<END
the same as by the processor
parameters.interpolation: hardware
accuracy 2/2
END
    exit
fi
export XDG_CACHE_HOME="$PWD"
hardware="--device opencl --interpolation hardware"
"$RUGOSE" lbp -qf csv --lbp 4,1 a.npy >expected.csv
"$RUGOSE" lbp -qf csv --lbp 4,1 $hardware a.npy >is.csv
cmp expected.csv is.csv && echo "the same as by the processor"
"$RUGOSE" lbp -qf json --lbp 4,1 $hardware a.npy >out.json
json_values out.json parameters.interpolation
make_image full.npy shape=6x7 fill=full
printf 'image,class\na.npy,checker\nfull.npy,full\n' >list.csv
"$RUGOSE" train -q --lbp 4,1 $hardware --model m.json --list list.csv >table
"$RUGOSE" classify -q --device opencl --model m.json --list list.csv 2>&1 >table | grep -o 'accuracy 2/2'
