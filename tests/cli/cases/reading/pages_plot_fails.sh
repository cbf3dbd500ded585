# SPDX-License-Identifier: BSD-3-Clause
#
# A plot that cannot be written is reported for its page; the rows of all pages are there.
make_image stack.tif shape=3x16x16 fill=steps
exits 1 "$RUGOSE" boxcount -qf csv --page all --plot 'nowhere/{}.gp' stack.tif 2>log
grep -v warning log
title "a file that cannot be read ends with its first page"
head -c 30 stack.tif >cut.tif
exits 1 "$RUGOSE" boxcount -qf csv --page all cut.tif 2>log
wc -l <log
