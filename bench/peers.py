#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Times what people use today beside rugose, on the same arrays in the same run.

    python3 bench/peers.py build/release/src/librugose.so [RUNS]

Prints the columns of the other benchmarks. Needs numpy; a peer that is not installed is named. Every
peer's counts are compared with ours before its time is printed.
"""
import ctypes
import functools
import sys
import time

import numpy

import peers_glcm


class Image(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("dtype", ctypes.c_int), ("ndim", ctypes.c_int),
                ("shape", ctypes.c_size_t * 3), ("stride", ctypes.c_ssize_t * 3),
                ("spacing", ctypes.c_double * 3), ("unit", ctypes.c_char_p)]


class Foreground(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_int), ("value", ctypes.c_double), ("rest", ctypes.c_int64)]


class Options(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("foreground", Foreground),
                ("method", ctypes.c_int), ("grid", ctypes.c_int), ("sizes", ctypes.c_void_p),
                ("n_sizes", ctypes.c_uint32), ("mask", ctypes.c_void_p)]


class BoxCount(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64)
                for name in ("size", "total", "nonempty", "black", "gray", "white")]


class LbpOperator(ctypes.Structure):
    _fields_ = [("points", ctypes.c_uint32), ("radius", ctypes.c_double),
                ("cuts", ctypes.c_void_p), ("n_cuts", ctypes.c_uint32)]


class LbpOptions(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("operators", ctypes.POINTER(LbpOperator)),
                ("n_operators", ctypes.c_uint32), ("method", ctypes.c_int),
                ("interpolation", ctypes.c_int), ("border", ctypes.c_int),
                ("exact", ctypes.c_int), ("planes", ctypes.c_int), ("mask", ctypes.c_void_p),
                ("labels", ctypes.c_void_p), ("map", ctypes.c_void_p),
                ("map_user", ctypes.c_void_p)]


class LbpHistogram(ctypes.Structure):
    _fields_ = [("label", ctypes.c_uint64), ("op", ctypes.c_uint32), ("pixels", ctypes.c_uint64),
                ("n_bins", ctypes.c_uint32), ("bins", ctypes.POINTER(ctypes.c_uint64))]


U8, NONZERO = 1, 1
RULES = ("skimage", "decimal", "float")
LEVELS = ("ref", "avx2", "avx512")


class Rugose:
    """rug_boxcount() and rug_lbp() of the shared library on one thread."""

    def __init__(self, path):
        self.lib = ctypes.CDLL(path)
        self.lib.rug_context_error.restype = ctypes.c_char_p
        self.context = ctypes.c_void_p()
        self.check(self.lib.rug_context_new(ctypes.byref(self.context)))
        self.check(self.lib.rug_context_set_threads(self.context, 1))

    def check(self, status):
        if status != 0:
            sys.exit("rugose: " + self.lib.rug_context_error(self.context).decode())

    def count(self, array):
        shape = (ctypes.c_size_t * array.ndim)(*array.shape)
        image, result = Image(), ctypes.c_void_p()
        options = Options(ctypes.sizeof(Options), Foreground(NONZERO, 0, 0), 0)
        self.check(self.lib.rug_image_view(self.context, ctypes.byref(image),
                                           ctypes.c_void_p(array.ctypes.data), U8, array.ndim,
                                           shape))
        self.check(self.lib.rug_boxcount(self.context, ctypes.byref(result), ctypes.byref(image),
                                         ctypes.byref(options)))
        at = self.lib.rug_boxcount_at
        at.restype = ctypes.POINTER(BoxCount)
        counts, i = [], 0
        while at(result, ctypes.c_size_t(i)):
            counts.append(at(result, ctypes.c_size_t(i)).contents.nonempty)
            i += 1
        self.lib.rug_boxcount_free(result)
        return counts

    def lbp(self, array, points, radius, rule, level):
        """The histogram of riu2."""
        self.check(self.lib.rug_context_set_cpu_level(self.context, level))
        shape = (ctypes.c_size_t * 2)(*array.shape)
        image, result = Image(), ctypes.c_void_p()
        operator = LbpOperator(points, radius)
        options = LbpOptions(ctypes.sizeof(LbpOptions), ctypes.pointer(operator), 1)
        options.exact = rule
        self.check(self.lib.rug_image_view(self.context, ctypes.byref(image),
                                           ctypes.c_void_p(array.ctypes.data), U8, 2, shape))
        self.check(self.lib.rug_lbp(self.context, ctypes.byref(result), ctypes.byref(image),
                                    ctypes.byref(options)))
        self.lib.rug_lbp_at.restype = ctypes.POINTER(LbpHistogram)
        histogram = self.lib.rug_lbp_at(result, ctypes.c_size_t(0)).contents
        bins = histogram.bins[:histogram.n_bins]
        self.lib.rug_lbp_free(result)
        return bins

    def has_level(self, level):
        self.check(self.lib.rug_context_set_cpu_level(self.context, level))
        return self.lib.rug_context_cpu_level(self.context) == level


def numpy_slices(array):
    """Nonempty boxes of every dyadic size, the usual way: OR of the 2^D strided slices."""
    boxes = array != 0
    counts = [numpy.count_nonzero(boxes)]
    while max(boxes.shape) > 1:
        boxes = numpy.pad(boxes, [(0, n % 2) for n in boxes.shape])
        corners = [boxes[tuple(slice(k >> a & 1, None, 2) for a in range(boxes.ndim))]
                   for k in range(2**boxes.ndim)]
        boxes = functools.reduce(numpy.bitwise_or, corners)
        counts.append(numpy.count_nonzero(boxes))
    return counts


def numpy_axes(array):
    """The same, one axis after the other: fewer strided reads, the fastest that numpy was made to
    do here."""
    boxes = array != 0
    counts = [numpy.count_nonzero(boxes)]
    while max(boxes.shape) > 1:
        boxes = numpy.pad(boxes, [(0, n % 2) for n in boxes.shape])
        for axis in range(boxes.ndim):
            halves = numpy.moveaxis(boxes, axis, 0)
            boxes = numpy.moveaxis(halves[0::2] | halves[1::2], 0, axis)
        counts.append(numpy.count_nonzero(boxes))
    return counts


def porespy_boxcount(array):
    """PoreSpy 2 counts boxes that are neither empty nor full; compared for time only."""
    import porespy
    porespy.metrics.boxcount(array != 0, bins=[2**k for k in range(1, 11)])
    return None


def best(function, array, runs):
    times, answer = [], None
    for _ in range(runs):
        start = time.perf_counter()
        answer = function(array)
        times.append(time.perf_counter() - start)
    return min(times), answer


def runs_of_values(shape, seed):
    """Runs of 0 and 255, such as thresholded structures have them."""
    random = numpy.random.default_rng(seed)
    n = int(numpy.prod(shape))
    lengths = random.integers(1, 129, n // 60)
    values = random.integers(0, 2, lengths.size, dtype=numpy.uint8) * 255
    cells = numpy.repeat(values, lengths)
    return numpy.resize(cells, n).reshape(shape)


def hills():
    """Hills with noise on them: neither flat nor random."""
    y, x = numpy.indices((2048, 2048))
    hill = (x * x // 997 + y * x // 1499 + y * y // 701) % 400
    noise = numpy.random.default_rng(1).integers(0, 8, x.shape)
    return (numpy.where(hill < 200, hill, 400 - hill) + noise).astype(numpy.uint8)


def compare_lbp(rugose, runs):
    """The histogram of scikit-image's codes, which the rule skimage must give exactly."""
    try:
        import skimage
        from skimage.feature import local_binary_pattern
    except ImportError:
        print("# scikit-image is not installed: left out")
        return
    array = hills()
    targets = {("skimage", "avx512"): (40, 30, 28), ("skimage", "avx2"): (25, 22, 15),
               ("float", "avx512"): (70, 70, 70)}
    for k, (points, radius) in enumerate(((8, 1), (16, 2), (24, 3))):
        peer, codes = best(lambda a: local_binary_pattern(a, points, radius, "uniform"), array,
                           max(1, runs // 2))
        expected = numpy.bincount(codes.astype(int).ravel(), minlength=points + 2).tolist()
        for level in (2, 1, 0):
            if not rugose.has_level(level):
                print("# %s is left out: this processor lacks it" % LEVELS[level])
                continue
            for rule, name in enumerate(RULES):
                ours, bins = best(lambda a: rugose.lbp(a, points, radius, rule, level), array, runs)
                if name == "skimage" and bins != expected:
                    sys.exit("lbp (%d,%d): histograms differ" % (points, radius))
                target = targets.get((name, LEVELS[level]))
                case = "lbp riu2 (%d,%d) %s, %s, 2048x2048 u8, 1 thread" % (
                    points, radius, name, LEVELS[level])
                print("%s\t%.3f\tms\tscikit-image %s local_binary_pattern\t%.3f\t%.1f\t%s" % (
                    case, ours * 1e3, skimage.__version__, peer * 1e3, peer / ours,
                    target[k] if target else "-"))


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    rugose, runs = Rugose(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 5
    print("case\tours\tunit\treference\treference_value\tratio\ttarget")
    version = numpy.__version__
    peers = [("numpy %s OR pyramid, slices" % version, numpy_slices, 40),
             ("numpy %s OR pyramid, axes" % version, numpy_axes, 0)]
    try:
        import porespy
        peers.append(("porespy %s boxcount" % porespy.__version__, porespy_boxcount, 0))
    except ImportError:
        print("# porespy is not installed: left out")
    for shape in ((8192, 8192), (512, 512, 512)):
        array = runs_of_values(shape, 1)
        for name, function, target in peers:
            peer, theirs = best(function, array, max(1, runs // 2))
            ours, counts = best(rugose.count, array, runs)
            if theirs is not None and theirs != counts:
                sys.exit("%s: counts differ: %s and %s" % (name, theirs, counts))
            print("boxcount %s u8, 1 thread\t%.3f\tms\t%s\t%.3f\t%.1f\t%s" % (
                "x".join(map(str, shape)), ours * 1e3, name, peer * 1e3, peer / ours,
                target if target and len(shape) == 2 else "-"))
    compare_lbp(rugose, runs)
    peers_glcm.measure(rugose, runs)


if __name__ == "__main__":
    main()
