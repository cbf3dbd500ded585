#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the rugose authors
"""What it costs to see what was measured: look.py PROGRAM

Prints the seconds of processor time and the peak memory of box counts of a tiled image of 40,000 x 40,000
pixels, as a pyramid and with one level, without and with --overlay; and of 1000 images of 256 x 256 pixels,
without and with --report, with the size of the page. bench/page_time.py says what a browser takes for such a
page."""

import os
import pathlib
import random
import struct
import subprocess
import sys
import tempfile
import zlib

SIDE, TILE, LEVELS = 40_000, 512, 5


def directory(side, first, size, at, is_last, is_reduced):
    """A TIFF directory of deflated tiles that lie one behind the other, with its arrays behind it."""
    n = (-(-side // TILE)) ** 2
    tags = [(254, 4, 1, int(is_reduced)), (256, 4, 1, side), (257, 4, 1, side), (258, 3, 1, 8), (259, 3, 1, 8),
            (262, 3, 1, 1), (277, 3, 1, 1), (322, 4, 1, TILE), (323, 4, 1, TILE)]
    arrays = at + 2 + 12 * (len(tags) + 2) + 4
    tags += [(324, 4, n, arrays), (325, 4, n, arrays + 4 * n)]
    out = struct.pack("<H", len(tags)) + b"".join(struct.pack("<HHII", *tag) for tag in tags)
    out += struct.pack("<I", 0 if is_last else arrays + 8 * n)
    return out + struct.pack(f"<{n}I", *range(first, first + n * size, size)) + struct.pack("<I", size) * n


def write_tiff(path, n_levels):
    rng = random.Random(1)
    tile = zlib.compress(bytes(rng.choice((0, 0, 0, 255)) for _ in range(TILE * TILE)))
    n = (-(-SIDE // TILE)) ** 2
    at = 8 + n * len(tile)
    with open(path, "wb") as out:
        out.write(b"II*\0" + struct.pack("<I", at))
        for _ in range(n):
            out.write(tile)
        for level in range(n_levels):  # coarser levels take the first tiles again
            at += out.write(directory(SIDE >> level, 8, len(tile), at, level + 1 == n_levels, level > 0))


def write_npy(path, rng):
    head = "{'descr': '|u1', 'fortran_order': False, 'shape': (256, 256), }".ljust(117) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + rng.randbytes(256 * 256))


def measure(program, what, *words):
    """Runs boxcount, and prints its seconds of processor time and its peak memory."""
    with subprocess.Popen([program, "boxcount", "-q", "--foreground", "above=200", *map(str, words)],
                          stdout=subprocess.DEVNULL) as run:
        _, status, usage = os.wait4(run.pid, 0)
        run.returncode = os.waitstatus_to_exitcode(status)
    if run.returncode != 0:
        sys.exit(f"look.py: {what}: exit status {run.returncode}")
    print(f"{what}: {usage.ru_utime + usage.ru_stime:.2f} s, {usage.ru_maxrss / 1024:.0f} MiB")


def main(program):
    program = str(pathlib.Path(program).resolve())
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for n_levels, kind in ((LEVELS, "pyramid"), (1, "one level")):
            image = folder / f"{n_levels}.tif"
            write_tiff(image, n_levels)
            measure(program, f"40,000 x 40,000, {kind}", image)
            measure(program, f"40,000 x 40,000, {kind}, --overlay", image, "--overlay", folder / "o.png")
        rng, images, page = random.Random(2), folder / "images", folder / "page.html"
        images.mkdir()
        for i in range(1000):
            write_npy(images / f"{i:04}.npy", rng)
        measure(program, "1000 images", images)
        measure(program, "1000 images, --report", images, "--report", page)
        print(f"page: {page.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
