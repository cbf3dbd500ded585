# SPDX-License-Identifier: BSD-3-Clause
#
# Ctrl-C: what runs is ended, nothing is written, the exit status is 130.
make_image s512.npy shape=512x512 fill=noise
{
    echo image
    yes s512.npy | head -n 200000
} >list.csv
echo before >kept.csv
interrupt() { # SIGNAL OPTION...
    signal=$1
    shift
    : >stderr # what the run before left must not be taken for this one's
    "$RUGOSE" boxcount "$@" --list list.csv >stdout 2>stderr &
    while ! grep -q '^read' stderr; do sleep 0.02; done
    kill -s "$signal" $!
    exits 130 wait $!
    tail -n 1 stderr
    wc -c <stdout
}
interrupt INT -o kept.csv --counts counts.csv
interrupt INT -f json
interrupt TERM -o new.csv
cat kept.csv
ls -A | sort
