# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the rugose authors
"""Pages and tables that the program writes, and pages with other data."""

import json
import re
import subprocess

DATA = re.compile(r'(<script type="application/json" id="rugose-data">\n)(.*?)(</script>)', re.S)


def run(program, *words, folder, expected=0):
    """Runs the program in a folder; what it prints on standard output."""
    done = subprocess.run([program, *words], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != expected:
        raise AssertionError(f"{' '.join(words)}: exit status {done.returncode}: {done.stderr}")
    return done.stdout


def read(path):
    """The data of a page, with each row whole."""
    data = json.loads(DATA.search(path.read_text("utf-8"))[2])
    before = {}
    for entry in data["entries"]:
        if "row" in entry:
            entry["row"].update({name: before[name] for name in entry.pop("as_before", [])})
            before = entry["row"]
    return data


def rows(data):
    """The rows of the data of a page."""
    return [entry["row"] for entry in data["entries"] if "row" in entry]


def write(path, page, data):
    """Writes a page with other data; nothing in them ends their element."""
    text = json.dumps(data).replace("<", "\\u003c")
    path.write_text(DATA.sub(lambda m: m[1] + text + m[3], page.read_text("utf-8")), "utf-8")


def many(data, n):
    """The data with its images again and again, under other names, until there are n rows."""
    rows = [entry for entry in data["entries"] if "cells" in entry]
    pictures = {entry["picture"]["image"]: entry["picture"] for entry in data["entries"] if "picture" in entry}
    entries = []
    for i in range(n):
        source = rows[i % len(rows)]
        name = f"{i:04d}/{source['row']['image']}"
        picture = pictures.get(source["row"]["image"])
        if picture:
            entries.append({"picture": {**picture, "image": name}})
        entries.append({"cells": [name, *source["cells"][1:]], "row": {**source["row"], "image": name}})
    return {**data, "entries": entries}
