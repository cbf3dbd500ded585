#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The structs of today's headers have grown from those of the previous ones by the rules (grown.awk), and
# a breach of each rule is found: check_layout.sh ROOT [C_COMPILER]
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$1" && pwd)
cc=${2:-cc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

"$here/layout.sh" "$here/previous" "$cc" >"$work/before"
"$here/layout.sh" "$root/include" "$cc" >"$work/after"
awk -f "$here/grown.awk" "$root/abi/frozen.txt" "$work/before" "$work/after" || failed=1

# breaks TEXT SED_SCRIPT: today's table with the change; the first line of what is said has the text.
breaks() {
    sed "$2" "$work/after" >"$work/changed"
    if cmp -s "$work/after" "$work/changed"; then
        echo "no such line: $2"
        failed=1
    elif awk -f "$here/grown.awk" "$root/abi/frozen.txt" "$work/before" "$work/changed" >"$work/out" ||
        ! grep -q "$1" "$work/out"; then
        echo "not found: $2: $1"
        failed=1
    fi
}
breaks "rug_fit: slope has 8 bytes at 16, had 8 at 8" 's/^rug_fit member slope 8 /rug_fit member slope 16 /'
breaks "rug_fit: slope has 4 bytes at 8" 's/^rug_fit member slope 8 8/rug_fit member slope 8 4/'
breaks "rug_fit: slope is gone" '/^rug_fit member slope /d'
breaks "rug_fit: is gone" '/^rug_fit /d'
breaks "rug_fit: is plain, was sized" 's/^rug_fit sized/rug_fit plain/'
breaks "rug_fit: [0-9]* of its new bytes" 's/^rug_fit sized .*/rug_fit sized 999992/'
breaks "rug_fit: more is new and lies at 20" 's/^rug_fit member slope .*/&\nrug_fit member more 20 4/'
breaks "rug_image: is frozen" 's/^\(rug_image plain\) .*/\1 104/'
exit $failed
