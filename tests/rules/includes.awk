# SPDX-License-Identifier: BSD-3-Clause
#
# Who may include whom; part of check_rules.sh, which says the rules. Reads C files; `list` names all
# sources of the tree, `rows` has the declared rooms. Prints a line for each breach.

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

function breach(what) { print FILENAME ": " what }

# Benchmarks that time what lies below a public call.
function below_the_call(file, other) {
    if (file ~ /^bench\/boxcount\/bench_(window|points|hou_[a-z]+)\.[ch]$/)
        return other == "src/methods/boxcount" || other == "src/core"
    if (file == "bench/bench_device.c") return other == "src/ocl"
    return file ~ /^bench\/bench_lbp(_cl)?\.c$/ && other == "src/methods/lbp"
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

function check_own(name,   path, from, to, a, b) {
    path = resolve(name)
    if (path == "") { breach("includes \"" name "\", which is nowhere"); return }
    from = part(FILENAME); to = part(path)
    if (from == to) {
        a = from SUBSEP inner(FILENAME); b = to SUBSEP inner(path)
        if (a == b || !(from in declared)) return
        if (!(a in floor)) breach("is in a room that no row declares")
        else if (!(b in floor)) breach("includes \"" name "\" of a room that no row declares")
        else if (floor[b] > floor[a]) breach("includes \"" name "\" of " to "/" inner(path) ", a room above")
        return
    }
    if (from == "bench" && path ~ /^tests\/support\/naive_[a-z]+\.h$/) return
    if (below_the_call(FILENAME, to)) return
    if (from ~ /^src\/methods\// && (to == "src/core" || to == "src/ocl")) return
    if (from == "src/ocl" && to == "src/core") return
    breach("includes \"" name "\" of " to)
}

function check_system(name,   here) {
    here = part(FILENAME)
    if (name == "rugose/io.h" && here ~ /^src\/(core|ocl|methods)/)
        breach("includes <" name ">, the layer above")
    if (name ~ /^(vips\/|tiff.*\.h|nifti|zlib\.h|csv\.h|json|glib|gio\/|gobject\/)/ && here != "src/io")
        breach("includes <" name ">, which src/io alone may see")
    if (name ~ /^CL\// && here != "src/ocl" && FILENAME !~ /^src\/methods\/.*_cl\.c$/)
        breach("includes <" name ">, which src/ocl and *_cl.c alone may see")
    if (name == "omp.h" && here != "bench" && FILENAME != "src/core/context/threads.c")
        breach("includes <" name ">, which src/core/context/threads.c and bench alone may see")
}

BEGIN {
    while ((getline path < list) > 0) {
        known[path] = 1
        only[base(path)] = path
    }
    while ((getline row < rows) > 0) {
        n = split(row, word, " ")
        declared[word[1]] = 1
        for (i = 2; i <= n; i++) floor[word[1] SUBSEP word[i]] = i
    }
}

/^[ \t]*#[ \t]*include[ \t]*["<]/ {
    name = $0
    sub(/^[ \t]*#[ \t]*include[ \t]*/, "", name)
    quoted = substr(name, 1, 1) == "\""
    name = substr(name, 2)
    sub(/[">].*/, "", name)
    if (quoted) check_own(name); else check_system(name)
}
