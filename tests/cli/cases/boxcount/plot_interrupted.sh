# SPDX-License-Identifier: BSD-3-Clause
#
# A gnuplot that hangs is ended with the program, and no picture is left.
make_image s64.npy shape=64x64 fill=sierpinski
mkdir bin
printf '#!/bin/sh\necho $$ >started\nexec sleep 100\n' >bin/gnuplot
chmod +x bin/gnuplot
PATH=$PWD/bin:$PATH "$RUGOSE" boxcount -q -f csv --plot a.svg s64.npy &
while [ ! -s started ]; do sleep 0.1; done
kill -INT $!
status=0
wait $! || status=$?
echo "exit $status"
kill -0 "$(cat started)" 2>/dev/null && echo "gnuplot runs on"
ls -A | sort
