#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the rugose authors
"""Tests of the tabs of rugose.html behind the first two: page_tabs.py PROGRAM DATA PAGE [NAME...]

As rugose_page.py, whose page and words they use."""

import base64
import json
import pathlib
import struct
import sys
import zlib

import pages
import rugose_page
from rugose_page import END, HOME, LEFT, RIGHT

DOWN, ESCAPE = "\ue015", "\ue00c"

# Sets a control of the panel by its name, as a person does.
SET = """
const input = document.querySelector("[data-name='" + arguments[0] + "']");
if (input.type === "checkbox") input.checked = arguments[1]; else input.value = arguments[1];
input.dispatchEvent(new Event("input")); input.dispatchEvent(new Event("change"));
"""

# Pixels of the map: how many there are, are opaque, and how many colours they have.
MAP = """
const canvas = document.querySelector(".panel-body[data-name='" + arguments[0] + "'] .map canvas");
const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d");
copy.drawImage(canvas, 0, 0);
const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
let opaque = 0;
const colours = new Set();
for (let i = 0; i < data.length; i += 4) {
  if (data[i + 3] === 255) opaque++;
  if (data[i + 3] > 0) colours.add(65536 * data[i] + 256 * data[i + 1] + data[i + 2]);
}
return { width: canvas.width, height: canvas.height, opaque, colours: colours.size };
"""


def colour_png(rows, columns):
    """A picture in which red, green and blue differ, with alpha and a resolution."""
    def chunk(name, content):
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
    pixels = lambda y: (v for x in range(columns) for v in (2 * x % 256, 3 * y % 256, (x * y) % 251, 255 - x))
    lines = b"".join(b"\0" + bytes(pixels(y)) for y in range(rows))
    head = struct.pack(">IIBBBBB", columns, rows, 8, 6, 0, 0, 0)
    parts = [(b"IHDR", head), (b"pHYs", struct.pack(">IIB", 11811, 11811, 1)), (b"IDAT", zlib.compress(lines)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*part) for part in parts)


