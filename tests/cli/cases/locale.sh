# SPDX-License-Identifier: BSD-3-Clause
#
# A decimal comma in the locale changes no byte (P78). The locale is made here, from the sources
# of the package `locales`; without them this test fails.
mkdir locales
localedef -i de_DE -f UTF-8 locales/de_DE.UTF-8 >/dev/null 2>log || { cat log; exit 1; }
german() { env LOCPATH="$PWD/locales" LC_ALL=de_DE.UTF-8 "$@"; }
german locale -k decimal_point
for form in csv json text; do
    "$RUGOSE" boxcount -f $form --foreground above=100.5 --counts counts.csv $DATA/small/camera.png \
        >c.$form 2>c.log
    mv counts.csv c.counts
    german "$RUGOSE" boxcount -f $form --foreground above=100.5 --counts counts.csv \
        $DATA/small/camera.png >de.$form 2>de.log
    cmp c.$form de.$form
    cmp c.log de.log
    cmp c.counts counts.csv
done
german "$RUGOSE" boxcount -q --plot de.gp $DATA/small/camera.png >/dev/null
"$RUGOSE" boxcount -q --plot c.gp $DATA/small/camera.png >/dev/null
cmp c.gp de.gp
exits 2 german "$RUGOSE" boxcount --foreground above=100,5 $DATA/small/camera.png
