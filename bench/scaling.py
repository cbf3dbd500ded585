#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the rugose authors
"""The constants of docs/scaling.md: scaling.py PROGRAM TESTS_DATA FOLDER [commands|model|slides|merge...]

Makes its files in FOLDER (1 GB) unless they are there, with numpy, tifffile, imagecodecs and Pillow, and
prints tables. Times are processor seconds, user and system, of whole processes, the least of three runs (of
commands, two); those on the clock stand beside them. Bytes are those that the process read (rchar of
/proc/PID/io), headers and all."""

import argparse
import os
import pathlib
import subprocess
import sys
import time

import numpy
import tifffile
from PIL import Image

ROUNDS = 3
RULE = ["--foreground", "above=128"]
COMMANDS = [
    ("boxcount", ["boxcount", *RULE]),
    ("boxcount, the rule found", ["boxcount"]),
    ("boxcount --gray", ["boxcount", "--gray"]),
    ("multifractal", ["multifractal"]),
    ("multifractal --method alpha", ["multifractal", "--method", "alpha", "--alpha-range", "0..4"]),
    ("lacunarity", ["lacunarity", *RULE]),
    ("lbp", ["lbp"]),
    ("haralick --levels 32", ["haralick", "--levels", "32", "--range", "0..255"]),
]
CELL = 512  # side of what the large images are put together from


# ---- What is measured ----

def cells(data):
    """Photographs, and glass with nothing on it."""
    names = ["camera", "brick", "ht29_dna", "xray_chest_nih"]
    found = [numpy.asarray(Image.open(data / f"{name}.png").convert("L")) for name in names]
    return [*found, numpy.full((CELL, CELL), 240, numpy.uint8), numpy.full((CELL, CELL), 240, numpy.uint8)]


