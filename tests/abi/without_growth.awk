# SPDX-License-Identifier: BSD-3-Clause
#
# Prints the description of an interface without what may be new in it: members at the end of a struct
# beyond those that the kept one has, and values of an enum that it lacks.
#
#     awk -f without_growth.awk frozen.txt KEPT.abi THIS.abi
#
# Frozen structs stay as they are.

function attribute(name) {
    return match($0, " " name "='[^']*'") ? \
        substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 4) : ""
}

FNR == 1 { file++ }
file == 1 { frozen[$1] = 1; next }
/^ *<(class|enum)-decl / && !/\/>$/ {
    type = attribute("name")
    n = 0
    if (file == 2)
        size[type] = attribute("size-in-bits") + 0
    grows = file == 3 && type in size && !(type in frozen)
    if (grows && attribute("size-in-bits") + 0 > size[type])
        sub(/ size-in-bits='[^']*'/, " size-in-bits='" size[type] "'")
}
/^ *<data-member / {
    n++
    if (file == 2)
        members[type] = n
}
/^ *<enumerator / {
    if (file == 2)
        known[type, attribute("name")] = 1
    else if (grows && !((type, attribute("name")) in known))
        next
}
/^ *<\/(class|enum)-decl>/ { grows = 0 }
file == 3 && !(grows && n > members[type]) { print }
