#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the rugose authors
"""Tests of the page of --report in a browser: page_in_browser.py PROGRAM DATA [NAME...]

PROGRAM is rugose, DATA the folder tests/data; NAMEs are those of tests below. Exit status 77 where there
is no Chromium."""

import http.server
import math
import pathlib
import sys
import tempfile
import threading
import time
import unittest

import browser as browsers
import pages
from audits import CONTRAST, UNNAMED

ENTER, TAB, SPACE, END = "\ue007", "\ue004", " ", "\ue010"

# What stands and is drawn on the card of an image.
CARD = r"""
const all = (selector) => [...card.querySelectorAll(selector)];
const card = [...document.querySelectorAll(".card")].find((c) => c.querySelector("h3").textContent.endsWith(arguments[0]));
return {
  headline: card.querySelector(".headline").textContent.replace(/\u00a0/g, " "), alt: all("img").map((i) => i.alt),
  dots: all("circle").map((c) => [c.getAttribute("class"), c.textContent]), bars: all("rect.bar").length,
};
"""

BAD = "</script><img src=x onerror=alert(1)>.png"


class Pages:
    """The pages of all tests, made once."""

    def __init__(self, program, data, folder):
        self.program, self.data, self.folder = program, pathlib.Path(data).resolve(), pathlib.Path(folder)
        self.made = {}

    def get(self, name):
        if name not in self.made:
            self.made[name] = getattr(self, name)()
        return self.made[name]

    def page(self, name, *words, expected=0):
        path = self.folder / f"{name}.html"
        csv = pages.run(self.program, *words, "-q", "-f", "csv", "--report", str(path), folder=self.folder, expected=expected)
        return path, csv

    def images(self, *names):
        return [str(self.data / name) for name in names]

    def boxcount(self):
        (self.folder / "names").mkdir()
        picture = (self.data / "bin_sierpinski_256.png").read_bytes()
        names = [BAD.replace("/", "\u2215"), 'a "quoted", b.png', "=1+1.png", "&amp; two\nlines.png", "\u202eright.png"]
        for name in names:
            (self.folder / "names" / name).write_bytes(picture)
        flat = self.images("bin_full_256.png", "bin_diagonal_256.png", "bin_vicsek_243.png", "bin_horse.png")
        return self.page("boxcount", "boxcount", "names", *flat, "missing.png", expected=1)

    def labels(self):
        return self.page("labels", "boxcount", "--labels", *self.images("ht29_labels.png", "ht29_dna.png"))

    def multifractal(self):
        return self.page("multifractal", "multifractal", "--q", "-4..4:1", *self.images("cascade_1234_k7.png", "bin_horse.png"))

    def lacunarity(self):
        return self.page("lacunarity", "lacunarity", *self.images("bin_sierpinski_256.png", "bin_vicsek_243.png"))

    def haralick(self):
        return self.page("haralick", "haralick", "--labels", *self.images("ht29_labels.png", "ht29_dna.png"))

    def lbp(self):
        return self.page("lbp", "lbp", *self.images("brick.png", "mri_t1_axial.png"))

    def classify(self):
        model = str(self.folder / "model.json")
        pages.run(self.program, "train", "-q", "--model", model, str(self.data / "textures/train"), folder=self.folder)
        return self.page("classify", "classify", "--model", model, str(self.data / "textures/test"))

    def compress(self):
        return self.page("compress", "compress", "--quality", "20", "-o", "{}.rfi", *self.images("mri_t1_axial.png"))

    def compare(self):
        return self.page("compare", "compare", *self.images("brick.png", "camera.png"))

    def info(self):
        return self.page("info", "info", *self.images("camera.png", "menger_81.nii.gz", "gb_coast_xy.tsv"))


ALL = ["boxcount", "labels", "multifractal", "lacunarity", "haralick", "lbp", "classify", "compress", "compare", "info"]


class Counter(http.server.BaseHTTPRequestHandler):
    """Counts who asks."""

    hits = 0

    def do_GET(self):  # noqa: N802, the name that the library calls
        Counter.hits += 1
        self.send_response(404)
        self.end_headers()

    def log_message(self, *arguments):
        pass


