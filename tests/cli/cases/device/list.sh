# SPDX-License-Identifier: BSD-3-Clause
#
# The devices of two platforms in every form; which one `auto` takes.
export LD_LIBRARY_PATH="$TOOLS/fake_opencl" FAKE_OPENCL="cpu:4096;gpu:512,gpu:81920,acc:64:old"
"$RUGOSE" devices
"$RUGOSE" devices -f csv
"$RUGOSE" devices -f json | tee devices.json
check_json devices.json
"$RUGOSE" devices -o written.csv
"$RUGOSE" devices --format csv --output - | cmp - written.csv
title "usage"
exits 2 "$RUGOSE" devices file.png
exits 2 "$RUGOSE" devices -f xml
exits 2 "$RUGOSE" devices -o devices.xyz
exits 1 "$RUGOSE" devices -o missing/devices.csv
