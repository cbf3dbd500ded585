# SPDX-License-Identifier: BSD-3-Clause
#
# Columns of a list that have no meaning go to the tables, and names print as the list has them.
mkdir -p plate/img lists
make_image plate/img/a.npy shape=16x16 fill=sierpinski
make_image plate/img/b.npy shape=16x16 fill=checker
make_image plate/img/m.npy shape=16x16 fill=steps
make_image plate/img/l.npy shape=16x16 fill=steps
make_image plate/img/stack.npy shape=3x16x16 fill=checker
cat >lists/l.csv <<'CSV'
well,image,site,mask
A01,../plate/img/a.npy,3,../plate/img/m.npy
"=B,02",../plate/img/b.npy,,
CSV
title "text, CSV, JSON; a second table"
"$RUGOSE" boxcount --list lists/l.csv --sizes 1,2,4 --counts counts.csv
cut -d, -f 1-5 counts.csv
"$RUGOSE" boxcount -qf csv --list lists/l.csv --sizes 1,2,4 2>/dev/null | cut -d, -f 1-6
"$RUGOSE" boxcount -qf json --list lists/l.csv --sizes 1,2,4 >out.json 2>/dev/null
check_json out.json
grep -A 5 -e '"image"' out.json | grep -v sha256
title "other commands, with labels; operands have no such fields"
printf 'image,labels,plate\nimg/a.npy,img/l.npy,7\n' >plate/l.csv
for command in boxcount lacunarity lbp haralick; do
    "$RUGOSE" $command -qf csv --list plate/l.csv 2>/dev/null | head -n 2 | cut -d, -f 1-3
done
printf 'image,plate\nimg/a.npy,7\n' >plate/l.csv
"$RUGOSE" multifractal -qf csv --list plate/l.csv --moments moments.csv 2>/dev/null | head -n 2 | cut -d, -f 1-3
head -n 2 moments.csv | cut -d, -f 1-3
"$RUGOSE" boxcount -qf csv --gray --list plate/l.csv plate/img/b.npy 2>/dev/null | cut -d, -f 1-3
"$RUGOSE" info -qf csv --list plate/l.csv plate/img/b.npy | cut -d, -f 1-3
"$RUGOSE" compress -qf csv --list plate/l.csv -o '{}.rfi' 2>/dev/null | cut -d, -f 1-3
printf 'image,plate\nimg/stack.tif,7\n' >plate/l.csv
make_image plate/img/stack.tif shape=2x8x8
"$RUGOSE" info -qf csv --page all --list plate/l.csv | cut -d, -f 1-3
title "messages name a file as the list does"
printf 'image,mask,n\nimg/none.npy,,1\nimg/b.npy,img/none.npy,2\nimg/b.npy,img/stack.npy,3\n' >plate/l.csv
exits 1 "$RUGOSE" boxcount -f csv --list plate/l.csv
title "classes"
printf 'image,class,n\nimg/a.npy,a,1\nimg/b.npy,b,2\n' >plate/l.csv
"$RUGOSE" train -q --model m.json --list plate/l.csv
"$RUGOSE" classify -qf csv --model m.json --list plate/l.csv 2>/dev/null | cut -d, -f 1-3
title "standard input: from the working folder; once with, once without an end"
printf 'image,n\nplate/img/b.npy,1' | "$RUGOSE" info -qf csv --list - | cut -d, -f 1-3
printf '\357\273\277image,n\r\nplate/img/b.npy,1\r\n' | "$RUGOSE" info -qf csv --list - | cut -d, -f 1-3
exits 1 "$RUGOSE" info -qf csv --list -
title "a name of the command's own"
printf 'image,dimension\nimg/b.npy,2\n' >plate/l.csv
exits 2 "$RUGOSE" boxcount -o out.csv --list plate/l.csv
"$RUGOSE" info -qf csv --list plate/l.csv | cut -d, -f 1-3
printf 'image,black\nimg/b.npy,2\n' >plate/l.csv
exits 2 "$RUGOSE" boxcount -o out.csv --counts c.csv --list plate/l.csv
printf 'image,ln_Z\nimg/b.npy,2\n' >plate/l.csv
exits 2 "$RUGOSE" multifractal -o out.csv --moments c.csv --list plate/l.csv
printf 'image,true\nimg/b.npy,2\n' >plate/l.csv
exits 2 "$RUGOSE" classify --model m.json -o out.csv --list plate/l.csv
test ! -e out.csv && test ! -e c.csv
