# SPDX-License-Identifier: BSD-3-Clause
#
# Takes a page apart: awk -v work=FOLDER -f recipe.awk PAGE. The K-th block of commands (a fence "sh") goes
# to FOLDER/commands.K, the fence without a language that follows it to FOLDER/shown.K (empty without one).
# With accept=1 it prints the page instead, each block followed by FOLDER/is.K, what its commands print.

function show(k,    line, n) {
    while ((getline line < (work "/is." k)) > 0) {
        if (n++ == 0) print "\n```"
        print line
    }
    if (n) print "```"
}

# The lines between a block and what follows it: blank ones belong to it.
function leave() {
    if (pending && accept) {
        show(k)
        for (; blank > 0; blank--) print ""
    }
    pending = blank = 0
}

fence == "" && /^```/ {
    fence = substr($0, 4)
    if (fence == "sh") {
        leave()
        k++
        printf "" > (work "/commands." k)
        printf "" > (work "/shown." k)
        if (accept) print
        next
    }
    if (fence == "") {
        if (!pending) {
            print FILENAME ": line " FNR ": output that follows no command" > "/dev/stderr"
            exit failed = 1
        }
        fence = "shown"
        blank = 0
        next
    }
    leave()
    if (accept) print
    next
}
fence != "" && /^```$/ {
    if (accept && fence != "shown") print
    if (fence == "shown") leave()
    else pending = fence == "sh"
    fence = ""
    next
}
fence == "sh" { print > (work "/commands." k) }
fence == "shown" { print > (work "/shown." k); next }
fence == "" && pending && /^$/ { blank++; next }
fence == "" { leave() }
accept { print }
END {
    if (failed) exit 1
    if (fence != "") {
        print FILENAME ": the last fence has no end" > "/dev/stderr"
        exit 1
    }
    leave()
    if (!accept) print k + 0
}
