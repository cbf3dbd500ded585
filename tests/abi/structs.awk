# SPDX-License-Identifier: BSD-3-Clause
#
# Lists the transparent structs and the enums of public headers, as macros for C:
# awk -f structs.awk HEADER...
#
#     SIZED(rug_x, RUG_X_INIT)  a struct that begins with its size
#     PLAIN(rug_y)              any other
#     MEMBER(rug_x, name)       each of their members, after its struct
#     VALUE(rug_z, RUG_Z_ONE)   each value of an enum
#
# A struct with a size inside of another one and one without an INIT macro are errors; with -v strict=1 an
# enum without a function rug_z_name() is one, too.

function without_comments(text,    at, end) {
    while ((at = index(text, "/*")) > 0) {
        end = index(substr(text, at + 2), "*/")
        text = substr(text, 1, at - 1) " " (end ? substr(text, at + end + 3) : "")
    }
    return text
}
function complain(text) {
    print "structs.awk: " text >"/dev/stderr"
    failed = 1
}

FNR == 1 { struct = enum = "" }
/rug_[a-z0-9_]*_name\(/ {
    match($0, /rug_[a-z0-9_]*_name\(/)
    has_name[substr($0, RSTART, RLENGTH - 1)] = 1
}
/^typedef enum rug_[a-z0-9_]+ \{/ {
    enum = $3
    enums[++n_enums] = enum
    next
}
/^\} / { enum = "" }
enum != "" && /^ *RUG_[A-Z0-9_]+( =|,|$)/ {
    match($0, /RUG_[A-Z0-9_]+/)
    values[++n_values] = enum ", " substr($0, RSTART, RLENGTH)
}
/^#define RUG_[A-Z0-9_]*_INIT( |$)/ { has_init[$2] = 1 }
/^typedef struct [a-z0-9_]+ \{/ {
    struct = $3
    order[++n_structs] = struct
    body = ""
    next
}
struct != "" && /^\} / {
    bodies[struct] = without_comments(body)
    struct = ""
}
struct != "" { body = body "\n" $0 }

END {
    for (i = 1; i <= n_structs; i++)
        if (bodies[order[i]] ~ /^[ \n]*size_t struct_size;/)
            sized[order[i]] = 1
    for (i = 1; i <= n_structs; i++) {
        struct = order[i]
        init = toupper(struct) "_INIT"
        if (!(struct in sized))
            printf "PLAIN(%s)\n", struct
        else if (init in has_init)
            printf "SIZED(%s, %s)\n", struct, init
        else
            complain(struct " has no " init)
        n = split(bodies[struct], declarations, ";")
        for (k = 1; k < n; k++) {
            text = declarations[k]
            gsub(/[ \n]+/, " ", text)
            sub(/^ /, "", text)
            split(text, words, " ")
            if ((words[1] in sized) && text !~ /\*/)
                complain(words[1] " has a size and stands inside of " struct)
            if (match(text, /\(\*[a-z0-9_]+\)/)) {
                n_names = split(substr(text, RSTART + 2, RLENGTH - 3), names, ",")
            } else
                n_names = split(text, names, ",")
            for (m = 1; m <= n_names; m++) {
                sub(/ *\[.*/, "", names[m])
                sub(/ *$/, "", names[m])
                sub(/.*[ *]/, "", names[m])
                printf "MEMBER(%s, %s)\n", struct, names[m]
            }
        }
    }
    for (i = 1; i <= n_enums; i++)
        if (strict && !((enums[i] "_name") in has_name))
            complain(enums[i] " has no " enums[i] "_name()")
    for (i = 1; i <= n_values; i++) {
        split(values[i], pair, ", ")
        if ((pair[1] "_name") in has_name)
            printf "VALUE(%s)\n", values[i]
    }
    exit failed
}
