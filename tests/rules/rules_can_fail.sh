#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Proves that check_rules.sh and check_objects.sh find what they are for: a small tree that keeps the
# rules passes, and with each breach put into it, it fails and names the file.
# Usage: rules_can_fail.sh [CC]
set -eu

check=$(cd "$(dirname "$0")" && pwd)/check_rules.sh
objects=${check%rules.sh}objects.sh
cc=${1:-cc}
style=$(cd "$(dirname "$0")/../.." && pwd)/.clang-format
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

plant() {
    rm -rf "$work/tree"
    mkdir -p "$work/tree/include/rugose" "$work/tree/src/core/context" "$work/tree/src/io" \
        "$work/tree/src/ocl" "$work/tree/src/methods/one/low" "$work/tree/src/methods/one/high" \
        "$work/tree/src/methods/two" "$work/tree/cli" "$work/tree/bench" "$work/tree/python" \
        "$work/tree/web/files" "$work/tree/web/worker"
    cd "$work/tree"
    cp "$style" .
    echo 'int rug_x(void);' >include/rugose/x.h
    echo 'int rug_io(void);' >include/rugose/io.h
    printf 'rugose_method(one low high)\nrugose_method(two)\n' >src/methods/CMakeLists.txt
    printf '#include <rugose/x.h>\n' >src/core/context/threads.c
    echo 'int rugi_core(void);' >src/core/core_part.h
    printf '#include "core/core_part.h"\n' >src/ocl/ocl_part.h
    printf '#include "core/core_part.h"\n#include "ocl/ocl_part.h"\n#include <rugose/x.h>\n' >src/methods/one/one_part.h
    echo 'int rugi_low(void);' >src/methods/one/low/low_part.h
    printf '#include "one/low/low_part.h"\nint rugi_high(void);\n' >src/methods/one/high/high_part.h
    printf '#include "low_part.h"\nint rugi_low(void)\n{\n    return 1;\n}\n' >src/methods/one/low/low.c
    printf '#include "high_part.h"\nint rugi_high(void)\n{\n    return rugi_low();\n}\n' >src/methods/one/high/high.c
    printf '#include "one_part.h"\n#include <CL/cl.h>\n' >src/methods/one/one_cl.c
    echo 'int rugi_two(void);' >src/methods/two/two_part.h
    printf '#include <rugose/io.h>\n#include <vips/vips.h>\n' >src/io/reader.h
    printf '#include <rugose/io.h>\n#include <stdio.h>\n' >cli/main.c
    printf '#include <omp.h>\n' >bench/bench.c
    echo 'import { fail } from "./bytes.js";' >web/files/read.js
    echo 'import { read } from "../files/read.js";' >web/worker/worker.js
}

# breaks RULE FILE LINE: the line, put into the file, is found.
breaks() {
    plant
    printf '%s\n' "$3" >>"$2"
    if "$check" "$work/tree" "$1" >"$work/out"; then
        echo "not found: $2: $3"
        failed=1
    elif ! grep -qF "${2##*/}" "$work/out"; then
        echo "the file is not named: $2: $(cat "$work/out")"
        failed=1
    fi
}

plant
if ! "$check" "$work/tree"; then
    echo "a tree that keeps the rules does not pass"
    failed=1
