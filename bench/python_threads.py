#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Throughput of two threads of Python beside that of one, each call with threads=1.

    python3 bench/python_threads.py [SECONDS]

Calls release the GIL, so two threads do nearly twice as much where two processors are free, unless
calls are so short that Python's own part, which holds the GIL, is most of them. Runs of one and of
two threads take turns. Other programs take processors away: the last column leaves out
the time that threads were ready and waited for one, but not what they waited for each other.
"""

import statistics
import sys
import threading
import time

import numpy as np
import rugose

LARGE = np.random.default_rng(1).integers(0, 256, (4096, 4096), np.uint8)
IMAGE = LARGE[:512, :512]
TILE = LARGE[:64, :64]
METHODS = {
    "boxcount, 4096x4096": lambda: rugose.boxcount(LARGE, foreground="above=128", threads=1),
    "multifractal, 4096x4096": lambda: rugose.multifractal(LARGE, threads=1),
    "haralick, 512x512": lambda: rugose.haralick(IMAGE, levels=64, threads=1),
    "lbp_histogram, 512x512": lambda: rugose.lbp_histogram(IMAGE, [(8, 1), (16, 2)], threads=1),
    "multifractal, 512x512": lambda: rugose.multifractal(IMAGE, threads=1),
    "boxcount, 512x512": lambda: rugose.boxcount(IMAGE, foreground="above=128", threads=1),
    "boxcount, 64x64": lambda: rugose.boxcount(TILE, foreground="above=9", threads=1),
}


def waited():
    """Seconds that this thread has been ready and had no processor (Linux)."""
    with open("/proc/thread-self/schedstat") as numbers:
        return 1e-9 * int(numbers.read().split()[1])


def run(method, n_threads, seconds):
    """Calls per second; and the same without the time that there was no processor."""
    rates = [(0.0, 0.0)] * n_threads
    begin = threading.Barrier(n_threads)

    def work(i):
        begin.wait()
        calls, first, before = 0, time.perf_counter(), waited()
        while time.perf_counter() < first + seconds:
            method()
            calls += 1
        wall = time.perf_counter() - first
        rates[i] = calls / wall, calls / (wall - (waited() - before))

    threads = [threading.Thread(target=work, args=(i,)) for i in range(n_threads)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [sum(rate) for rate in zip(*rates)]


def main(seconds=1.0, rounds=5):
    """Prints a row for each method."""
    print(f"{'':23s} {'one':>8s} {'two':>8s} {'ratio':>6s} {'with processors free':>21s}")
    for name, method in METHODS.items():
        pairs = [(run(method, 1, seconds), run(method, 2, seconds)) for _ in range(rounds)]
        one, two = (statistics.median(pair[k][0] for pair in pairs) for k in (0, 1))
        ratio = statistics.median(b[0] / a[0] for a, b in pairs)
        free = statistics.median(b[1] / a[1] for a, b in pairs)
        print(f"{name:23s} {one:8.1f} {two:8.1f} {ratio:6.2f} {free:21.2f}", flush=True)


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
