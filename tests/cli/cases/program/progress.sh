# SPDX-License-Identifier: BSD-3-Clause
#
# A line of progress on a terminal when the work takes more than a second, not otherwise.
make_image big.npy shape=64x512x512 fill=noise
{
    echo image
    yes big.npy | head -n 100000
} >list.csv
# Shows the first seconds of a run on a terminal, then interrupts it.
watch_run() {
    script -qec "timeout -s INT 3 '$RUGOSE' boxcount --threads 1 -o a.csv --list list.csv $*" \
        terminal.log >/dev/null || true
}
watch_run ''
grep -cE '[0-9]+ of 100000  [0-9]+ %  about [0-9:]+ left' terminal.log >/dev/null && echo "a line"
# Ten times a second at most.
n=$(tr '\r' '\n' <terminal.log | grep -c 'of 100000  ')
[ "$n" -le 60 ] && echo "seldom" || echo "drawn $n times"
watch_run --no-progress
grep -cE 'of 100000  ' terminal.log || true
title "not on a pipe"
timeout -s INT 1.5 "$RUGOSE" boxcount --threads 1 -o a.csv --list list.csv 2>&1 | grep -c 'of 100000  ' || true
rm a.csv.part*
ls -A | sort
