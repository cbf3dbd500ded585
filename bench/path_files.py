# SPDX-License-Identifier: BSD-3-Clause
"""The files that path.sh reads: path_files.py TESTS_DATA FOLDER. Files that are there stay."""
import os
import sys

import nibabel
import numpy
import tifffile
from PIL import Image

SIDE = 8192        # of the large image
N_SMALL = 1000     # images of a batch
SMALL = 256        # their side


def photograph(data, side):
    """A photograph of that side: one of 512, repeated, with grain so that no part repeats."""
    camera = numpy.asarray(Image.open(os.path.join(data, "camera.png")).convert("L"))
    n = -(-side // camera.shape[0])
    grain = numpy.random.default_rng(1).integers(-3, 4, (side, side), dtype=numpy.int8)
    tiled = numpy.tile(camera, (n, n))[:side, :side].astype(numpy.int16)
    return numpy.clip(tiled + grain, 0, 255).astype(numpy.uint8)


def blocks(side, n):
    """A label image of n x n squares that touch background only."""
    labels = numpy.zeros((side, side), numpy.uint16)
    step = side // n
    for i in range(n):
        for j in range(n):
            labels[i * step:i * step + step - 4, j * step:j * step + step - 4] = i * n + j + 1
    return labels


def make(folder, name, write):
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        write(path + ".part")
        os.rename(path + ".part", path)


def write_png(pixels):
    return lambda path: Image.fromarray(pixels).save(path, format="PNG")


def write_npy(pixels):
    def write(path):
        with open(path, "wb") as stream:
            numpy.save(stream, pixels)
    return write


def write_tiff(pixels, **options):
    return lambda path: tifffile.imwrite(path, pixels, **options)


def write_nifti(pixels):
    def write(path):
        with_ending = path + ".nii.gz"
        nibabel.save(nibabel.Nifti1Image(pixels, numpy.eye(4)), with_ending)
        os.rename(with_ending, path)
    return write


def main():
    data, folder = sys.argv[1:]
    os.makedirs(os.path.join(folder, "small"), exist_ok=True)
    if os.path.exists(os.path.join(folder, "complete")):
        return
    large = photograph(data, SIDE)
    make(folder, "large.npy", write_npy(large))
    make(folder, "large.png", write_png(large))
    make(folder, "deflate.tif", write_tiff(large, tile=(256, 256), compression="deflate"))
    make(folder, "lzw.tif", write_tiff(large, rowsperstrip=64, compression="lzw"))
    make(folder, "plain.tif", write_tiff(large, rowsperstrip=64))
    make(folder, "middle.png", write_png(large[:2048, :2048]))
    make(folder, "cells.png", write_png(large[:1024, :1024]))
    make(folder, "cells_labels.png", write_png(blocks(1024, 20)))
    volume = large.reshape(-1, 256, 256)[:256]
    make(folder, "volume.nii.gz", write_nifti(numpy.ascontiguousarray(volume)))
    for i in range(N_SMALL):
        y, x = divmod(i, SIDE // SMALL)
        part = large[y * SMALL:(y + 1) * SMALL, x * SMALL:(x + 1) * SMALL]
        make(folder, f"small/{i:04d}.png", write_png(part))
    open(os.path.join(folder, "complete"), "w").close()


main()
