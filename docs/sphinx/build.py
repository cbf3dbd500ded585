# SPDX-License-Identifier: BSD-3-Clause
"""Builds the site docs/site: build.py [STEP...], of doxygen, lay and sphinx; all by default.

The pages of the repository are laid out in build/docs/source, docs/index.md as the first. Links
between them are turned, so that they lead from page to page, and a link to nothing is an error. A
page that index.md does not lead to is an error of Sphinx. Pages of reference are made from the
Python package and from the headers; a public function of C that is on none of them is an error.
"""

import importlib
import json
import os
import pkgutil
import re
import shutil
import subprocess
import sys
import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HERE = ROOT / "docs" / "sphinx"
WORK = ROOT / "build" / "docs"
SOURCE = WORK / "source"
SITE = ROOT / "docs" / "site"

# Pages that lie elsewhere, and where the site has them.
ELSEWHERE = {
    "README.md": "overview.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "src/methods/ifs/FORMAT.md": "ifs_stream.md",
}
# Folders whose reference is made.
MADE = {"python/rugose": "api/index.md", "include/rugose": "c/index.md"}
LINK = re.compile(r"(?<=\]\()([^)\s#]+)(#[^)\s]*)?(?=\))")
PATH = re.compile(r"\[[\w./]+\.md\](?=\(([^)\s#]+\.md))")
FOLDER = "folder:"  # a link to one, of which the site shows the text alone
TITLED = re.compile(r"\[([^\]]+)\]\(([^)\s#]+)\)")


def stop(text):
    """Ends with a message."""
    sys.exit(f"docs: {text}")


def pages():
    """Pages of the repository, and where the site has them."""
    found = dict(ELSEWHERE)
    for path in sorted((ROOT / "docs").rglob("*.md")):
        if "site" not in path.parts and "sphinx" not in path.parts:
            found[str(path.relative_to(ROOT))] = str(path.relative_to(ROOT / "docs"))
    for path in sorted((ROOT / "examples" / "notebooks").iterdir()):
        if path.suffix in (".md", ".ipynb"):
            found[str(path.relative_to(ROOT))] = f"notebooks/{path.name}"
    for path in sorted((ROOT / "include" / "rugose").glob("*.h")):
        found[str(path.relative_to(ROOT))] = f"c/{path.stem}.md"
    return {**found, **MADE}


# ---- The pages of the repository ----


def title_of(match, page):
    """The title of a linked page in place of its path."""
    text = (ROOT / os.path.dirname(page) / match.group(1)).read_text(encoding="utf-8")
    return "[" + re.search(r"^# (.*)$", text, re.M).group(1) + "]"


def turned(text, page, place, where):
    """The text with links that hold on the site."""

    def turn(match):
        target, anchor = match.group(1), match.group(2) or ""
        if "://" in target or target.startswith("mailto:"):
            return match.group()
        path = os.path.normpath(os.path.join(os.path.dirname(page), target))
        if path.startswith("docs/images/"):
            lies = path[len("docs/") :]
        elif path in where:
            lies = where[path]
        elif (ROOT / path).is_file():  # to be looked at as it is
            lies = path
            (SOURCE / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, SOURCE / path)
        elif (ROOT / path).is_dir():
            return FOLDER
        else:
            stop(f"{page}: {target} is linked, and does not exist")
        return os.path.relpath(lies, os.path.dirname(place) or ".") + anchor

    text = re.sub(r'^<a id="(\w+)"></a>', r"(\1)=\n", text, flags=re.M)
    text = PATH.sub(lambda match: title_of(match, page), text)
    text = LINK.sub(turn, text)
    return re.sub(rf"\[([^\]]*)\]\({FOLDER}\)", r"\1", text)


def turned_notebook(text, page, place, where):
    """The same for the text in a notebook."""
    notebook = json.loads(text)
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            cell["source"] = turned("".join(cell["source"]), page, place, where)
    return json.dumps(notebook)