fi
breaks imports web/files/read.js 'import { run } from "../commands/run.js";'
breaks imports web/worker/worker.js 'import { state } from "../page/state.js";'
breaks imports web/worker/worker.js 'fetch(name);'
breaks includes src/core/core_part.h '#include "one_part.h"'
breaks includes src/core/core_part.h '#include "reader.h"'
breaks includes src/core/core_part.h '#include "ocl_part.h"'
breaks includes src/core/core_part.h '#include <rugose/io.h>'
breaks includes src/core/core_part.h '#  include <glib.h>'
breaks includes src/core/core_part.h '#include <omp.h>'
breaks includes src/core/context/threads.c '#include <omp.h>'
breaks includes src/core/context/threads.c '#pragma omp parallel'
breaks includes src/methods/one/one_part.h '#include "two_part.h"'
breaks includes src/methods/one/one_part.h '#include "../two/two_part.h"'
breaks includes src/methods/one/one_part.h '#include <zlib.h>'
breaks includes src/methods/one/one_part.h '#include <rugose/io.h>'
breaks includes src/methods/one/one_part.h '#pragma omp parallel for'
breaks includes src/methods/one/one_part.h '#include <CL/cl.h>'
breaks includes src/io/reader.h '#include "core_part.h"'
breaks includes src/io/reader.h '#include "main.h"'
breaks includes src/io/reader.h '#include <omp.h>'
breaks includes src/io/reader.h '#pragma omp parallel for'
breaks includes cli/main.c '#include "core_part.h"'
breaks includes cli/main.c '#include <json.h>'
breaks includes bench/bench.c '#include "one_part.h"'
breaks includes include/rugose/x.h '#include "core_part.h"'
breaks includes src/methods/one/low/low_part.h '#include "one/high/high_part.h"'
breaks includes src/methods/one/low/low_part.h '#include "one/one_part.h"'
breaks includes src/methods/one/low/low_part.h '#include "one/nowhere.h"'
breaks includes python/one.pyx 'cdef extern from "core/core_part.h":'
breaks includes python/one.pyx '    #include <rugose/io.h>'
breaks silence src/core/core_part.h 'static void a(void) { getenv("A"); }'
breaks silence src/core/core_part.h 'static void a(void) { exit(1); }'
breaks silence src/methods/one/one_part.h 'static void a(void) { abort(); }'
breaks silence src/methods/one/one_part.h 'static void a(void) { printf("a"); }'
breaks silence src/methods/one/one_part.h 'static void a(FILE *f) { fprintf(f, "a"); }'
breaks silence src/ocl/ocl_part.h 'static void a(void) { fputs("a", stderr); }'
breaks silence src/io/reader.h 'static void a(void) { printf("a"); }'
breaks silence src/io/reader.h 'static void a(void) { getenv("A"); }'
breaks lines cli/main.c 'static void a(void) { fprintf(stderr, "a"); }'
breaks lines cli/main.c 'static void a(void) { fputs("a", stderr); }'
breaks lines cli/main.c 'static void a(cli_run *run) { fprintf(run->err, "a"); }'
breaks names cli/threads.c 'int a;'
breaks length src/io/reader.h "$(seq 601 | sed 's/.*/int a;/')"
breaks length python/reader.pyx "$(seq 601)"
if "$check" "$work/tree" format | grep -q 'not checked'; then
    echo "the rule 'format' could not be proved: clang-format 14 is not installed"
else
    breaks format src/io/reader.h 'int  a ;'
fi

# What the linker sees of the planted tree.
check_linked() {
    mkdir "$work/objects"
    for source in src/methods/one/*/*.c; do
        "$cc" -Isrc -Isrc/methods -c "$source" -o "$work/objects/${source##*/}.o"
    done
    status=0
    "$objects" "$work/tree" "$work"/objects/* >"$work/out" || status=$?
    rm -r "$work/objects"
    return $status
}

plant
if ! check_linked; then
    echo "objects that keep the rules do not pass: $(cat "$work/out")"
    failed=1
fi
plant
echo 'int rugi_high(void); int rugi_up(void); int rugi_up(void) { return rugi_high(); }' >>src/methods/one/low/low.c
if check_linked || ! grep -q '^src/methods/one/low/low.c: uses rugi_high .*a room above' "$work/out" ||
    ! grep -q 'the shortest circle: src/methods/one/[a-z/]*.c -(rugi_[a-z]*)-> .*-(rugi_[a-z]*)-> ' "$work/out"; then
    echo "an arrow upwards and its circle were not found: $(cat "$work/out")"
    failed=1
fi
plant
seq 251 | sed 's/.*/int rugi_f&(void); int rugi_f&(void) { return &; }/' >>src/methods/one/low/low.c
seq 251 | sed 's/.*/int rugi_f&(void); int rugi_g&(void); int rugi_g&(void) { return rugi_f&(); }/' \
    >>src/methods/one/high/high.c
if check_linked || ! grep -q 'at most 40 %' "$work/out"; then
    echo "too many functions for one other file were not found: $(cat "$work/out")"
    failed=1
fi

# Calls with a similar name are no breach.
plant
echo 'static void a(char *b) { snprintf(b, 1, "a"); my_exit(1); }' >>src/core/core_part.h
if ! "$check" "$work/tree" silence; then
    echo "a harmless line was taken for a breach"
    failed=1
fi
exit $failed
