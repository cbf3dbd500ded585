# SPDX-License-Identifier: BSD-3-Clause
#
# What is undefined is null in JSON and nan in tables, with the reason in `status`.
make_image black.npy shape=32x32 fill=full high=0
exits 0 "$RUGOSE" boxcount -qf json black.npy >a.json
check_json a.json
[ "$(check_json a.json results.0.dimension)" = null ] || echo "dimension is no null"
check_json a.json results.0.status
exits 0 "$RUGOSE" boxcount -qf csv black.npy
exits 0 "$RUGOSE" boxcount -q black.npy
