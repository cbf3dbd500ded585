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
