# SPDX-License-Identifier: BSD-3-Clause
"""Runs the pairs of commands of path.sh: path.py RUGOSE FOLDER RUNS.

The two of a pair take turns. Times are medians; wall and processor time are of the whole process, its
start included. Counts of boxes are compared before a time is printed."""
import csv
import glob
import io
import os
import statistics
import subprocess
import sys
import time

PEERS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "path_peers.py")
BOX = ["boxcount", "-q", "--foreground", "above=100"]

# What is read, our command, the peer's job, its name, its files, and whether counts are compared.
PAIRS = [
    ("start", ["version"], "nothing", "python3", [], False),
    ("one PNG of 256²", BOX + ["small/0000.png"], "box", "Pillow, numpy", ["small/0000.png"], True),
    ("npy 8192²", BOX + ["large.npy"], "box", "numpy", ["large.npy"], True),
    ("npy 8192²", BOX + ["large.npy"], "porespy_box", "porespy", ["large.npy"], False),
    ("PNG 8192²", BOX + ["large.png"], "box", "Pillow, numpy", ["large.png"], True),
    ("PNG 8192²", BOX + ["large.png"], "reading", "Pillow reading alone", ["large.png"], False),
    ("TIFF deflate 8192²", BOX + ["deflate.tif"], "box", "tifffile, numpy", ["deflate.tif"], True),
    ("TIFF deflate 8192²", BOX + ["deflate.tif"], "reading", "tifffile reading alone",
     ["deflate.tif"], False),
    ("TIFF LZW 8192²", BOX + ["lzw.tif"], "reading", "tifffile reading alone", ["lzw.tif"], False),
    ("TIFF plain 8192²", BOX + ["plain.tif"], "reading", "tifffile reading alone", ["plain.tif"],
     False),
    ("nii.gz 256³", BOX + ["volume.nii.gz"], "box", "nibabel, numpy", ["volume.nii.gz"], True),
    ("PNG 2048²", ["lbp", "-q", "middle.png"], "lbp", "scikit-image", ["middle.png"], False),
    ("400 cells", ["haralick", "-q", "--levels", "32", "--labels", "cells_labels.png", "cells.png"],
     "haralick", "mahotas", ["cells.png", "cells_labels.png"], False),
    ("1000 PNG of 256²", BOX + ["small/*.png"], "box", "Pillow, numpy", ["small"], True),
]


def run(command):
    """Runs a command. @return its output, seconds of wall, seconds of processor"""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"failed with {process.returncode}: {' '.join(command)[:200]}")
    return output.decode(), wall, usage.ru_utime + usage.ru_stime


def our_counts(program, words):
    """Nonempty boxes of every size, a list for each image."""
    output = run([program] + words + ["-f", "csv", "--counts", "-", "-o", "/dev/null"])[0]
    counts = {}
    for row in csv.DictReader(io.StringIO(output)):
        counts.setdefault(row["image"], []).append(int(row["nonempty"]))
    return list(counts.values())


def their_counts(output):
    return [[int(word) for word in line.split()] for line in output.splitlines()]


def measure(program, pair, runs):
    """One row of the table."""
    what, words, job, peer, files, is_compared = pair
    words = [path for word in words for path in (sorted(glob.glob(word)) if "*" in word else [word])]
    ours, theirs = [program] + words, [sys.executable, PEERS, job] + files
    if is_compared and our_counts(program, words) != their_counts(run(theirs)[0]):
        sys.exit(f"counts differ: {what}, {peer}")
    times = [(run(ours)[1:], run(theirs)[1:]) for _ in range(runs)]
    wall, cpu = ([statistics.median(t[who][of] for t in times) for who in (0, 1)] for of in (0, 1))
    print(f"| {what} | `{words[0]}` | {peer} | {1e3 * wall[0]:.1f} | {wall[1] / wall[0]:.1f} | "
          f"{1e3 * cpu[0]:.1f} | {cpu[1] / max(cpu[0], 1e-3):.1f} |", flush=True)


def processor():
    with open("/proc/cpuinfo", encoding="ascii") as lines:
        return next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), "?")


def table(program, title, runs):
    print(f"\n{title}\n\n| file | command | beside | wall, ms | times less | CPU, ms | times less |\n"
          "| --- | --- | --- | ---: | ---: | ---: | ---: |")
    for pair in PAIRS:
        measure(program, pair, runs)


def main():
    program, runs = os.path.abspath(sys.argv[1]), int(sys.argv[3])
    os.chdir(sys.argv[2])
    n = len(os.sched_getaffinity(0))
    print(f"{processor()}, {n} processors, medians of {runs}")
    table(program, "Idle:", runs)
    neighbours = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(n)]
    try:
        table(program, f"Beside {n} spinning processes:", runs)
    finally:
        for neighbour in neighbours:
            neighbour.kill()


main()
