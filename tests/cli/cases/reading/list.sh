# SPDX-License-Identifier: BSD-3-Clause
#
# A list of images: quotes, line ends of Windows, blanks, a byte-order mark, paths relative to it.
mkdir -p 'lists/my images'
make_image 'lists/my images/a, "b".npy' shape=64x64 fill=sierpinski
make_image lists/c.npy shape=64x64 fill=checker
printf 'image\n"my images/a, ""b"".npy"\nc.npy\n' >lists/plain.csv
printf '\357\273\277image\r\n"my images/a, ""b"".npy"\r\nc.npy\r\n' >lists/windows.csv
"$RUGOSE" boxcount -f csv --list lists/plain.csv
"$RUGOSE" boxcount -qf csv --list lists/windows.csv >a.csv
"$RUGOSE" boxcount -qf csv --list lists/plain.csv | cmp - a.csv
title "operands come first, an absolute path stays one"
printf 'image\n%s\n' "$PWD/lists/c.npy" >absolute.csv
"$RUGOSE" boxcount -qf csv --list absolute.csv lists/c.npy | sed "s|$PWD|HERE|"
title "the class is carried as any other column, in its place"
printf 'n,class,image,site\n1,leaf,c.npy,\n2,,c.npy,north\n' >lists/class.csv
for command in boxcount "haralick --features entropy" "lbp" "info"; do
    "$RUGOSE" $command -qf csv --list lists/class.csv 2>/dev/null | cut -d, -f 1-5
done
"$RUGOSE" boxcount -qf json --list lists/class.csv >class.json
json_values class.json results.0.list.class results.1.list.class
printf 'image,Class\nc.npy,leaf\n' >lists/class.csv
exits 1 "$RUGOSE" boxcount -qf csv --list lists/class.csv
title "info reads lists too"
"$RUGOSE" info -qf csv --list lists/plain.csv
