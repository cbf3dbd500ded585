# SPDX-License-Identifier: BSD-3-Clause
#
# Texts of numbers as images, masks and labels: the numbers are those of the same pixels as npy.
make_image s.npy shape=64x64 fill=sierpinski
make_image g.npy shape=64x64 fill=noise dtype=u8 low=0 high=200
make_image l.npy shape=64x64 fill=blocks dtype=u8
# text FILE.npy: its pixels as lines of numbers
text() { tail -c 4096 "$1" | od -An -v -tu1 -w64; }
text s.npy >s.txt
text g.npy | sed 's/^ *//; s/  */,/g' >g.csv
text l.npy | sed 's/^ *//; s/  */\t/g; s/$/\r/' >l.tsv
text s.npy | sed 's/^ *//; s/  */;/g' | sed '1i\# a mask\na;b' | sed "2s/.*/$(seq -s ';' -f c%g 64)/" >m.csv
title "what they are"
"$RUGOSE" info -f csv --range --matrix s.txt g.csv l.tsv m.csv
title "an image"
"$RUGOSE" boxcount -qf csv s.npy
"$RUGOSE" boxcount -f csv --matrix s.txt
title "with a mask and labels"
"$RUGOSE" haralick -qf csv --features contrast,entropy --mask s.npy g.npy
"$RUGOSE" haralick -f csv --features contrast,entropy --matrix --mask m.csv g.csv
"$RUGOSE" haralick -f csv --features contrast,entropy --matrix --mask m.csv g.npy
"$RUGOSE" haralick -qf csv --features contrast --labels l.npy g.npy
"$RUGOSE" haralick -f csv --features contrast --matrix --labels l.tsv g.csv
title "numbers with a point, nan and inf, slices"
printf '1.5 nan -inf\n2e3 .25 -0\n' >f.txt
"$RUGOSE" info -f csv --range --matrix f.txt
"$RUGOSE" info -f csv --range --volume --matrix g.csv l.tsv
title "a folder"
mkdir folder
cp g.csv l.tsv folder
echo notes >folder/notes
"$RUGOSE" info -f csv --matrix folder
title "JSON"
"$RUGOSE" info -qf json --matrix g.csv >out.json
check_json out.json
grep '"matrix\|"format"' out.json
title "files of other formats"
"$RUGOSE" info -f csv --matrix s.npy g.csv
"$RUGOSE" boxcount -qf csv --matrix --mask s.npy g.npy
"$RUGOSE" compare -qf csv --matrix g.npy g.npy
title "64 bits of integers are compared, but not coded"
"$RUGOSE" compare -qf csv --matrix --peak 255 g.csv l.tsv
exits 1 "$RUGOSE" compress -qf csv --matrix -o g.rfi g.csv
