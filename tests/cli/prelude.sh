# SPDX-License-Identifier: BSD-3-Clause
#
# What the tests share; run.sh reads it before each. $RUGOSE, $DATA and $TOOLS are set.

make_image() { "$TOOLS/make_image" "$@"; }
check_json() { "$TOOLS/check_json" "$@"; }

# A title on both streams, so that a difference shows which command it comes from.
title() {
    echo "== $*"
    echo "== $*" >&2
}

# exits STATUS COMMAND...: runs a command that must end with that status.
exits() {
    wanted=$1
    shift
    got=0
    "$@" || got=$?
    [ "$got" -eq "$wanted" ] || echo "exit status $got, $wanted expected: $*"
}

# The value of a column in the first row of a CSV file without quotes.
column() {
    awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i }
        NR == 2 { print $c }' "$1"
}