def contents(text, caption=""):
    """A table of contents of the pages that a text links, in its order and by its names."""
    titles = {}
    for title, name in TITLED.findall(text):
        if name.endswith((".md", ".ipynb")) and "://" not in name and not name.startswith(".."):
            titles.setdefault(name, title)
    head = ["```{toctree}", ":hidden:"] + ([f":caption: {caption}"] if caption else [])
    rows = [f"{title} <{name}>" for name, title in titles.items()]
    return "\n".join([*head, "", *rows, "```", ""]) if rows else ""


def front_door(text):
    """The contents of each part of index.md."""
    parts = re.split(r"^## (.*)$", text, flags=re.M)[1:]
    return "\n".join(contents(body, title) for title, body in zip(parts[::2], parts[1::2]))


def lay_pages(where):
    """The pages, with their links turned."""
    for page, place in where.items():
        if page in MADE or page.startswith("include/"):
            continue
        target = SOURCE / place
        target.parent.mkdir(parents=True, exist_ok=True)
        text = (ROOT / page).read_text(encoding="utf-8")
        if page.endswith(".ipynb"):
            target.write_text(turned_notebook(text, page, place, where), encoding="utf-8")
            continue
        text = turned(text, page, place, where)
        if place == "index.md":
            text += "\n" + front_door(text)
        elif target.name == "README.md":
            text += "\n" + contents(text)
        target.write_text(text, encoding="utf-8")


# ---- Python ----


def brought(thing):
    """The members of a class that another package has made, and describes."""
    names = [name for name in dir(thing) if not name.startswith("_")]
    makers = [getattr(getattr(thing, name), "__module__", None) or "rugose" for name in names]
    return [name for name, maker in zip(names, makers) if maker.split(".")[0] != "rugose"]


def names_of(module):
    """The public names of a module."""
    own = [n for n, v in vars(module).items() if getattr(v, "__module__", "") == module.__name__]
    return getattr(module, "__all__", [n for n in own if not n.startswith("_")])


def modules():
    """The public modules of the package."""
    import rugose

    yield rugose
    for found in pkgutil.walk_packages(rugose.__path__, "rugose."):
        parts = found.name.split(".")
        if all(part.isidentifier() and not part.startswith("_") for part in parts):
            module = importlib.import_module(found.name)
            if names_of(module):
                yield module


def module_page(module):
    """All public names of a module."""
    lines = [f"# {module.__name__}", "", "```{eval-rst}", f".. automodule:: {module.__name__}", ""]
    things = [(name, getattr(module, name)) for name in names_of(module)]
    for name, thing in sorted(things, key=lambda pair: isinstance(pair[1], type)):
        if isinstance(thing, type):
            lines += [f".. autoclass:: {module.__name__}.{name}()", "   :members:"]
            lines += ["   :inherited-members: tuple, Exception, UserWarning, Warning"]
            lines += [f"   :exclude-members: {', '.join(brought(thing))}"] if brought(thing) else []
            lines += [""]
        elif callable(thing):
            lines += [f".. autofunction:: {module.__name__}.{name}", ""]
    return "\n".join([*lines, "```", ""])


def lay_python():
    """The reference of the package."""
    folder = SOURCE / "api"
    folder.mkdir(parents=True, exist_ok=True)
    rows = ["# Python reference", "", "| module | what it has |", "| --- | --- |"]
    for module in modules():
        (folder / f"{module.__name__}.md").write_text(module_page(module), encoding="utf-8")
        first = (module.__doc__ or "").strip().split("\n\n")[0].replace("\n", " ")
        rows.append(f"| [{module.__name__}]({module.__name__}.md) | {first} |")
    text = "\n".join([*rows, ""])
    (folder / "index.md").write_text(text + "\n" + contents(text), encoding="utf-8")


# ---- C ----


def head_of(path):
    """What a header says of itself, as Markdown."""
    comments = re.findall(r"/\*(?!\*)(.*?)\*/", path.read_text(encoding="utf-8"), re.S)
    lines = [re.sub(r"^ \* ?", "", line).rstrip() for line in comments[1].split("\n")]
    lines[0] = lines[0].strip()
    text, is_code = [], False
    for line in lines:
        if line.startswith("    ") != is_code and line:
            text.append("```c" if not is_code else "```\n")
            is_code = not is_code
        text.append(line[4:] if is_code else line)
    return "\n".join([*text, "```"] if is_code else text).strip().replace("\n\n```", "\n```")


