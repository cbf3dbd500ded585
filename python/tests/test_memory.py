# SPDX-License-Identifier: BSD-3-Clause
"""Images are not copied, and calls leave nothing behind."""

import contextlib
import subprocess
import sys
import textwrap
import time
import warnings
from pathlib import Path

import numpy as np
import pytest
import rugose

METHODS = {
    "boxcount": "rugose.boxcount(image, foreground='nonzero')",
    "boxcount of any size": "rugose.boxcount(image, foreground='nonzero', sizes=[3, 10])",
    "dbc": "rugose.dbc(image)",
    "lbp_histogram": "rugose.lbp_histogram(image, exact='float')",
    "multifractal": "rugose.multifractal(image, [0, 1, 2])",
    "lacunarity": "rugose.lacunarity(image, sizes=[1, 2, 8])",
    "haralick": "rugose.haralick(image)",
}

# A bit for each pixel, and what does not depend on the image.
CHILD = """
    import resource, sys, time, warnings
    import numpy as np, rugose

    def memory(what):
        with open("/proc/self/status") as file:
            (line,) = [line for line in file if line.startswith(what)]
        return int(line.split()[1]) << 10

    warnings.simplefilter("ignore")
    image = np.memmap(sys.argv[1], np.uint8, "r", shape=({shape}))
    rugose.boxcount(np.ones((9, 9)), threads=2)
    room = image.nbytes // 8 + (64 << 20)
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    resource.setrlimit(resource.RLIMIT_DATA, (memory("VmData:") + room, hard))
    try:
        np.array(image)
    except MemoryError:
        print("a copy has no room")
    start = time.monotonic()
    {call}
    print(f"{{time.monotonic() - start:.1f}} s, {{memory('RssAnon:') >> 20}} MiB of its own after")
"""


def run_child(call, path, shape):
    with open(path, "wb") as file:
        file.truncate(shape[0] * shape[1])
        for k in range(0, shape[0], 1000):
            file.seek(k * shape[1] + k)
            file.write(b"\1\2\1" * 9)
    code = textwrap.dedent(CHILD).format(call=call, shape=str(shape)[1:-1])
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "a copy has no room" in done.stdout
    print(done.stdout)


LINUX = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="Linux counts memory so")


@LINUX
def test_memmaps_are_not_copied(tmp_path):
    run_child("; ".join(METHODS.values()), tmp_path / "image.raw", (8192, 16384))


@LINUX
@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_memmaps_of_4_gigabytes(method, tmp_path):
    run_child(METHODS[method], tmp_path / "image.raw", (65535, 65536))


# ---- Leaks ----

SMALL = np.random.default_rng(7).integers(0, 256, (16, 16), np.uint8)
LABELS = (SMALL > 100).astype(np.uint8)
STREAM = rugose.ifs.encode(SMALL)
CALLS = {
    "boxcount": lambda: rugose.boxcount(SMALL, threads=1),
    "boxcount of labels": lambda: rugose.boxcount(SMALL, labels=LABELS, threads=1),
    "boxcount of a grid": lambda: rugose.boxcount(SMALL, grid="mean", sizes=[3], threads=1),
    "boxcount of points": lambda: rugose.boxcount(points=SMALL[:, :2], threads=1),
    "dbc": lambda: rugose.dbc(SMALL, mask=LABELS, threads=1),
    "multifractal": lambda: rugose.multifractal(SMALL, [0, 1], threads=1),
    "alpha_map": lambda: rugose.alpha_map(SMALL, threads=1),
    "lacunarity": lambda: rugose.lacunarity(SMALL, labels=LABELS, threads=1),
    "lbp": lambda: rugose.local_binary_pattern(SMALL, 8, 1, threads=1),
    "lbp_histogram": lambda: rugose.lbp_histogram(SMALL, labels=LABELS, threads=1),
    "haralick": lambda: rugose.haralick(SMALL, labels=LABELS, levels=4, threads=1),
    "haralick_map": lambda: rugose.haralick_map(SMALL, levels=4, features="contrast", threads=1),
    "encode": lambda: rugose.ifs.encode(SMALL, effort=1, threads=1),
    "decode": lambda: rugose.ifs.decode(STREAM, threads=1),
    "upscale": lambda: rugose.upscale(SMALL[:8, :8], threads=1),
    "compare": lambda: rugose.compare(SMALL, SMALL, threads=1),
    "several threads": lambda: rugose.boxcount(SMALL, threads=2),
    "progress": lambda: rugose.boxcount(SMALL, progress=float, threads=1),
    "a wrong argument": lambda: rugose.boxcount(SMALL, sizes=[0]),
    "a damaged stream": lambda: rugose.ifs.decode(STREAM[:-1]),
    "progress that fails": lambda: rugose.boxcount(SMALL, progress=lambda share: share[0]),
}


def own_memory():
    """Bytes of this process that are no file's."""
    with open("/proc/self/status") as file:
        (line,) = [line for line in file if line.startswith("RssAnon:")]
    return int(line.split()[1]) << 10


def call_often(call, n):
    for _ in range(n):
        with contextlib.suppress(ValueError, TypeError, rugose.Error):
            call()


def growth(call, n):
    """How much `n` calls add, when as many have been made before."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        call_often(call, n // 4 + 100)
        before = own_memory()
        start = time.monotonic()
        call_often(call, n)
        print(f"{1e6 * (time.monotonic() - start) / n:.0f} us a call")
        return own_memory() - before


@LINUX
@pytest.mark.parametrize("name", CALLS)
def test_calls_leave_nothing_behind(name):
    assert growth(CALLS[name], 300) < 300 * 1024


@LINUX
@pytest.mark.slow
@pytest.mark.parametrize("name", CALLS)
def test_many_calls_leave_nothing_behind(name):
    assert growth(CALLS[name], 20_000) < 512 << 10


@LINUX
@pytest.mark.slow
def test_100000_calls_leave_nothing_behind():
    def one_after_the_other():
        for call in CALLS.values():
            call_often(call, 1)

    assert growth(one_after_the_other, 100_000 // len(CALLS)) < 1 << 20
