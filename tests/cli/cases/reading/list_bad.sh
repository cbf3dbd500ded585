# SPDX-License-Identifier: BSD-3-Clause
#
# What is wrong with a list is said with its line, and nothing is measured.
make_image c.npy shape=8x8
bad() {
    title "$1"
    printf "$2" >list.csv
    exits 1 "$RUGOSE" ${3:-boxcount} -q -o out.csv --list list.csv
}
bad "a mask that the command has no use for" 'image,mask\nc.npy,c.npy\n' info
bad "no column image" 'file\nc.npy\n'
bad "a known name, but for its letters" 'image,Mask\nc.npy,1\n'
bad "a column without a name" 'image,well,\nc.npy,1,2\n'
bad "a column that is carried, twice" 'image,well,well\nc.npy,1,2\n'
bad "semicolons" 'image;well\nc.npy;1\n'
bad "a column twice" 'image,image\nc.npy,c.npy\n'
bad "a row too long" 'image\nc.npy\nc.npy,x\n'
bad "an image missing" 'image,class\nc.npy,a\n,b\n'
bad "no rows" 'image\n'
bad "nothing" ''
bad "a quote that is not closed" 'image\n"c.npy\n'
bad "a zero byte" 'image\nc\000.npy\n'
title "no list, a folder"
exits 1 "$RUGOSE" boxcount -q -o out.csv --list nowhere.csv
exits 1 "$RUGOSE" boxcount -q -o out.csv --list .
ls -A | sort
