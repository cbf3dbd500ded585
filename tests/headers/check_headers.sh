#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Every public header compiles alone, twice in one file, as C11 and as C++17, without a warning,
# with every compiler that is there: check_headers.sh INCLUDE_FOLDER
set -eu

include=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
languages=

try() { # ENDING STANDARD COMPILER
    command -v "$3" >/dev/null || return 0
    languages="$languages $1"
    for header in "$include"/rugose/*.h; do
        name=rugose/$(basename "$header")
        printf '#include <%s>\n#include <%s>\ntypedef int here;\n' "$name" "$name" >"$work/alone.$1"
        "$3" -std="$2" -pedantic -Wall -Wextra -Werror -fsyntax-only -I"$include" "$work/alone.$1" || {
            echo "$name does not compile alone with $3 -std=$2"
            failed=1
        }
    done
}

for compiler in gcc clang; do try c c11 $compiler; done
for compiler in g++ clang++; do try cpp c++17 $compiler; done
for language in c cpp; do
    case "$languages " in
    *" $language "*) ;;
    *)
        echo "there is no compiler for .$language files"
        failed=1
        ;;
    esac
done
exit $failed
