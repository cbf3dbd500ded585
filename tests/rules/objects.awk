# SPDX-License-Identifier: BSD-3-Clause
#
# The arrows between files, from the symbols of their objects; part of check_objects.sh, which says what is
# checked. Runs after house.awk, and reads `nm -A -P -g`.

# The source of an object. A file for each level of processors is made of NAME_simd.c; each is a source.
function source_of(object,   name) {
    name = base(object)
    sub(/\.o:?$/, "", name)
    if (name in only) return only[name]
    sub(/_(ref|avx2|avx512)\.c$/, "_simd.c", name)
    return name in only ? only[name] : ""
}

# The shortest way from a file back to itself, by breadth; "" when there is none.
function circle_of(start,   queue, head, tail, from, at, to, n, i, next_files) {
    head = tail = 1
    queue[1] = start
    from[start] = ""
    while (head <= tail) {
        at = queue[head++]
        n = split(arrows[at], next_files, " ")
        for (i = 1; i <= n; i++) {
            to = next_files[i]
            if (to == start) return way(from, at, start) arrow(at, to)
            if (to in from) continue
            from[to] = at
            queue[++tail] = to
        }
    }
    return ""
}
function arrow(a, b) { return " -(" by[a, b] ")-> " b }
function way(from, at, start) {
    return at == start ? start : way(from, from[at], start) arrow(from[at], at)
}

{
    file = source_of($1)
    if (file == "") next # kernels of devices as text
    if ($3 == "U") used[file, $2] = 1
    else { defined[$2] = file; files[file] = 1 }
}

END {
    for (key in used) {
        split(key, pair, SUBSEP)
        file = pair[1]; symbol = pair[2]
        if (!(symbol in defined) || defined[symbol] == file) continue
        other = defined[symbol]
        n_users[symbol]++
        if (!((file, other) in by)) {
            by[file, other] = symbol
            arrows[file] = arrows[file] " " other
        }
    }
    for (key in by) {
        split(key, pair, SUBSEP)
        if (part(pair[1]) != part(pair[2])) continue
        a = part(pair[1]) SUBSEP inner(pair[1]); b = part(pair[2]) SUBSEP inner(pair[2])
        if (a in floor && b in floor && floor[b] > floor[a]) {
            print pair[1] ": uses " by[key] " of " pair[2] ", in a room above"
            failed = 1
        }
    }
    for (file in files) {
        text = circle_of(file)
        if (text == "") continue
        length_of = split(text, word, " ")
        n_circles++
        if (shortest == "" || length_of < shortest_length) { shortest = text; shortest_length = length_of }
    }
    if (shortest != "") {
        print n_circles " files need themselves; the shortest circle: " shortest
        failed = 1
    }
    for (symbol in defined) if (symbol !~ /^(rug_|rugi_cl_|main$)/) {
        n_internal++
        if (n_users[symbol] == 1) n_single++
    }
    print n_internal " internal functions and tables, " n_single + 0 " for one other file; " \
        n_circles + 0 " files in circles"
    if (n_internal > 100 && n_single > 0.40 * n_internal) {
        print "at most 40 % of the internal functions and tables for one other file expected"
        failed = 1
    }
    exit failed
}
