#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the rugose authors
"""Tests of the image, its histogram, box counting and the surface of rugose.html in a browser, as rugose_page.py:
image_and_plot.py PROGRAM DATA PAGE [NAME...]"""

import pathlib
import struct
import sys

import rugose_page
from rugose_page import CONTROL, END, HOME, LEFT, RIGHT

DELETE = "\ue017"

# How many pixels of the picture are orange, as what is set is.
ORANGE = r"""
const canvas = document.getElementById("picture"), { width, height } = canvas;
const copy = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
copy.drawImage(canvas, 0, 0);
const { data } = copy.getImageData(0, 0, width, height);
let n = 0;
for (let i = 0; i < data.length; i += 4) n += data[i] > data[i + 2] + 20;
return n;
"""

# Counts the boxes of each drawing from now on.
BOXES = r"""
const prototype = CanvasRenderingContext2D.prototype, { rect, beginPath } = prototype;
prototype.beginPath = function () { document.boxes = 0; return beginPath.apply(this); };
prototype.rect = function (...values) { document.boxes++; return rect.apply(this, values); };
"""

FIRST_ROW = "return rugose.app.result(rugose.app.state.current, rugose.app.state.command).rows[0].row"


class ImageAndPlot(rugose_page.Page):
    """Each test opens the page anew."""

    def set(self, *options):
        """Sets options of box counting."""
        self.page.run("rugose.app.set({options: arguments[0]})", [["boxcount", name, value] for name, value in options])
        self.ready()

    def option(self, name):
        return self.page.run("return rugose.app.optionsOf(rugose.app.state.command)[arguments[0]]", name)

    def row(self):
        return self.page.run(FIRST_ROW)

    def painted(self, n):
        """Waits until so many pixels are orange."""
        self.page.wait(f"(() => {{ {ORANGE} }})() === {n}")

    def size(self, at):
        """Where a size of the plot is, as a share of its width."""
        return self.page.run("""const box = document.querySelector(".plot > .handles").getBoundingClientRect();
            const dots = [...document.querySelectorAll(".drawn circle")].map((c) => c.getBoundingClientRect());
            return (dots[arguments[0]].left + dots[arguments[0]].width / 2 - box.left) / box.width""", at)

    # ---- What is orange is what is measured ----

    def test_every_rule_paints_what_is_counted(self):
        self.open("camera.png")
        for rule in ("auto", "otsu", "otsu-dark", "nonzero", "above=100.5", "below=60", "label=7"):
            with self.subTest(rule):
                self.set(("foreground", rule))
                self.assertGreater(self.row()["foreground_pixels"], 0)
                self.painted(self.row()["foreground_pixels"])

    def test_real_numbers_are_painted_as_they_are_counted(self):
        values = [0.7 if 3 <= x < 9 else 0.1 for _ in range(20) for x in range(20)]
        values[:3] = [float("nan"), float("inf"), float("-inf")]
        header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (20, 20), }".ljust(117) + b"\n"
        path = pathlib.Path(self.folder, "real.npy")
        path.write_bytes(b"\x93NUMPY\x01\x00v\x00" + header + struct.pack("<400d", *values))
        self.open(path)
        for rule, n in (("above=0.7", 121), ("below=0.7", 278), ("label=0.1", 277), ("above=1", 1), ("nonzero", 399)):
            with self.subTest(rule):
                self.set(("foreground", rule))
                self.assertEqual(self.row()["foreground_pixels"], n)
                self.painted(n)

    def test_an_image_of_one_value(self):
        self.open("bin_full_256.png")
        self.painted(65536)
        self.assertRegex(self.text("#panel .headline"), r"^D\s=\s2\s±\s0$")

    def test_the_dark_pixels_are_taken_where_a_warning_says_so(self):
        self.open("camera.png")
        self.page.run("document.querySelector('#panel [data-name=take-dark]').click()")
        self.ready("rugose.app.optionsOf('boxcount').foreground === 'otsu-dark'")
        self.assertLess(self.row()["foreground_share"], 0.5)
        self.assertEqual(self.texts("#panel [data-name=take-dark]"), [])
        self.assertEqual(self.page.run("return rugose.app.optionsOf('lacunarity').foreground"), "otsu-dark")

    def test_what_has_mass_is_painted(self):
        self.open("camera.png")
        self.tab("lacunarity")
        self.painted(self.row()["pixels_with_mass"])
        self.tab("multifractal")
        self.painted(0)

    def test_the_overlay_is_switched_off(self):
        self.open("camera.png")
        self.painted(self.row()["foreground_pixels"])
        self.page.run("document.getElementById('overlay').click()")
        self.painted(0)

    def test_pixels_outside_of_the_mask_are_not_orange(self):
        self.open("ht29_dna.png", "ht29_labels.png")
        self.page.run("rugose.app.set({mask: rugose.app.state.images[1].id})")
        self.set(("foreground", "above=30"))
        self.painted(self.row()["foreground_pixels"])

    def test_a_slice_of_a_volume(self):
        self.open("menger_81.nii.gz")
        names = self.page.run("return document.getElementById('slice').getAttribute('aria-valuetext')")
        self.assertEqual(names, "slice 41 of 81 across z")
        self.page.run("document.getElementById('slice').focus()")
        self.painted(256)
        self.page.press(HOME)
        self.painted(4096)
        self.page.run("""const axis = document.getElementById("axis"); axis.value = 2; axis.dispatchEvent(new Event("change"))""")
        self.page.wait("document.getElementById('slice').getAttribute('aria-valuetext') === 'slice 41 of 81 across x'")
        self.painted(256)

    def test_points_are_drawn(self):
        self.open("gb_coast_xy.tsv")
        self.assertTrue(self.page.run("return document.querySelector('.histogram').hidden"))
        n = self.page.run("""const canvas = document.getElementById("picture"), { width, height } = canvas;
            return canvas.getContext("2d").getImageData(0, 0, width, height).data.filter((v, i) => i % 4 === 3 && v > 0).length""")
        self.assertGreater(n, 3000)
        self.same_as_program(self.data)

    def test_values_are_read_from_the_image(self):
        self.open("bin_horse.png")
        self.page.point(".stage", (0.5, 0.5))
        self.assertEqual(self.text("[data-name=pixel]"), "x 200, y 164: 255")

    # ---- The threshold ----

    def test_the_threshold_is_dragged(self):
        self.open("camera.png")
        self.page.point("svg.levels", (0.3, 0.5), (0.4, 0.5), (0.5, 0.5), is_held=True)
        self.ready("rugose.app.optionsOf('boxcount').foreground !== 'auto'")
        kind, value = self.option("foreground").split("=")
        self.assertEqual(kind, "above")
        self.assertTrue(120 < int(value) < 136, value)
        self.assertEqual(self.row()["foreground"], self.option("foreground"))
        self.painted(self.row()["foreground_pixels"])
        self.assertIn(value + " and above, ", self.text("[data-name=rule]"))
        self.page.press("z", held=[CONTROL])
        self.ready("rugose.app.optionsOf('boxcount').foreground === 'auto' && !rugose.app.canUndo()")

    def test_the_threshold_by_keys_and_by_number(self):
        self.open("camera.png")
        self.set(("foreground", "below=50"))
        self.page.run("document.getElementById('threshold-line').focus()")
        self.page.press(RIGHT)
        self.ready("rugose.app.optionsOf('boxcount').foreground === 'below=51'")
        self.assertRegex(self.page.run("return document.getElementById('threshold-line').getAttribute('aria-valuetext')"),
                         r"^below 51, [\d.]+ % of the pixels$")
        self.page.press(END)
        self.ready("rugose.app.optionsOf('boxcount').foreground === 'below=255'")
        self.page.run("""const box = document.getElementById("threshold"); box.value = "70.5"; box.dispatchEvent(new Event("change"))""")
        self.ready("rugose.app.optionsOf('boxcount').foreground === 'below=70.5'")
        self.page.run("""const rule = document.getElementById("rule"); rule.value = "otsu-dark"; rule.dispatchEvent(new Event("change"))""")
        self.ready("rugose.app.optionsOf('boxcount').foreground === 'otsu-dark'")
        self.assertRegex(self.text("[data-name=rule]"), r"^Chosen: below \d+, ")
        self.same_as_program(self.data)

    # ---- The plot ----

    def test_the_range_of_the_fit_is_dragged(self):
        self.open("camera.png")
        to = self.size(5)
        handle = self.page.run("""const box = document.querySelector(".plot > .handles").getBoundingClientRect();
            const grip = document.querySelector("[data-name=fit-max] .grip").getBoundingClientRect();
            return [(grip.left + grip.width / 2 - box.left) / box.width, (grip.top + grip.height / 2 - box.top) / box.height]""")
        self.page.point(".plot > .handles", handle, ((handle[0] + to) / 2, handle[1]), (to, handle[1]), is_held=True)
        self.ready("rugose.app.optionsOf('boxcount').fit === '1..32'")
        self.assertEqual((self.row()["size_min"], self.row()["size_max"], self.row()["n_sizes"]), (1, 32, 6))
        self.page.run("document.querySelector('[data-name=fit-min]').focus()")
        self.page.press(RIGHT, RIGHT, LEFT)
        self.ready("rugose.app.optionsOf('boxcount').fit === '2..32'")
        self.page.press(END)
        self.ready("rugose.app.optionsOf('boxcount').fit === '8..32'")
        self.assertEqual(self.page.run("return document.activeElement.getAttribute('aria-valuetext')"), "8 pixels")
        self.assertEqual(self.row()["n_sizes"], 3)
        self.same_as_program(self.data)
        self.page.press(DELETE)
        self.ready("rugose.app.optionsOf('boxcount').fit === null")
        self.assertEqual(self.row()["size_max"], 128)

    def test_an_older_result_does_not_move_the_handles(self):
        self.open("camera.png")
        self.page.run("""const grip = document.querySelector("[data-name=fit-min]"), { app } = rugose, { current } = app.state;
            const press = () => grip.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true, cancelable: true }));
            const result = app.result(current, "boxcount");
            for (let i = 0; i < 3; i++) { press(); app.emit("result", current, "boxcount", result); }""")
        self.ready("rugose.app.optionsOf('boxcount').fit === '8..128'")
        self.assertEqual(self.row()["size_min"], 8)

    def test_the_boxes_of_a_size_are_drawn(self):
        self.open("camera.png")
        self.page.run(BOXES)
        for grid in ("origin", "min"):
            self.set(("grid", grid), ("foreground", "above=200"))
            count = next(c for c in self.row()["counts"] if c["size"] == 16)
            self.page.point(".plot > .handles", (0.99, 0.3), (self.size(4), 0.3))
            self.page.wait(f"document.boxes === {count['nonempty']}")
            self.assertIn(f"Boxes of 16 × 16 pixels: {count['nonempty']} of {count['total']} hold foreground", self.text("[data-name=fit]"))

    def test_one_size_after_the_other(self):
        self.open("bin_horse.png")
        self.page.run("document.querySelector('[data-name=watch]').click()")
        for side in (512, 256):
            self.page.wait(f"document.querySelector('[data-name=fit]').textContent.startsWith('Boxes of {side} ×')")
        self.page.run("document.querySelector('[data-name=watch]').click()")
        self.page.wait("document.querySelector('[data-name=fit]').textContent.startsWith('The line')")

    def test_sizes_and_other_boxes(self):
        self.open("bin_horse.png")
        self.page.run("""const kind = document.querySelector("[data-name=sizes-kind]"); kind.selectedIndex = 1;
            kind.dispatchEvent(new Event("change"))""")
        self.ready("rugose.app.optionsOf('boxcount').sizes !== null")
        sizes = [c["size"] for c in self.row()["counts"]]
        self.assertEqual(sizes[:8], [1, 2, 3, 4, 5, 6, 8, 10])
        self.assertGreaterEqual(sizes[-1], 400)
        self.set(("of", "gray"), ("grid", "mean"))
        self.same_as_program(self.data)
        self.set(("sizes", "no sizes"))
        self.assertIn("Not measured", self.text("#panel .headline"))
        self.assertTrue(self.page.run("return document.querySelector('.fit-plot').hidden"))

    def test_what_is_undefined_says_why(self):
        self.open("bin_horse.png")
        self.set(("foreground", "above=256"))
        self.assertEqual(self.text("#panel .headline"), "D is undefined (empty)")
        self.assertIn("There is nothing to measure.", self.text("#panel .notes"))

    def test_the_surface(self):
        self.open("mri_t1_axial.png")
        self.tab("surface")
        self.assertRegex(self.text("[data-name=surface] .headline"), r"^D\s=\s2\.005\s±\s0\.070$")
        self.assertTrue(self.page.run("return document.querySelector('.histogram').hidden"))
        self.painted(0)
        self.page.wait("""(() => { const canvas = document.querySelector(".surface canvas");
            return canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.some((v) => v > 0); })()""")


if __name__ == "__main__":
    sys.exit(rugose_page.main(*sys.argv[1:], case=ImageAndPlot))
