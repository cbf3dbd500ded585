# SPDX-License-Identifier: BSD-3-Clause
#
# White-is-zero is honoured: same look, same numbers.
make_image black0.tif shape=64x64 fill=sierpinski dtype=bit
make_image white0.tif shape=64x64 fill=sierpinski dtype=bit white=1
cmp -s black0.tif white0.tif && echo "the files are equal"
"$RUGOSE" boxcount -f csv black0.tif white0.tif
