# SPDX-License-Identifier: BSD-3-Clause
#
# A file that may not be read is named; root is asked to be somebody else.
make_image a.npy shape=8x8
cp "$RUGOSE" program
chmod 755 program
chmod 000 a.npy
if [ "$(id -u)" -eq 0 ]; then
    setpriv --reuid 65534 --regid 65534 --clear-groups ./program boxcount a.npy
else
    ./program boxcount a.npy
fi
