#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Proves that check_rules.sh finds what it is for: a small tree that keeps the rules passes, and
# with each breach put into it, it fails and names the file. Usage: rules_can_fail.sh
set -eu

check=$(cd "$(dirname "$0")" && pwd)/check_rules.sh
style=$(cd "$(dirname "$0")/../.." && pwd)/.clang-format
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

plant() {
    rm -rf "$work/tree"
    mkdir -p "$work/tree/include/rugose" "$work/tree/src/core" "$work/tree/src/io" "$work/tree/src/ocl" \
        "$work/tree/src/methods/one" "$work/tree/src/methods/two" "$work/tree/cli" "$work/tree/bench"
    cd "$work/tree"
    cp "$style" .
    echo 'int rug_x(void);' >include/rugose/x.h
    echo 'int rug_io(void);' >include/rugose/io.h
    printf '#include <omp.h>\n#include <rugose/x.h>\n' >src/core/threads.c
    echo 'int rugi_core(void);' >src/core/core_part.h
    printf '#include "core_part.h"\n' >src/ocl/ocl_part.h
    printf '#include "core_part.h"\n#include "ocl_part.h"\n#include <rugose/x.h>\n' >src/methods/one/one_part.h
    printf '#include "one_part.h"\n#include <CL/cl.h>\n' >src/methods/one/one_cl.c
    echo 'int rugi_two(void);' >src/methods/two/two_part.h
    printf '#include <rugose/io.h>\n#include <vips/vips.h>\n' >src/io/reader.h
    printf '#include <rugose/io.h>\n#include <stdio.h>\n' >cli/main.c
    printf '#include <omp.h>\n' >bench/bench.c
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
breaks includes src/core/core_part.h '#include "one_part.h"'
breaks includes src/core/core_part.h '#include "reader.h"'
breaks includes src/core/core_part.h '#include "ocl_part.h"'
breaks includes src/core/core_part.h '#include <rugose/io.h>'
breaks includes src/core/core_part.h '#  include <glib.h>'
breaks includes src/core/core_part.h '#include <omp.h>'
breaks includes src/methods/one/one_part.h '#include "two_part.h"'
breaks includes src/methods/one/one_part.h '#include "../two/two_part.h"'
breaks includes src/methods/one/one_part.h '#include <zlib.h>'
breaks includes src/methods/one/one_part.h '#include <rugose/io.h>'
breaks includes src/methods/one/one_part.h '#pragma omp parallel for'
breaks includes src/methods/one/one_part.h '#include <CL/cl.h>'
breaks includes src/io/reader.h '#include "core_part.h"'
breaks includes src/io/reader.h '#include "main.h"'
breaks includes cli/main.c '#include "core_part.h"'
breaks includes cli/main.c '#include <json.h>'
breaks includes bench/bench.c '#include "one_part.h"'
breaks includes include/rugose/x.h '#include "core_part.h"'
breaks silence src/core/core_part.h 'static void a(void) { getenv("A"); }'
breaks silence src/core/core_part.h 'static void a(void) { exit(1); }'
breaks silence src/methods/one/one_part.h 'static void a(void) { abort(); }'
breaks silence src/methods/one/one_part.h 'static void a(void) { printf("a"); }'
breaks silence src/methods/one/one_part.h 'static void a(FILE *f) { fprintf(f, "a"); }'
breaks silence src/ocl/ocl_part.h 'static void a(void) { fputs("a", stderr); }'
breaks silence src/io/reader.h 'static void a(void) { printf("a"); }'
breaks silence src/io/reader.h 'static void a(void) { getenv("A"); }'
breaks names cli/threads.c 'int a;'
breaks length src/io/reader.h "$(seq 601 | sed 's/.*/int a;/')"
if "$check" "$work/tree" format | grep -q 'not checked'; then
    echo "the rule 'format' could not be proved: clang-format 14 is not installed"
else
    breaks format src/io/reader.h 'int  a ;'
fi

# Calls with a similar name are no breach.
plant
echo 'static void a(char *b) { snprintf(b, 1, "a"); my_exit(1); }' >>src/core/core_part.h
if ! "$check" "$work/tree" silence; then
    echo "a harmless line was taken for a breach"
    failed=1
fi
exit $failed
