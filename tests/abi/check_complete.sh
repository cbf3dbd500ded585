#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The callers make every call that takes or fills a struct with a struct_size, and use every such struct;
# every enum has a text function: check_complete.sh INCLUDE_FOLDER
set -eu

here=$(cd "$(dirname "$0")" && pwd)
include=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
awk -v strict=1 -f "$here/structs.awk" "$include"/rugose/*.h >"$work/structs" || failed=1
sed -n 's/^SIZED(\([a-z0-9_]*\),.*/\1/p' "$work/structs" >"$work/sized"
cat "$here"/caller*.c >"$work/callers"

# A line for each function: its name, and its parameters.
awk '/^RUG_API / { text = ""; on = 1 }
    on { text = text " " $0 }
    on && /;$/ {
        at = index(text, "(")
        name = substr(text, 1, at - 1)
        sub(/.*[ *]/, "", name)
        print name, substr(text, at)
        on = 0
    }' "$include"/rugose/*.h >"$work/functions"
while read -r type; do
    grep -q "\"$type\"" "$work/callers" || { echo "no caller uses $type"; failed=1; }
    grep "[( ]$type \*" "$work/functions" | cut -d' ' -f1 >"$work/names"
    [ -s "$work/names" ] || { echo "no function takes $type"; failed=1; }
    while read -r name; do
        grep -q "$name(" "$work/callers" || { echo "no caller calls $name, which takes $type"; failed=1; }
    done <"$work/names"
done <"$work/sized"
exit $failed
