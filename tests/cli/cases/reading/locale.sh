# SPDX-License-Identifier: BSD-3-Clause
#
# A decimal comma in the locale changes no byte. The locale is made here, from the sources
# of the package `locales`; without them this test fails.
mkdir locales
localedef -i de_DE -f UTF-8 locales/de_DE.UTF-8 >/dev/null 2>log || { cat log; exit 1; }
# Leaks are not looked for: with LOCPATH, glibc itself leaves one.
german() { env LOCPATH="$PWD/locales" LC_ALL=de_DE.UTF-8 ASAN_OPTIONS=detect_leaks=0 "$@"; }
german locale -k decimal_point
for form in csv json text; do
    "$RUGOSE" boxcount -f $form --foreground above=100.5 --counts counts.csv $DATA/camera.png \
        >c.$form 2>c.log
    mv counts.csv c.counts
    german "$RUGOSE" boxcount -f $form --foreground above=100.5 --counts counts.csv \
        $DATA/camera.png >de.$form 2>de.log
    cmp c.$form de.$form
    cmp c.log de.log
    cmp c.counts counts.csv
done
"$RUGOSE" boxcount -q --plot a.gp $DATA/camera.png >/dev/null
mv a.gp c.gp
german "$RUGOSE" boxcount -q --plot a.gp $DATA/camera.png >/dev/null
cmp c.gp a.gp
exits 2 german "$RUGOSE" boxcount --foreground above=100,5 $DATA/camera.png
