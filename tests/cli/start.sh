#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The program starts with few libraries: those of formats are loaded when a file needs them.
# Usage: start.sh DATA_FOLDER PLAIN.npy, with $RUGOSE set
set -eu

data=$1
array=$2
failed=0
complain() {
    echo "$*"
    failed=1
}

# The libraries that are linked. With a sanitizer or another C library there may be others.
ldd "$RUGOSE" >linked
n=$(wc -l <linked)
[ "$n" -lt 10 ] || complain "$n libraries are linked, fewer than 10 expected"
formats='lib(vips|glib|gobject|tiff|png|spng|jpeg|webp|nifti|znz|isal|z|OpenCL)[-.0-9]'
if grep -E "$formats" linked; then complain "these are linked"; fi

# not_loaded PATTERN ARGUMENT...: the command loads no library whose name has the pattern.
not_loaded() {
    pattern=$1
    shift
    LD_DEBUG=libs LD_DEBUG_OUTPUT=loaded "$RUGOSE" "$@" >/dev/null 2>&1 || complain "$* failed"
    cat loaded.* >all
    rm loaded.*
    grep -q 'calling init: .*libm\.' all || complain "the loader does not say what it loads"
    if grep -E "calling init: .*$pattern" all; then complain "$* loads these"; fi
}
