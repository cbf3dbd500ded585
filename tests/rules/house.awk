# SPDX-License-Identifier: BSD-3-Clause
#
# The house as scripts see it: parts, their rooms in the order of the floors, and includes. Variables: `list`,
# a file that names all sources of the tree; `rows`, a file of declared rooms (check_rules.sh ROOT rows).

function base(path) { sub(/.*\//, "", path); return path }
function folder(path) { return path ~ /\// ? substr(path, 1, length(path) - length(base(path)) - 1) : "." }

# The part of the house that a file is in: include, src/core, src/ocl, src/methods/NAME, src/io, cli ...
function part(path,   p) {
    split(path, p, "/")
    if (p[1] != "src") return p[1]
    return p[2] == "methods" ? "src/methods/" p[3] : "src/" p[2]
}

# Its room within that part; "." for a file of the part's own folder.
function inner(path,   f, p) {
    f = folder(path); p = part(path)
    return f == p ? "." : substr(f, length(p) + 2)
}

# The file that a quoted include means: in the folder of the includer, or by its path from src,
# src/methods, cli, bench or tests/support.
function resolve(name,   i, n, roots, path) {
    while (sub(/[^\/]+\/\.\.\//, "", name) || sub(/^\.\.\//, "", name)) {}
    path = folder(FILENAME) "/" name
    if (path in known) return path
    n = split("src/ src/methods/ cli/ bench/ tests/support/ fuzz/", roots, " ")
    for (i = 1; i <= n; i++)
        if ((roots[i] name) in known) return roots[i] name
    return base(name) in only ? only[base(name)] : ""
}

# Whether the line at hand is an include; then `included` is its name, and `is_quoted` says how.
function is_include() {
    if ($0 !~ /^[ \t]*#[ \t]*include[ \t]*["<]/) return 0
    included = $0
    sub(/^[ \t]*#[ \t]*include[ \t]*/, "", included)
    is_quoted = substr(included, 1, 1) == "\""
    included = substr(included, 2)
    sub(/[">].*/, "", included)
    return 1
}

BEGIN {
    while ((getline path < list) > 0) {
        known[path] = 1
        only[base(path)] = path
    }
    while ((getline row < rows) > 0) {
        n = split(row, word, " ")
        declared[word[1]] = 1
        for (i = 2; i <= n; i++) floor[word[1] SUBSEP word[i]] = i - 1
        n_rooms[word[1]] = n - 1
    }
}
