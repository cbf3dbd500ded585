#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the rugose authors
"""How long a browser works on a page of many images: page_time.py PROGRAM DATA [IMAGES, default 1000]"""

import pathlib
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "page"))
sys.dont_write_bytecode = True

import browser  # noqa: E402, found by the path above
import pages  # noqa: E402


def main(program, data, n="1000"):
    with tempfile.TemporaryDirectory() as folder:
        one, many = pathlib.Path(folder, "one.html"), pathlib.Path(folder, "many.html")
        images = sorted(str(path) for path in pathlib.Path(data).resolve().glob("bin_*.png"))
        pages.run(str(pathlib.Path(program).resolve()), "boxcount", "-q", "--report", str(one), *images, folder=folder)
        pages.write(many, one, pages.many(pages.read(one), int(n)))
        window = browser.Browser(folder)
        try:
            window.devtools("Performance.enable", timeDomain="threadTicks")
            window.open(many)
            found = {m["name"]: m["value"] for m in window.devtools("Performance.getMetrics")["metrics"]}
        finally:
            window.close()
        print(f"{n} images, {many.stat().st_size / 1e6:.1f} MB: scripts {found['ScriptDuration']:.2f} s, styles and layout "
              f"{found['RecalcStyleDuration'] + found['LayoutDuration']:.2f} s, all {found['TaskDuration']:.2f} s")


if __name__ == "__main__":
    main(*sys.argv[1:])