def rows_of(data, rows, columns, rng):
    """A mosaic with grain, CELL rows at a time: of six cells two are empty."""
    choice = cells(data)
    for _ in range(rows // CELL):
        line = numpy.concatenate([choice[i] for i in rng.integers(0, len(choice), columns // CELL)], axis=1)
        yield numpy.clip(line.astype(numpy.int16) + rng.integers(-3, 4, line.shape), 0, 255).astype(numpy.uint8)


def stained(grey):
    """Grey values as light through violet and pink stains."""
    dark = 255 - grey.astype(numpy.float32)
    return numpy.stack([255 - dark * share for share in (0.6, 0.95, 0.5)], axis=-1).astype(numpy.uint8)


def write_npy(path, data, rows, columns):
    out = numpy.lib.format.open_memmap(path, "w+", numpy.uint8, (rows, columns))
    for i, line in enumerate(rows_of(data, rows, columns, numpy.random.default_rng(1))):
        out[i * CELL:(i + 1) * CELL] = line
    out.flush()


def write_tiff(path, data, side, **options):
    """A slide: colours in tiles of 256 x 256. Small ones are cut from a cell."""
    whole = max(side, CELL)
    lines = list(rows_of(data, whole, whole, numpy.random.default_rng(2)))
    pixels = stained(numpy.concatenate(lines)[:side, :side])
    tifffile.imwrite(path, pixels, photometric="rgb", tile=(256, 256), **options)


def made(folder, name, write):
    path = folder / name
    if not path.exists():
        write(folder / ("part." + name))
        os.rename(folder / ("part." + name), path)
    return path


def slide(args, side, compression="jpeg"):
    options = {"compression": compression, "compressionargs": {"level": 80} if compression == "jpeg" else {"level": 6}}
    return made(args.folder, f"slide-{side}-{compression}.tif", lambda path: write_tiff(path, args.data, side, **options))


# ---- How it is measured ----

def run(command):
    """Processor seconds, seconds on the clock and bytes read of a process."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, close_fds=False)
    said = process.stderr.read()
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    wall = time.perf_counter() - start
    counts = dict(line.split(": ") for line in pathlib.Path(f"/proc/{process.pid}/io").read_text("ascii").splitlines())
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: {said.decode()}")
    return usage.ru_utime + usage.ru_stime, wall, int(counts["rchar"])


def least(command, rounds=ROUNDS):
    return [min(values) for values in zip(*(run(command) for _ in range(rounds)))]


def print_row(*cells_):
    print("| " + " | ".join(str(c) for c in cells_) + " |", flush=True)


def measure_commands(args):
    """Each command on an image of 2^28 pixels, as if it had 10^9."""
    side = 1 << 14
    image = made(args.folder, "large.npy", lambda path: write_npy(path, args.data, side, side))
    per = 1e9 / side**2
    print_row("command", "1 thread, s", "2 threads, s", "clock", "GB read", "bytes of a state of an eighth")
    for title, words in COMMANDS:
        one, two = (least([args.program, *words, "-q", "--threads", str(n), image], 2) for n in (1, 2))
        state = args.folder / "part.rgs"
        done = subprocess.run([args.program, *words, "-q", "--part", "2/8", "-o", state, image], capture_output=True, check=False)
        size = state.stat().st_size if done.returncode == 0 else "none"
        state.unlink(missing_ok=True)
        print_row(title, *(f"{t * per:.2f}" for t in (one[0], two[0], two[1])), f"{one[2] * per / 1e9:.2f}", size)


# ---- The model ----

def fit(rows, names):
    """Least squares of relative residuals: rows of terms and seconds."""
    terms = numpy.array([row[:-1] for row in rows], float)
    seconds = numpy.array([row[-1] for row in rows], float)
    found, *_ = numpy.linalg.lstsq(terms / seconds[:, None], numpy.ones(len(rows)), rcond=None)
    said = terms @ found
    print("t = " + " + ".join(f"{value:.3g} {name}" for value, name in zip(found, names)))
    return found, said


def measure_model(args):
    """Runs of as many files as given, of one size each, on one thread."""
    rows, cases = [], []
    for n, side in [(1, 256), (1, 1024), (1, 4096), (1, 16384), (10, 256), (10, 2048), (10, 4096), (100, 256), (100, 512),
                    (100, 1024), (1000, 256), (1000, 512), (2000, 256), (4, 8192), (50, 2048)]:
        source = slide(args, side)
        names = [args.folder / f"link-{side}-{i}.tif" for i in range(n)]
        for name in names:
            if not name.exists():
                os.link(source, name)
        one = least([args.program, "boxcount", *RULE, "-q", "--threads", "1", *names])
        for name in names:
            name.unlink()
        cases.append((n, side))
        rows.append([1, n * side**2 / 1e9, n, one[0]])
    _, said = fit(rows, ["s", "s for each gigapixel", "s for each file"])
    print_row("files", "side", "measured, s", "model, s", "off by, %")
    for (n, side), row, t in zip(cases, rows, said):
        print_row(n, side, f"{row[-1]:.4f}", f"{t:.4f}", f"{100 * (t / row[-1] - 1):+.1f}")


# ---- Slides ----

def measure_slides(args):
    """What a slide holds and costs, and from that a petabyte of them."""
    side = 16384
    print_row("slide", "bytes a pixel", "command", "s for each gigapixel", "MB/s of a core")
    rates = {}
    for compression in ("jpeg", "zlib"):
        image = slide(args, side, compression)
        bytes_ = image.stat().st_size / side**2
        for title, words in (COMMANDS[0], COMMANDS[6], COMMANDS[7]):
            seconds = least([args.program, *words, "-q", "--threads", "1", image])[0] / (side**2 / 1e9)
            rates[compression, title] = bytes_ * 1e9 / seconds
            print_row(compression, f"{bytes_:.3f}", title, f"{seconds:.2f}", f"{bytes_ * 1e3 / seconds:.0f}")
    cores = 32
    print_row("1 PB of", "core-hours", *(f"{n} nodes, h" for n in (1, 10, 100, 1000)), "GB/s a node")
    for (compression, title), rate in rates.items():
        hours = 1e15 / rate / 3600
        print_row(f"{compression}, {title}", f"{hours:.0f}", *(f"{hours / cores / n:.1f}" for n in (1, 10, 100, 1000)),
                  f"{cores * rate / 1e9:.2f}")


# ---- Parts ----

def measure_merge(args):
    """Parts of one image, 64 rows each, merged at once."""
    rows = []
    print_row("parts", "bytes of all", "merged in, s", "clock")
    for n in (10, 100, 1000, 10000):
        path = args.folder / f"strip-{n}.npy"
        made(args.folder, path.name, lambda out: numpy.save(out.open("wb"), numpy.tile(
            numpy.random.default_rng(3).integers(0, 256, (64, 256), dtype=numpy.uint8), (n, 1))))
        parts = [args.folder / f"part-{n}-{k}.rgs" for k in range(1, n + 1)]
        for k, part in enumerate(parts):
            if not part.exists():
                subprocess.run([args.program, "boxcount", *RULE, "-q", "--threads", "1", "--part", f"{k + 1}/{n}", "-o", part, path],
                               check=True, stderr=subprocess.DEVNULL)
        one = least([args.program, "merge", "-q", "-o", args.folder / "merged.csv", *parts])
        size = sum(part.stat().st_size for part in parts)
        print_row(n, size, f"{one[0]:.4f}", f"{one[1]:.4f}")
        rows.append([1, n, one[0]])
        for part in parts:
            part.unlink()
    fit(rows, ["s", "s for each part"])


WAYS = {"commands": measure_commands, "model": measure_model, "slides": measure_slides, "merge": measure_merge}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("ways", nargs="*", default=list(WAYS))
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    for way in args.ways:
        WAYS[way](args)


if __name__ == "__main__":
    main()