class Tabs(rugose_page.Page):
    """Each test opens the page anew."""

    # ---- How panels are used ----

    def set(self, name, value):
        self.page.run(SET, name, value)
        self.ready()

    def part(self, selector):
        return f"#panel > :not([hidden]) .panel-body {selector}"

    def number(self, name):
        """A large number of the panel, without its error."""
        script = """return [...document.querySelector(arguments[0]).childNodes].filter((n) => n.className !== "error")
            .map((n) => n.textContent).join("")"""
        return self.page.run(script, self.part(f".numbers [data-name='{name}'] .value")).replace("\u202f", "").replace("\u00a0", " ")

    def count(self, selector):
        return self.page.run("return document.querySelectorAll(arguments[0]).length", self.part(selector))

    def focus(self, selector):
        self.page.run("document.querySelector(arguments[0]).focus()", self.part(selector))

    def json(self, command, *words):
        return json.loads(pages.run(self.program, command, *words, "-q", "-f", "json", folder=self.data))["results"]

    def open_in(self, tab, *names):
        self.open(*names)
        self.tab(tab)

    # ---- Multifractals ----

    def test_a_spectrum_and_its_three_dimensions(self):
        self.open_in("multifractal", "cascade_1234_k7.png")
        rows = self.json("multifractal", "--q", "-5..5:0.5", "cascade_1234_k7.png")
        for name in ("D0", "D1", "D2"):
            self.assertAlmostEqual(float(self.number(name)), rows[0]["summary"][name], delta=5e-5)
        self.assertIn("D falls by 0.26 from D₀ to D₂", self.text(self.part("[data-name='said']")))
        self.assertEqual(self.count("circle"), 2 * len(rows))

    def test_orders_are_chosen_and_undone(self):
        self.open_in("multifractal", "cascade_1234_k7.png")
        self.set("multifractal-q0", "0")
        self.set("multifractal-q1", "2")
        self.set("multifractal-q2", "1")
        self.assertEqual(self.count("circle"), 6)
        self.same_as_program(self.data)
        self.page.run("rugose.app.undo(); rugose.app.undo(); rugose.app.undo()")
        self.ready()
        self.assertEqual(self.count("circle"), 42)
        self.assertEqual(self.page.run("return document.querySelector(\"[data-name='multifractal-q1']\").value"), "5")

    def test_mass_is_that_of_the_foreground_where_that_is_asked_for(self):
        self.open_in("multifractal", "camera.png")
        self.page.run("rugose.app.set({option: ['*', 'foreground', 'above=100']})")
        self.ready()
        self.assertNotIn("--foreground", self.command())
        self.set("multifractal-foreground", "set")
        self.assertIn("above=100", self.command())
        self.same_as_program(self.data)

    def test_the_exponent_of_each_pixel(self):
        self.open_in("multifractal", "camera.png")
        self.set("multifractal-method", "alpha")
        rows = self.json("multifractal", "--method", "alpha", "camera.png")
        best = max(row["f"] or 0 for row in rows)
        self.assertAlmostEqual(float(self.number("f")), best, delta=5e-4)
        self.assertEqual(self.page.run(MAP, "multifractal")["opaque"], 512 * 512 - rows[0]["undefined"])
        self.focus(".map canvas")
        self.page.press(RIGHT, DOWN)
        alpha = float(self.text(self.part("[data-name='value']")).rsplit("= ", 1)[1])
        self.assertTrue(rows[0]["range_min"] <= alpha <= rows[0]["range_max"])
        self.same_as_program(self.data)
        self.set("multifractal-method", "moments")
        self.same_as_program(self.data)

    def test_points_have_a_lattice_and_no_exponent_of_pixels(self):
        self.open_in("multifractal", "camera.png", "gb_coast_xy.tsv")
        seen = """const seen = (name) => document.querySelector("[data-name=multifractal-" + name + "]").checkVisibility();
            return ["method", "foreground", "resolution"].filter(seen)"""
        self.assertEqual(self.page.run(seen), ["method", "foreground"])
        self.page.run("rugose.app.set({current: rugose.app.state.images[1].id})")
        self.ready("rugose.app.current()")
        self.assertEqual(self.page.run(seen), ["resolution"])
        self.set("multifractal-resolution", "256")
        rows = self.json("multifractal", "--q", "-5..5:0.5", "--resolution", "256", "gb_coast_xy.tsv")
        self.assertAlmostEqual(float(self.number("D0")), rows[0]["summary"]["D0"], delta=5e-4)
        self.page.run("rugose.app.set({current: rugose.app.state.images[0].id})")
        self.ready()
        self.set("multifractal-method", "alpha")
        self.page.run("rugose.app.set({current: rugose.app.state.images[1].id})")
        self.ready("document.querySelector(\"[data-name='D0']\")")

    # ---- Lacunarity ----

    def test_lacunarity_by_size(self):
        self.open_in("lacunarity", "bin_horse.png")
        rows = self.json("lacunarity", "bin_horse.png")
        self.assertEqual(self.number("at-1"), f"{rows[0]['lacunarity']:.4g}")
        self.assertEqual(self.count("circle"), len(rows))
        self.assertIn("33.1 % of the pixels are set", self.text(self.part("[data-name='said']")))
        self.set("lacunarity-gray", "gray")
        self.assertEqual(self.count("[data-name='said']"), 0)
        self.same_as_program(self.data)

    def test_a_curve_for_each_label(self):
        self.open_in("lacunarity", "ht29_dna.png", "ht29_labels.png")
        self.page.run("rugose.app.set({labels: rugose.app.state.images[1].id})")
        self.ready()
        labels = {row["label"] for row in self.json("lacunarity", "--labels", "ht29_labels.png", "ht29_dna.png")}
        self.assertEqual(self.count("path.many"), len(labels))

    # ---- Patterns ----

    def test_a_bar_shows_where_its_pixels_are(self):
        self.open_in("lbp", "brick.png")
        row = self.json("lbp", "brick.png")[0]
        self.assertEqual(self.count("rect.bar"), 10)
        found = self.page.run(MAP, "lbp")
        self.assertEqual((found["opaque"], found["colours"]), (512 * 512, 10))
        self.focus("svg[tabindex]")
        for code, key in ((0, RIGHT), (1, RIGHT), (0, LEFT), (9, LEFT)):
            self.page.press(key)
            self.assertEqual(self.page.run(MAP, "lbp")["opaque"], row["bins"][code])
            self.assertTrue(self.text(self.part("[data-name='code']")).startswith(f"code {code} ("))
        self.page.press(ESCAPE)
        self.assertEqual(self.page.run(MAP, "lbp")["opaque"], 512 * 512)

    def test_other_circles_and_codes(self):
        self.open_in("lbp", "brick.png")
        self.set("lbp-lbp", "16,2")
        self.assertEqual(self.count("rect.bar"), 18)
        self.set("lbp-method", "nri_uniform")
        self.assertEqual(self.count("rect.bar"), 243)
        self.set("lbp-border", "skip")
        self.same_as_program(self.data)

    # ---- Co-occurrence ----

    def test_features_and_the_map_of_one(self):
        self.open_in("haralick", "brick.png")
        row = self.json("haralick", "brick.png")[0]
        for name in ("contrast", "entropy", "info_correlation_1"):
            text = self.text(self.part(f"[data-name='feature-{name}']"))
            self.assertAlmostEqual(float(text) / row[name], 1, delta=1e-5)
        first = self.page.run(MAP, "haralick")
        self.assertEqual((first["width"], first["height"], first["opaque"]), (512, 512, 512 * 512))
        self.assertGreater(first["colours"], 100)
        self.set("map-feature", "entropy")
        self.assertIn("entropy", self.page.run("return document.querySelector('[data-name=map] canvas').ariaLabel"))
        self.set("haralick-features", True)
        self.assertEqual(self.count(".features tbody tr"), 26)
        self.same_as_program(self.data)

    def test_the_map_of_a_large_image_waits_and_can_be_stopped(self):
        self.open_in("haralick", "bin_retina_vessels.png")
        self.assertEqual(self.count("[data-name='map'] canvas"), 0)
        self.page.run("document.querySelector('[data-name=map-draw]').click(); rugose.agenda.stop()")
        self.ready()
        self.assertEqual(self.text(self.part("[data-name='map'] .notice")), "Stopped.")
        self.assertTrue(self.page.run("return document.querySelector('[data-name=map-draw]').checkVisibility()"))

    def test_labels_in_the_colours_of_a_feature(self):
        self.open_in("haralick", "ht29_dna.png", "ht29_labels.png")
        self.page.run("rugose.app.set({labels: rugose.app.state.images[1].id})")
        self.ready("document.querySelector('#panel .map canvas')")
        rows = self.json("haralick", "--labels", "ht29_labels.png", "ht29_dna.png")
        self.assertEqual(self.number("labels"), str(len(rows)))
        before = self.page.run(MAP, "haralick")
        self.assertEqual(before["opaque"], sum(row["area"] for row in rows))
        self.set("label-feature", "entropy")
        self.ready("document.querySelector('#panel .map canvas').ariaLabel.includes('entropy')")
        self.assertNotEqual(self.page.run(MAP, "haralick")["colours"], before["colours"])

    # ---- Compression ----

    def test_the_stream_is_that_of_the_program(self):
        self.open_in("compress", "mri_t1_axial.png")
        words = self.command()
        pages.run(self.program, *words[1:], folder=self.data)
        expected = next(pathlib.Path(self.data).glob("*.rfi"))
        script = """const bytes = rugose.app.result(rugose.app.state.current, "compress").extra.stream;
            return btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join(""))"""
        self.assertEqual(base64.b64decode(self.page.run(script)), expected.read_bytes())
        expected.unlink()
        self.assertEqual(self.number("bytes"), str(len(base64.b64decode(self.page.run(script)))))

    def test_ways_of_coding(self):
        self.open_in("compress", "cascade_1234_k7.png")
        names = ("quality", "effort", "tune", "chroma", "progressive")
        shown = lambda: [name for name in names
                         if self.page.run("return document.querySelector(arguments[0]).getClientRects().length > 0",
                                          self.part(f"[data-name='compress-{name}']"))]
        self.assertEqual(shown(), ["quality", "effort", "tune", "progressive"])
        self.set("compress-effort", "2")
        self.set("compress-progressive", True)
        self.same_as_program(self.data)
        self.set("compress-residual", "lossless")
        self.assertEqual(shown(), [])
        self.assertEqual(self.number("psnr"), "–")
        self.assertEqual(self.count(".compare"), 1)
        self.same_as_program(self.data)
        self.set("compress-residual", "off")
        self.assertEqual(shown(), ["quality"])
        self.same_as_program(self.data)
        for stream in self.data.glob("*.rfi"):
            stream.unlink()

    def test_colours_are_kept(self):
        (self.data / "colours.png").write_bytes(colour_png(60, 80))
        self.open_in("compress", "colours.png")
        self.ready("document.querySelectorAll('#panel .compare canvas').length === 4")
        script = """const canvas = document.querySelector("#panel .compare canvas"), copy = new OffscreenCanvas(80, 60).getContext("2d");
            copy.drawImage(canvas, 0, 0);
            return [...copy.getImageData(7, 5, 1, 1).data]"""
        self.assertEqual(self.page.run(script), [14, 15, 35, 255])
        self.assertIn("3", self.copied("copy-csv").splitlines()[1].split(","))
        self.same_as_program(self.data)
        for stream in self.data.glob("*.rfi"):
            stream.unlink()

    def test_quality_and_the_edge_by_keys(self):
        self.open_in("compress", "mri_t1_axial.png")
        self.ready("document.querySelectorAll('#panel .compare canvas').length === 4")
        sizes = self.page.run("return [...document.querySelectorAll('#panel .compare canvas')].map((c) => c.width)")
        self.assertEqual(sizes[2:], [96, 384])
        before = int(self.number("bytes"))
        self.focus("[data-name='compress-quality']")
        self.page.press(HOME)
        self.ready("rugose.app.optionsOf('compress').quality === '1'")
        self.assertLess(int(self.number("bytes")), before)
        self.focus(".compare input")
        self.page.press(END)
        self.assertEqual(self.page.run("return document.querySelector('#panel .frames').style.getPropertyValue('--cut')"), "100%")

    def test_what_is_no_picture_is_not_coded(self):
        self.open_in("compress", "menger_81.nii.gz")
        self.assertIn("images of 8 or 16 bits", self.text("#panel > :not([hidden]) .notice"))


if __name__ == "__main__":
    sys.exit(rugose_page.main(*sys.argv[1:], case=Tabs))
