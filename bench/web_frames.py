#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the rugose authors
"""How the numbers of rugose.html follow a threshold that is dragged: web_frames.py PAGE [SIDE, default 4096]"""

import pathlib
import random
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "page"))
sys.dont_write_bytecode = True

import browser  # noqa: E402, found by the path above

# For three seconds a new threshold in each frame: frames, results, and the longest time between two of each.
DRAG = r"""
const { app } = rugose, frames = [], results = [], begin = performance.now();
app.on("result", () => results.push(performance.now()));
for (let i = 0; performance.now() - begin < 3000; i++) {
  app.set({ option: ["*", "foreground", "above=" + (40 + (i % 180))] }, { live: true });
  frames.push(await new Promise((done) => requestAnimationFrame(done)));
}
const longest = (times) => times.slice(1).reduce((most, t, i) => Math.max(most, t - times[i]), 0);
return { frames: frames.length / 3, results: results.length / 3, frame: longest(frames), result: longest(results) };
"""


def main(page, side="4096"):
    n = int(side)
    with tempfile.TemporaryDirectory() as folder:
        image = pathlib.Path(folder, "noise.npy")
        shape = f"{{'descr': '|u1', 'fortran_order': False, 'shape': ({n}, {n}), }}".encode()
        image.write_bytes(b"\x93NUMPY\x01\x00v\x00" + shape.ljust(117) + b"\n" + random.Random(1).randbytes(n * n))
        window = browser.Browser(folder)
        try:
            window.open(pathlib.Path(page).resolve())
            window.choose("#files", image)
            window.wait("rugose.app.state.images.length === 1 && rugose.app.current() && document.body.dataset.state === 'ready'", 60)
            found = window.run(DRAG)
        finally:
            window.close()
        print(f"{n} x {n} pixels: {found['frames']:.0f} frames and {found['results']:.0f} results a second; the longest between two "
              f"frames {found['frame']:.0f} ms, between two results {found['result']:.0f} ms")


if __name__ == "__main__":
    main(*sys.argv[1:])
