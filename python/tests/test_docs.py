# SPDX-License-Identifier: BSD-3-Clause
"""The examples of the guide run and print what it says; links of all pages hold."""

import doctest
import re

import pytest
from conftest import ROOT


@pytest.mark.filterwarnings("ignore::rugose.RugoseWarning")
@pytest.mark.parametrize("page", ["docs/python.md", "python/README.md", "README.md"])
def test_examples(page):
    found = doctest.testfile(str(ROOT / page), module_relative=False, encoding="utf-8")
    assert found.attempted > 0 and found.failed == 0


# ---- Links, as they are without Sphinx ----

LINK = re.compile(r"\]\(([^)\s#]*)(#[^)\s]*)?\)")
PAGES = [
    path
    for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/*.md")]
    if "site" not in path.parts
]


def links(page):
    """Pairs of a path and an anchor."""
    for target, anchor in LINK.findall(page.read_text(encoding="utf-8")):
        if "://" not in target:
            yield (page.parent / target).resolve() if target else page, anchor[1:]


def anchors(page):
    """Those of headings, as GitHub makes them, and those that are written."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    heads = re.findall(r"^#+ (.*)$", text, re.M)
    made = {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}
    return made | set(re.findall(r'<a id="([^"]*)">', text))


def test_links_lead_somewhere():
    assert len(PAGES) > 30
    for page in PAGES:
        for path, anchor in links(page):
            assert path.exists(), f"{page.name}: {path}"
            assert not anchor or anchor in anchors(path), f"{page.name}: {path.name}#{anchor}"


def test_front_door_leads_to_all_pages():
    """Each page is linked in docs/index.md, or in the README of a folder that it links."""
    door = ROOT / "docs" / "index.md"
    found = {path for path, _ in links(door)}
    for page in list(found):
        if page.name == "README.md" and page.parent != ROOT:
            found |= {path for path, _ in links(page)}
    assert [page.name for page in PAGES if page not in found and page != door] == []
    assert door in {path for path, _ in links(ROOT / "README.md")}
