#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the rugose authors
"""Tests of rugose.html in a browser: rugose_page.py PROGRAM DATA PAGE [NAME...]

PROGRAM is rugose, DATA the folder tests/data, PAGE the page; NAMEs are those of tests below. Exit status 77
where there is no Chromium. `rugose_page.py PROGRAM DATA PAGE --picture FILE` writes a screenshot instead."""

import functools
import http.server
import json
import math
import os
import pathlib
import re
import shlex
import shutil
import struct
import sys
import tempfile
import threading
import time
import unittest
import zlib

import browser as browsers
import pages
from audits import CONTRAST, OUTLINE, UNNAMED

TAB, CONTROL, SHIFT = "\ue004", "\ue009", "\ue008"
LEFT, RIGHT, HOME, END = "\ue012", "\ue014", "\ue011", "\ue010"
MOST_BYTES = 2_000_000

READY = "document.body.dataset.state === 'ready' && !document.querySelector('.histogram[aria-busy=true]')"

# The text that a button would copy.
COPIED = r"""
rugose.copy = async (text) => { document.copied = text; return true; };
document.copied = null;
document.getElementById(arguments[0]).click();
"""

# Frames of a threshold that is dragged over 60 values: the number of results that arrived.
DRAG = r"""
const found = [];
rugose.app.on("result", (id, panel, result) => found.push(result.rows[0].row.dimension));
for (let i = 0; i < 60; i++) {
  rugose.app.set({ option: ["*", "foreground", "above=" + (60 + i)] }, { live: true });
  await new Promise((done) => requestAnimationFrame(done));
}
rugose.app.set({ option: ["*", "foreground", "above=119"] });
return new Promise((done) => {
  const wait = () => (document.body.dataset.state === "ready" ? done(found) : setTimeout(wait, 20));
  wait();
});
"""


def neutral(text):
    """CSV or JSON without what differs between the page and the program: the engine, the time."""
    text = re.sub(r"\b(cpu|wasm)-[a-z0-9]+", "engine", text)
    head = text.split("\n")[0].split(",")
    if "seconds" in head:
        c = head.index("seconds")
        text = "".join(",".join("0" if i == c else cell for i, cell in enumerate(line.split(","))) + "\n" for line in text.splitlines())
    return re.sub(r'"seconds": [^,\n]*', '"seconds": 0', text)


def colour_png(side, colour):
    """A PNG of side x side pixels with the colours of a function of x and y."""
    rows = b"".join(b"\0" + bytes(c for x in range(side) for c in colour(x, y)) for y in range(side))
    parts = [(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    chunks = (struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)) for kind, body in parts)
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def two_channels_tiff(side):
    """A TIFF file of two channels that are no colours: a diagonal, and all above it."""
    pixels = bytes(255 * part for y in range(side) for x in range(side) for part in (x == y, x > y))
    tags = [(256, 3, 1, side), (257, 3, 1, side), (258, 3, 2, 8 | 8 << 16), (259, 3, 1, 1), (262, 3, 1, 1), (273, 4, 1, 8),
            (277, 3, 1, 2), (278, 3, 1, side), (279, 4, 1, len(pixels)), (338, 3, 1, 0)]
    entries = b"".join(struct.pack("<HHII", *tag) for tag in tags)
    return b"II*\0" + struct.pack("<I", 8 + len(pixels)) + pixels + struct.pack("<H", len(tags)) + entries + bytes(4)


def linked(data, folder):
    """A folder with the files of another, so that what the program writes there is not among them."""
    folder.mkdir()
    for path in data.iterdir():
        if path.is_file():
            (folder / path.name).symlink_to(path)
    return folder