class PageTest(unittest.TestCase):
    """Each test opens pages of the program."""

    made = None
    page = None

    def setUp(self):
        self.page.size(1280, 900)
        self.page.look()

    def open(self, name):
        path, csv = self.made.get(name)
        self.page.open(path)
        return csv

    def rows(self, c=0):
        return self.texts(f"#results tbody tr[aria-rowindex] > :nth-child({c + 1})")

    def texts(self, selector):
        return self.page.run("return [...document.querySelectorAll(arguments[0])].map((e) => e.textContent)", selector)

    def text(self, selector):
        return self.page.run("return document.querySelector(arguments[0]).textContent", selector)

    def column(self, name):
        return pages.read(self.made.get("boxcount")[0])["columns"].index(name)

    def filter(self, text):
        self.page.run("""const box = document.getElementById('filter'); box.focus(); box.value = arguments[0];
            box.dispatchEvent(new Event('input', {bubbles: true}))""", text)
        time.sleep(0.3)

    def fill_all(self):
        self.page.run("""dispatchEvent(new Event('beforeprint'));
            document.querySelectorAll('details').forEach((d) => { d.open = true; })""")
        time.sleep(0.2)

    def copied(self):
        self.page.run("""rugose.copy = async (text) => { document.copied = text; return true; };
            document.querySelector('#results .controls button').click()""")
        return self.page.run("return document.copied")

    # ---- The page itself ----

    def test_every_page(self):
        for name in ALL:
            with self.subTest(name):
                self.page.size(400, 900)
                csv = self.open(name)
                self.assertEqual(self.copied(), csv)
                self.assertNotIn("A column of this run.", self.text("#columns"))
                self.fill_all()
                for width in (400, 1280, 2560):
                    self.page.size(width, 900)
                    self.assertLessEqual(self.page.run("return document.documentElement.scrollWidth"), width)
                self.names_roles_and_headings()
                self.no_errors()
                self.assertEqual(self.page.requests(), [])

    def no_errors(self):
        errors = [e["message"] for e in self.page.log("browser") if e["level"] in ("SEVERE", "WARNING")]
        self.assertEqual(errors, [])

    def names_roles_and_headings(self):
        self.assertEqual(self.page.run(UNNAMED), [])
        levels = self.page.run("return [...document.querySelectorAll('h1, h2, h3, h4')].map((h) => Number(h.tagName[1]))")
        self.assertEqual(levels[0], 1)
        self.assertTrue(all(b <= a + 1 for a, b in zip(levels, levels[1:])), levels)
        ids = self.page.run("return [...document.querySelectorAll('[id]')].map((e) => e.id)")
        self.assertEqual(len(set(ids)), len(ids))

    def test_an_error_is_seen(self):
        path, _ = self.made.get("info")
        broken = self.made.folder / "broken.html"
        broken.write_text(pages.DATA.sub(r"\1{\3", path.read_text("utf-8")), "utf-8")
        self.page.open(broken, state="failed")
        self.assertIn("damaged", self.text("#main"))
        self.assertNotEqual([e for e in self.page.log("browser") if e["level"] == "SEVERE"], [])

    def test_sections_stand_in_the_order_of_questions(self):
        order = "return [...document.querySelectorAll('main > section')].map((s) => s.id)"
        self.open("boxcount")
        self.assertEqual(self.page.run(order), ["wrong", "results", "images", "spread", "made", "columns"])
        self.open("classify")
        self.assertEqual(self.page.run(order)[:4], ["wrong", "results", "classes", "images"])
        self.open("compress")
        self.assertEqual(self.page.run(order)[:4], ["wrong", "results", "rate", "images"])

    def test_failures_and_warnings_come_first(self):
        self.open("boxcount")
        text = self.text("#wrong")
        self.assertIn("missing.png: cannot be opened", text)
        self.assertIn("foreground is 100 % of the image", text)
        self.open("lacunarity")
        self.assertIn("Nothing.", self.text("#wrong"))

    def test_how_it_was_made(self):
        self.open("boxcount")
        text = self.text("#made")
        self.assertIn("rugose boxcount names", self.text("#command-line"))
        for row in pages.rows(pages.read(self.made.get("boxcount")[0])):
            self.assertIn(row["sha256"], text)

    # ---- The table ----

    def test_sorts_by_click_and_by_keys(self):
        self.open("boxcount")
        c = self.column("dimension")
        before = self.rows(c)
        button = f"document.querySelectorAll('#results thead button')[{c}]"
        state = f"return {button}.parentElement.getAttribute('aria-sort')"
        self.page.run(button + ".click()")
        numbers = [float(text) for text in self.rows(c)]
        self.assertEqual(numbers, sorted(numbers))
        self.assertEqual(self.page.run(state), "ascending")
        self.page.run(button + ".focus()")
        self.page.press(ENTER)
        numbers = [float(text) for text in self.rows(c)]
        self.assertEqual(numbers, sorted(numbers, reverse=True))
        self.assertEqual(self.page.run(state), "descending")
        self.page.press(SPACE)
        self.assertEqual((self.rows(c), self.page.run(state)), (before, "none"))

    def test_undefined_is_last_in_both_directions_with_its_reason(self):
        data = pages.read(self.made.get("boxcount")[0])
        c, rows = data["columns"].index("dimension"), [e for e in data["entries"] if "cells" in e]
        rows[2]["cells"][c] = "nan"
        rows[2]["row"].update(dimension=None, std_error=None, status="too few sizes")
        path = self.made.folder / "undefined.html"
        pages.write(path, self.made.get("boxcount")[0], data)
        self.page.open(path)
        for _ in range(2):
            self.page.run(f"document.querySelectorAll('#results thead button')[{c}].click()")
            self.assertEqual(self.rows(c)[-1], "undefined")
        self.assertIn("too few sizes", self.page.run("return document.querySelector('#results tbody .undefined').title"))
        self.assertIn("undefined (too few sizes)", self.text("#images"))

    def test_filters_by_words_and_by_numbers(self):
        self.open("boxcount")
        n = len(self.rows())
        self.filter("horse")
        self.assertEqual(len(self.rows()), 1)
        self.assertEqual(self.page.run("return document.querySelectorAll('.card').length"), 1)
        self.filter("dimension>=1.7 above")
        self.assertTrue(all(float(text) >= 1.7 for text in self.rows(self.column("dimension"))))
        self.assertLess(0, len(self.rows()))
        self.filter("no such image")
        self.assertEqual(self.rows(), [])
        self.filter("")
        self.assertEqual(len(self.rows()), n)

    def test_copies_and_saves_the_csv_of_the_program(self):
        csv = self.open("boxcount")
        self.assertEqual(self.copied(), csv)
        self.filter("horse")
        lines = csv.splitlines(keepends=True)
        self.assertEqual(self.copied(), lines[0] + next(line for line in lines if "horse" in line))
        self.filter("")
        self.page.devtools("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(self.made.folder))
        self.page.run("[...document.querySelectorAll('#results button')].find((b) => b.textContent === 'Save as CSV').click()")
        saved = self.made.folder / "boxcount.csv"
        end = time.monotonic() + 10
        while not (saved.exists() and saved.stat().st_size) and time.monotonic() < end:
            time.sleep(0.05)
        self.assertEqual(saved.read_bytes().decode(), csv)

    def test_names_with_markup_stay_text(self):
        self.open("boxcount")
        self.fill_all()
        name = BAD.replace("/", "\u2215")
        self.assertEqual(self.page.run("return document.querySelectorAll('img[onerror], img[src=x]').length"), 0)
        self.assertIn("names/" + name, self.page.run("return [...document.querySelectorAll('.card h3')].map((e) => e.title)"))
        self.assertIn("names/" + name, self.text("#made table"))

    # ---- Cards and distributions ----

    def card(self, name, page="boxcount"):
        """Fills all cards and finds one; what stands and is drawn on it."""
        self.open(page)
        self.fill_all()
        return self.page.run(CARD, name)

    def entry(self, name, page="boxcount"):
        return next(r for r in pages.rows(pages.read(self.made.get(page)[0])) if r["image"].endswith(name))

    def test_a_box_count_is_drawn(self):
        card, row = self.card("bin_horse.png"), self.entry("bin_horse.png")
        digits = 1 - math.floor(math.log10(row["std_error"]))
        self.assertEqual(card["headline"], f"D = {row['dimension']:.{digits}f} \u00b1 {row['std_error']:.{digits}f}")
        dots = [[kind, text.replace("\u202f", "")] for kind, text in card["dots"] if text.startswith("size ")]
        self.assertEqual(dots, [["used" if c["used"] else "unused", f"size {c['size']}: {c['nonempty']}"] for c in row["counts"]])
        self.assertEqual(len([dot for dot in card["dots"] if dot[1].startswith("local slope ")]), len(row["counts"]) - 1)
        self.assertIn("bin_horse.png: the image in grey", card["alt"][0])

    def test_a_spectrum_is_drawn_and_its_faults_are_marked(self):
        for name in ("cascade_1234_k7.png", "bin_horse.png"):
            card = self.card(name, "multifractal")
            rows = [r for r in pages.rows(pages.read(self.made.get("multifractal")[0])) if r["image"].endswith(name)]
            summary = rows[0]["summary"]
            slack = [r["f_error"] + 1e-9 for r in rows]
            wrong = [r for r, more in zip(rows, slack)
                     if not -more <= r["f"] <= summary["D0"] + more or r["status"] != "ok"]
            marked = [dot for dot in card["dots"] if dot[0] == "bad"]
            self.assertEqual((len(card["dots"]), len(marked)), (2 * len(rows), len(wrong)))
            self.assertTrue(card["headline"].startswith("D\u2080 = "))
        self.assertNotEqual(marked, [])

    def test_a_histogram_is_drawn(self):
        card, row = self.card("brick.png", "lbp"), self.entry("brick.png", "lbp")
        self.assertEqual(card["bars"], row["n_bins"])

    def test_a_label_is_chosen(self):
        self.card("ht29_dna.png", "haralick")
        rows = pages.rows(pages.read(self.made.get("haralick")[0]))
        self.page.run("""const select = document.querySelector('.card select'); select.selectedIndex = 4;
            select.dispatchEvent(new Event('change'))""")
        self.assertEqual(self.page.run("return document.querySelector('.card select').options.length"), len(rows))
        self.assertIn(f"contrast{rows[4]['contrast']:.6g}", self.text(".card .facts"))

    def test_distributions_follow_the_filter_and_the_groups(self):
        self.open("classify")
        groups = "#spread .multiples figure:first-child text.note"
        self.assertEqual(self.texts("#spread .multiples h3"), ["score", "margin"])
        self.assertEqual(self.texts(groups), ["brick (3)", "fabric (3)", "grass (3)"])
        self.filter("true=grass")
        self.assertEqual(self.texts(groups), ["grass (3)"])
        self.page.run("""const select = document.querySelector('#spread select'); select.selectedIndex = 0;
            select.dispatchEvent(new Event('change'))""")
        self.assertEqual(self.texts(groups), [])

    # ---- Many images ----

    def test_a_thousand_images_are_made_as_they_are_needed(self):
        path = self.made.folder / "many.html"
        pages.write(path, self.made.get("boxcount")[0], pages.many(pages.read(self.made.get("boxcount")[0]), 1000))
        self.page.open(path)
        count = "return document.querySelectorAll(arguments[0]).length"
        self.assertLess(self.page.run(count, "*"), 9000)
        self.assertLess(self.page.run(count, ".card.filled"), 20)
        self.assertLess(self.page.run(count, "#results tbody tr"), 150)
        self.page.run("const box = document.querySelector('#results .scroll'); box.scrollTop = box.scrollHeight")
        self.page.wait("document.querySelector('#results tbody').textContent.includes('0999/')")
        self.assertTrue(self.text("#results tbody tr[aria-rowindex='1001'] th").startswith("0999/"))
        self.page.run("document.querySelector('#results tbody tr[aria-rowindex=\"1001\"] a').click()")
        self.page.wait("document.activeElement.matches('.card.filled')")
        self.assertTrue(self.page.run("return document.activeElement.textContent.includes('0999/')"))

    # ---- The network ----

    def test_nothing_leaves(self):
        server = http.server.HTTPServer(("127.0.0.1", 0), Counter)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/"
        path, _ = self.made.get("boxcount")
        planted = path.read_text("utf-8").replace("<noscript>", f'<img src="{address}planted" alt=""><noscript>', 1)
        page = self.made.folder / "planted.html"
        for policy, hits in ((True, 0), (False, 1)):
            page.write_text(planted if policy else planted.replace("Content-Security-Policy", "none"), "utf-8")
            Counter.hits = 0
            self.page.open(page)
            time.sleep(0.3)
            self.assertEqual(Counter.hits, hits)
        data = pages.read(path)
        data["failures"].append(f'<img src="{address}failure">')
        data["entries"][0]["row" if "row" in data["entries"][0] else "picture"]["image"] = address
        pages.write(page, path, data)
        Counter.hits = 0
        self.page.open(page)
        self.fill_all()
        self.assertEqual((Counter.hits, self.page.requests()), (0, []))
        server.shutdown()
        server.server_close()

    # ---- For everybody ----

    def test_contrast(self):
        for name in ("boxcount", "multifractal", "classify", "compress"):
            self.open(name)
            self.fill_all()
            for scheme, media in (("light", ""), ("dark", ""), ("dark", "print")):
                self.page.look(scheme, media)
                worst = self.page.run(CONTRAST)
                self.assertGreater(worst["n"], 50)
                self.assertGreaterEqual(worst["ratio"], 4.5, (name, scheme, media, worst))

    def test_contrast_is_measured(self):
        self.open("info")
        self.page.run("document.getElementById('summary').style.color = '#999'")
        self.assertLess(self.page.run(CONTRAST)["ratio"], 3)

    def test_keys_reach_the_skip_link_first_and_show_where_they_are(self):
        self.open("boxcount")
        self.page.press(TAB)
        self.assertEqual(self.page.run("return document.activeElement.className"), "skip")
        self.assertGreaterEqual(self.page.run("return document.activeElement.getBoundingClientRect().left"), 0)
        for _ in range(3):
            self.page.press(TAB)
            self.assertNotEqual(self.page.run("return getComputedStyle(document.activeElement).outlineStyle"), "none")

    def test_print_has_all_and_no_controls(self):
        path = self.made.folder / "print.html"
        pages.write(path, self.made.get("boxcount")[0], pages.many(pages.read(self.made.get("boxcount")[0]), 120))
        self.page.open(path)
        self.page.look("dark", "print")
        self.fill_all()
        self.assertEqual(self.page.run("return document.querySelectorAll('.card.filled').length"), 120)
        self.assertEqual(len(self.rows()), 120)
        seen = self.page.run("""return [...document.querySelectorAll('nav, .controls, select, input, .skip')]
            .filter((e) => e.checkVisibility()).length""")
        self.assertEqual(seen, 0)
        self.assertEqual(self.page.run("return getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)")

    def test_classes(self):
        self.open("classify")
        cells = self.page.run("""return [...document.querySelectorAll('.confusion tbody tr')]
            .map((r) => [...r.children].map((c) => c.textContent))""")
        data = pages.read(self.made.get("classify")[0])
        rows = pages.rows(data)
        names = sorted({r["true"] for r in rows} | {r["predicted"] for r in rows})
        counts = [[str(sum(r["true"] == t and r["predicted"] == p for r in rows)) for p in names] for t in names]
        self.assertEqual([row[:-1] for row in cells], [[name, *n] for name, n in zip(names, counts)])
        self.assertEqual(cells[0][-1], "100 %")
        self.assertIn(f"{min(r['margin'] for r in rows):.4g}", self.text(".doubts li"))
        wrong = max(rows, key=lambda r: r["margin"])
        wrong["true"] = "grass" if wrong["true"] != "grass" else "brick"
        path = self.made.folder / "wrong.html"
        pages.write(path, self.made.get("classify")[0], data)
        self.page.open(path)
        self.assertIn("8 of 9 right", self.text("#classes"))
        self.assertIn("wrong: it is " + wrong["true"], self.text(".doubts li"))

    def test_the_slider_moves_the_edge(self):
        self.open("compress")
        self.page.run("document.querySelector('.card').scrollIntoView()")
        self.page.wait("document.querySelector('.compare input')")
        self.page.run("document.querySelector('.compare input').focus()")
        self.page.press(END)
        edge = "return document.querySelector('.compare .frames').style.getPropertyValue('--cut')"
        self.assertEqual(self.page.run(edge), "100%")


def main(program, data, *names):
    if browsers.programs() is None:
        print("SKIPPED: no chromium with chromedriver here, so that nothing of the page of --report was tested; "
              "install chromium and chromium-driver", file=sys.stderr)
        return 77
    with tempfile.TemporaryDirectory() as folder:
        PageTest.made = Pages(str(pathlib.Path(program).resolve()), data, folder)
        PageTest.page = browsers.Browser(folder)
        try:
            load = unittest.TestLoader()
            suite = load.loadTestsFromNames(names, PageTest) if names else load.loadTestsFromTestCase(PageTest)
            done = unittest.TextTestRunner(verbosity=2).run(suite)
        finally:
            PageTest.page.close()
    return 0 if done.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
