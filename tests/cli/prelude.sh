# SPDX-License-Identifier: BSD-3-Clause
#
# What the tests share; run.sh reads it before each. $RUGOSE, $DATA and $TOOLS are set.

make_image() { "$TOOLS/make_image" "$@"; }
check_json() { "$TOOLS/check_json" "$@"; }
check_page() { "$TOOLS/check_page" "$@"; }
recount() { "$TOOLS/recount" "$@"; }

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

# killed_behind N TABLE COMMAND...: a command that writes a table is killed when N inputs are finished,
# of which the next must take long; it is run again, from nothing, where that came too late.
killed_behind() {
    n=$1 log=$2.part.log
    shift 2
    while :; do
        "$@" 2>/dev/null &
        while kill -0 $! 2>/dev/null && ! grep -q "^{\"inputs\":$n," $log 2>/dev/null; do sleep 0.01; done
        kill -KILL $! 2>/dev/null || true
        wait $! 2>/dev/null || true
        rm -f .rugose-*
        if grep -q "^{\"inputs\":$n," $log 2>/dev/null && ! grep -q "^{\"inputs\":$((n + 1))," $log; then return; fi
        rm -f ./*.part ./*.part.log
    done
}

# same_in_parts N COMMAND...: measures in N parts; the tables of `merge` must be those of one run, byte for
# byte but for checksums, and so must be what is said on the way.
same_in_parts() {
    n=$1
    shift
    rm -rf parts
    mkdir parts
    for k in $(seq "$n"); do "$RUGOSE" "$@" --part "$k/$n" -q -o parts/$k.rgs 2>/dev/null || true; done
    for form in csv json; do
        status=0 merged=0
        "$RUGOSE" "$@" -o parts/one.$form 2>parts/one.err || status=$?
        "$RUGOSE" merge parts/*.rgs -o parts/all.$form 2>parts/all.err || merged=$?
        [ "$status" -eq "$merged" ] || echo "$form: exit status $merged, $status expected"
        if [ $form = json ]; then sed -i 's/"sha256": "[0-9a-f]*"/"sha256": null/' parts/one.json; fi
        cmp parts/one.$form parts/all.$form || true
        diff parts/one.err parts/all.err || true
    done
    echo "$1 in $n"
}

# The value of a column in the first row of a CSV file without quotes.
column() {
    awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i }
        NR == 2 { print $c }' "$1"
}

# The values of a cascade for make_image: from one pixel, each is replaced by 2 x 2 pixels, six
# times, with the factors 4, 3 / 2, 1. 64 x 64 whole numbers from 1 to 4096, whose sum is 10^6.
cascade_values() {
    awk 'BEGIN {
        for (y = 0; y < 64; y++)
            for (x = 0; x < 64; x++) {
                value = 1
                for (b = 1; b < 64; b *= 2) value *= 4 - 2 * (int(y / b) % 2) - int(x / b) % 2
                printf "%s%d", n++ ? "," : "", value
            }
    }'
}

# compare_sums CSV TSV: the table of `rugose multifractal --moments` of one image against a
# golden table of Z, whose column q1 is the sum of p ln p. Says how many agree to 1e-9; those that
# differ are shown.
compare_sums() {
    awk '
        FNR == 1 { file++ }
        /^#/ { next }
        file == 1 { split($0, f, ","); boxes[f[3]] = f[4]; sum[f[2], f[3]] = f[2] == 1 ? f[7] : f[5]; next }
        { n = split($0, f, "\t") }
        !known { known = n; for (i = 1; i <= n; i++) name[i] = substr(f[i], 2); next }
        {
            rows++
            if (boxes[f[1]] != f[2]) print "size " f[1] ": " boxes[f[1]] " boxes instead of " f[2]
            for (i = 3; i <= known; i++) {
                is = sum[name[i], f[1]]
                bound = 1e-9 * (f[i] < 0 ? -f[i] : f[i])
                if (is == "" || is - f[i] > bound || f[i] - is > bound)
                    print "size " f[1] ", q " name[i] ": " is " instead of " f[i]
                else agree++
            }
        }
        END { print rows " sizes, " agree + 0 " sums agree to 1e-9" }
    ' "$1" "$2"
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
