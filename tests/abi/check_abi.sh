#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Holds the interface of shared libraries against the one that is kept:
#
#   check_abi.sh INCLUDE_FOLDER KEPT_FOLDER LIBRARY.so...           compares; the exit status says whether it holds
#   check_abi.sh --accept INCLUDE_FOLDER KEPT_FOLDER LIBRARY.so...  keeps it as it is
#
# KEPT_FOLDER has a description of each library, LIBRARY.abi, written by abidw. The libraries must have
# been built with debugging information. What docs/abi.md allows passes: more functions, more values of an
# enum, and more members at the end of structs that are not named in KEPT_FOLDER/frozen.txt. Anything else
# is named and fails.
set -eu

accept=
[ "${1:-}" = --accept ] && { accept=1; shift; }
[ $# -ge 3 ] || { echo "usage: check_abi.sh [--accept] INCLUDE_FOLDER KEPT_FOLDER LIBRARY.so..." >&2; exit 2; }
include=$1
kept=$2
shift 2
for program in abidw abidiff; do
    command -v $program >/dev/null || {
        echo "$program is not there: the interface cannot be compared; install abigail-tools"
        exit 1
    }
done
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The same text on every machine: no folders, and numbers of types that do not depend on their order.
describe() { # LIBRARY
    abidw --headers-dir "$include" --drop-private-types --drop-undefined-syms \
        --exported-interfaces-only --type-id-style hash --no-write-default-sizes \
        --no-corpus-path --no-comp-dir-path --no-show-locs --no-architecture --no-elf-needed \
        --no-parameter-names "$1" | sed "s|\( path='\)[^']*/|\1|"
}

failed=0
for library in "$@"; do
    name=$(basename "$library" | sed "s/\.so.*//").abi
    describe "$library" >"$work/$name"
    if ! grep -q '<class-decl .*size-in-bits' "$work/$name"; then
        echo "$library has no debugging information"
        failed=1
        continue
    fi
    if [ -n "$accept" ]; then
        cp "$work/$name" "$kept/$name"
        continue
    fi
    awk -f "$here/without_growth.awk" "$kept/frozen.txt" "$kept/$name" "$work/$name" >"$work/cut"
    if ! abidiff --harmless --no-added-syms "$kept/$name" "$work/cut" >"$work/out"; then
        cat "$work/out"
        echo "$library: the interface differs from $kept/$name (docs/abi.md)"
        failed=1
    fi
done
# What is not described is not compared. A build folder knows from its last configuration which sources
# have public functions.
grep -rhoE '\brug_[a-z0-9_]+\(' "$include" | tr -d '(' | sort -u >"$work/declared"
sed -n "s/.*<function-decl name='\([a-z0-9_]*\)'.*/\1/p" "$work"/*.abi | sort -u >"$work/described"
if comm -23 "$work/declared" "$work/described" | grep .; then
    echo "these functions of the headers are not described: run cmake for this build folder again"
    failed=1
fi
exit $failed
