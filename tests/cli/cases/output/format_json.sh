# SPDX-License-Identifier: BSD-3-Clause
#
# One JSON document with version, parameters, checksum, read facts and the table of sizes.
make_image s64.npy shape=64x64 fill=sierpinski
"$RUGOSE" boxcount -f json s64.npy >a.json
check_json a.json
cat a.json
[ "$(check_json a.json results.0.sha256)" = "$(sha256sum s64.npy | cut -d ' ' -f 1)" ]
