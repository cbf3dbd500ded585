#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the rugose authors
"""What it costs to see what was measured: look.py PROGRAM

Prints, for box counts without and with pictures, the seconds on the clock, those of the processors, and the
peak memory: of a tiled image of 40,000 x 40,000 pixels, as a pyramid and with one level, and --overlay; of
1000 images of noise (256 x 256) and of 200 photographs (512 x 512, tests/data/camera.png), and --report. First
idle, then beside as many spinning processes as there are processors. bench/page_time.py says what a browser
takes for such a page."""

import os
import pathlib
import random
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import zlib

SIDE, TILE, LEVELS = 40_000, 512, 5
CAMERA = pathlib.Path(__file__).resolve().parent.parent / "tests" / "data" / "camera.png"


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


def make(folder):
    """The inputs by name, with what draws them."""
    rng = random.Random(2)
    for n_levels in (LEVELS, 1):
        write_tiff(folder / f"{n_levels}.tif", n_levels)
    for name in ("noise", "photographs"):
        (folder / name).mkdir()
    for i in range(1000):
        write_npy(folder / "noise" / f"{i:04}.npy", rng)
    for i in range(200):
        shutil.copy(CAMERA, folder / "photographs" / f"{i:03}.png")
    overlay, report = ("--overlay", str(folder / "o.png")), ("--report", str(folder / "page.html"))
    return ((f"{LEVELS} levels", folder / f"{LEVELS}.tif", overlay), ("one level", folder / "1.tif", overlay),
            ("1000 of noise", folder / "noise", report), ("200 photographs", folder / "photographs", report))


def measure(program, what, *words):
    """Runs boxcount, and prints a row."""
    start = time.monotonic()
    with subprocess.Popen([program, "boxcount", "-q", "--foreground", "above=200", *map(str, words)],
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
        _, status, usage = os.wait4(run.pid, 0)
        run.returncode = os.waitstatus_to_exitcode(status)
    if run.returncode != 0:
        sys.exit(f"look.py: {what}: exit status {run.returncode}")
    print(f"| {what} | {time.monotonic() - start:.2f} | {usage.ru_utime + usage.ru_stime:.2f} | "
          f"{usage.ru_maxrss / 1024:.0f} |", flush=True)


def table(program, title, inputs):
    print(f"\n{title}\n\n| | clock, s | processors, s | memory, MiB |\n| --- | ---: | ---: | ---: |")
    for what, image, drawn in inputs:
        measure(program, what, image)
        measure(program, f"{what}, {drawn[0]}", image, *drawn)
        if drawn[0] == "--report":
            print(f"| its page: {os.stat(drawn[1]).st_size / 1e6:.1f} MB | | | |")


def main(program):
    program, n = str(pathlib.Path(program).resolve()), len(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory() as name:
        inputs = make(pathlib.Path(name))
        table(program, "Idle:", inputs)
        neighbours = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(n)]
        try:
            table(program, f"Beside {n} spinning processes:", inputs)
        finally:
            for neighbour in neighbours:
                neighbour.kill()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
