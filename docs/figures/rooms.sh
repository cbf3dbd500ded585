#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Draws the rooms of the house and the arrows between them, from the rows that declare the rooms and from the
# includes: docs/figures/rooms.sh [FILE]. Writes docs/images/rooms.svg, or FILE.
set -eu
out=${1:-docs/images/rooms.svg}
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tests/rules/check_rules.sh . rows >"$work/rows"
find include src cli -name '*.[ch]' -o -name '*.cl' | LC_ALL=C sort | grep -E '^(include|src|cli)/' >"$work/list"
# shellcheck disable=SC2046 # file names of the tree have no blanks
awk -v rows="$work/rows" -v list="$work/list" -f tests/rules/house.awk -f docs/figures/rooms.awk \
    $(cat "$work/list") >"$work/rooms.svg"
mv "$work/rooms.svg" "$out"
