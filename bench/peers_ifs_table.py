# SPDX-License-Identifier: BSD-3-Clause
"""Tables of rugose beside other codecs; peers_ifs.py starts this file, and says what it prints."""

import argparse
import math
import multiprocessing
import os
import platform
import sys

import imagecodecs
import numpy as np
import PIL
from peers_ifs_codecs import LOSSLESS, Rugose, find_codecs, find_lossless, points, run
from peers_ifs_images import DATA, find_images, find_sets, read
from peers_ifs_measures import bd_rate, psnr
from PIL import features

MEASURES = {"psnr": "PSNR", "luma": "PSNR of luma", "ssim": "SSIM", "ms_ssim": "MS-SSIM"}
TIMED_BPP = 0.5
PIFS_PEER = (0.73, 33.5)  # bpp and dB of the best coder that is a PIFS alone, of camera.png


def minus(text):
    """Numbers as prose has them."""
    return text.replace("-", "\N{MINUS SIGN}")


def row(*cells):
    """Print a row of a table."""
    print("| " + " | ".join(cells) + " |", flush=True)


def head(*cells, texts=1):
    """Print the head of a table, whose first columns are texts."""
    row(*cells)
    row(*["---"] * texts, *["---:"] * (len(cells) - texts))


def processor():
    """The processor's name, and how many there are."""
    with open("/proc/cpuinfo") as file:
        names = [line.split(": ", 1)[1].strip() for line in file if line.startswith("model name")]
    return f"{names[0] if names else platform.machine()}, {len(os.sched_getaffinity(0))} processors"


def in_parallel(function, tasks):
    """Give what a function finds of each task, as it comes; an image is coded on one processor."""
    workers = min(len(os.sched_getaffinity(0)), len(tasks))
    with multiprocessing.get_context("fork").Pool(workers) as pool:
        for done, found in enumerate(pool.imap_unordered(function, tasks), 1):
            print(f"{done} of {len(tasks)}: {found[0]}, {found[1]}", file=sys.stderr)
            yield found


def code_all(task):
    """Code one image with every codec: the set, the image's name, and points by codec."""
    kind, name, image, codecs = task
    return kind, name, {codec.name: points(codec, image) for codec in codecs}


def of_set(codecs, kind):
    """Codecs that differ from another one in colours only are of no use for grey images."""
    return [codec for codec in codecs if kind == "colour" or not codec.colour_only]


def curves(codecs, kind, known):
    """Give the points of each curve that rugose is compared with, by its title."""
    found = {}
    for codec in of_set(codecs, kind):
        found[codec.name] = known[codec.name]
        if codec.has_container:
            bare = [{**point, "bpp": point["bare_bpp"]} for point in known[codec.name]]
            found[f"{codec.name}, no container"] = bare
    return found


def print_rates(sets, rates):
    """Print the means of BD-rates over each set, with the best and the worst image."""
    head("images", "codec", *MEASURES.values(), texts=2)
    for kind, images in sets.items():
        of_images = [rates[kind, name] for name, _ in images]
        for title in of_images[0]:
            cells = []
            for measure in MEASURES:
                found = [rate[title][measure] for rate in of_images]
                known = [rate for rate in found if not math.isnan(rate)]
                cell = "-"
                if known:
                    cell = f"**{np.mean(known):.1f}** ({min(known):.1f} to {max(known):.1f})"
                    cell += f" of {len(known)}" if len(known) < len(found) else ""
                cells.append("" if kind == "grey" and measure == "luma" else minus(cell))
            row(f"{kind}, {len(images)}", title, *cells)


def print_each(sets, rates, measure):
    """Print the BD-rates of each image."""
    for kind, images in sets.items():
        if kind == "grey" and measure == "luma":
            continue
        print(f"\n{MEASURES[measure]}, {kind}\n")
        head("image", *rates[kind, images[0][0]])
        for name, _ in images:
            found = [rate[measure] for rate in rates[kind, name].values()]
            row(name, *(minus(f"{rate:.1f}") for rate in found))


