# SPDX-License-Identifier: BSD-3-Clause
#
# Names that would move the cursor, clear the screen or forge a line: in lines for people and in
# tables of text they show as escapes; CSV and JSON hold the name as it is.
evil=$(printf 'x\nrugose: warning: forged\033[31m\302\233\377\342\200\256.npy')
make_image plain.npy shape=8x8 fill=noise
mv plain.npy "$evil"
title "the read line and the table"
"$RUGOSE" info "$evil"
title "warnings, failures and their summary"
exits 1 "$RUGOSE" boxcount --foreground above=999 "$evil" "$(printf 'none\n\033.npy')" "$(printf 'none\t.npy')"
title "usage errors"
exits 2 "$RUGOSE" "$(printf 'box\033count')"
exits 2 "$RUGOSE" info "--$(printf 'pa\nge')" "$evil"
exits 2 "$RUGOSE" info --level "$(printf '1\033')" "$evil"
title "a list that names such files"
printf 'image\n"no\nne\033.npy"\n' >list.csv
exits 1 "$RUGOSE" info --list list.csv
title "CSV and JSON hold the bytes"
"$RUGOSE" info -qf csv "$evil" | od -An -c | sed -n '4,9p'
"$RUGOSE" info -qf json "$evil" | grep '"image"'
