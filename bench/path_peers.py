# SPDX-License-Identifier: BSD-3-Clause
"""What people write in Python for the jobs of path.py: path_peers.py JOB FILE...

Each job imports only what it needs, as a script of its own would."""
import os
import sys


def read(path):
    """The pixels of a file, by the reader that its format has in Python."""
    if path.endswith(".npy"):
        import numpy
        return numpy.load(path)
    if path.endswith(".tif"):
        import tifffile
        return tifffile.imread(path)
    if path.endswith(".nii.gz"):
        import nibabel
        import numpy
        return numpy.asarray(nibabel.load(path).dataobj)
    import numpy
    from PIL import Image
    return numpy.asarray(Image.open(path))


def count_boxes(pixels):
    """Nonempty boxes of side 1, 2, 4 ... of the pixels from 100 on, the grid at the first pixel."""
    import numpy
    is_set = pixels >= 100
    counts = []
    while True:
        counts.append(int(numpy.count_nonzero(is_set)))
        if max(is_set.shape) == 1:
            return counts
        for axis in range(is_set.ndim):
            starts = numpy.arange(0, is_set.shape[axis], 2)
            is_set = numpy.logical_or.reduceat(is_set, starts, axis=axis)


def box(paths):
    for path in paths:
        print(*count_boxes(read(path)))


def porespy_box(paths):
    import porespy
    for path in paths:
        print(*porespy.metrics.boxcount(read(path) >= 100).count)


def reading(paths):
    for path in paths:
        read(path)


def lbp(paths):
    import numpy
    from skimage.feature import local_binary_pattern
    for path in paths:
        codes = local_binary_pattern(read(path), 8, 1, "uniform")
        print(*numpy.bincount(codes.astype(int).ravel(), minlength=10))


def haralick(paths):
    import mahotas
    import numpy
    from skimage.measure import regionprops
    image, labels = map(read, paths)
    levels = (image.astype(numpy.uint32) * 32 // 256).astype(numpy.uint8)
    for region in regionprops(labels):
        cell = numpy.where(region.image, levels[region.slice] + 1, 0)
        print(*mahotas.features.haralick(cell, ignore_zeros=True).mean(axis=0))


def nothing(paths):
    del paths


JOBS = {f.__name__: f for f in (box, porespy_box, reading, lbp, haralick, nothing)}
if os.path.isdir(sys.argv[-1]):
    folder = sys.argv.pop()
    sys.argv += sorted(os.path.join(folder, name) for name in os.listdir(folder))
JOBS[sys.argv[1]](sys.argv[2:])
