#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Times the package rugose beside the packages that it stands in for, in one interpreter and one run:

    build/python/venv/bin/pip install scikit-image mahotas porespy
    build/python/venv/bin/python bench/python_peers.py [RUNS [DATA_FOLDER]]

Calls take turns, so that whatever else the machine does slows both; a row has the medians of times and of
the ratios of neighbours, with one thread and with all. Results are compared before a time is printed. A
peer that is not installed is named.
"""
import importlib
import importlib.metadata
import os
import platform
import statistics
import sys
import time
import warnings
from pathlib import Path

import numpy as np
from PIL import Image

import rugose
from rugose.compat import mahotas, skimage

ANGLES = [0, np.pi / 4, np.pi / 2, 3 * np.pi / 4]
PROPERTIES = ["contrast", "dissimilarity", "homogeneity", "energy", "correlation", "ASM"]


def peer(name, distribution):
    """A module and its name with its version; None where it is not installed."""
    try:
        module = importlib.import_module(name)
    except ImportError:
        print(f"{distribution} is not installed", file=sys.stderr)
        return None, distribution
    return module, f"{distribution} {importlib.metadata.version(distribution)}"


def processor():
    with open("/proc/cpuinfo") as file:
        names = [line.split(": ", 1)[1].strip() for line in file if line.startswith("model name")]
    return f"{names[0] if names else platform.machine()}, {len(os.sched_getaffinity(0))} processors"


def seconds(call):
    begin = time.perf_counter()
    call()
    return time.perf_counter() - begin


def texture(package, image, **run):
    """Matrices in four directions, and six properties of them."""
    matrices = package.graycomatrix(image, [1], ANGLES, 256, symmetric=True, **run)
    return np.array([package.graycoprops(matrices, name) for name in PROPERTIES])


def cells_by_mahotas(features, image, labels):
    """The means over four directions of each cell, cut out of the image."""
    rows = []
    for label in np.unique(labels)[1:]:
        inside = labels == label
        y, x = np.nonzero(inside)
        cut = np.s_[y.min() : y.max() + 1, x.min() : x.max() + 1]
        cell = np.where(inside[cut], image[cut].astype(int) + 1, 0)
        rows.append(features.haralick(cell, ignore_zeros=True, return_mean=True))
    return np.array(rows)


def cells_by_rugose(image, labels, **run):
    table = rugose.haralick(image, labels=labels, features="13", **run)
    return np.column_stack([table[name] for name in list(table)[-13:]])


def pyramid(image):
    """Boxes that are not empty, of sizes 1, 2, 4 ...: the usual pyramid of NumPy."""
    counts = [int(image.sum())]
    while min(image.shape) > 1:
        image = image[::2, ::2] | image[1::2, ::2] | image[::2, 1::2] | image[1::2, 1::2]
        counts.append(int(image.sum()))
    return counts


def nonempty(image, **run):
    counts = rugose.boxcount(image, sizes=[1 << k for k in range(13) if 1 << k <= len(image)], **run)
    return counts.counts["nonempty"].tolist()


def near(a, b, columns=slice(None)):
    np.testing.assert_allclose(np.asarray(a)[..., columns], np.asarray(b)[..., columns], rtol=1e-9)


def cases(data):
    """What is done, by which peer, its call, ours, and how they compare."""
    camera = np.array(Image.open(data / "camera.png"))
    large = np.tile(camera, (4, 4))
    image, labels = (np.array(Image.open(data / f"ht29_{name}.png")) for name in ("dna", "labels"))
    labels[labels > 40] = 0
    features, theirs = peer("skimage.feature", "scikit-image")
    if features:
        for name, points, radius, method in (
            ("default", 8, 1, "default"), ("uniform", 8, 1, "uniform"), ("uniform", 24, 3, "uniform")
        ):
            yield (
                f"`local_binary_pattern(camera, {points}, {radius}, '{name}')`", theirs,
                lambda p=points, r=radius, m=method: features.local_binary_pattern(camera, p, r, m),
                lambda p=points, r=radius, m=method, **run: skimage.local_binary_pattern(
                    camera, p, r, m, **run),
                np.testing.assert_array_equal,
            )
        for size, picture in ((512, camera), (2048, large)):
            yield (
                f"`graycomatrix` and six `graycoprops`, {size}²", theirs,
                lambda picture=picture: texture(features, picture),
                lambda picture=picture, **run: texture(skimage, picture, **run), near,
            )
    features, theirs = peer("mahotas.features", "mahotas")
    if features:
        for size, picture in ((512, camera), (2048, large)):
            yield (
                f"`haralick`, {size}²", theirs, lambda picture=picture: features.haralick(picture),
                lambda picture=picture, **run: mahotas.haralick(picture, **run), near,
            )
        yield (
            "`haralick` of 40 cells", theirs,
            lambda: cells_by_mahotas(features, image, labels),
            lambda **run: cells_by_rugose(image, labels, **run),
            # theirs are of the values + 1; f10 is another one
            lambda a, b: near(a, b, [0, 1, 2, 3, 4, 6, 7, 8, 10, 11, 12]),
        )
    noise = np.random.default_rng(1).random((4096, 4096)) < 0.001
    yield (
        "box counts, 4096²", f"numpy {np.__version__}", lambda: pyramid(noise),
        lambda **run: nonempty(noise, **run), np.testing.assert_array_equal,
    )
    metrics, theirs = peer("porespy.metrics", "porespy")
    if metrics:
        part, sizes = noise[:512, :512], [1 << k for k in range(9)]
        yield (
            "box counts, 512², 9 sizes", theirs, lambda: metrics.boxcount(part, bins=sizes[::-1]),
            lambda **run: rugose.boxcount(part, sizes=sizes, **run), None,
        )


def measure(theirs, ours, runs):
    """The medians of both and of their ratios."""
    times = []
    while len(times) < runs:
        times.append((seconds(theirs), seconds(ours)))
    return [statistics.median(column) for column in zip(*((a, b, a / b) for a, b in times))]


def main():
    warnings.simplefilter("ignore", rugose.RugoseWarning)
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    folder = Path(__file__).resolve().parent.parent / "tests" / "data"
    data = Path(sys.argv[2]) if len(sys.argv) > 2 else folder
    print(f"{processor()}; Python {platform.python_version()}, numpy {np.__version__}, medians of {runs}\n")
    print("| what | peer | peer, ms | ours, 1 thread, ms | times as fast | ours, all threads, ms | times |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
    for what, name, theirs, ours, compare in cases(data):
        if compare is not None:
            compare(theirs(), ours())
        row = []
        for threads in (1, None):
            a, b, ratio = measure(theirs, lambda n=threads: ours(threads=n), runs)
            row += [f"{1e3 * a:.1f}"] if threads else []
            row += [f"{1e3 * b:.2f}", f"{ratio:.1f}"]
        print(f"| {what} | {name} | {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