class Page(unittest.TestCase):
    """Each test opens the page anew."""

    program = data = path = page = folder = None

    def setUp(self):
        self.page.size(1280, 900)
        self.page.look()
        self.page.open(self.path, None)
        self.ready()

    def tearDown(self):
        errors = [e["message"] for e in self.page.log("browser") if e["level"] in ("SEVERE", "WARNING")]
        self.assertEqual(errors, [])
        self.assertEqual(self.page.requests(), [])

    # ---- How the page is used ----

    def ready(self, condition="true", seconds=20):
        """Waits until a condition is met, all of it is measured, and what came of that is drawn."""
        self.page.wait(f"{READY} && ({condition})", seconds)
        self.page.frames()
        self.page.wait(f"{READY} && ({condition})", seconds)

    def open(self, *names, how="drop"):
        """Opens files of the data, or others by their whole path."""
        paths = [self.data / name for name in names]
        if how == "drop":
            self.page.drop(*paths)
        else:
            self.page.choose("#files", *paths)
        self.ready(f"rugose.app.state.images.length === {len(paths)}")

    def tab(self, name):
        self.page.run("document.getElementById('tab-' + arguments[0]).click()", name)
        self.ready(f"rugose.app.state.command === '{name}'")

    def text(self, selector):
        return self.page.run("return document.querySelector(arguments[0]).textContent", selector)

    def texts(self, selector):
        return self.page.run("return [...document.querySelectorAll(arguments[0])].map((e) => e.textContent)", selector)

    def names(self):
        return self.page.run("return rugose.panels.map((p) => p.name)")

    def state(self, name):
        return self.page.run("return rugose.app.state[arguments[0]]", name)

    def copied(self, button):
        self.page.run(COPIED, button)
        self.page.wait("document.copied !== null")
        return self.page.run("return document.copied")

    def command(self):
        return shlex.split(self.copied("copy-command"))

    def same_as_program(self, folder):
        """The table of the page and that of its own command line."""
        words = self.command()
        self.assertEqual(words[0], "rugose")
        expected = pages.run(self.program, *words[1:], "-q", "-f", "csv", folder=folder)
        found = self.copied("copy-csv")
        self.alike(neutral(found), neutral(expected), words)

    def alike(self, found, expected, words):
        """Equal texts, but for the last digit of what powers and logarithms give: docs/web.md says of which numbers."""
        split = [re.split(r"([\s,]+)", text) for text in (found, expected)]
        self.assertEqual(len(split[0]), len(split[1]), (words, found[:500], expected[:500]))
        for a, b in zip(*split):
            if a != b:
                self.assertTrue(math.isclose(float(a), float(b), rel_tol=4.5e-16), (words, a, b))

    def heap(self):
        """Bytes of the page's own objects."""
        self.page.devtools("HeapProfiler.collectGarbage")
        return self.page.run("return performance.memory.usedJSHeapSize")

    # ---- The page itself ----

    def test_one_file_that_shows_an_example_at_once(self):
        self.assertLess(self.path.stat().st_size, MOST_BYTES)
        self.assertIn("Contains pako, https://", self.path.read_text("utf-8"))
        self.assertEqual(len(self.state("images")), 1)
        self.assertRegex(self.text("#panel .headline"), r"^D\s=\s1\.\d+")
        self.assertIn("rugose ", self.text("#about"))
        for width in (400, 1280, 2560):
            self.page.size(width, 900)
            self.assertLessEqual(self.page.run("return document.documentElement.scrollWidth"), width)

    def test_a_browser_that_lacks_something_is_told(self):
        old = pathlib.Path(self.folder, "old.html")
        old.write_text(self.path.read_text("utf-8").replace("<title>", "<script>delete window.DecompressionStream</script><title>", 1), "utf-8")
        self.page.open(old, "failed")
        self.assertEqual(self.texts("[role=alert]"), [
            "This page does not work in this browser (DecompressionStream is not defined). It needs Chrome, Edge, Firefox or "
            "Safari of the last two years."])
        self.page.run("rugose.agenda.refresh()")
        time.sleep(0.2)
        self.assertEqual(self.page.run("return [document.body.dataset.state, document.querySelectorAll('[role=alert]').length]"),
                         ["failed", 1])

    def test_nothing_leaves(self):
        hits = []

        class Counter(http.server.BaseHTTPRequestHandler):
            """Counts who asks."""

            def do_GET(self):  # noqa: N802, the name that the library calls
                hits.append(self.path)
                self.send_response(404)
                self.end_headers()

            def log_message(self, *arguments):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Counter)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/"
        script = """const address = arguments[0];
            await fetch(address + "fetch").catch(() => {});
            navigator.sendBeacon(address + "beacon");
            const image = new Image(); image.src = address + "image"; document.body.append(image);
            const frame = document.createElement("iframe"); frame.src = address + "frame"; document.body.append(frame);
            const code = "fetch('" + address + "worker').catch(() => {})";
            new Worker(URL.createObjectURL(new Blob([code])));
            await new Promise((done) => setTimeout(done, 300))"""
        self.page.run(script, address)
        self.assertEqual(hits, [])
        plain = pathlib.Path(self.folder, "plain.html")
        plain.write_text("<!DOCTYPE html><title>plain</title><body>", "utf-8")
        self.page.open(plain, None)
        self.page.run(script, address)
        self.assertGreaterEqual(len(set(hits)), 4)
        server.shutdown()
        server.server_close()
        self.page.log("browser")
        self.page.log("performance")

    def test_threads_where_the_page_is_isolated(self):
        headline = self.text("#panel .headline")

        class Isolated(http.server.SimpleHTTPRequestHandler):
            """Serves the page with the headers that let it share memory."""

            def end_headers(self):
                self.send_header("Cross-Origin-Opener-Policy", "same-origin")
                self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
                super().end_headers()

            def log_message(self, *arguments):
                pass

        make = functools.partial(Isolated, directory=self.path.parent)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), make)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.assertIn("on one thread", self.text("#about"))
        self.page.visit(f"http://127.0.0.1:{server.server_port}/{self.path.name}")
        self.ready()
        if len(os.sched_getaffinity(0)) > 1:
            self.assertRegex(self.text("#about"), r"with \d+\sthreads")
        self.assertEqual(self.text("#panel .headline"), headline)
        server.shutdown()
        server.server_close()
        self.page.log("performance")

    def test_everybody_can_use_it(self):
        self.open("cascade_1234_k7.png", "cascade_1234_k7_shuffled.png")
        for name in self.names():
            self.tab(name)
            with self.subTest(name):
                self.assertEqual(self.page.run(UNNAMED), [])
                found = self.page.run(OUTLINE)
                self.assertEqual(found["twice"], [])
                self.assertEqual(found["levels"][0], 1)
                self.assertTrue(all(b <= a + 1 for a, b in zip(found["levels"], found["levels"][1:])), found["levels"])
                for scheme in ("light", "dark"):
                    self.page.look(scheme)
                    worst = self.page.run(CONTRAST)
                    self.assertGreater(worst["n"], 20)
                    self.assertGreaterEqual(worst["ratio"], 4.5, (scheme, worst))
                self.page.size(400, 900)
                self.assertLessEqual(self.page.run("return document.documentElement.scrollWidth"), 400)
                self.page.size(1280, 900)

    # ---- Files ----

    def test_files_that_are_dropped_or_chosen(self):
        names = ["bin_horse.png", "brick.png", "camera.png"]
        for how in ("drop", "choose"):
            self.open(*names, how=how) if how == "drop" else self.page.choose("#files", *(self.data / n for n in names))
            self.ready("rugose.app.state.images.length === %d" % (3 if how == "drop" else 6))
            self.assertEqual(self.text("#image-title"), "bin_horse.png")
        self.assertEqual(self.texts("#results tbody th button"), names + names)

    def test_the_table_is_that_of_the_program(self):
        self.open("bin_horse.png", "brick.png", "camera.png", "menger_81.nii.gz")
        self.same_as_program(self.data)
        expected = pages.run(self.program, *self.command()[1:], "-q", "-f", "json", folder=self.data)
        self.page.devtools("Browser.setDownloadBehavior", behavior="allow", downloadPath=self.folder)
        self.page.run("[...document.querySelectorAll('#results button')].find((b) => b.textContent === 'Save JSON').click()")
        saved, end = pathlib.Path(self.folder, "boxcount.json"), time.monotonic() + 10
        while not (saved.exists() and saved.stat().st_size) and time.monotonic() < end:
            time.sleep(0.05)
        self.alike(neutral(saved.read_text("utf-8")), neutral(expected), saved)

    def test_every_tab_gives_the_command_line_that_gives_the_same(self):
        self.open("cascade_1234_k7.png")
        for name in self.names():
            with self.subTest(name):
                self.tab(name)
                self.same_as_program(self.data)

    def test_a_folder(self):
        folder = pathlib.Path(self.folder, "some")
        (folder / "inner").mkdir(parents=True)
        shutil.copy(self.data / "brick.png", folder / "b10.png")
        shutil.copy(self.data / "camera.png", folder / "b9.png")
        shutil.copy(self.data / "bin_horse.png", folder / "inner" / "horse.png")
        (folder / ".hidden").write_text("no image")
        self.page.drop(folder)
        self.ready("rugose.app.state.images.length === 3")
        self.assertEqual([i["name"] for i in self.state("images")], ["some/b9.png", "some/b10.png", "some/inner/horse.png"])
        self.same_as_program(self.folder)

    def test_hostile_files_are_rows_with_their_message(self):
        folder = pathlib.Path(self.folder, "hostile")
        folder.mkdir()
        picture = (self.data / "brick.png").read_bytes()
        header = b"\x93NUMPY\x01\x00v\x00" + b"{'descr': '<f8', 'fortran_order': False, 'shape': (100000, 100000), }".ljust(117) + b"\n"
        bad = {"empty.png": b"", "cut.png": picture[:2000], "text.txt": b"hello, this is no image", "huge.npy": header + b"\0" * 999,
               "<img src=x onerror=alert(1)>.png": b"\x89PNG\r\n\x1a\n"}
        for name, content in bad.items():
            (folder / name).write_bytes(content)
        (folder / "good.png").write_bytes(picture)
        self.page.drop(*sorted(folder.iterdir()))
        self.ready(f"rugose.app.state.images.length === {len(bad) + 1}")
        self.assertEqual(len(self.texts("#troubles li.failure")), len(bad))
        for row in self.texts("#results tbody tr:has(.doubtful) th"):
            self.assertGreater(len(row), 25, row)
        self.assertEqual(len(self.texts("#results tbody tr[aria-rowindex]")), len(bad) + 1)
        self.assertEqual(self.page.run("return document.querySelectorAll('img[src=x]').length"), 0)
        self.assertEqual(self.copied("copy-csv").count("\n"), 2)
        self.assertEqual(self.text("#image-title"), "good.png")
        self.page.run("rugose.app.set({current: rugose.app.state.images.find((i) => i.name === 'cut.png').id})")
        self.ready("!document.querySelector('#panel .notice').textContent.startsWith('D')")
        self.assertTrue(self.text("#panel .notice").startswith("cut.png: "))

    def test_names_of_files_stay_text(self):
        name = "&amp; '\"$(touch x)`.png"
        shutil.copy(self.data / "bin_horse.png", pathlib.Path(self.folder, name))
        self.page.drop(pathlib.Path(self.folder, name))
        self.ready("rugose.app.state.images.length === 1 && rugose.app.current()")
        self.ready(f"document.getElementById('image-title').textContent === {json.dumps(name)}")
        self.same_as_program(self.folder)

    def test_a_picture_is_pasted(self):
        self.page.run("""const canvas = document.createElement("canvas"), data = new DataTransfer();
            [canvas.width, canvas.height] = [90, 60];
            canvas.getContext("2d").fillRect(0, 0, 90, 60);
            const blob = await new Promise((done) => canvas.toBlob(done));
            data.items.add(new File([blob], "image.png", { type: "image/png" }));
            dispatchEvent(new ClipboardEvent("paste", { clipboardData: data }))""")
        self.ready("rugose.app.state.images[0].name === 'pasted.png' && rugose.app.current()")
        self.assertEqual(self.page.run("return rugose.app.current().shape"), [60, 90])

    def test_a_file_whose_channels_are_no_colours_is_read_by_one(self):
        path = pathlib.Path(self.folder, "two.tif")
        path.write_bytes(two_channels_tiff(64))
        self.page.drop(path)
        self.ready("rugose.app.state.images.length === 1 && document.getElementById('channel')")
        self.assertIn("2 channels", self.text("#panel .notice"))
        self.page.run("""const select = document.getElementById("channel"); select.value = "1";
            select.dispatchEvent(new Event("change"))""")
        self.ready("rugose.app.current()")
        self.assertIn("--channel", self.command())
        self.same_as_program(self.folder)

    def test_a_channel_of_a_colour_file(self):
        shutil.copy(self.data / "brick.png", pathlib.Path(self.folder, "grey.png"))
        colour = pathlib.Path(self.folder, "colour.png")
        colour.write_bytes(colour_png(96, lambda x, y: (x * 2, 255 if x == y else 0, (x * y) % 251)))
        self.page.drop(colour, pathlib.Path(self.folder, "grey.png"))
        self.ready("rugose.app.state.images.length === 2 && document.getElementById('channel')")
        luma = self.text("#panel .headline")
        self.page.run("""const select = document.getElementById("channel"); select.value = "1";
            select.dispatchEvent(new Event("change"))""")
        self.ready("document.querySelector('#image-facts').textContent.includes('values 0 to 255')")
        self.assertNotEqual(self.text("#panel .headline"), luma)
        self.assertIn("--channel", self.command())
        self.assertEqual(len(self.texts("#troubles li.failure")), 1)
        self.page.run("rugose.agenda.remove([rugose.app.state.images.find((i) => i.name === 'grey.png').id])")
        self.ready()
        self.same_as_program(self.folder)

    def test_a_second_file_is_the_labels_of_the_first(self):
        self.open("ht29_dna.png", "ht29_labels.png")
        self.page.run("""const select = document.getElementById("choose-labels"); select.selectedIndex = 1;
            select.dispatchEvent(new Event("change"))""")
        self.ready()
        self.assertGreater(len(self.texts("#results tbody tr[aria-rowindex]")), 10)
        self.same_as_program(self.data)
        self.page.press("z", held=[CONTROL])
        self.ready()
        self.assertIsNone(self.state("labels"))

    # ---- Numbers that follow ----

    def test_a_threshold_is_moved_by_keys_and_undone(self):
        self.open("camera.png")
        before = self.text("#panel .headline")
        self.page.run("rugose.app.set({option: ['*', 'foreground', 'above=60']})")
        self.ready("document.querySelector('#histogram [role=slider]')")
        self.page.run("document.querySelector('#histogram [role=slider]').focus()")
        self.page.press(RIGHT, RIGHT, RIGHT)
        self.ready("rugose.app.optionsOf('boxcount').foreground !== 'above=60'")
        self.assertRegex(self.page.run("return rugose.app.optionsOf('boxcount').foreground"), r"^above=6[1-9]")
        self.same_as_program(self.data)
        self.assertNotEqual(self.text("#panel .headline"), before)
        while self.page.run("return rugose.app.canUndo()"):
            self.page.press("z", held=[CONTROL])
        self.ready()
        self.assertEqual(self.text("#panel .headline"), before)
        self.page.press("z", held=[CONTROL, SHIFT])
        self.ready()
        self.assertEqual(self.page.run("return rugose.app.optionsOf('boxcount').foreground"), "above=60")

    def test_results_follow_what_is_dragged(self):
        self.open("camera.png")
        found = self.page.run(DRAG)
        self.assertGreater(len(found), 5)
        self.page.run("rugose.app.undo()")
        self.ready()
        self.assertFalse(self.page.run("return rugose.app.canUndo()"))

    def test_tabs_by_keys(self):
        names = self.names()
        self.page.run("document.querySelector('[role=tab][aria-selected=true]').focus()")
        for key, at in ((RIGHT, 1), (END, len(names) - 1), (RIGHT, 0), (LEFT, len(names) - 1), (HOME, 0)):
            self.page.press(key)
            self.assertEqual(self.state("command"), names[at])
            self.assertEqual(self.page.run("return document.activeElement.id"), "tab-" + names[at])
        self.ready()

    def test_the_skip_link_is_first_and_the_focus_is_seen(self):
        self.page.press(TAB)
        self.assertEqual(self.page.run("return document.activeElement.className"), "skip")
        for _ in range(4):
            self.page.press(TAB)
            self.assertNotEqual(self.page.run("return getComputedStyle(document.activeElement).outlineStyle"), "none")

    def test_the_table_sorts_filters_and_chooses(self):
        self.open("bin_horse.png", "brick.png", "camera.png")
        self.page.run("""const box = document.getElementById("filter"); box.value = "horse"; box.dispatchEvent(new Event("input"))""")
        self.assertEqual(self.texts("#results tbody th button"), ["bin_horse.png"])
        self.page.run("""const box = document.getElementById("filter"); box.value = ""; box.dispatchEvent(new Event("input"))""")
        self.page.run("[...document.querySelectorAll('#results tbody th button')].find((b) => b.textContent === 'camera.png').click()")
        self.ready("document.getElementById('image-title').textContent === 'camera.png'")
        self.page.run("document.querySelectorAll('#results thead button')[0].click()")
        self.page.run("document.querySelectorAll('#results thead button')[0].click()")
        self.assertEqual(self.texts("#results tbody th button"), ["camera.png", "brick.png", "bin_horse.png"])

    def test_work_is_stopped_and_begun_again(self):
        self.open("bin_uk_land_2048.png", "camera.png")
        for _ in range(3):
            self.page.run("rugose.app.set({option: ['*', 'foreground', 'above=' + Math.random()]}); rugose.agenda.stop()")
            self.ready()
        self.page.run("rugose.agenda.refresh()")
        self.ready("document.querySelector('#panel .headline').textContent.startsWith('D')")

    def test_what_takes_long_is_given_up_for_another_tab(self):
        self.open("bin_uk_land_2048.png")
        self.page.run("rugose.app.set({options: [['compress', 'stream-version', '1'], ['compress', 'search', 'exhaustive']]})")
        self.page.run("document.getElementById('tab-compress').click()")
        time.sleep(0.6)
        self.assertEqual(self.page.run("return document.body.dataset.state"), "busy")
        self.tab("lacunarity")
        self.assertTrue(self.page.run("return rugose.app.result(rugose.app.state.current, 'compress') === null"))
        self.same_as_program(self.data)

    # ---- Many images ----

    def test_memory_is_given_back(self):
        folder = pathlib.Path(self.folder, "many")
        folder.mkdir()
        for i in range(100):
            shutil.copy(self.data / "cascade_1234_k7.png", folder / f"{i:03}.png")
        self.page.drop(folder)
        self.ready("rugose.app.state.images.length === 100")
        self.assertIn("Measure all 99", self.text("#measure-all"))
        before, heap = self.page.run("return rugose.engine.memory()"), self.heap()
        self.page.run("document.getElementById('measure-all').click()")
        self.ready("rugose.agenda.waiting() === 0 && document.getElementById('measure-all').hidden", 60)
        after = self.page.run("return rugose.engine.memory()")
        self.assertLessEqual(after["module"] - before["module"], 1 << 20)
        self.assertLessEqual(after["open"], 4)
        self.assertLessEqual(self.heap() - heap, 20 << 20)
        self.assertEqual(self.copied("copy-csv").count("\n"), 101)


