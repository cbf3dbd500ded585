# SPDX-License-Identifier: BSD-3-Clause
#
# Usage errors: exit status 2, one line that says what was given and what is expected.
make_image a.npy shape=8x8
wrong() { exits 2 "$RUGOSE" "$@"; }
wrong
wrong unknown
wrong unknown a.npy
wrong boxcount
wrong boxcount --unknown a.npy
wrong boxcount -x a.npy
wrong boxcount -qx a.npy
wrong boxcount --foreground nonzero --foreground otsu a.npy
wrong boxcount -q --quiet a.npy
wrong boxcount a.npy --foreground
wrong boxcount a.npy -f
wrong boxcount a.npy --of
wrong boxcount a.npy -o
wrong boxcount --quiet=yes a.npy
wrong boxcount -f xml a.npy
wrong boxcount --format= a.npy
wrong boxcount --of all a.npy
wrong boxcount --method hou2 a.npy
for n in 0 -1 4097 2x 1.5 '' ' 1' 99999999999999999999; do wrong boxcount --threads "$n" a.npy; done
for n in -1 x 1.5 '' some; do wrong boxcount --page "$n" a.npy; done
for n in -1 65536 x; do wrong boxcount --channel "$n" a.npy; done
for n in -1 64 x; do wrong boxcount --level "$n" a.npy; done
for fit in 5 9..3 0..4 1.. ..4 1...4 a..b auto..4 1..2..4 '' AUTO; do wrong boxcount --fit "$fit" a.npy; done
for rule in '' zero above above= above=x above=nan label=1,2 'above=1 ' above=1,5 nonzero=1 otsu=2; do
    wrong boxcount --foreground "$rule" a.npy
done
wrong boxcount --page all --volume a.npy
wrong boxcount --device gpu a.npy
wrong info
wrong info --fit 1..4 a.npy
wrong version a.npy
wrong version --unknown
wrong help unknown
wrong help boxcount info
wrong help --man boxcount
