# SPDX-License-Identifier: BSD-3-Clause
#
# Warnings with numbers: values that are NaN or not exact, images without any code.
make_image float.npy shape=8x8 dtype=f32 fill=full high=0.1
"$RUGOSE" lbp -f csv float.npy
title "flat stays flat"
"$RUGOSE" lbp -f csv --exact decimal --border skip float.npy
title "NaN"
make_image nan.npy shape=8x8 dtype=f32 fill=full high=3 nan=5
"$RUGOSE" lbp -f csv --exact decimal nan.npy
title "smaller than the circle"
make_image small.npy shape=4x4
"$RUGOSE" lbp -f csv --normalize --lbp 8,1 --lbp 8,2 --border skip small.npy
"$RUGOSE" lbp -f json -q --normalize --lbp 2,2 --border skip small.npy >out.json
check_json out.json
grep -A 5 '"bins": \[' out.json
title "an empty mask; quiet holds no warning back"
make_image mask.npy shape=4x4 low=0 high=0
"$RUGOSE" lbp -qf csv --mask mask.npy small.npy
