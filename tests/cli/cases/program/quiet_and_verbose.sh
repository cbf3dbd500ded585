# SPDX-License-Identifier: BSD-3-Clause
#
# -q leaves warnings and errors; -v adds times.
make_image full.npy shape=64x64
make_image s64.npy shape=64x64 fill=sierpinski
title default
"$RUGOSE" boxcount -f csv full.npy
title quiet
exits 1 "$RUGOSE" boxcount -q -f csv full.npy s64.npy missing.npy
title verbose
"$RUGOSE" boxcount -v -f csv s64.npy
"$RUGOSE" info -v -f csv s64.npy
"$RUGOSE" boxcount -v -f csv --method hou s64.npy
printf '0,0\n5,3\n' >points.csv
"$RUGOSE" boxcount -v -f csv points.csv
title both
"$RUGOSE" boxcount -qvfcsv s64.npy
