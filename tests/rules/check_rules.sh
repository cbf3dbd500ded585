#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Checks the rules of the house on a tree: check_rules.sh ROOT [RULE...]. Each breach is a line
# "file: what is wrong"; the exit status says whether there was one. Rules:
#
#   includes  who may include whom: methods -> ocl -> core; io, cli, bench, fuzz and examples see
#             public headers and their own, the few headers of is_leaf(), and the benchmarks named in
#             below_the_call() what lies below a public call, which they time. Between the rooms of
#             src/core, of src/ocl, of src/io, of a method and of cli: only those of rooms that stand
#             before them in the row that declares them (rugose_rooms(...) and rugose_method(...) in a
#             CMakeLists.txt). Foreign libraries are seen by src/io, cli/tables and cli/plots only, OpenCL
#             by src/ocl and *_cl.c only, OpenMP by bench only; bench sees
#             tests/support/naive_*.h too, written once for tests and benchmarks. Modules of Python see
#             rugose/rugose.h, which has no files
#   imports   scripts of web/files, web/commands and web/module import only from their own folder and
#             from libraries of the system, those of web/worker from these folders, too; none but rugose.js, which
#             loads the module, speaks to the network
#   silence   the library never exits, aborts, prints or reads the environment
#   lines     the program prints to stderr by cli_print() alone, which lets no control character through
#   names     the names of source files are unique in the tree
#   length    no source file has more than 600 lines, no folder of sources more than 24 files
#   format    clang-format has nothing to change
#   picture   docs/images/rooms.svg is what docs/figures/rooms.sh draws
#
# `check_rules.sh ROOT rows` prints the declared rooms instead.
#
# What the linker sees, circles above all, is checked on a build by check_objects.sh.
set -eu

