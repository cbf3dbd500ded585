# SPDX-License-Identifier: BSD-3-Clause
#
# "--" ends the options; names may begin with a dash, hold blanks, and be no UTF-8.
make_image ./-q.npy shape=64x64 fill=sierpinski
make_image 'with blank.npy' shape=64x64 fill=sierpinski
make_image "$(printf 'latin-\351.npy')" shape=64x64 fill=sierpinski
"$RUGOSE" boxcount -f csv -- -q.npy 'with blank.npy'
"$RUGOSE" boxcount -qf csv 'with blank.npy' -- -q.npy
"$RUGOSE" boxcount -qf csv ./-q.npy
exits 1 "$RUGOSE" boxcount -q -- -f csv
"$RUGOSE" boxcount -qf json "$(printf 'latin-\351.npy')" >a.json
check_json a.json
"$RUGOSE" boxcount -qf csv "$(printf 'latin-\351.npy')" | tail -n 1 | od -c | head -n 1
"$RUGOSE" boxcount --format=csv --quiet with\ blank.npy