def picture(page, data, out):
    """A screenshot of the page with the vessels of a retina, 1280 pixels wide."""
    page.size(1280, 900)
    page.open(Page.path, None)
    page.wait(READY)
    page.run("rugose.agenda.remove(rugose.app.state.images.map((image) => image.id))")
    page.choose("#files", data / "bin_retina_vessels.png")
    page.wait(f"{READY} && rugose.app.current()")
    time.sleep(0.5)
    page.screenshot(out)


def main(program, data, path, *names, case=Page):
    if browsers.programs() is None:
        print("SKIPPED: no chromium with chromedriver here, so that nothing of rugose.html was tested; install chromium "
              "and chromium-driver", file=sys.stderr)
        return 77
    with tempfile.TemporaryDirectory() as folder:
        Page.program, Page.path = str(pathlib.Path(program).resolve()), pathlib.Path(path).resolve()
        Page.data, Page.folder = linked(pathlib.Path(data).resolve(), pathlib.Path(folder, "data")), folder
        Page.page = browsers.Browser(folder)
        try:
            if names and names[0] == "--picture":
                picture(Page.page, Page.data, names[1])
                return 0
            load = unittest.TestLoader()
            suite = load.loadTestsFromNames(names or [name for name in vars(case) if name.startswith("test_")], case)
            done = unittest.TextTestRunner(verbosity=2).run(suite)
        finally:
            Page.page.close()
    return 0 if done.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
