#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Checks the rules of the house on a tree: check_rules.sh ROOT [RULE...]. Each breach is a line
# "file: what is wrong"; the exit status says whether there was one. Rules:
#
#   includes  who may include whom: methods -> ocl -> core; io, cli, bench, fuzz and examples see
#             public headers and their own, but bench/bench_window.c, bench_points.c,
#             bench_hou_*.[ch], bench_device.c and bench_lbp*.c, which time what lies below a
#             public call, also those of what they time; foreign libraries are seen by src/io only,
#             OpenCL by src/ocl and *_cl.c only, OpenMP by src/core/threads.c and bench only;
#             bench sees tests/support/naive_*.h too, written once for tests and benchmarks
#   silence   the library never exits, aborts, prints or reads the environment
#   names     the names of source files are unique in the tree
#   length    no source file has more than 600 lines
#   format    clang-format has nothing to change
set -eu

[ $# -ge 1 ] || { echo "usage: check_rules.sh ROOT [RULE...]" >&2; exit 2; }
cd "$1"
shift
[ $# -gt 0 ] || set -- includes silence names length format
breaches=$(mktemp)
trap 'rm -f "$breaches"' EXIT

breach() { echo "$1: $2" >>"$breaches"; }

# The source files below the folders that are there.
sources() {
    for folder in "$@"; do
        if [ -d "$folder" ]; then find "$folder" -type f \( -name '*.[ch]' -o -name '*.cl' \); fi
    done | LC_ALL=C sort
}

# The room of a file: include, src/core, src/ocl, src/methods/NAME, src/io, cli, bench ...
room_of() {
    case $1 in
    src/methods/*) echo "$1" | cut -d/ -f1-3 ;;
    src/*) echo "$1" | cut -d/ -f1-2 ;;
    *) echo "$1" | cut -d/ -f1 ;;
    esac
}

# The room of a header that is included as "name".
room_of_header() {
    found=$(sources include src cli bench fuzz examples | grep "/${1##*/}\$" | head -n 1)
    if [ -n "$found" ]; then room_of "$found"; else echo nowhere; fi
}

check_own_header() { # FILE ROOM HEADER
    other=$(room_of_header "$3")
    [ "$other" = "$2" ] && return 0
    case $2:$3 in bench:naive_*.h) return 0 ;; esac
    case $1:$other in
    bench/bench_window.c:src/methods/boxcount | bench/bench_points.c:src/methods/boxcount) return 0 ;;
    bench/bench_hou_*.[ch]:src/methods/boxcount | bench/bench_hou_study.c:src/core) return 0 ;;
    bench/bench_device.c:src/ocl | bench/bench_lbp*.c:src/methods/lbp) return 0 ;;
    esac
    case $2:$other in
    src/methods/*:src/core | src/methods/*:src/ocl | src/ocl:src/core) return 0 ;;
    esac
    breach "$1" "includes \"$3\" of $other"
}

check_system_header() { # FILE ROOM HEADER
    case $3 in
    rugose/io.h)
        case $2 in src/core | src/ocl | src/methods/*) breach "$1" "includes <$3>, the layer above" ;; esac ;;
    vips/* | tiff*.h | nifti* | zlib.h | csv.h | json* | glib* | gio/* | gobject/*)
        [ "$2" = src/io ] || breach "$1" "includes <$3>, which src/io alone may see" ;;
    CL/*)
        case $1 in
        src/ocl/* | src/methods/*_cl.c) ;;
        *) breach "$1" "includes <$3>, which src/ocl and *_cl.c alone may see" ;;
        esac ;;
    omp.h)
        case $1 in
        src/core/threads.c | bench/*) ;;
        *) breach "$1" "includes <$3>, which src/core/threads.c and bench alone may see" ;;
        esac ;;
    esac
}

check_includes() {
    for file in $(sources include src cli bench fuzz examples); do
        room=$(room_of "$file")
        sed -nE 's/^[ \t]*#[ \t]*include[ \t]*(["<][^">]+)[">].*/\1/p' "$file" |
            while IFS= read -r header; do
                case $header in
                \"*) check_own_header "$file" "$room" "${header#?}" ;;
                *) check_system_header "$file" "$room" "${header#?}" ;;
                esac
            done
        case $file in src/core/threads.c | bench/*) continue ;; esac
        if grep -qE '^[ \t]*#[ \t]*pragma[ \t]+omp' "$file"; then breach "$file" "has an OpenMP pragma"; fi
    done
}

# Calls only: comments do not write "exit (".
find_calls() { # PATTERN FILE
    found=$(grep -m 1 -E "(^|[^A-Za-z0-9_])($1)" "$2" | sed 's/^ *//')
    [ -z "$found" ] || breach "$2" "exits, prints or reads the environment: $found"
}

check_silence() {
    ends='(secure_)?getenv|setenv|exit|_exit|_Exit|quick_exit|abort'
    for file in $(sources src/core src/ocl src/methods); do
        find_calls "($ends|v?f?printf|f?puts|f?putc|putchar|perror|psignal)\\(|std(out|err)" "$file"
    done
    for file in $(sources src/io); do # it prints, but to the streams that it is asked to
        find_calls "($ends|v?printf|puts|putchar|perror)\\(|stderr" "$file"
    done
}

check_names() {
    for name in $(sources include src cli bench fuzz examples tests | sed 's|.*/||' | LC_ALL=C sort | uniq -d); do
        breach "$name" "stands more than once: $(find . -path ./build -prune -o -name "$name" -print | tr '\n' ' ')"
    done
}

check_length() {
    for file in $(sources include src cli bench fuzz examples tests); do
        n=$(wc -l <"$file")
        [ "$n" -le 600 ] || breach "$file" "has $n lines, at most 600 expected"
    done
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
    if $program --dry-run -Werror $files >/dev/null 2>&1; then return; fi
    for file in $files; do
        $program --dry-run -Werror "$file" >/dev/null 2>&1 || breach "$file" "clang-format would change it"
    done
}

for rule in "$@"; do check_"$rule"; done
if [ -s "$breaches" ]; then
    cat "$breaches"
    exit 1
fi
