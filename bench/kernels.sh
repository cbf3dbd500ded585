#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# What kernels become on a GPU of NVIDIA's sm_90, without one: bench/kernels.sh [LIST_KERNELS [PATTERN]], where
# the first is build/release/tests/list_kernels unless stated, and the pattern is of `awk`, for lines of its
# list ("NAME.N<tab>OPTIONS"). Needs clang, libclc, ptxas, and cuobjdump and nvdisasm for what is counted in
# the machine code. A line for each kernel, tab-separated:
#
#   kernel, options, registers, spilled bytes, local memory (of the source; arguments come on top), group,
#   warps of the 64 of a multiprocessor that its registers and that memory leave room for,
#   instructions, those of a loop that has no loop inside (that with the most FFMA, else the longest), and
#   of these the share of FFMA
#
# Instructions are counted as they stand in the code: what runs is for a reader to derive, by trip counts.
set -eu

cd "$(dirname "$0")/.."
lister=${1-build/release/tests/list_kernels}
usual='PIXEL_TYPE=1 |KEY_BYTES=1$|PICTURE=1 -DPIXEL=1 .*VARIANCE=0|SYMMETRIC=1 -DFRAME=0|IN_BYTES=1 '
usual="$usual|PIXEL=1 -DMEASURE=2|MEASURE=. -DWIDE=0 -DWINDOWS=4|SIZE=|KEY_BITS=64 -DPLACE_BITS=32 -DIS_WIDE=1"
usual="$usual|^ocl_scan\\\\.|^ocl_sort_wide|^ifs_decode"
pattern=${2-$usual}
work=$(mktemp -d "${TMPDIR:-/tmp}/rugose-kernels.XXXXXX")
trap 'rm -rf "$work"' EXIT
PATH=$PATH:/usr/local/cuda/bin

"$lister" "$work" | awk -v pattern="$pattern" '$0 ~ pattern' >"$work/list"
tests/kernels/compile_kernels.sh "$work" <"$work/list" >"$work/table"
while IFS='	' read -r name options; do
    [ -f "$work/$name.cubin" ] || continue
    { cuobjdump -sass "$work/$name.cubin" 2>/dev/null || true; } | awk -v name="$name" '
        function number(hex,   i, n) {
            for (i = 1; i <= length(hex); i++) n = 16 * n + index("0123456789abcdef", substr(hex, i, 1)) - 1
            return n
        }
        function finish(   i, j, from, best, most, share, inside, ffma) {
            if (kernel == "") return
            for (i = 1; i <= n; i++) if (op[i] ~ /^BRA/ && target[i] != "" && number(target[i]) < at[i]) {
                inside = ffma = 0
                from = number(target[i])
                for (j = 1; j < i; j++) if (at[j] >= from) {
                    if (op[j] ~ /^BRA/ && target[j] != "" && number(target[j]) <= at[j] && \
                        number(target[j]) >= from) { inside = -1; break }
                    inside++
                    if (op[j] ~ /^FFMA/) ffma++
                }
                if (inside < 0 || ffma < most || (ffma == most && inside + 1 <= best)) continue
                best = inside + 1
                most = ffma
                share = ffma / best
            }
            # What follows the last EXIT is padding.
            for (i = n; i > 0 && op[i] ~ /^(NOP|BRA)/; i--) ;
            printf "%s\t%s\t%d\t%d\t%.0f%%\n", name, kernel, i, best, 100 * share
        }
        /Function :/ { finish(); kernel = $3; n = 0; split("", op); split("", target) }
        match($0, /\/\*[0-9a-f][0-9a-f][0-9a-f][0-9a-f]+\*\/ .*;/) {
            text = substr($0, RSTART, RLENGTH)
            n++
            address = substr(text, 3); sub(/\*.*/, "", address); at[n] = number(address)
            sub(/^[^ ]* */, "", text); sub(/^@!?U?P[0-9T]* /, "", text)
            op[n] = text; sub(/[ ;].*/, "", op[n])
            target[n] = ""
            if (match(text, /0x[0-9a-f]+/)) target[n] = substr(text, RSTART + 2, RLENGTH - 2)
        }
        END { finish() }' >>"$work/code"
done <"$work/list"
touch "$work/code"

printf 'kernel\toptions\tregisters\tspilled\tlocal memory\tgroup\twarps of 64\tinstructions\tof a loop\tFFMA\n'
awk -F'\t' '
    FILENAME ~ /list$/ { options[$1] = $2; gsub(/-D/, "", options[$1]); next }
    FILENAME ~ /code$/ { code[$1, $2] = $3 "\t" $4 "\t" $5; next }
    $1 == "nvidia" && $9 == "ok" && $4 != "-" {
        group = $8 > 0 ? $8 : 256
        if ($3 ~ /^glcm/) group = 128
        if ($3 ~ /^masses_(join|count)$/) group = 64
        # 65536 registers, a warp takes them in units of 256; 228 KiB of local memory, 1 KiB of a group for itself.
        warps = group / 32
        of_warp = int(($4 * 32 + 255) / 256) * 256
        groups = int(int(65536 / of_warp) / warps)
        by_memory = int(228 * 1024 / ($7 + 1024))
        if (by_memory < groups) groups = by_memory
        all = groups * warps > 64 ? int(64 / warps) * warps : groups * warps
        text = ($2, $3) in code ? code[$2, $3] : "-\t-\t-"
        print $3 "\t" options[$2] "\t" $4 "\t" $5 "\t" $7 "\t" group "\t" all "\t" text
    }' "$work/list" "$work/code" "$work/table" | sort