def lay_headers():
    """The reference of the headers."""
    folder = SOURCE / "c"
    folder.mkdir(parents=True, exist_ok=True)
    rows = ["# C reference", ""]
    rows += [
        "`#include <rugose/rugose.h>` is the library, `<rugose/io.h>` reads and writes files.",
        "",
    ]
    rows += ["| header | what it has |", "| --- | --- |"]
    for path in sorted((ROOT / "include" / "rugose").glob("*.h")):
        head = head_of(path)
        first = re.split(r"(?<=\.)\s", head.replace("\n", " "))[0]
        rows.append(f"| [{path.name}]({path.stem}.md) | {first} |")
        page = f"# {path.name}\n\n{head}\n"
        if path.name not in ("rugose.h", "io.h"):
            page += f"\n```{{doxygenfile}} {path.name}\n```\n"
        (folder / f"{path.stem}.md").write_text(page, encoding="utf-8")
    text = "\n".join([*rows, ""])
    (folder / "index.md").write_text(text + "\n" + contents(text), encoding="utf-8")


# ---- Steps ----


def lay():
    """Lays out all pages."""
    shutil.rmtree(SOURCE, ignore_errors=True)
    if not (WORK / "tests").is_symlink():  # notebooks read ../../tests/data
        WORK.mkdir(parents=True, exist_ok=True)
        (WORK / "tests").symlink_to(ROOT / "tests")
    shutil.copytree(ROOT / "docs" / "images", SOURCE / "images")
    shutil.copytree(HERE / "static", SOURCE / "static")
    lay_pages(pages())
    lay_python()
    lay_headers()


def doxygen():
    """Reads the comments of the headers."""
    subprocess.run(["doxygen", str(HERE / "Doxyfile")], cwd=ROOT, check=True)


def sphinx():
    """Makes the site. Warnings are errors."""
    made = WORK / "site"
    shutil.rmtree(made, ignore_errors=True)
    version = (ROOT / "include" / "rugose" / "version.h").read_text(encoding="utf-8")
    numbers = re.findall(r"RUG_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", version)
    environment = dict(
        os.environ,
        RUGOSE_VERSION=".".join(numbers[:3]),
        RUGOSE_DOXYGEN_XML=str(WORK / "doxygen" / "xml"),
        RUGOSE_NOTEBOOK_CACHE=str(WORK / "notebooks"),
    )
    words = ["-W", "--keep-going", "-b", "html", "-c", HERE, "-d", WORK / "trees", SOURCE, made]
    command = [sys.executable, "-m", "sphinx", "-q", *map(str, words)]
    with (WORK / "sphinx.log").open("w+", encoding="utf-8") as log:
        done = subprocess.run(command, cwd=ROOT, env=environment, stdout=log, stderr=log)
        log.seek(0)
        if done.returncode != 0:
            stop(f"sphinx says:\n{log.read()}")
    look_for_functions(made)
    shutil.rmtree(SITE, ignore_errors=True)
    shutil.copytree(made, SITE, ignore=shutil.ignore_patterns("_sources", ".buildinfo"))


def look_for_functions(site):
    """Every public function of C is on the site."""
    inventory = zlib.decompress((site / "objects.inv").read_bytes().split(b"\n", 4)[4]).decode()
    there = set(re.findall(r"^(\w+) c:function ", inventory, re.M))
    text = "".join(p.read_text(encoding="utf-8") for p in (ROOT / "include").rglob("*.h"))
    public = set(re.findall(r"^RUG_API [^;(]*?\b(rug_\w+)\(", text, re.M))
    if not public or public - there:
        stop(f"functions without a place in the C reference: {sorted(public - there)}")


if __name__ == "__main__":
    steps = {"lay": lay, "doxygen": doxygen, "sphinx": sphinx}
    for step in sys.argv[1:] or steps:
        if step not in steps:
            stop(f"'{step}' given, {', '.join(steps)} expected")
        steps[step]()
