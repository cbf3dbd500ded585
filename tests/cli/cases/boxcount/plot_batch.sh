# SPDX-License-Identifier: BSD-3-Clause
#
# Plots of several images: one of each with '{}' in the name, without it one of all; two images never
# share a name.
make_image s64.npy shape=64x64 fill=sierpinski
make_image full.npy shape=64x64
make_image pages.tif shape=2x16x16 fill=steps
mkdir other
cp s64.npy other
printf 'image\ns64.npy\nfull.npy\n' >list.csv
"$RUGOSE" boxcount -q -f csv --plot 'plot-{}.gp' s64.npy full.npy
"$RUGOSE" boxcount -q -f csv --page all --plot 'page-{}.gp' pages.tif
title "one of all: images of one name have their folder"
for n in 1 4; do
    "$RUGOSE" boxcount -qf csv --threads $n --plot all$n.gp s64.npy other/s64.npy full.npy >all.csv
    sed 's/all[14].svg//' all$n.gp >script$n
done
cmp script1 script4
sed -n '/^\$panel1/,/^END/p' all1.gp
grep -o 'title ".*"' all1.gp
"$RUGOSE" boxcount -qf csv --page all --plot pages.gp pages.tif >all.csv
grep -o 'title ".*"' pages.gp
"$RUGOSE" boxcount -q --list list.csv --plot list.gp >all.csv
grep -o 'title ".*"' list.gp
title "those that cannot be read are left out; nothing is left"
exits 1 "$RUGOSE" boxcount -qf csv --plot some.gp s64.npy none.npy full.npy
grep -o 'title ".*"' some.gp
exits 1 "$RUGOSE" boxcount -qf csv --plot nothing.gp none.npy none2.npy
title "one of all is not gone on with, is no input, and is not the table"
exits 2 "$RUGOSE" boxcount -q --resume -o all.csv --plot all.gp s64.npy full.npy
cp s64.npy in.gp
exits 2 "$RUGOSE" boxcount -q --plot in.gp s64.npy in.gp
exits 2 "$RUGOSE" boxcount -qf csv -o t.svg --plot ./t.svg s64.npy
exits 1 "$RUGOSE" boxcount -qf csv --plot nowhere/all.gp s64.npy full.npy
title "the same name twice"
exits 2 "$RUGOSE" boxcount -q -f csv --plot 'again-{}.gp' s64.npy other/s64.npy
title "endings that are no plot"
exits 2 "$RUGOSE" boxcount -qf csv --plot plot.eps s64.npy
exits 2 "$RUGOSE" boxcount -qf csv --plot plot s64.npy
title "a folder that is not there"
exits 1 "$RUGOSE" boxcount -q -f csv --plot nowhere/plot.gp s64.npy
ls -A | sort
