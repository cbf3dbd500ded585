#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The program starts with few libraries: those of formats are loaded when a file needs them. RUGOSE is the
# program, TOOLS the folder of make_image; the first argument is the folder of the data.
set -eu
data=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
failed=0
complain() {
    echo "$*"
    failed=1
}

ldd "$RUGOSE" >linked
[ "$(wc -l <linked)" -lt 10 ] || complain "$(wc -l <linked) libraries are linked, fewer than 10 expected"
if grep -E 'lib(vips|glib|gobject|tiff|png|spng|jpeg|webp|nifti|isal|bz2|z|crypto|OpenCL)[-.0-9]' linked; then
    complain "these are linked"
fi

# Runs the program; what the loader says of the libraries that it starts is in `loaded`.
run() {
    rm -f loaded.*
    LD_DEBUG=libs LD_DEBUG_OUTPUT=loaded "$RUGOSE" "$@" >out 2>&1 || complain "$* failed"
    cat loaded.* | grep 'calling init: ' >loaded || complain "the loader does not say what it loads"
}

# loads PATTERN ARGUMENT...: the command needs a library, which shows that it would be seen below.
loads() {
    pattern=$1
    shift
    run "$@"
    grep -q "/lib$pattern" loaded || complain "$* does not load lib$pattern"
}

# spares PATTERN ARGUMENT...: the command loads no such library.
spares() {
    pattern=$1
    shift
    run "$@"
    if grep -E "/lib($pattern)[-.0-9]" loaded; then complain "$* loads these"; fi
}

"$TOOLS/make_image" plain.npy shape=64x64 fill=sierpinski
"$TOOLS/make_image" plain.nii shape=8x8x8
"$TOOLS/make_image" plain.tif shape=64x64 fill=sierpinski
formats='gdal|hdf5|vips|glib-2|gobject-2|tiff|png16|jpeg|isal|bz2|crypto|OpenCL'
spares "$formats" version
spares "$formats" help boxcount
spares "$formats" boxcount plain.npy
spares "$formats" info plain.npy plain.nii "$data/volumes/pynrrd_i32.nhdr"
spares 'vips|glib-2|gobject-2|png16' boxcount plain.tif
spares 'vips|glib-2|gobject-2|tiff|isal' boxcount "$data/camera.png"
loads tiff boxcount plain.tif
loads png16 boxcount "$data/camera.png"
loads bz2 boxcount "$data/volumes/pynrrd_u16.nrrd"
spares 'vips|glib-2|gobject-2|tiff|png16|jpeg|isal|OpenCL' boxcount -f json plain.npy
loads crypto boxcount -f json plain.npy
exit $failed