[ $# -ge 1 ] || { echo "usage: check_rules.sh ROOT [RULE...]" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
cd "$1"
shift
[ $# -gt 0 ] || set -- includes imports silence lines names length format picture
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
breaches=$work/breaches list=$work/list rows=$work/rows
: >"$breaches"

breach() { echo "$1: $2" >>"$breaches"; }

# The source files below the folders that are there, but for headers kept from another release.
sources() {
    for folder in "$@"; do
        [ ! -d "$folder" ] ||
            find "$folder" -path tests/abi/previous -prune -o \
                -type f \( -name '*.[ch]' -o -name '*.cl' \) -print
    done | LC_ALL=C sort
}

# The sources of the Python package.
python_sources() {
    [ ! -d python ] || find python -type f \( -name '*.py' -o -name '*.py[xd]' \) | LC_ALL=C sort
}

# The scripts that run in browsers, and their tests.
web_sources() {
    find web tests/web -type f \( -name '*.js' -o -name '*.mjs' \) 2>/dev/null | LC_ALL=C sort || :
}

# The rows that declare rooms: "FOLDER ROOM ROOM ..." in the order of the floors. Where "." does not say
# otherwise, a folder's own files stand above its rooms.
declared_rooms() {
    {
        sed -nE 's|^ *rugose_method\(([^)$]*)\)|src/methods/\1|p' src/methods/CMakeLists.txt
        sed -nE 's|^ *rugose_rooms\([a-z_]+ ([^)$]*)\)|src/\1|p' src/CMakeLists.txt
        if [ -f cli/CMakeLists.txt ]; then # two targets share this folder
            echo "cli $(sed -nE 's|^ *rugose_rooms?\([a-z_]+ (\. )?([^)$]*)\)|\2|p' cli/CMakeLists.txt | tr '\n' ' ')"
        fi
    } 2>/dev/null | sed '/ \.\( \|$\)/!s/$/ ./'
}

check_includes() {
    sources include src cli bench fuzz examples tests >"$list"
    declared_rooms >"$rows"
    # shellcheck disable=SC2046 # file names of the tree have no blanks
    awk -v rows="$rows" -v list="$list" -f "$here/house.awk" -f "$here/includes.awk" \
        $(grep -v '^tests/' "$list") </dev/null >>"$breaches"
    python_sources | grep '\.py[xd]$' | xargs grep -HoE 'extern from "[^"]*"|# *include .*' /dev/null |
        grep -v '"rugose/rugose\.h"' | sed 's/$/: only rugose\/rugose.h expected/' >>"$breaches" || :
    for file in $(grep -v '^tests/' "$list"); do echo "$file"; done |
        grep -v '^bench/' |
        xargs grep -lE '^[ \t]*#[ \t]*pragma[ \t]+omp' /dev/null |
        sed 's/$/: has an OpenMP pragma/' >>"$breaches" || :
}

check_imports() {
    web_sources >"$list"
    grep -E '^web/(files|commands|module)/' "$list" | xargs grep -HE "(from|import) \"\.\./" /dev/null |
        sed 's/:.*/: imports from another folder/' >>"$breaches" || :
    grep '^web/worker/' "$list" | xargs grep -HE "(from|import) \"\.\./" /dev/null |
        grep -vE '"\.\./(files|commands|module)/' | sed 's/:.*/: imports from a folder above it/' >>"$breaches" || :
    grep '^web/' "$list" | grep -v '/rugose\.js$' | xargs grep -HE "(fetch|WebSocket|sendBeacon|XMLHttpRequest|EventSource)\(|\"(https?|wss?):" /dev/null |
        grep -v 'http://www\.w3\.org/' | sed 's/:.*/: speaks to the network/' >>"$breaches" || :
}

# Calls only: comments do not write "exit (".
find_calls() { # PATTERN FOLDER...
    pattern="(^|[^A-Za-z0-9_])($1)"
    shift
    sources "$@" | xargs grep -m 1 -HE "$pattern" /dev/null |
        sed -E 's/^([^:]*): */\1: exits, prints or reads the environment: /' >>"$breaches" || :
}

check_silence() {
    ends='(secure_)?getenv|setenv|exit|_exit|_Exit|quick_exit|abort'
    find_calls "($ends|v?f?printf|f?puts|f?putc|putchar|perror|psignal)\\(|std(out|err)" \
        src/core src/ocl src/methods
    find_calls "($ends|v?printf|puts|putchar|perror)\\(|stderr" src/io # it prints to streams it is given
}

# messages.c has cli_print() itself, and the progress line.
check_lines() {
    sources cli | grep -v '/shared/messages\.c$' |
        xargs grep -lE 'f(printf|puts|putc)\((stderr|[a-z]+->err)|f(puts|putc|write)\(.*(stderr|run->err)\)' /dev/null |
        sed 's/$/: prints to stderr without cli_print()/' >>"$breaches" || :
}

check_names() {
    for name in $({ sources include src cli bench fuzz examples tests; web_sources; } | sed 's|.*/||' | LC_ALL=C sort | uniq -d); do
        breach "$name" "stands more than once: $(find . -path ./build -prune -o -name "$name" -print | tr '\n' ' ')"
    done
}

check_length() {
    {
        sources include src cli bench fuzz examples tests
        python_sources
        web_sources
    } >"$list"
    xargs wc -l <"$list" | awk '$2 != "total" && $1 > 600 {
        print $2 ": has " $1 " lines, at most 600 expected" }' >>"$breaches"
    sed 's|/[^/]*$||' "$list" | sort | uniq -c | awk '$2 !~ /^include/ && $1 > 24 {
        print $2 ": has " $1 " sources, at most 24 expected" }' >>"$breaches"
}

# Versions of clang-format differ in their taste; the house is kept with 14.
check_format() {
    program=
    for name in clang-format-14 clang-format; do
        if command -v $name >/dev/null && $name --version | grep -q 'version 14\.'; then program=$name; break; fi
    done
    if [ -z "$program" ]; then
        echo "check_rules.sh: the format was not checked: clang-format 14 is not installed"
        if [ "${CI-}" = true ]; then breach clang-format "is needed under CI=true"; fi
        return
    fi
    files=$(sources include src cli bench fuzz examples tests | grep '\.[ch]$')
    if $program --dry-run -Werror $files 2>"$work/said"; then return; fi
    sed -n 's/^\([^:]*\):[0-9]*:[0-9]*: error: .*/\1/p' "$work/said" | sort -u >"$list"
    [ -s "$list" ] || breach clang-format "failed: $(head -n 1 "$work/said")"
    while read -r file; do breach "$file" "clang-format would change it"; done <"$list"
}

check_picture() {
    script=docs/figures/rooms.sh picture=docs/images/rooms.svg
    [ -f $script ] || return 0
    $script "$work/rooms.svg"
    cmp -s "$work/rooms.svg" $picture || breach $picture "is not what $script draws now"
}

if [ "$1" = rows ]; then # for other scripts that look at the house
    declared_rooms
    exit
fi
for rule in "$@"; do check_"$rule"; done
if [ -s "$breaches" ]; then
    cat "$breaches"
    exit 1
fi
