#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Every public header has in its head an example that compiles without a warning, runs, and prints what
# it says: check_examples.sh INCLUDE_FOLDER DATA_FOLDER LIBRARY_FOLDER C_COMPILER [FLAG...]
#
# An example is what is indented by five blanks in the first comment after the licence: first, if a line
# of three dots follows, what stands outside of functions, then the statements of a function in which the
# names of examples.h are given. Its lines `// prints: TEXT` are its output. ONLY="NAME..." in the
# environment chooses headers.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
include=$(cd "$1" && pwd)
data=$(cd "$2" && pwd)
libraries=$(cd "$3" && pwd)
cc=$4
shift 4
without="export rugose io"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
failed=0

complain() {
    echo "$*"
    failed=1
}

names=
objects=
for name in ${ONLY:-$(cd "$include/rugose" && ls | sed -n "s/\.h$//p")}; do
    awk -v name="$name" -f "$here/example.awk" "$include/rugose/$name.h" >"$name.c"
    sed -n 's|^ *// prints: ||p' "$name.c" >"$name.expected"
    case " $without " in
    *" $name "*)
        [ ! -s "$name.expected" ] || complain "$name.h has an example: take it out of the list in $0"
        continue
        ;;
    esac
    if [ ! -s "$name.expected" ]; then
        complain "$name.h: no example in its head, or it does not say what it prints"
    elif "$cc" "$@" -std=c11 -Wall -Wextra -Wconversion -Werror -I"$include" -I"$here" -c "$name.c"; then
        names="$names $name"
        objects="$objects $name.o"
    else
        complain "$name.h: its example does not compile"
    fi
done
[ -n "$names" ] || exit 1

{
    for name in $names; do echo "rug_status example_$name(void);"; done
    echo 'static const struct { const char *name; rug_status (*run)(void); } examples[] = {'
    for name in $names; do echo "{\"$name\", example_$name},"; done
    echo '};'
} >examples.inc
# shellcheck disable=SC2086 # lists of words
"$cc" "$@" -std=c11 -Wall -Wextra -Werror -I. -I"$include" -I"$here" "$here/examples.c" $objects \
    -L"$libraries" -lrugose-io -lrugose -Wl,-rpath,"$libraries" -lm -o examples

for name in $names; do
    if ! ./examples "$name" "$data/camera.png" "$work/out_$name" >"$name.out" 2>"$name.err"; then
        cat "$name.err"
        complain "$name.h: its example fails"
    elif ! diff "$name.expected" "$name.out"; then
        complain "$name.h: its example prints something else"
    fi
done
exit $failed
