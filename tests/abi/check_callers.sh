#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Runs the caller as compiled with three sets of headers, and compares what it got:
# check_callers.sh IMAGE_FILE CURRENT PREVIOUS NEXT
#
#   all of them get the same from NULL, from default options, and from results
#   with all members set that the previous headers have, too; `all` is of the members of today
set -eu

image=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
n=0
for caller in "$2" "$3" "$4"; do
    n=$((n + 1))
    "$caller" "$image" >"$work/$n" || {
        echo "$caller failed:"
        grep -a FAILED "$work/$n" || true
        failed=1
    }
    grep -a '^default\|^result\|^old' "$work/$n" >"$work/$n.old" || true
done
[ -s "$work/1.old" ] || { echo "the caller says nothing"; failed=1; }
diff "$work/1.old" "$work/2.old" || { echo "the previous headers give something else"; failed=1; }
diff "$work/1" "$work/3" || { echo "the next headers give something else"; failed=1; }
exit $failed
