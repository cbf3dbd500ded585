#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Proves that check_abi.sh finds what it is for: a small library against the interface kept of it. What
# docs/abi.md allows passes; each breach fails and is named.
# Usage: abi_can_fail.sh KEPT_FOLDER [CC]
set -eu

check=$(cd "$(dirname "$0")" && pwd)/check_abi.sh
frozen=$(cd "$1" && pwd)/frozen.txt
cc=${2:-cc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
failed=0
mkdir kept include
cp "$frozen" kept

plant() {
    cat >include/x.h <<'END'
#include <stddef.h>
typedef enum rug_kind { RUG_KIND_ONE = 1, RUG_KIND_TWO = 2 } rug_kind;
typedef struct rug_image { const void *data; int ndim; } rug_image;
typedef struct rug_x_options { size_t struct_size; int level; rug_kind kind; double width; } rug_x_options;
typedef struct rug_x_facts { int n; double share; } rug_x_facts;
typedef struct rug_x_result rug_x_result;
int rug_x(rug_x_result **out, const rug_image *image, const rug_x_options *opts);
const rug_x_facts *rug_x_get_facts(const rug_x_result *result);
void rug_x_free(rug_x_result *result);
END
    cat >x.c <<'END'
#include "x.h"
struct rug_x_result { rug_x_facts facts; };
int rug_x(rug_x_result **out, const rug_image *image, const rug_x_options *opts)
{
    return out != NULL && image->ndim == 2 && opts->level == 0;
}
const rug_x_facts *rug_x_get_facts(const rug_x_result *result)
{
    return &result->facts;
}
void rug_x_free(rug_x_result *result)
{
    result->facts.n = 0;
}
END
}

# compare SED_SCRIPT: the library with the change, against the kept one.
compare() {
    plant
    sed -i "$1" include/x.h x.c
    "$cc" -g -O0 -fPIC -shared -Iinclude x.c -o librugx.so
    "$check" include kept librugx.so >out 2>&1
}
passes() { # WHAT SED_SCRIPT
    compare "$2" || { echo "refused: $1"; cat out; failed=1; }
}
breaks() { # WHAT NAME SED_SCRIPT
    if compare "$3"; then
        echo "not found: $1"
        failed=1
    elif ! grep -q "$2" out; then
        echo "$1: '$2' is not named"
        cat out
        failed=1
    fi
}

plant
"$cc" -g -O0 -fPIC -shared -Iinclude x.c -o librugx.so
"$check" --accept include kept librugx.so

passes "the same" ''
passes "another function" '$ { /h$/!s/$/\nint rug_y(void);/ }; s/^void rug_x_free.*[^;]$/int rug_y(void);\nint rug_y(void) { return 0; }\n&/'
passes "another value of an enum" 's/RUG_KIND_TWO = 2/&, RUG_KIND_THREE = 3/'
passes "options that grow" 's/double width;/& size_t more;/'
passes "facts that grow" 's/double share;/& double more;/'
passes "a result that grows inside" 's/rug_x_facts facts; }/rug_x_facts facts; int more; }/'
breaks "a frozen struct that grows" rug_image 's/int ndim;/& int more;/'
breaks "a member in the middle" rug_x_options 's/rug_kind kind;/& double more;/'
breaks "a member in the middle and one at the end" rug_x_options \
    's/rug_kind kind;/& double more;/; s/double width;/& double last;/'
breaks "facts with a member at the front" rug_x_facts 's/{ int n;/{ double more; int n;/'
breaks "a member taken out" rug_x_options 's/double width;//'
breaks "a member replaced and one added" rug_x_options 's/double width;/size_t other; double last;/'
breaks "a member of another type" rug_x_options 's/int level;/float level;/'
breaks "a member of another type and one added" rug_x_options \
    's/int level;/float level;/; s/double width;/& double last;/'
breaks "members that change places" rug_x_options 's/int level; rug_kind kind;/rug_kind kind; int level;/'
breaks "an enum with another value" rug_kind 's/RUG_KIND_TWO = 2/RUG_KIND_TWO = 3/'
breaks "an enum with a value less" rug_kind 's/, RUG_KIND_TWO = 2//'
breaks "a function taken out" rug_x_free 's/rug_x_free/x_free/'
breaks "a function with another argument" rug_x_get_facts \
    's/get_facts(const rug_x_result \*result)/get_facts(const rug_x_result *result, int i)/'
breaks "a function with another result" rug_x_free \
    's/^void rug_x_free/int rug_x_free/; s/result->facts.n = 0/return result != NULL/'

plant
sed -i 's/^void rug_x_free/int rug_y(void);\n&/' include/x.h
if "$check" include kept librugx.so >out 2>&1 || ! grep -q '^rug_y$' out; then
    echo "a function that is not described passes"
    failed=1
fi

compare ''
"$cc" -O0 -fPIC -shared -Iinclude x.c -o librugx.so
if "$check" include kept librugx.so >out 2>&1; then
    echo "a library without debugging information passes"
    failed=1
fi
if PATH=/nowhere /bin/sh "$check" include kept librugx.so >out 2>&1 || ! grep -q abigail-tools out; then
    echo "without abidiff it passes"
    failed=1
fi
exit $failed
