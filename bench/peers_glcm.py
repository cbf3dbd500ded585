# SPDX-License-Identifier: BSD-3-Clause
"""The part of peers.py about co-occurrence: scikit-image and mahotas on the cells of tests/data.

mahotas gives 13 features of each of four directions; scikit-image counts matrices, and 13 features would
come on top. Both know no labels: a cell is cut out of its image, what is not in it is 0, and pairs with a 0
are left out. The numbers are compared with ours before a time is printed.
"""
import ctypes
import os
import sys
import time

import numpy

try:
    import mahotas
    import mahotas.features
except ImportError:
    mahotas = None
try:
    import skimage
    import skimage.feature
    import skimage.io
except ImportError:
    skimage = None

N_FEATURES = 26
DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "data")
U8, U16 = 1, 3
COUNT, GIVEN, NONE, FEATURES_13 = 2, 4, 1, 1


class Options(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("distances", ctypes.POINTER(ctypes.c_uint32)),
                ("n_distances", ctypes.c_uint32), ("directions", ctypes.c_uint32),
                ("asymmetric", ctypes.c_int), ("pairs", ctypes.c_int), ("levels", ctypes.c_int),
                ("n_levels", ctypes.c_uint32), ("bin_width", ctypes.c_double),
                ("range", ctypes.c_int), ("range_lo", ctypes.c_double),
                ("range_hi", ctypes.c_double), ("aggregate", ctypes.c_int),
                ("slices", ctypes.c_int), ("features", ctypes.c_int),
                ("log_base", ctypes.c_double), ("mask", ctypes.c_void_p),
                ("labels", ctypes.c_void_p)]


class Row(ctypes.Structure):
    _fields_ = [("label", ctypes.c_uint64), ("first", ctypes.c_size_t * 3),
                ("shape", ctypes.c_size_t * 3), ("area", ctypes.c_uint64),
                ("n_nan", ctypes.c_uint64), ("n_clamped", ctypes.c_uint64),
                ("distance", ctypes.c_uint32), ("direction", ctypes.c_int),
                ("pairs", ctypes.c_uint64), ("levels", ctypes.c_uint32),
                ("bin_origin", ctypes.c_double), ("bin_width", ctypes.c_double),
                ("features", ctypes.c_double * N_FEATURES), ("status", ctypes.c_char_p),
                ("engine", ctypes.c_char_p)]


class MapsOptions(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("window", ctypes.c_uint32),
                ("features", ctypes.c_void_p), ("n_features", ctypes.c_uint32)]


class MapRows(ctypes.Structure):
    _fields_ = [("map", ctypes.c_uint32), ("feature", ctypes.c_int), ("first", ctypes.c_size_t),
                ("n", ctypes.c_size_t), ("nx", ctypes.c_size_t),
                ("values", ctypes.POINTER(ctypes.c_double))]


ROW_FN = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(Row))
MAP_FN = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(MapRows))


class Cells:
    """An image with its labels; None: the whole image. Cut into pieces once, as peers need them."""

    def __init__(self, name, image, labels, levels):
        self.name, self.image, self.labels, self.levels = name, image, labels, levels
        binned = image if levels is None else bins(image, levels)
        self.pieces = [binned] if labels is None else [
            cut(binned, labels, label) for label in numpy.unique(labels) if label]
        self.n_levels = int(binned.max()) + 1


