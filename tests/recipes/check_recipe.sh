#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Runs the commands of a page of docs/recipes as a reader would, in the order of the page:
# check_recipe.sh [--accept] PAGE. Environment: RUGOSE (the program). Its working folder is fresh, and
# sees this tree's tests/data. Fails when a command does, when the page shows anything but what a block of
# commands prints on standard output and error together (so also at a warning that it does not show), when
# a link leads nowhere, and when README.md does not link a page beside it. --accept writes what is printed
# into the page; look at the difference.
set -eu

accept=false
if [ "${1-}" = --accept ]; then
    accept=true
    shift
fi
[ $# -eq 1 ] && [ -f "$1" ] || { echo "usage: check_recipe.sh [--accept] PAGE" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
page=$1
. "$here/../cli/normalise.sh"

work=$(mktemp -d "${TMPDIR:-/tmp}/rugose-recipe.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
mkdir -p "$work/tree/tests"
ln -s "$(cd "$here/../data" && pwd)" "$work/tree/tests/data"
failed=false
complain() {
    echo "$page: $*"
    failed=true
}

PATH=$(cd "$(dirname "$RUGOSE")" && pwd):$PATH
export PATH LC_ALL=C TZ=UTC
unset LANGUAGE OMP_NUM_THREADS COLUMNS || true

# The times of a machine and the bytes of a library's PNG are not compared, nor how wide columns are.
equal_columns() {
    normalise "$1" | awk '{
        $1 = $1
        if (NF == n) {
            for (i = 1; i <= NF; i++) if (i in masked) $i = "N"
        } else if (/(^| )(seconds|output_bytes)( |$)/) {
            split("", masked)
            for (i = n = NF; i; i--) if ($i == "seconds" || $i == "output_bytes") masked[i]
        } else
            n = -1
        print
    }'
}

blocks=$(awk -v work="$work" -f "$here/recipe.awk" "$page")
[ "$blocks" -gt 0 ] || complain "no commands"
k=1
while [ "$k" -le "$blocks" ]; do
    printf 'exec >"%s" 2>&1\n' "$work/is.$k"
    cat "$work/commands.$k"
    k=$((k + 1))
done >"$work/all.sh"
(cd "$work/tree" && sh -eu "$work/all.sh" </dev/null) || complain "a command fails"

k=1
while [ "$k" -le "$blocks" ] && [ -f "$work/is.$k" ]; do
    if ! $accept; then
        equal_columns "$work/shown.$k" >"$work/shown"
        equal_columns "$work/is.$k" >"$work/is"
        diff -u -L "shown below block $k" -L "printed by it" "$work/shown" "$work/is" ||
            complain "shows something else below block $k"
    elif $failed; then
        cat "$work/is.$k"
    fi
    k=$((k + 1))
done
if $accept && ! $failed; then
    awk -v accept=1 -v work="$work" -f "$here/recipe.awk" "$page" >"$work/page"
    cat "$work/page" >"$page"
fi

folder=$(dirname "$page")
links=$(sed -n 's/](/&\n/g; p' "$page" | sed -nE '/]\($/{n; s/^([^)#]*).*/\1/; p}')
for link in $links; do
    case $link in
    http*) ;;
    *) [ -e "$folder/$link" ] || complain "leads to $link, which is not there" ;;
    esac
done
if [ "$(basename "$page")" = README.md ]; then
    for other in "$folder"/*.md; do
        other=$(basename "$other")
        [ "$other" = README.md ] || echo "$links" | grep -qx "$other" || complain "does not link $other"
    done
fi
! $failed
