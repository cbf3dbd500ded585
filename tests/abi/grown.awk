# SPDX-License-Identifier: BSD-3-Clause
#
# Whether structs have only grown, by the rules of docs/abi.md, from one table of layout.sh to the next:
# awk -f grown.awk frozen.txt BEFORE AFTER. Each breach is a line.
#
#   members stay where they are; frozen structs and the type of a struct (sized or not) do not change;
#   new members begin behind all bytes of the struct before, and, in a struct with a size, leave no gap
#   there, neither between them nor at its end: bytes without a name could hold anything.

function complain(text) { print text; failed = 1 }

FNR == 1 { file++ }
file == 1 { frozen[$1] = 1; next }
file == 2 && $2 == "member" { offset[$1, $3] = $4; bytes[$1, $3] = $5; next }
file == 2 { kind[$1] = $2; size[$1] = $3; next }
$2 != "member" {
    seen[$1] = 1
    if (!($1 in kind))
        next
    if ($2 != kind[$1])
        complain($1 ": is " $2 ", was " kind[$1])
    if ($3 < size[$1])
        complain($1 ": has " $3 " bytes, had " size[$1])
    else if ($3 > size[$1]) {
        if ($1 in frozen)
            complain($1 ": is frozen and has grown")
        grown[$1] = $3 - size[$1]
    }
    next
}
($1, $3) in offset {
    found[$1, $3] = 1
    if ($4 != offset[$1, $3] || $5 != bytes[$1, $3])
        complain($1 ": " $3 " has " $5 " bytes at " $4 ", had " bytes[$1, $3] " at " offset[$1, $3])
    next
}
$1 in kind {
    if ($4 < size[$1])
        complain($1 ": " $3 " is new and lies at " $4 ", inside of the " size[$1] " bytes before")
    else
        grown[$1] -= $5
}
END {
    for (name in kind)
        if (!(name in seen))
            complain(name ": is gone")
    for (key in offset)
        if (!(key in found)) {
            split(key, part, SUBSEP)
            if (part[1] in seen)
                complain(part[1] ": " part[2] " is gone")
        }
    for (name in grown)
        if (kind[name] == "sized" && grown[name] > 0)
            complain(name ": " grown[name] " of its new bytes have no name")
    for (name in frozen)
        if (!(name in seen) && kind["rug_image"] != "")
            complain(name ": is called frozen and does not exist")
    exit failed
}
