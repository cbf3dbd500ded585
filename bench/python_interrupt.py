#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How long a call from Python goes on after Ctrl-C.

    python3 bench/python_interrupt.py

Each call is interrupted after 0.1, 0.4, 1.0 and 1.7 s; a row has the seconds from the signal to the
KeyboardInterrupt.
"""

import os
import signal
import threading
import time

import numpy as np
import rugose

RNG = np.random.default_rng(1)
FLOATS = RNG.random((400, 400, 400))
IMAGE = RNG.integers(0, 256, (4000, 4000), np.uint8)
VOLUME = RNG.integers(0, 256, (300, 300, 300), np.uint8)
ORDERS = np.linspace(-10, 10, 2000)
CIRCLES = [(8, 1), (16, 2), (24, 3)]
METHODS = {
    "multifractal": lambda: rugose.multifractal(FLOATS, ORDERS),
    "haralick": lambda: rugose.haralick(IMAGE),
    "haralick_map": lambda: rugose.haralick_map(IMAGE, window=31, features=("contrast",)),
    "alpha_map": lambda: rugose.alpha_map(VOLUME, windows=16),
    "lacunarity": lambda: rugose.lacunarity(IMAGE, gray=True),
    "lbp_histogram": lambda: rugose.lbp_histogram(IMAGE, CIRCLES),
    "ifs.encode": lambda: rugose.ifs.encode(IMAGE),
}


def interrupted(method, delay):
    """Seconds from the signal to the end of the calls; a call that ends before is made again."""
    sent = []

    def send():
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(delay, send)
    timer.start()
    try:
        while True:
            method()
    except KeyboardInterrupt:
        return time.perf_counter() - sent[0]


def main():
    """Prints a row for each method."""
    for name, method in METHODS.items():
        seconds = [interrupted(method, delay) for delay in (0.1, 0.4, 1.0, 1.7)]
        print(f"{name:14s}", *(f"{s:6.3f}" for s in seconds), flush=True)


if __name__ == "__main__":
    main()
