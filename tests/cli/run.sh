#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Runs one test of the program: run.sh [--accept] FOLDER/NAME. Environment: RUGOSE (the program),
# TOOLS (the folder of make_image and check_json).
#
# The test is cases/FOLDER/NAME.sh, run by `sh -eu` after prelude.sh in a fresh folder, where `data`
# leads to tests/data. Its output, error output and exit status must be those of NAME.stdout,
# NAME.stderr (either may be missing: empty) and NAME.exit (missing: 0). --accept writes what came instead.
#
# What depends on the machine is made equal before comparing: the engine's name
# (cpu-avx512, cpu-avx2, cpu-ref), "N threads", times in ms and their spread, the version in JSON, and in numbers
# what libm's last digits may change: those of more than 11 digits are rounded to 10, and those
# below 1e-12 become 0. A line that the thread sanitizer's symbolizer prints is left out.
set -eu

accept=false
if [ "${1-}" = --accept ]; then
    accept=true
    shift
fi
[ $# -eq 1 ] || { echo "usage: run.sh [--accept] FOLDER/NAME" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
name=$1
test=$here/cases/$name
[ -f "$test.sh" ] || { echo "run.sh: there is no test $test.sh" >&2; exit 2; }
RUGOSE=$(cd "$(dirname "$RUGOSE")" && pwd)/$(basename "$RUGOSE")
TOOLS=$(cd "$TOOLS" && pwd)

work=$(mktemp -d "${TMPDIR:-/tmp}/rugose-cli.XXXXXX")
trap 'chmod -R u+rwX "$work" 2>/dev/null; rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
mkdir "$work/scratch"
chmod 755 "$work" "$work/scratch" # another user goes through, in the test of permissions
ln -s "$here/../data" "$work/scratch/data"

export RUGOSE TOOLS
export DATA=data LC_ALL=C TZ=UTC
unset LANGUAGE OMP_NUM_THREADS COLUMNS || true

status=0
(cd "$work/scratch" && exec sh -euc '. "$1"; . "$2"' sh "$here/prelude.sh" "$test.sh") \
    >"$work/stdout" 2>"$work/stderr" </dev/null || status=$?
echo "$status" >"$work/exit"

normalise() {
    sed -E -e '/^LLVMSymbolizer: |^==[0-9]+==WARNING: .*symbolizer!$/d' -e 's/cpu-(avx512|avx2|neon|ref)/ENGINE/g' -e 's/ENGINE +/ENGINE /g' \
        -e 's/engine +status/engine status/g' -e 's/[0-9]+ threads/N threads/g' \
        -e 's/[0-9.]+ ms/T ms/g' -e 's/spread [0-9.]+ %/spread P %/g' -e 's/"version": "[^"]*"/"version": "VERSION"/g' "$1" |
        awk '{
            out = ""
            while (match($0, /-?[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?/)) {
                word = substr($0, RSTART, RLENGTH)
                if ((word ~ /e-/ && word + 0 < 1e-12))
                    word = "0"
                else if (word ~ /\./ && length(word) > 12)
                    word = sprintf("%.10g", word + 0)
                out = out substr($0, 1, RSTART - 1) word
                $0 = substr($0, RSTART + RLENGTH)
            }
            print out $0
        }'
}

# What is expected of a stream: the file beside the test, or else what stands for it.
expected() {
    if [ -f "$test.$1" ]; then cat "$test.$1"; elif [ "$1" = exit ]; then echo 0; fi
}

failed=false
for part in stdout stderr exit; do
    normalise "$work/$part" >"$work/$part.is"
    if $accept; then
        cp "$work/$part.is" "$test.$part"
        case $part:$(cat "$test.$part") in
        stdout: | stderr: | exit:0) rm "$test.$part" ;;
        esac
        continue
    fi
    expected $part >"$work/$part.expected"
    diff -u -L "expected $part" -L "$part" "$work/$part.expected" "$work/$part.is" || failed=true
done
if $failed; then
    echo "run.sh: $name differs" >&2
    exit 1
fi
