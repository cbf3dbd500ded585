#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# What kernels become on GPUs, without one: compile_kernels.sh FOLDER <LIST, where the list is that of
# list_kernels. Compiles OpenCL C by clang and libclc to PTX, by ptxas to machine code of NVIDIA's sm_90,
# and to that of AMD's gfx906, two at once. A line for each kernel and vendor, tab-separated:
#
#   vendor, program, kernel, registers, bytes that are spilled, bytes of stack, bytes of local memory (without
#   that of arguments), group size of the source or 0, "ok"
#
# A program that does not compile has "FAILED" in the last column and the messages in FOLDER/PROGRAM.VENDOR.log.
# Functions of image objects, which libclc does not have, stay calls that nothing resolves: ptxas makes an
# object of those (-c), and for AMD the stack that they would take counts as 0.
# Without ptxas the lines of nvidia have "-" in the columns of numbers. The code stays in FOLDER: NAME.cubin, NAME.s.
# Exit status 77: clang or libclc is not there.
set -eu

folder=$1
for clc in "${LIBCLC-}" /usr/lib/clc /usr/share/clc /usr/lib/llvm-*/lib/clc; do
    [ -n "$clc" ] && [ -f "$clc/nvptx64--nvidiacl.bc" ] && [ -f "$clc/gfx906-amdgcn-mesa-mesa3d.bc" ] && break
    clc=
done
if ! command -v clang >/dev/null || [ -z "$clc" ]; then
    echo "LEFT OUT: clang or libclc is not installed, kernels were not compiled for GPUs" >&2
    exit 77
fi
PATH=$PATH:/usr/local/cuda/bin
ptxas=$(command -v ptxas || true)
nvptx=nvptx64--nvidiacl.bc amdgcn=gfx906-amdgcn-mesa-mesa3d.bc
export folder clc ptxas nvptx amdgcn

# libclc is 8 MB, which each program would read: leaves in FOLDER/clc what calls in these texts can name.
cut_libclc() {
    mkdir -p "$folder/clc"
    cat "$folder"/*.cl | grep -oE '\b[a-z][a-z0-9_]*[(]' | tr -d '(' | sort -u >"$folder/clc/names"
    for library in $nvptx $amdgcn; do
        llvm-nm --defined-only -f just-symbols "$clc/$library" | awk '
            NR == FNR { called[$1] = 1; next }
            { name = $1; sub(/^_Z[0-9]+/, "", name); n = substr($1, 3) + 0 }
            substr(name, 1, n) in called { print "--func=" $1 }' "$folder/clc/names" - >"$folder/clc/functions"
        xargs llvm-extract --recursive --rglob=. "$clc/$library" -o "$folder/clc/$library" \
            <"$folder/clc/functions"
    done
    export LIBCLC="$folder/clc"
}

one() {
    name=$1 options=$2 common='-x cl -cl-std=CL1.2 -O3 -w -Xclang -finclude-default-header'
    common="$common -Xclang -fdeclare-opencl-builtins -Xclang -mlink-builtin-bitcode"
    part=
    case $options in *-DPICTURE=3*) part=-c ;; esac
    # shellcheck disable=SC2086
    if clang $common -Xclang "$clc/$nvptx" -target nvptx64--nvidiacl $options -S \
        -o "$folder/$name.ptx" "$folder/$name.cl" >"$folder/$name.nvidia.log" 2>&1 &&
        { [ -z "$ptxas" ] || "$ptxas" -v $part -arch=sm_90 -o "$folder/$name.cubin" "$folder/$name.ptx" \
            >>"$folder/$name.nvidia.log" 2>&1; }; then
        awk -v name="$name" -v has="$ptxas" '
            FILENAME ~ /ptx$/ && /\.entry/ { kernel = $3; sub(/\(.*/, "", kernel); group[kernel] = 0 }
            FILENAME ~ /ptx$/ && /\.reqntid/ { gsub(/,/, ""); group[kernel] = $2 * ($3 > 1 ? $3 : 1) }
            /Compiling entry/ { split($0, part, "\047"); kernel = part[2] }
            /bytes stack frame/ { stack[kernel] = $1; spills[kernel] = $5 + $9 }
            /Used [0-9]+ registers/ {
                registers[kernel] = $0; sub(/.*Used /, "", registers[kernel]); sub(/ .*/, "", registers[kernel])
                memory[kernel] = 0
                if (match($0, /[0-9]+ bytes smem/)) memory[kernel] = substr($0, RSTART, RLENGTH) + 0
            }
            END {
                OFS = "\t"
                for (k in group) {
                    if (has == "") print "nvidia", name, k, "-", "-", "-", "-", group[k], "ok"
                    else print "nvidia", name, k, registers[k], spills[k] + 0, stack[k] + 0, memory[k], group[k], "ok"
                }
            }' "$folder/$name.ptx" "$folder/$name.nvidia.log"
    else
        printf 'nvidia\t%s\t-\t-\t-\t-\t-\t-\tFAILED\n' "$name"
    fi
    # shellcheck disable=SC2086
    if clang $common -Xclang "$clc/$amdgcn" -target amdgcn-mesa-mesa3d -mcpu=gfx906 \
        -mllvm -amdgpu-assume-external-call-stack-size=0 $options -S \
        -o "$folder/$name.s" "$folder/$name.cl" >"$folder/$name.amd.log" 2>&1; then
        awk -v name="$name" '
            /^\t\.amdgpu_hsa_kernel/ { kernel = $2 }
            /; NumVgprs:/ { registers = $3 }
            /; ScratchSize:/ { scratch = $3 }
            /; LDSByteSize:/ {
                OFS = "\t"
                if (kernel != "") print "amd", name, kernel, registers, scratch, scratch, $3, 0, "ok"
                kernel = ""
            }' "$folder/$name.s"
    else
        printf 'amd\t%s\t-\t-\t-\t-\t-\t-\tFAILED\n' "$name"
    fi
}

if [ $# -eq 3 ]; then
    one "$2" "$3"
else
    cut_libclc
    tr '\t' '\n' | tr '\n' '\0' | xargs -0 -n 2 -P 2 "$0" "$folder"
fi
