#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the rugose authors
"""Tests of files of several pages, and of what files do to each other, in rugose.html, as rugose_page.py:
many_files.py PROGRAM DATA PAGE [NAME...]"""

import pathlib
import shlex
import shutil
import struct
import sys

import pages
import rugose_page

DOWN, ENTER, SPACE = "\ue015", "\ue007", " "
OTHER_WAY = "measured with other labels, mask or options: choose it to see its rows"


def tiff(height, width, planes):
    """A TIFF file of pages of bytes."""
    out, at = bytearray(b"II*\0\0\0\0\0"), 4
    for plane in planes:
        begin = len(out)
        out += bytes(plane)
        out[at:at + 4] = struct.pack("<I", len(out))
        tags = ((256, width), (257, height), (258, 8), (259, 1), (262, 1), (273, begin), (277, 1), (278, height), (279, width * height))
        out += struct.pack("<H", len(tags)) + b"".join(struct.pack("<HHII", tag, 4, 1, value) for tag, value in tags)
        at = len(out)
        out += bytes(4)
    return bytes(out)


def npy(values, width):
    """An array of bytes as a file of NumPy."""
    header = "{'descr': '|u1', 'fortran_order': False, 'shape': (%d, %d), }" % (len(values) // width, width)
    return b"\x93NUMPY\x01\x00v\x00" + header.ljust(117).encode() + b"\n" + bytes(values)


class ManyFiles(rugose_page.Page):
    """Each test opens the page anew."""

    def made(self, **files):
        """Writes files and opens them: name=content, with _ for the dot."""
        folder = pathlib.Path(self.folder, "made")
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for name, content in files.items():
            (folder / name.replace("_", ".")).write_bytes(content)
        self.page.choose("#files", *sorted(folder.iterdir()))
        self.ready(f"rugose.app.state.images.length === {len(files)} && rugose.app.current()")
        return folder

    def choose(self, name):
        self.page.run("rugose.app.set({current: rugose.app.state.images.find((i) => i.name === arguments[0]).id})", name)
        self.ready()

    def notes(self):
        return self.texts("#results .with-note > .soft")

    def focused(self):
        return self.page.run("return document.activeElement.id")

    # ---- Pages ----

    def test_pages_are_a_volume_until_one_is_chosen(self):
        planes = [[(x * (z + 3) + y * y) % 251 for y in range(24) for x in range(32)] for z in range(4)]
        folder = self.made(pages_tif=tiff(24, 32, planes))
        self.assertEqual(self.page.run("return rugose.app.current().shape"), [4, 24, 32])
        self.assertTrue(self.page.run("return document.getElementById('volume').checked && document.getElementById('page').disabled"))
        self.page.run("document.getElementById('volume').focus()")
        self.page.press(SPACE)
        self.ready("rugose.app.current().shape.length === 2")
        self.assertEqual(self.focused(), "volume")
        self.assertEqual(self.command()[2:], ["--page", "0", "pages.tif"])
        self.same_as_program(folder)
        self.page.run("const page = document.getElementById('page'); page.value = 2; page.dispatchEvent(new Event('change'))")
        self.ready("rugose.app.current().read.page === 2")
        self.same_as_program(folder)

    def test_a_file_without_such_a_channel_shows_the_way_back(self):
        colour = rugose_page.colour_png(32, lambda x, y: (x * 7, y * 5, x ^ y))
        self.made(colour_png=colour, grey_npy=npy(range(256), 16))
        self.page.run("rugose.app.set({option: ['reading', 'channel', '2']})")
        self.ready()
        self.choose("grey.npy")
        self.assertIn("could not be read", self.text("#image-facts"))
        self.page.run("document.getElementById('read-as-usual').click()")
        self.ready("rugose.app.current()")
        self.assertEqual(self.page.run("return document.getElementById('read-as-usual')"), None)

    # ---- Labels, masks, points ----

    def test_a_table_holds_what_was_measured_alike(self):
        small = [x % 3 == 0 or y % 5 == 0 for y in range(16) for x in range(16)]
        labels = [1 + (x > 8) for y in range(16) for x in range(16)]
        points = "".join(f"{x},{x * x % 97}\n" for x in range(99)).encode()
        folder = self.made(a_npy=npy(small, 16), b_npy=npy([not v for v in small], 16), labels_npy=npy(labels, 16),
                           other_npy=npy(small[:128], 16), points_csv=points)
        self.same_as_program(folder)
        for how in ("labels", "mask"):
            self.page.run("rugose.app.set({[arguments[0]]: rugose.app.state.images.find((i) => i.name === 'labels.npy').id})", how)
            self.choose("a.npy")
            self.assertEqual(self.notes(), [OTHER_WAY] * 2)
            lines = self.copied("copy-command").split("\n")
            self.assertEqual(len(lines), 2 if how == "labels" else 1)
            tables = [pages.run(self.program, *shlex.split(line)[1:], "-q", "-f", "csv", folder=folder) for line in lines]
            expected = tables[0] + "".join(table.split("\n", 1)[1] for table in tables[1:])
            self.alike(rugose_page.neutral(self.copied("copy-csv")), rugose_page.neutral(expected), lines)
            self.choose("other.npy")
            self.assertEqual(self.notes(), [OTHER_WAY] * 2)
            self.same_as_program(folder)
            self.page.run("rugose.app.set({[arguments[0]]: null})", how)
        self.page.run("rugose.app.set({option: ['*', 'foreground', 'label=1']})")
        for name, n in (("a.npy", 1), ("points.csv", 4)):
            self.choose(name)
            self.assertEqual(self.notes(), [OTHER_WAY] * n)
            self.same_as_program(folder)

    def test_labels_that_are_removed_are_no_longer_used(self):
        self.open("ht29_dna.png", "ht29_labels.png")
        before = self.text("#panel .headline")
        self.page.run("rugose.app.set({labels: rugose.app.state.images[1].id})")
        self.ready()
        self.assertNotEqual(self.text("#panel .headline"), before)
        self.page.run("rugose.agenda.remove([rugose.app.state.images[1].id])")
        self.ready(f"document.querySelector('#panel .headline').textContent === {before!r}")
        self.same_as_program(self.data)

    # ---- Keys ----

    def test_the_focus_stays_where_the_page_is_drawn_anew(self):
        self.open("camera.png", "brick.png")
        self.page.run("document.querySelector('#companions summary').click(); document.getElementById('choose-mask').focus()")
        self.page.press(DOWN)
        self.ready("rugose.app.state.mask !== null")
        self.assertEqual(self.focused(), "choose-mask")
        self.page.run("rugose.app.undo()")
        self.ready("document.querySelectorAll('#results tbody th button').length === 2")
        self.page.run("document.querySelector('#results tbody th button:not([aria-current])').focus()")
        self.page.press(ENTER)
        self.ready("rugose.app.current().name === 'camera.png'")
        self.page.wait("document.activeElement.matches('#results button[aria-current]')")
        self.assertEqual(self.page.run("return document.activeElement.textContent"), "camera.png")

    def test_why_there_is_no_result_is_said(self):
        said = "document.getElementById('said').textContent"
        self.open("menger_81.nii.gz")
        self.tab("compress")
        self.page.wait(f"{said} === document.querySelector('#panel > :not([hidden]) .notice').textContent")
        self.tab("boxcount")
        self.page.wait(f"{said}.startsWith('D\xa0=')")
        self.page.run("rugose.app.set({option: ['boxcount', 'sizes', 'x']})")
        self.page.wait(f"{said}.startsWith('--sizes:')")

    # ---- Stop ----

    def test_what_was_stopped_waits_to_be_asked_for(self):
        self.open("bin_horse.png", "brick.png", "camera.png")
        self.page.run("document.getElementById('tab-compress').click()")
        self.page.wait("document.body.dataset.state === 'busy'")
        self.page.run("rugose.agenda.stop()")
        self.ready("!document.getElementById('measure-all').hidden")
        self.tab("boxcount")
        self.assertTrue(self.page.run("return document.getElementById('measure-all').hidden"))


if __name__ == "__main__":
    sys.exit(rugose_page.main(*sys.argv[1:], case=ManyFiles))
