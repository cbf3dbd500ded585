# SPDX-License-Identifier: BSD-3-Clause
#
# The ending of -o chooses the form; --format wins over it; an unknown ending is a usage error.
make_image s64.npy shape=64x64 fill=sierpinski
for file in a.csv a.CSV a.json a.txt; do
    "$RUGOSE" boxcount -qo $file s64.npy
    echo "$file: $(head -c 5 $file)"
done
"$RUGOSE" boxcount -q -f json -o b.csv s64.npy
check_json b.csv
for file in a.pdf a .csv.gz noending; do
    exits 2 "$RUGOSE" boxcount -qo $file s64.npy
done
ls -A | sort
