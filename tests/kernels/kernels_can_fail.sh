#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Proves that check_kernels.sh finds what it is for: a kernel that does not compile, one with more variables
# than registers, one with an array on the stack, one that does not compile where a stack is by design; and
# that a plain kernel passes.
# Exit status 77: clang or libclc is not there.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/rugose-kernels.XXXXXX")
trap 'rm -rf "$work"' EXIT
failed=0

# kernel NAME TEXT WHAT-IS-SAID; nothing is said where it passes.
kernel() {
    printf '%s\n' "$2" >"$work/$1.cl"
    printf '%s\t-DSIZE=%s\n' "$1" 64 >"$work/list"
    "$here/compile_kernels.sh" "$work" <"$work/list" >"$work/table" || exit $?
    status=0
    "$here/judge_kernels.sh" "$work" >"$work/said" || status=$?
    if [ -z "$3" ] && [ $status -eq 0 ]; then return; fi
    if [ -n "$3" ] && [ $status -ne 0 ] && grep -q "$3" "$work/said"; then return; fi
    echo "$1: exit status $status, said: $(cat "$work/said"); expected: $3"
    failed=1
}

kernel plain '__kernel void k(__global int *x) { x[get_global_id(0)] += SIZE; }' ''
kernel broken '__kernel void k(__global int *x) { x[0] = nothing; }' 'FAILED'
kernel ocl_sort_chunks.000 '__kernel void k(__global int *x) { x[0] = nothing; }' 'FAILED'
kernel stack '__kernel void k(__global int *x) {
    int a[SIZE];
    for (int i = 0; i < SIZE; i++) a[i] = x[i];
    for (int i = 0; i < 9; i++) a[x[i + 99] & 63] += x[i] + a[x[i] & 63];
    x[0] = a[x[1] & 63];
}' 'of stack'
awk 'BEGIN {
    print "__kernel void k(__global int *x) {"
    for (i = 0; i < 400; i++) printf "int a%d = x[%d];\n", i, i
    print "for (int r = 0; r < x[999]; r++) {"
    for (i = 0; i < 400; i++) printf "a%d = a%d * a%d + r;\n", i, i, (i * 7 + 1) % 400
    print "}"
    for (i = 0; i < 400; i++) printf "x[%d] = a%d;\n", i, i
    print "}" }' >"$work/many"
kernel spills "$(cat "$work/many")" 'bytes spilled'
exit $failed
