# SPDX-License-Identifier: BSD-3-Clause
#
# The picture of rooms.sh, which calls this after house.awk with all sources. A part of the house is a card, its
# rooms lie in it as floors, the lowest at the bottom; a curve is "includes", downwards, the thicker the more often.

function escape(text) { gsub(/&/, "\\&amp;", text); gsub(/</, "\\&lt;", text); return text }

function text(x, y, size, what, how) {
    printf "<text x='%d' y='%d' font-size='%d'%s>%s</text>\n", x, y, size, how, escape(what)
}

# A card with its rooms; returns nothing, remembers where it is.
function card(name, title, x, y, width,   n, i, r, key, top) {
    n = n_rooms[name]
    left[name] = x; right[name] = x + width; head[name] = y
    foot[name] = y + 26 + 20 * n + 6
    printf "<rect class='card' x='%d' y='%d' width='%d' height='%d' rx='6'/>\n", x, y, width, foot[name] - y
    text(x + 8, y + 18, 14, title, " font-weight='bold'")
    for (i = n; i >= 1; i--) {
        r = room_at[name, i]; key = name SUBSEP r
        top = y + 26 + 20 * (n - i)
        middle[key] = top + 9
        printf "<rect class='room' x='%d' y='%d' width='%d' height='18' rx='3'/>\n", x + 6, top, width - 34
        text(x + 12, top + 13, 11, r == "." ? "(top)" : r, "")
        text(x + width - 34, top + 13, 9, n_files[key] + 0, " text-anchor='end' class='count'")
    }
    for (i = 2; i <= n; i++)
        for (r = 1; r < i; r++)
            curve(name SUBSEP room_at[name, i], name SUBSEP room_at[name, r], x + width - 28)
}

function curve(from, to, x,   n, reach, thick) {
    n = uses[from, to]
    if (!n) return
    thick = 0.6 + n / 8
    if (thick > 3) thick = 3
    reach = 6 + (middle[to] - middle[from]) / 20 * 2.6
    if (reach > 26) reach = 26
    printf "<path class='arrow' d='M%d %d C%d %d %d %d %d %d' stroke-width='%.1f'/>\n", x, middle[from],
        x + reach, middle[from], x + reach, middle[to], x, middle[to], thick
}

# An arrow from one row of cards to the next, with how often it is gone.
function down(x, from, to, n) {
    printf "<path class='arrow' marker-end='url(#tip)' d='M%d %d L%d %d' stroke-width='1.5'/>\n", x, from, x, to - 2
    text(x + 6, (from + to) / 2 + 4, 10, n " includes", " class='count'")
}

{
    if (FNR == 1) {
        n_files[part(FILENAME) SUBSEP inner(FILENAME)]++
        parts[part(FILENAME)] = 1
    }
    if (!is_include()) next
    if (!is_quoted) { if (included ~ /^rugose\//) public_of[part(FILENAME)]++; next }
    path = resolve(included)
    if (path == "") next
    a = part(FILENAME) SUBSEP inner(FILENAME); b = part(path) SUBSEP inner(path)
    if (a != b) uses[a, b]++
    if (part(FILENAME) != part(path)) between[part(FILENAME), part(path)]++
}

END {
    for (name in parts) if (!(name in n_rooms)) { n_rooms[name] = 1; floor[name SUBSEP (name == "include" ? "rugose" : ".")] = 1 }
    for (key in floor) {
        split(key, p, SUBSEP)
        room_at[p[1], floor[key]] = p[2]
        if (floor[key] == n_rooms[p[1]] && !(key in n_files)) n_rooms[p[1]]-- # no files of its own
    }
    n = split("boxcount multifractal alpha dbc lacunarity lbp glcm ifs quality", method, " ")
    width = 20 + n * 132 + 150
    for (i = 1; i <= n; i++) {
        name = "src/methods/" method[i]
        if (n_rooms[name] > tallest) tallest = n_rooms[name]
        to_ocl += between[name, "src/ocl"]; to_core += between[name, "src/core"]; to_public += public_of[name]
    }
    y_methods = 26 + 20 * n_rooms["cli"] + 6 + 20 + 46
    tall = 26 + 20 * (tallest > n_rooms["src/io"] ? tallest : n_rooms["src/io"]) + 6
    y_ocl = y_methods + tall + 46
    y_core = y_ocl + 26 + 20 * n_rooms["src/ocl"] + 6 + 46
    height = y_core + 26 + 20 * n_rooms["src/core"] + 6 + 30
    printf "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' font-family='sans-serif'>\n", width, height
    print "<title>rooms of rugose, and which includes which</title>"
    print "<style>svg{background:#fff}.card{fill:#f4f1ea;stroke:#8a8172}.room{fill:#fff;stroke:#c9c1b2}" \
        ".arrow{fill:none;stroke:#1f5fa8}.count{fill:#666}text{fill:#222}</style>"
    print "<defs><marker id='tip' viewBox='0 0 8 8' refX='7' refY='4' markerWidth='7' markerHeight='7' orient='auto'>" \
        "<path d='M0 0 L8 4 L0 8 z' fill='#1f5fa8'/></marker></defs>"
    card("cli", "cli: the program", 20, 20, 260)
    card("include", "include: public headers", 320, 20, 260)
    text(600, 38, 11, "Cards are parts, lines in them rooms, the lowest floor at the bottom; numbers are files.", "")
    text(600, 54, 11, "Arrows are includes; all of them go down. Everything includes public headers.", "")
    for (i = 1; i <= n; i++)
        card("src/methods/" method[i], method[i], 20 + 132 * (i - 1), y_methods + tall - 26 - 6 - 20 * n_rooms["src/methods/" method[i]], 122)
    card("src/io", "io", 20 + 132 * n, y_methods + tall - 26 - 6 - 20 * n_rooms["src/io"], 140)
    card("src/ocl", "ocl: OpenCL devices", 20, y_ocl, 260)
    card("src/core", "core", 20, y_core, 260)
    down(60, y_methods + tall, y_ocl, to_ocl)
    down(60, foot["src/ocl"], y_core, between["src/ocl", "src/core"])
    printf "<path class='arrow' marker-end='url(#tip)' stroke-width='1.5' d='M420 %d L420 %d L282 %d'/>\n",
        y_methods + tall, y_core + 30, y_core + 30
    text(426, y_core - 20, 10, to_core " includes, from methods", " class='count'")
    print "</svg>"
}
