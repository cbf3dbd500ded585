# SPDX-License-Identifier: BSD-3-Clause
#
# Folders and files without write permission; root is asked to be somebody else.
make_image s64.npy shape=64x64 fill=sierpinski
cp "$RUGOSE" program
chmod 755 program
mkdir locked
echo before >locked/kept.csv
chmod 444 locked/kept.csv
chmod 555 locked
if [ "$(id -u)" -eq 0 ]; then
    as_user() { setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; }
else
    as_user() { "$@"; }
fi
exits 1 as_user ./program boxcount -q -o locked/a.csv s64.npy
exits 1 as_user ./program boxcount -q -o locked/kept.csv s64.npy
exits 1 as_user ./program boxcount -qf csv --plot locked/a.gp s64.npy
cat locked/kept.csv
ls -A locked
chmod 755 locked
