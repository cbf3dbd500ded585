# SPDX-License-Identifier: BSD-3-Clause
#
# Paths that are no image files.
touch empty.png
mkdir folder.tif
printf 'this is a text about images\n' >text.png
printf 'col,umn\n1,2\n' >table.csv
mkfifo pipe.png
ln -s nowhere dangling.png
for file in missing.png empty.png folder.tif text.png table.csv pipe.png dangling.png /dev/null ''; do
    exits 1 "$RUGOSE" boxcount "$file"
done 2>&1 >/dev/null
