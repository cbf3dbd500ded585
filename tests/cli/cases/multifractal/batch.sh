# SPDX-License-Identifier: BSD-3-Clause
#
# What a batch meets: a black image, a file that is cut off, a negative pixel, NaN; the others are done.
# Any number of threads and any locale give the same bytes.
make_image good.npy dtype=u16 shape=64x64 values="$(cascade_values)"
make_image black.npy shape=32x32 high=0
make_image negative.npy dtype=i16 shape=8x8 low=-3 high=5 fill=checker
make_image nan.npy dtype=f32 shape=16x16 fill=ramp low=1 high=256 nan=3
head -c 500 good.npy >cut.npy
exits 1 "$RUGOSE" multifractal -f csv --q -1,0,1 --fit 1..8 good.npy cut.npy black.npy negative.npy nan.npy
for method in moments alpha; do
    "$RUGOSE" multifractal -qf csv --method $method --threads 1 good.npy nan.npy >one.csv 2>log
    "$RUGOSE" multifractal -qf csv --method $method --threads 4 good.npy nan.npy 2>log | cmp - one.csv && echo same
done
title "the columns are the same whatever the data"
"$RUGOSE" multifractal -qf csv good.npy | head -n 1 >header
cat header
for file in black.npy missing.npy $DATA/menger_81.nii.gz; do
    "$RUGOSE" multifractal -qf csv $file 2>log | head -n 1 | cmp - header
done
title "pages, and their plots"
make_image pages.tif dtype=u16 shape=2x16x16 fill=ramp low=1 high=256
"$RUGOSE" multifractal -f csv --page all --q 0,2 --plot 'p-{}.gp' pages.tif
"$RUGOSE" multifractal -f csv --volume --q 0,2 --fit 1..2 pages.tif
"$RUGOSE" multifractal -q --page all --q 0,2 --plot all.gp pages.tif >all.txt 2>log
grep -o 'title ".*"' all.gp
ls p-*
title "a decimal comma in the locale"
mkdir locales
localedef -i de_DE -f UTF-8 locales/de_DE.UTF-8 >/dev/null 2>log || { cat log; exit 1; }
german() { env LOCPATH="$PWD/locales" LC_ALL=de_DE.UTF-8 ASAN_OPTIONS=detect_leaks=0 "$@"; }
"$RUGOSE" multifractal -f csv --q -0.5..1:0.25 good.npy >c.csv 2>c.log
german "$RUGOSE" multifractal -f csv --q -0.5..1:0.25 good.npy >de.csv 2>de.log
cmp c.csv de.csv
cmp c.log de.log
"$RUGOSE" lacunarity -f csv --gray good.npy >c.csv 2>c.log
german "$RUGOSE" lacunarity -f csv --gray good.npy >de.csv 2>de.log
cmp c.csv de.csv
cmp c.log de.log
