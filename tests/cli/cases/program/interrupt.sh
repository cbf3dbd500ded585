# SPDX-License-Identifier: BSD-3-Clause
#
# Ctrl-C: what runs is ended, rows that were finished stay in a part of the table, the exit status is
# 130; 129 when the terminal goes away, unless that is to be ignored.
make_image s512.npy shape=512x512 fill=noise
{
    echo image
    yes s512.npy | head -n 200000
} >list.csv
echo before >kept.csv
interrupt() { # SIGNAL STATUS OPTION...
    signal=$1 status=$2
    shift 2
    : >stderr # what the run before left must not be taken for this one's
    "$RUGOSE" boxcount "$@" --list list.csv >stdout 2>stderr &
    while ! grep -q '^read' stderr; do sleep 0.02; done
    kill -s "$signal" $!
    exits $status wait $!
    tail -n 1 stderr | sed 's/[0-9]* of 200000/N of 200000/'
    tail -n 1 stdout
}
interrupt INT 130 -o kept.csv --counts counts.csv
interrupt INT 130 -f json
interrupt INT 130 -f csv
interrupt INT 130
interrupt TERM 130 -o new.csv
interrupt HUP 129 -o new.csv
cat kept.csv
ls -A | sort
title "under nohup"
(
    trap '' HUP
    : >stderr
    "$RUGOSE" boxcount -o new.csv --list list.csv >stdout 2>stderr &
    while ! grep -q '^read' stderr; do sleep 0.02; done
    kill -s HUP $!
    sleep 0.2
    kill -s TERM $!
    exits 130 wait $!
)
rm *.part *.log
title "maps that were in work"
make_image s1024.npy shape=1024x1024 fill=noise high=63
: >stderr
"$RUGOSE" haralick --window 31 --features 13 --map 'map-{}.tif' s1024.npy >stdout 2>stderr &
while kill -0 $! && ! ls -A | grep -q '^[.]rugose-'; do sleep 0.02; done
kill -s HUP $!
exits 129 wait $!
ls -A | sort
