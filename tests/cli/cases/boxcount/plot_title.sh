# SPDX-License-Identifier: BSD-3-Clause
#
# The title of a plot of labels is the file's name without its folder, also where that has a colon behind
# the name of another one: that is no array in a file.
mkdir run run:1
make_image run:1/cells.npy shape=8x8
"$RUGOSE" boxcount -qf csv --labels run:1/cells.npy --plot all.gp run:1/cells.npy >table.csv 2>log
grep -o 'set label 2 ".*"' all.gp
