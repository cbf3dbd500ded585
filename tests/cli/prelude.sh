# SPDX-License-Identifier: BSD-3-Clause
#
# What the tests share; run.sh reads it before each. $RUGOSE, $DATA and $TOOLS are set.

make_image() { "$TOOLS/make_image" "$@"; }
check_json() { "$TOOLS/check_json" "$@"; }

# json_values FILE KEY...: the values of a JSON file, a line each.
json_values() {
    json=$1
    shift
    for key in "$@"; do echo "$key: $(check_json "$json" "$key")"; done
}

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

# compare_golden CSV TSV BASE: the features of `rugose haralick -f csv` against a table of
# golden values, whose levels are numbered from 0 and not from BASE. Says how many agree to
# 1e-9, and how many are nan here; those that differ are shown.
compare_golden() {
    awk -v base="$3" '
        FNR == 1 { file++ }
        /^#/ { next }
        { n = split($0, f, file == 1 ? "," : "\t") }
        file == 1 { ours[f[2], f[5]] = ours[f[2], "mean"] = $0; next }
        !known { known = n; for (i = 1; i <= n; i++) name[i] = f[i]; next }
        {
            n_golden++
            key = name[2] == "direction" ? f[2] : "mean"
            if (!((f[1], key) in ours)) { print "missing: label " f[1] ", angle " key; next }
            split(ours[f[1], key], o, ",")
            pairs = 0
            for (i = 1; i <= known; i++) {
                if (name[i] ~ /^pairs/) pairs += f[i]
                if (name[i] !~ /^f[0-9]+_/) continue
                number = substr(name[i], 2) + 0
                is = o[7 + number]
                wanted = f[i] + (number == 6 ? 2 * base : 0)
                if (is == "nan") { undefined++; continue }
                difference = is - wanted
                bound = 1e-9 * (wanted > 1 ? wanted : wanted < -1 ? -wanted : 1)
                if (f[i] == "nan" || difference > bound || -difference > bound)
                    print "label " f[1] ", " key ", " name[i] ": " is " instead of " wanted
                else agree++
            }
            if (pairs != 2 * o[6]) print "label " f[1] ", " key ": " o[6] " pairs, " pairs / 2 " expected"
        }
        END { print n_golden " rows, " agree " numbers agree to 1e-9, " undefined + 0 " are nan" }
    ' "$1" "$2"
}
