# SPDX-License-Identifier: BSD-3-Clause
#
# Prints a public header as a later version might have it: each struct that begins with its size has a
# member more, next_member, whose default is 0: awk -f grow.awk HEADER

/^typedef struct [a-z0-9_]+ \{/ { struct = $3 }
/^ *size_t struct_size;/ { grows[toupper(struct) "_INIT"] = 1 }
/^\} / && (toupper(struct) "_INIT") in grows { print "    size_t next_member;" }
/^\}/ { struct = "" }
/^#define RUG_[A-Z0-9_]*_INIT( |$)/ { in_init = $2 in grows }
in_init {
    init = init $0 "\n"
    if (!/\\$/) {
        sub(/\}[^}]*$/, ", 0 }\n", init)
        printf "%s", init
        init = ""
        in_init = 0
    }
    next
}
{ print }
