#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Checks on a build what the linker sees: check_objects.sh ROOT OBJECT... Each
# breach is a line; the exit status says whether there was one.
#
#   circles   no file of src and cli needs, by way of others, itself; the shortest circle is printed
#   rooms     what a file calls stands in its own room or in one below (check_rules.sh says which these are)
#   private   a function of a single file is static: not more than 40 % of all internal functions and tables
#             are defined for exactly one other file
set -eu

[ $# -ge 2 ] || { echo "usage: check_objects.sh ROOT OBJECT..." >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
cd "$1"
root=$PWD
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$here/check_rules.sh" "$root" rows >"$work/rows"
find src cli -name '*.c' >"$work/sources"
nm -A -P -g "$@" >"$work/symbols"
[ -s "$work/symbols" ] || { echo "check_objects.sh: there are no symbols" >&2; exit 2; }
awk -v rows="$work/rows" -v list="$work/sources" -f "$here/house.awk" \
    -f "$here/objects.awk" "$work/symbols"
