#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Compiles the programs that engines can ask a device for, for GPUs of two vendors (compile_kernels.sh):
# check_kernels.sh LIST_KERNELS SRC. Each must compile, and keep its variables in registers: a byte that is
# spilled, or of stack that is not in the list below, is a failure. A family of programs that LIST_KERNELS does
# not know, or a kernel that is made without one, is a failure too. Without ptxas only AMD's numbers are checked.
# Exit status 77: clang or libclc is not there, which under CI=true is a failure.
set -eu

lister=$1 src=$2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/rugose-kernels.XXXXXX")
trap 'rm -rf "$work"' EXIT
failed=0

grep -rhoE '^extern const rugi_ocl_family rugi_cl_[a-z_]+_family' "$src" --include='*.c' |
    sed 's/.*rugi_cl_//; s/_family$//' | sort >"$work/in_source"
"$lister" "$work" names | sort >"$work/known"
if ! diff "$work/in_source" "$work/known"; then
    echo "families of programs in the sources (<), and those of list_kernels.c (>)"
    failed=1
fi
if grep -rln 'rugi_ocl_kernel_get(' "$src" --include='*.c' | grep -vE '/(ocl_program|ocl_sort)\.c$'; then
    echo "kernels that are not of a family"
    failed=1
fi

# In numbers of windows of alpha the code differs by the lengths of loops alone: the fewest, the default, one
# more, and the most. Of the integers that lbp reads, which take as many registers, one type in turn for each
# set of other options.
"$lister" "$work" >"$work/all"
awk -F'\t' '
    { is_integer = $1 ~ /^lbp\./ && $2 ~ /PIXEL=[134] /; others = $2; sub(/PIXEL=[0-9]*/, "", others) }
    NR == FNR { types[others] += is_integer; next }
    $2 ~ /WINDOWS=/ && $2 !~ /WINDOWS=(2|4|5|16)$/ { next }
    is_integer && !(others in turn) { turn[others] = n++ % types[others] }
    !is_integer || seen[others]++ == turn[others]' "$work/all" "$work/all" >"$work/list"
status=0
"$here/compile_kernels.sh" "$work" <"$work/list" >"$work/table" || status=$?
if [ $status -eq 77 ]; then
    [ "${CI-}" != true ] || exit 1
    exit 77
fi
[ $status -eq 0 ] || exit 1
"$here/judge_kernels.sh" "$work" || failed=1

# Each program has come, for both.
for vendor in nvidia amd; do
    cut -f 1 "$work/list" | sort >"$work/wanted"
    awk -F'\t' -v vendor=$vendor '$1 == vendor {print $2}' "$work/table" | sort -u >"$work/came"
    diff "$work/wanted" "$work/came" || failed=1
done
echo "compiled $(wc -l <"$work/list") programs of $(wc -l <"$work/all"), for each vendor: \
$(grep -c ^nvidia "$work/table") kernels for nvidia, $(grep -c ^amd "$work/table") for amd"
exit $failed
