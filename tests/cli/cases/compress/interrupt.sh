# SPDX-License-Identifier: BSD-3-Clause
#
# Ctrl-C while an image is coded: no half-written file, and the old one stays. On a terminal there
# is a line with the time that is left.
make_image big.tif shape=3000x3000 fill=noise low=0 high=255
printf old >big.rfi
interrupt() { # OPTION...
    : >stderr
    "$RUGOSE" "$@" big.tif >stdout 2>stderr &
    while ! grep -q '^read' stderr; do sleep 0.02; done
    kill -s INT $!
    exits 130 wait $!
    tail -n 1 stderr
    wc -c <stdout
}
interrupt compress --partition overlap --range-size 4 --domain-step 1 -o big.rfi
interrupt compress --quality 99 -o new.rfi
interrupt upscale --scale 4 -o large.png
cat big.rfi && echo
ls -A | sort
title "progress"
script -qec "timeout -s INT 4 '$RUGOSE' compress --partition overlap --range-size 4 --domain-step 1 -o new.rfi big.tif" \
    terminal.log >/dev/null || true
grep -cE '1 of 1  [0-9]+ %( +about [0-9:]+ left)?' terminal.log >/dev/null && echo "a line"
