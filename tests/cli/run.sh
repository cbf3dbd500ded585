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
# normalise.sh says what is made equal before comparing, since it depends on the machine.
set -eu

accept=false
if [ "${1-}" = --accept ]; then
    accept=true
    shift
fi
[ $# -eq 1 ] || { echo "usage: run.sh [--accept] FOLDER/NAME" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
. "$here/normalise.sh"
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
