#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Proves that check_examples.sh finds what it is for, with examples that are changed. The arguments are
# those of check_examples.sh.
set -eu

check=$(cd "$(dirname "$0")" && pwd)/check_examples.sh
include=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

run() { # SED_SCRIPT: what the check says of a changed header
    rm -rf "$work/include"
    cp -R "$include" "$work/include"
    sed -i "$1" "$work/include/rugose/status.h"
    shift
    ONLY=status "$check" "$work/include" "$@" >"$work/out" 2>&1
}
breaks() { # WHAT TEXT SED_SCRIPT ARGUMENT...
    what=$1
    text=$2
    shift 2
    if run "$@" || ! grep -q "$text" "$work/out"; then
        echo "not found: $what"
        cat "$work/out"
        failed=1
    fi
}

run '' "$@" || { cat "$work/out"; failed=1; }
breaks "another result" "prints something else" 's|// prints: .*|// prints: 7|' "$@"
breaks "a result more" "prints something else" 's|// prints: .*|&\n *     &|' "$@"
breaks "an example without a result" "status.h: no example" 's|// prints: .*||' "$@"
breaks "no example" "status.h: no example" 's|^ \*     | * |' "$@"
breaks "a warning" "does not compile" 's|rug_status status = .*|& int unused;|' "$@"
breaks "a failure" "its example fails" 's|printf(.*|return status;|' "$@"
exit $failed
