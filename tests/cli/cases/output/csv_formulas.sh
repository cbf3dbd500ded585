# SPDX-License-Identifier: BSD-3-Clause
#
# A spreadsheet must not run the name of a file: CSV puts an apostrophe before it. Text and JSON have
# it as it is, and numbers stay numbers.
make_image plain.npy shape=1x2 dtype=i16 values=-5,-4
for name in '=1+2.npy' '@a.npy' '+b.npy' '-c.npy' "$(printf '\td.npy')" '=e,"f".npy' 'g=1.npy'; do
    cp plain.npy "./$name"
done
rm plain.npy
"$RUGOSE" info -q --range -f csv -- [!d]*.npy | cut -d, -f 1-6
"$RUGOSE" info -q --range -f json -- [=@]*.npy | grep '"image"'
"$RUGOSE" info -q --range -- -c.npy
