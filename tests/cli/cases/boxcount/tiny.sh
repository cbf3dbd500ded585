# SPDX-License-Identifier: BSD-3-Clause
#
# Images of one pixel, one row, one column: a row with its status, never a crash.
make_image cell.npy shape=1x1
make_image empty.npy shape=1x1 high=0
make_image row.npy shape=1x9
make_image column.npy shape=9x1
make_image voxel.npy shape=1x1x1
make_image pair.npy shape=2x2
"$RUGOSE" boxcount -q --counts c.csv -o r.csv cell.npy empty.npy row.npy column.npy voxel.npy pair.npy 2>log
cat c.csv r.csv
grep -v warning log >&2 || true
"$RUGOSE" boxcount -qf csv --fit auto cell.npy row.npy pair.npy 2>/dev/null