def bins(image, levels):
    """Levels 1..N of the range of the type's bits, so that 0 stays free for what is no cell."""
    top = 1 << int(image.max()).bit_length()
    return (image.astype(numpy.uint32) * levels // top + 1).astype(numpy.uint8)


def cut(image, labels, label):
    rows, columns = numpy.nonzero(labels == label)
    box = (slice(rows.min(), rows.max() + 1), slice(columns.min(), columns.max() + 1))
    return numpy.where(labels[box] == label, image[box], 0).astype(image.dtype)


def call(rugose, cells, distances, row_fn):
    """Rows by label, distance and direction."""
    options = Options(ctypes.sizeof(Options), (ctypes.c_uint32 * len(distances))(*distances),
                      len(distances), aggregate=NONE, features=FEATURES_13, log_base=2.0)
    if cells.levels is not None:
        options.levels, options.n_levels, options.range = COUNT, cells.levels, GIVEN
        options.range_hi = 1 << int(cells.image.max()).bit_length()
    image = view(rugose, cells.image)
    labels = view(rugose, cells.labels) if cells.labels is not None else None
    options.labels = ctypes.addressof(labels) if labels is not None else None
    rugose.check(rugose.lib.rug_glcm(rugose.context, ctypes.byref(image), ctypes.byref(options),
                                     row_fn, None))


def features_of(rugose, cells, distances):
    rows = []
    keep = ROW_FN(lambda user, row: rows.append(list(row.contents.features[:13])) or 0)
    call(rugose, cells, distances, keep)
    return numpy.array(rows)


# Sees rows without any Python: abs() of the user's NULL is 0, RUG_OK.
DROP_ROW = ctypes.cast(ctypes.CDLL(None).abs, ROW_FN)


def view(rugose, array):
    import peers
    shape = (ctypes.c_size_t * array.ndim)(*array.shape)
    image = peers.Image()
    dtype = U8 if array.dtype == numpy.uint8 else U16
    rugose.check(rugose.lib.rug_image_view(rugose.context, ctypes.byref(image),
                                           ctypes.c_void_p(array.ctypes.data), dtype, array.ndim,
                                           shape))
    return image


def mahotas_features(cells, distances):
    """A cell without pairs is refused there."""
    def one(piece, distance):
        try:
            return mahotas.features.haralick(piece, ignore_zeros=cells.labels is not None,
                                             distance=distance, use_x_minus_y_variance=True)
        except ValueError:
            return numpy.full((4, 13), numpy.nan)
    return numpy.array([one(piece, d) for piece in cells.pieces for d in distances])


def skimage_matrices(cells, distances):
    """45 degrees goes down to the right there; of a symmetric matrix only the name is another. A
    distance is Euclidean and rounded, so that the diagonals need longer ones."""
    count = skimage.feature.graycomatrix
    straight, diagonal = [0, numpy.pi / 2], [3 * numpy.pi / 4, numpy.pi / 4]
    longer = [d * numpy.sqrt(2) for d in distances]
    return [(count(piece, distances, straight, cells.n_levels, symmetric=True),
             count(piece, longer, diagonal, cells.n_levels, symmetric=True))
            for piece in cells.pieces]


def largest_error(mine, theirs):
    defined = ~(numpy.isnan(mine) | numpy.isnan(theirs))
    return (numpy.abs(mine - theirs) / numpy.maximum(1, numpy.abs(theirs)))[defined].max()


def compare_features(cells, mine, theirs):
    """mahotas goes 0, 135, 90, 45 degrees in our words. What is undefined here is 0 or 1 there."""
    return largest_error(mine, theirs[:, [0, 3, 2, 1], :].reshape(-1, 13))


def compare_contrast(cells, mine, matrices):
    first = 0 if cells.labels is None else 1
    contrast = []
    for straight, diagonal in matrices:
        for d in range(straight.shape[2]):
            for counts in (straight[..., d, 0], diagonal[..., d, 0], straight[..., d, 1],
                           diagonal[..., d, 1]):
                counts = counts[first:, first:].astype(float)
                i, j = numpy.indices(counts.shape)
                total = counts.sum()
                contrast.append(((i - j) ** 2 * counts).sum() / total if total else numpy.nan)
    return largest_error(mine[:, 1], numpy.array(contrast))


def read(name):
    return numpy.ascontiguousarray(skimage.io.imread(os.path.join(DATA, name)))


def load():
    cells12, labels12 = read("bbbc022_ch0.png"), read("bbbc022_labels.png")
    cells8, labels8 = read("ht29_dna.png"), read("ht29_labels.png")
    large = numpy.tile(read("camera.png"), (4, 4))
    return [Cells("25 cells of 12 bits", cells12, labels12, None),
            Cells("25 cells in 32 levels", cells12, labels12, 32),
            Cells("284 cells of 8 bits", cells8, labels8, None),
            Cells("284 cells in 32 levels", cells8, labels8, 32),
            Cells("camera, 512x512 of 8 bits", read("camera.png"), None, None)] + [
                Cells("camera 16 times, 2048x2048 " + what, large, None, levels)
                for what, levels in (("of 8 bits", None), ("in 32 levels", 32),
                                     ("in 8 levels", 8))]


def find_peers():
    found = []
    if mahotas is not None:
        found.append(("mahotas %s haralick" % mahotas.__version__, mahotas_features,
                      compare_features))
    else:
        print("# mahotas is not installed: left out")
    if skimage is not None:
        found.append(("scikit-image %s graycomatrix, no features" % skimage.__version__,
                      skimage_matrices, compare_contrast))
    else:
        print("# scikit-image is not installed: left out, and so is all that needs its reader")
    return found


def best(function, runs):
    """Seconds of the processor, all on one thread: other programs disturb them less than the clock."""
    times, answer = [], None
    for _ in range(runs):
        start = time.process_time()
        answer = function()
        times.append(time.process_time() - start)
    return min(times), answer


def best_of_few(function):
    """Slow peers run once."""
    seconds, answer = best(function, 1)
    return (seconds if seconds > 2 else min(seconds, best(function, 3)[0])), answer


def measure_one(rugose, runs, cells, distances, found):
    rows = features_of(rugose, cells, distances)
    mine, _ = best(lambda: call(rugose, cells, distances, DROP_ROW), runs)
    for name, function, compare in found:
        if cells.n_levels > 256 and function is skimage_matrices:
            print("# %s: %s: left out, matrices of %d levels take too much memory" % (
                cells.name, name, cells.n_levels))
            continue
        theirs, answer = best_of_few(lambda: function(cells, distances))
        error = compare(cells, rows, answer)
        if not error < 1e-9:
            sys.exit("%s: %s differs by %g" % (cells.name, name, error))
        print("haralick %s, %d matrices, 1 thread\t%.3f\tms\t%s\t%.1f\t%.1f\t-" % (
            cells.name, rows.shape[0], mine * 1e3, name, theirs * 1e3, theirs / mine))


def call_maps(rugose, image, window, map_fn):
    options = Options(ctypes.sizeof(Options), log_base=2.0)
    maps = MapsOptions(ctypes.sizeof(MapsOptions), window)
    img = view(rugose, image)
    rugose.check(rugose.lib.rug_glcm_maps(rugose.context, ctypes.byref(img), ctypes.byref(options),
                                          ctypes.byref(maps), map_fn, None))


def maps_of(rugose, image, window):
    maps = numpy.zeros((13,) + image.shape)

    def keep(user, rows):
        r = rows.contents
        maps[r.map, r.first:r.first + r.n] = numpy.ctypeslib.as_array(r.values, (r.n, r.nx))
        return 0
    call_maps(rugose, image, window, MAP_FN(keep))
    return maps


def measure_maps(rugose, runs, image, window):
    """mahotas has no maps: some windows of it by themselves, the mean of its four directions. Its f13 is
    the root of what rounding leaves where levels are independent, so squares are compared."""
    half, rows = window // 2, [100, 200, 300, 400]
    places = [(y, x) for y in rows for x in range(half, image.shape[1] - half, 5)]
    maps = maps_of(rugose, image, window)
    drop = ctypes.cast(DROP_ROW, MAP_FN)
    mine, _ = best(lambda: call_maps(rugose, image, window, drop), runs)
    theirs, answer = best_of_few(lambda: numpy.array([mahotas.features.haralick(
        image[y - half:y + half + 1, x - half:x + half + 1], return_mean=True,
        use_x_minus_y_variance=True) for y, x in places]))
    found = numpy.array([maps[:, y, x] for y, x in places])
    error = max(largest_error(found[:, :12], answer[:, :12]),
                largest_error(found[:, 12]**2, answer[:, 12]**2))
    if not error < 1e-9:
        sys.exit("maps: mahotas differs by %g" % error)
    mine, theirs = mine / image.size, theirs / len(places)
    print("haralick maps, 13 features, window %d, a million pixels, 1 thread\t%.1f\tms\t"
          "mahotas %s haralick of each window\t%.0f\t%.1f\t200" % (
              window, mine * 1e9, mahotas.__version__, theirs * 1e9, theirs / mine))


def measure(rugose, runs):
    found = find_peers()
    if skimage is None:
        return
    if mahotas is not None:
        for window in (7, 15):
            measure_maps(rugose, runs, read("camera.png") // 8, window)
    for distances in ([1], [1, 2, 4, 6, 8]):
        for cells in load():
            measure_one(rugose, 3 * runs, cells, distances, found)
