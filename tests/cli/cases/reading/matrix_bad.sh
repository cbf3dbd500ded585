# SPDX-License-Identifier: BSD-3-Clause
#
# Texts that are no matrix, and options that do not go with one.
title "without --matrix"
printf '1,2\n3,4\n' >a.csv
exits 1 "$RUGOSE" haralick a.csv
exits 1 "$RUGOSE" boxcount --mask a.csv $DATA/brick.png
printf 'a line of words\n' >words.txt
exits 1 "$RUGOSE" haralick words.txt
title "cut off, ragged, not numbers"
bad() {
    printf "$1" >bad.csv
    exits 1 "$RUGOSE" info -f csv --matrix bad.csv
}
bad '1,2,3\n4,5,6\n7,8'
bad '1,2,3\n4,5,6\n7,8,'
bad '1,2\n3,4,5\n'
bad '1;2\n3,5;4\n'
bad '1,2\n3,\n'
bad '1,NA\n'
bad ',a,b\n0,1,2\n'
bad 'a,b\n0,1,2\n'
bad 'a,b\n'
bad '1,2\r3,4\r'
bad '\377\3761\0'
bad '1,\0\n'
bad ''
exits 1 "$RUGOSE" boxcount -qf csv --matrix --mask bad.csv a.csv
title "options"
exits 2 "$RUGOSE" boxcount --matrix --points a.csv
exits 1 "$RUGOSE" info -f csv --matrix --page 1 a.csv
exits 1 "$RUGOSE" info -f csv --matrix --volume a.csv
exits 1 "$RUGOSE" boxcount -q --mask a.csv --matrix $DATA/brick.png
