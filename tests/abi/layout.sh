#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Prints where the members of public structs lie: layout.sh INCLUDE_FOLDER C_COMPILER
#
#     rug_x sized|plain SIZE
#     rug_x member NAME OFFSET SIZE
set -eu

here=$(cd "$(dirname "$0")" && pwd)
include=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$include"
awk -f "$here/structs.awk" rugose/*.h >"$work/structs.inc"
{
    for header in rugose/*.h; do echo "#include <$header>"; done
    cat <<'END'
#include <stddef.h>
#include <stdio.h>
int main(void)
{
#define SIZED(type, init) printf("%s sized %zu\n", #type, sizeof(type));
#define PLAIN(type) printf("%s plain %zu\n", #type, sizeof(type));
#define MEMBER(type, name) \
    printf("%s member %s %zu %zu\n", #type, #name, offsetof(type, name), sizeof(((type *)0)->name));
#define VALUE(type, name)
#include "structs.inc"
    return 0;
}
END
} >"$work/layout.c"
"$2" -std=c11 -I. -I"$work" "$work/layout.c" -o "$work/layout"
"$work/layout"
