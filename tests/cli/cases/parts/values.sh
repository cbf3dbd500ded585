# SPDX-License-Identifier: BSD-3-Clause
#
# The values of whole images, which parts need for a threshold, from files: in one round for integers of
# 8 and 16 bits, in two where Otsu's threshold of floats is found.
make_image a.tif shape=130x40 fill=noise high=200
make_image b.npy shape=90x40 fill=ramp high=3 dtype=f32
run() { # FOLDER COMMAND...: three parts and all of them
    mkdir -p $1
    folder=$1
    shift
    for k in 1 2 3; do "$RUGOSE" "$@" -q --part $k/3 -o $folder/$k.rgs a.tif b.npy; done
    "$RUGOSE" merge $folder/?.rgs -q -o $folder.rgs
}
title "one round"
run first info
run counts boxcount --values first.rgs
title "two rounds"
run second info --values first.rgs
run again boxcount --values second.rgs
"$RUGOSE" boxcount a.tif b.npy -q -o one.csv 2>/dev/null
for name in counts again; do
    "$RUGOSE" merge $name.rgs -q -o all.csv 2>/dev/null
    cmp one.csv all.csv
done
title "a unit of masses"
run masses multifractal --values first.rgs
"$RUGOSE" multifractal a.tif b.npy -q -o one.csv 2>/dev/null
"$RUGOSE" merge masses.rgs -q -o all.csv 2>/dev/null
cmp one.csv all.csv
title "refused"
exits 2 "$RUGOSE" boxcount --values first.rgs a.tif
exits 2 "$RUGOSE" boxcount --values a.tif --part 1/2 -o x.rgs a.tif
make_image other.tif shape=20x20 fill=noise
exits 1 "$RUGOSE" boxcount --values first.rgs --part 1/2 -o x.rgs other.tif
make_image a.tif shape=130x41 fill=noise high=200
exits 1 "$RUGOSE" boxcount --values first.rgs --part 1/2 -o x.rgs a.tif
title "read otherwise"
make_image a.tif shape=130x40 fill=noise high=200
exits 2 "$RUGOSE" boxcount --values counts.rgs --part 1/2 -o x.rgs a.tif b.npy
exits 2 "$RUGOSE" boxcount --values first/1.rgs --part 1/2 -o x.rgs a.tif b.npy
exits 2 "$RUGOSE" boxcount --values first.rgs --nodata=0 --part 1/2 -o x.rgs a.tif b.npy
exits 1 "$RUGOSE" boxcount --values first.rgs --mask a.tif --part 1/2 -o x.rgs a.tif
exits 2 "$RUGOSE" boxcount --values first.rgs --part 1/2 -o first.rgs a.tif b.npy
