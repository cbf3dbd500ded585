# SPDX-License-Identifier: BSD-3-Clause
#
# Prints the example in the head of a header as a C file that defines example_NAME().

/^\/\*/ { comment++ }
comment == 2 && /^ \*     / {
    line = substr($0, 8)
    if (line == "...") {
        outside = inside
        inside = ""
    } else
        inside = inside line "\n"
}
comment == 2 && /\*\/$/ {
    printf "#include \"examples.h\"\n%srug_status example_%s(void);\n", outside, name
    printf "rug_status example_%s(void)\n{\n%sreturn RUG_OK;\n}\n", name, inside
    exit
}
