# SPDX-License-Identifier: BSD-3-Clause
#
# Inputs that may never end are refused, also as models, masks and streams; nothing waits for them.
make_image a.npy shape=8x8
mkfifo pipe.png pipe.csv pipe.rfi pipe.json
for name in pipe.png pipe.csv /dev/zero /dev/null /dev/tty .; do
    exits 1 timeout 10 "$RUGOSE" boxcount -q "$name"
done
exits 1 timeout 10 "$RUGOSE" boxcount -q --points pipe.png
exits 1 timeout 10 "$RUGOSE" boxcount -q --mask pipe.png a.npy
exits 1 timeout 10 "$RUGOSE" boxcount -q --labels pipe.png a.npy
exits 1 timeout 10 "$RUGOSE" decompress -q -o o.png pipe.rfi
exits 1 timeout 10 "$RUGOSE" compare -q a.npy pipe.rfi
exits 1 timeout 10 "$RUGOSE" classify -q --model pipe.json a.npy
exits 1 timeout 10 "$RUGOSE" classify -q --model /dev/zero a.npy
exits 1 timeout 10 "$RUGOSE" info -q pipe.png /dev/zero
title "a file without a size, as those of /proc are: its content is not waited for"
ln -s /proc/self/status status.png
ln -s /proc/self/status status.csv
ln -s /proc/self/status status.json
exits 1 timeout 10 "$RUGOSE" boxcount -q status.png status.csv
exits 1 timeout 10 "$RUGOSE" classify -q --model status.json a.npy
