#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the rugose authors
"""Draws docs/images/report_*.png: report.py BUILD. BUILD is a build folder, whose program writes pages;
Chromium shows them."""

import pathlib
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "page"))
sys.dont_write_bytecode = True

import browser  # noqa: E402, found by the path above
import pages  # noqa: E402

SETS = ["bin_retina_vessels.png", "bin_horse.png", "bin_uk_coast_2048.png", "bin_carpet_243.png",
        "bin_hubble_gt60.png", "bin_vicsek_243.png"]
MEASURES = ["cascade_1234_k7.png", "cascade_0113_k8.png", "ht29_dna.png", "bin_retina_vessels.png"]


def main(build):
    program, data = str(pathlib.Path(build).resolve() / "cli" / "rugose"), ROOT / "tests" / "data"
    with tempfile.TemporaryDirectory() as folder:
        def page(name, *words):
            path = pathlib.Path(folder, name + ".html")
            pages.run(program, *words, "-q", "--report", str(path), folder=data)
            return path

        model = str(pathlib.Path(folder, "model.json"))
        pages.run(program, "train", "-q", "--model", model, "textures/train", folder=data)
        shots = [("report_boxcount", page("boxcount", "boxcount", *SETS), 1280, 1130, 1, "light"),
                 ("report_classify", page("classify", "classify", "--model", model, "textures/test"), 400, 1500, 1, "light"),
                 ("report_multifractal", page("multifractal", "multifractal", *MEASURES), 2560, 1500, 0.5, "dark")]
        window = browser.Browser(folder)
        try:
            for name, path, width, height, scale, scheme in shots:
                window.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale,
                                mobile=False)
                window.look(scheme)
                window.open(path)
                window.wait("[...document.images].every((i) => i.complete)")
                time.sleep(0.5)  # what has come into view is drawn
                window.screenshot(ROOT / "docs" / "images" / (name + ".png"))
        finally:
            window.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
