# SPDX-License-Identifier: BSD-3-Clause
#
# Who may include whom; part of check_rules.sh, which says the rules. Runs after house.awk, and reads
# C files. Prints a line for each breach.

function breach(what) { print FILENAME ": " what }

# Benchmarks that time what lies below a public call.
function below_the_call(file, other) {
    if (file ~ /^bench\/boxcount\/bench_(window|points|hou_[a-z]+)\.[ch]$/)
        return other == "src/methods/boxcount" || other == "src/core"
    if (file == "bench/bench_device.c") return other == "src/ocl"
    if (file == "bench/glcm/bench_glcm_paper.c") return other == "src/methods/glcm"
    return file ~ /^bench\/bench_lbp(_cl)?\.c$/ && other == "src/methods/lbp"
}

# Headers below the public ones that others see: numbers as text and sized structs, for librugose-io and the
# program; files on disk, libraries that are loaded, UTF-8 and states as bytes, for the program.
function is_leaf(from, path) {
    if (from != "src/io" && from != "cli") return 0
    if (path ~ /^src\/core\/(image\/number|context\/(names|sized|threads))\.h$/) return 1
    return from == "cli" && (path ~ /^src\/io\/base\/(disk|library|utf8)\.h$/ || path == "src/core/state/state.h")
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
    if (from == "fuzz" && path ~ /^cli\/tables\//) return
    if (is_leaf(from, path) || below_the_call(FILENAME, to)) return
    if (from ~ /^src\/methods\// && (to == "src/core" || to == "src/ocl")) return
    if (from == "src/ocl" && to == "src/core") return
    breach("includes \"" name "\" of " to)
}

function check_system(name,   here) {
    here = part(FILENAME)
    if (name == "rugose/io.h" && here ~ /^src\/(core|ocl|methods)/)
        breach("includes <" name ">, the layer above")
    if (name ~ /^(vips\/|tiff.*\.h|nifti|isa-l\/|bzlib\.h|zlib\.h|csv\.h|json|openssl\/|glib|gio\/|gobject\/)/ && here != "src/io" &&
        FILENAME !~ /^cli\/(tables|plots)\//)
        breach("includes <" name ">, which src/io, cli/tables and cli/plots alone may see")
    if (name ~ /^CL\// && here != "src/ocl" && FILENAME !~ /^src\/methods\/.*_cl\.c$/)
        breach("includes <" name ">, which src/ocl and *_cl.c alone may see")
    if (name == "omp.h" && here != "bench")
        breach("includes <" name ">, which bench alone may see")
}

is_include() {
    if (is_quoted) check_own(included); else check_system(included)
}
