# SPDX-License-Identifier: BSD-3-Clause
#
# Inputs that may never end are refused, also as models, masks and streams; nothing waits for them.
make_image a.npy shape=8x8
refused() {
    exits 1 timeout 10 "$RUGOSE" "$@" >out
    grep "exit status" out || true
}
mkfifo pipe.png pipe.csv pipe.rfi pipe.json
for name in pipe.png pipe.csv /dev/zero /dev/null /dev/tty; do
    refused boxcount -q "$name"
done
refused boxcount -q --points pipe.png
refused boxcount -q --mask pipe.png a.npy
refused boxcount -q --labels pipe.png a.npy
refused decompress -q -o o.png pipe.rfi
refused compare -q a.npy pipe.rfi
refused classify -q --model pipe.json a.npy
refused classify -q --model /dev/zero a.npy
refused info -q pipe.png /dev/zero
title "a file without a size, as those of /proc are: its content is not waited for"
ln -s /proc/self/status status.png
ln -s /proc/self/status status.csv
ln -s /proc/self/status status.json
refused boxcount -q status.png status.csv
refused classify -q --model status.json a.npy