def print_times(sets, codecs, known):
    """Print seconds per megapixel, and how many times as long rugose takes; codecs take turns."""
    print(f"\nSeconds per megapixel near {TIMED_BPP} bits per pixel, and in brackets how many")
    print(f"times as long rugose takes; {processor()}:\n")
    ways = [(n, step) for n in (1, 2) for step in ("encode_s", "decode_s")]
    titles = ["encode, 1 thread", "decode, 1 thread", "encode, 2 threads", "decode, 2 threads"]
    head("images", "codec", *titles, texts=2)
    for kind, images in sets.items():
        used = of_set(codecs, kind)
        seconds = {}
        for name, image in images:
            for codec in used:
                found = known[kind, name][codec.name]
                near = min(found, key=lambda p: abs(math.log(p["bpp"] / TIMED_BPP)))
                for threads in (1, 2) if codec.has_threads else (1,):
                    coded = codec.code(image, near["quality"], threads)
                    for step in ("encode_s", "decode_s"):
                        key = codec.name, threads, step
                        seconds[key] = seconds.get(key, 0) + getattr(coded, step)
        megapixels = sum(image.shape[0] * image.shape[1] for _, image in images) / 1e6
        for codec in used:
            cells = []
            for way in ways:
                taken, ours = seconds.get((codec.name, *way)), seconds[(used[0].name, *way)]
                cells.append("" if taken is None else f"{taken / megapixels:.3f}")
                if taken is not None and codec is not used[0]:
                    cells[-1] += f" ({ours / taken:.1f})"
            row(f"{kind}, {len(images)}", codec.name, *cells)


def compare_codecs(given):
    """Print what rugose saves beside codecs with loss, and the times of all."""
    rugose, codecs = Rugose(given.rugose, given.options), find_codecs()
    sets = find_sets(given.images)
    tasks = [
        (kind, name, image, [rugose, *of_set(codecs, kind)])
        for kind, images in sets.items()
        for name, image in images
    ]
    known, rates = {}, {}
    for kind, name, found in in_parallel(code_all, tasks):
        known[kind, name], ours = found, found[rugose.name]
        rates[kind, name] = {
            title: {measure: bd_rate(ours, theirs, measure) for measure in MEASURES}
            for title, theirs in curves(codecs, kind, found).items()
        }
    print_rates(sets, rates)
    for measure in MEASURES if given.each else ():
        print_each(sets, rates, measure)
    print_times(sets, [rugose, *codecs], known)
    camera = read(DATA / "camera.png")
    coded = rugose.code_as(camera, ["--bpp", str(PIFS_PEER[0])])
    print(
        f"\ncamera at {8 * coded.n_bytes / camera.size:.3f} bits per pixel: "
        f"{psnr(camera, coded.pixels):.2f} dB; the best peer that is a PIFS alone: "
        f"{PIFS_PEER[1]} dB at {PIFS_PEER[0]}"
    )


def code_lossless(task):
    """Code one image without loss: the set, the image's name, and bits per pixel by codec."""
    kind, name, image, codecs = task
    rates = {}
    for codec in codecs:
        coded = codec.code(image, LOSSLESS)
        if not np.array_equal(coded.pixels, image):
            raise RuntimeError(f"{name}: {codec.name} changed it; it is expected as it was")
        rates[codec.name] = 8 * coded.n_bytes / math.prod(image.shape[:2])
    return kind, name, rates


def compare_lossless(given):
    """Print bits per pixel without loss, of each image as it is, and the means."""
    codecs = [Rugose(given.rugose, given.options), *find_lossless()]
    images = [(path.stem, read(path)) for path in find_images(given.images)]
    kinds = ["grey" if image.ndim == 2 else "colour" for _, image in images]
    tasks = [(kind, name, image, codecs) for kind, (name, image) in zip(kinds, images)]
    rates = {(kind, name): found for kind, name, found in in_parallel(code_lossless, tasks)}
    head("image", *(codec.name for codec in codecs))
    for kind in ("grey", "colour"):
        found = [(name, rates[k, name]) for k, name, _, _ in tasks if k == kind]
        for name, one in found:
            row(name, *(f"{one[codec.name]:.3f}" for codec in codecs))
        if found:
            means = [np.mean([one[codec.name] for _, one in found]) for codec in codecs]
            row(f"**mean, {kind}**", *(f"**{mean:.3f}**" for mean in means))


def main():
    """Read the command line, which peers_ifs.py has checked."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--lossless", action="store_true")
    parser.add_argument("--options", default="")
    parser.add_argument("--each", action="store_true")
    parser.add_argument("rugose")
    parser.add_argument("images", nargs="*")
    given = parser.parse_args()
    names = ("libjpeg_turbo", "jpg_2000", "webp", "avif")
    libraries = ", ".join(f"{name} {features.version(name)}" for name in names)
    print(f"{run(given.rugose, 'version').splitlines()[0]} {given.options}".rstrip())
    print(f"Pillow {PIL.__version__} ({libraries}), {imagecodecs.jpegxl_version()}\n")
    try:
        (compare_lossless if given.lossless else compare_codecs)(given)
    except RuntimeError as error:  # of a process that codes images: it cannot end the others
        sys.exit(str(error))


if __name__ == "__main__":
    main()
