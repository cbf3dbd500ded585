#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The shared libraries export what the public headers declare, and nothing else:
# check_symbols.sh INCLUDE_FOLDER LIBRARY... What the sanitizers of a compiler add does not count.
set -eu

failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat "$1"/rugose/*.h | tr '\n' ' ' | grep -oE 'RUG_API [^;(]*\(' | sed -nE 's/.*[ *](rug_[a-z0-9_]+)\($/\1/p' |
    LC_ALL=C sort -u >"$work/declared"
shift
for library in "$@"; do
    nm -D --defined-only "$library" | awk '{ print $NF }' |
        grep -vE '^_*(odr_asan|asan|ubsan|tsan|sanitizer)' | LC_ALL=C sort -u >"$work/exported" || true
    others=$(LC_ALL=C comm -13 "$work/declared" "$work/exported")
    if [ ! -s "$work/exported" ]; then
        echo "$library: exports nothing"
        failed=1
    elif [ -n "$others" ]; then
        echo "$library: exports" $others
        failed=1
    fi
    cat "$work/exported" >>"$work/all"
done
missing=$(LC_ALL=C sort -u "$work/all" | LC_ALL=C comm -23 "$work/declared" -)
if [ -n "$missing" ]; then
    echo "declared, but exported by no library:" $missing
    failed=1
fi
exit $failed
