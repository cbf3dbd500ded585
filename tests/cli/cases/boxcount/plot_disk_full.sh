# SPDX-License-Identifier: BSD-3-Clause
#
# gnuplot says nothing when it cannot write all of a picture: the plot that was there stays.
make_image s64.npy shape=64x64 fill=sierpinski
trap '' XFSZ # writing beyond the limit fails
for form in svg png; do
    echo before >a.$form
    exits 1 sh -c 'ulimit -f 8; exec "$RUGOSE" boxcount -q -f csv --plot a.$1 s64.npy' sh $form
    cat a.$form
done
ls -A | sort
title "a gnuplot that ends well with half of a picture"
mkdir bin
printf '#!/bin/sh\necho "<svg>"\n' >bin/gnuplot
chmod +x bin/gnuplot
exits 1 env PATH="$PWD/bin:$PATH" "$RUGOSE" boxcount -qf csv -o a.csv --plot a.svg s64.npy
cat a.svg
