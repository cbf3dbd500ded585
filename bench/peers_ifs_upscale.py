# SPDX-License-Identifier: BSD-3-Clause
"""`rugose upscale` beside interpolation; peers_ifs.py starts this file, and says what it prints."""

import argparse
import sys
import tempfile
from pathlib import Path

import numpy as np
import PIL
from peers_ifs_codecs import run, table
from peers_ifs_images import DATA, find_images, read, to_bytes, to_grey
from PIL import Image

ROUNDS = 3  # back-projections
TEXTURES = ("textures/train/fabric/00.png", "textures/train/grass/00.png")
IMAGES = ("camera.png", "brick.png", "ht29_dna.png", *TEXTURES)


def name_of(path):
    """The name of an image, with its folder where the name is a number."""
    return f"{path.parent.name}/{path.stem}" if path.stem.isdigit() else path.stem


def shrink(cells, k):
    """Means of k x k pixels."""
    ny, nx = cells.shape
    return cells.reshape(ny // k, k, nx // k, k).mean(axis=(1, 3))


def enlarge(cells, k, kind):
    """Interpolate k times as many rows and columns."""
    image = Image.fromarray(cells.astype(np.float32))
    return np.asarray(image.resize((cells.shape[1] * k, cells.shape[0] * k), kind), float)


def back_project(small, k):
    """Bicubic interpolation, corrected so that it shrinks to what was given."""
    large = enlarge(small, k, Image.BICUBIC)
    for _ in range(ROUNDS):
        large = large + enlarge(small - shrink(large, k), k, Image.BICUBIC)
    return large


METHODS = {
    "nearest": lambda small, k: enlarge(small, k, Image.NEAREST),
    "bilinear": lambda small, k: enlarge(small, k, Image.BILINEAR),
    "bicubic": lambda small, k: enlarge(small, k, Image.BICUBIC),
    "Lanczos 3": lambda small, k: enlarge(small, k, Image.LANCZOS),
    f"bicubic, {ROUNDS} back-projections": back_project,
}


def ways(given, folder, reduced):
    """Enlarge an image in each way; gives its name once the folder has large.png."""
    k = given.upscale
    small, large, decoded, stream = (
        str(folder / name) for name in ("small.png", "large.png", "decoded.png", "small.rfi")
    )
    quiet = ("-q", "--no-progress")
    for method, function in METHODS.items():
        Image.fromarray(to_bytes(function(reduced.astype(float), k))).save(large)
        yield method
    run(given.rugose, "upscale", *quiet, "--scale", str(k), "-o", large, small)
    yield "rugose upscale"
    run(given.rugose, "compress", *quiet, *given.options.split(), "-o", stream, small)
    run(given.rugose, "decompress", *quiet, "--scale", str(k), "-o", large, stream)
    yield "stream, decoded larger"
    run(given.rugose, "decompress", *quiet, "-o", decoded, stream)
    picture = enlarge(read(decoded), k, Image.BICUBIC)
    Image.fromarray(to_bytes(picture)).save(large)
    yield "stream, decoded and bicubic"


def compare_upscaling(given):
    """Print PSNR and SSIM of each way, of each image and in the mean."""
    paths = find_images(given.images) if given.images else [DATA / name for name in IMAGES]
    k, totals = given.upscale, {}
    print("image\tmethod\tpsnr\tssim")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        whole, large = str(folder / "whole.png"), str(folder / "large.png")
        for path in paths:
            grey = to_grey(read(path))
            grey = grey[: grey.shape[0] // k * k, : grey.shape[1] // k * k]
            Image.fromarray(grey).save(whole)
            reduced = to_bytes(shrink(grey.astype(float), k))
            Image.fromarray(reduced).save(folder / "small.png")
            for method in ways(given, folder, reduced):
                row = table(run(given.rugose, "compare", "-qf", "csv", whole, large))
                found = float(row["psnr"]), float(row["ssim"])
                totals.setdefault(method, []).append(found)
                print(f"{name_of(path)}\t{method}\t{found[0]:.2f}\t{found[1]:.4f}", flush=True)
    for method, found in totals.items():
        psnr, ssim = np.mean(found, axis=0)
        print(f"mean of {len(found)}\t{method}\t{psnr:.2f}\t{ssim:.4f}")


def main():
    """Read the command line, which peers_ifs.py has checked."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--upscale", type=int)
    parser.add_argument("--options", default="")
    parser.add_argument("--each", action="store_true")
    parser.add_argument("rugose")
    parser.add_argument("images", nargs="*")
    given = parser.parse_args()
    version = run(given.rugose, "version").splitlines()[0]
    print(f"# {version}, Pillow {PIL.__version__}, numpy {np.__version__}; PSNR over 8 bits")
    try:
        compare_upscaling(given)
    except RuntimeError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
