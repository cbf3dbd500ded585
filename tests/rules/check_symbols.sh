#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The shared libraries export symbols of the prefix rug_ only: check_symbols.sh LIBRARY...
# What the sanitizers of a compiler add does not count.
set -eu

failed=0
for library in "$@"; do
    symbols=$(nm -D --defined-only "$library" | awk '{ print $NF }' |
        grep -vE '^_*(odr_asan|asan|ubsan|tsan|sanitizer)') || true
    others=$(echo "$symbols" | grep -v '^rug_') || true
    if [ -z "$symbols" ]; then
        echo "$library: exports nothing"
        failed=1
    elif [ -n "$others" ]; then
        echo "$library: exports" $others
        failed=1
    fi
done
exit $failed
