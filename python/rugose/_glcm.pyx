# SPDX-License-Identifier: BSD-3-Clause
# cython: language_level=3
"""Co-occurrence features of regions, and of the window around each pixel."""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.string cimport memcpy

from ._context cimport *
from ._arrays import count
from ._context import choice, table

cdef extern from "rugose/rugose.h" nogil:
    ctypedef enum rug_glcm_feature:
        pass
    enum:
        RUG_GLCM_LEVELS_EXACT, RUG_GLCM_LEVELS_COUNT, RUG_GLCM_LEVELS_WIDTH
        RUG_GLCM_ORIGIN_GIVEN
        RUG_GLCM_RANGE_GIVEN
    const char *rug_glcm_feature_name(int feature)
    const char *rug_glcm_status_name(int status)
    const char *rug_glcm_direction_name(uint32_t k)
    const char *rug_glcm_origin_name(int origin)
    const char *rug_glcm_range_name(int range)
    const char *rug_glcm_pairs_name(int pairs)
    const char *rug_glcm_aggregate_name(int aggregate)
    const char *rug_glcm_slices_name(int slices)
    int rug_glcm_has_map(int feature)
    ctypedef struct rug_glcm_options:
        const uint32_t *distances
        uint32_t n_distances, directions
        int asymmetric
        int pairs
        int levels
        uint32_t n_levels
        double bin_width
        int range
        double range_lo, range_hi
        int aggregate
        int slices
        int features
        double log_base
        const rug_source *mask
        const rug_source *labels
        int origin
        int resegment
        double bin_origin
        double resegment_lo, resegment_hi
        uint32_t frame
    ctypedef struct rug_glcm_row:
        uint64_t label
        size_t first[3]
        size_t shape[3]
        uint64_t area
        uint32_t distance
        int direction
        uint64_t pairs
        uint32_t levels
        int status
        const double *features
        uint32_t n_features
    ctypedef rug_status (*rug_glcm_row_fn)(void *user, const rug_glcm_row *row) noexcept nogil
    rug_status rug_glcm(rug_context *ctx, const rug_image *image, const rug_glcm_options *opts,
                        rug_glcm_row_fn fn, void *user)
    ctypedef struct rug_glcm_maps_options:
        const rug_glcm_feature *features
        uint32_t n_features
        size_t rows, columns
        uint64_t leave_out
    ctypedef struct rug_glcm_map_rows:
        uint32_t map
        size_t first, n, nx
        const double *values
    ctypedef rug_status (*rug_glcm_map_fn)(void *user,
                                           const rug_glcm_map_rows *rows) noexcept nogil
    rug_status rug_glcm_maps(rug_context *ctx, const rug_image *image,
                             const rug_glcm_options *opts, const rug_glcm_maps_options *maps,
                             rug_glcm_map_fn fn, void *user)

    ctypedef struct rug_glcm_matrix:
        uint64_t label
        uint32_t n_levels
        int64_t level_min
        uint64_t n_gray
        uint64_t pairs
        const uint64_t *counts
    ctypedef rug_status (*rug_glcm_matrix_fn)(void *user,
                                              const rug_glcm_matrix *matrix) noexcept nogil
    rug_status rug_glcm_matrices(rug_context *ctx, const rug_image *image,
                                 const rug_glcm_options *opts, rug_glcm_matrix_fn fn, void *user)
    rug_status rug_glcm_matrices_at(rug_context *ctx, const rug_image *image,
                                    const int32_t (*offsets)[3], size_t n_offsets,
                                    const rug_glcm_options *opts, rug_glcm_matrix_fn fn,
                                    void *user)
    ctypedef struct rug_glcm_matrix_options:
        int64_t level_min
        uint64_t n_gray
        int asymmetric
        int features
        double log_base
    rug_status rug_glcm_matrix_features(rug_context *ctx, double *features, size_t n_features,
                                        int *status, const uint64_t *counts,
                                        size_t n_levels, const rug_glcm_matrix_options *opts)

    rug_glcm_options GLCM_DEFAULTS "DEFAULTS(glcm, GLCM)"
    rug_glcm_maps_options GLCM_MAPS_DEFAULTS "DEFAULTS(glcm_maps, GLCM_MAPS)"
    rug_glcm_matrix_options GLCM_MATRIX_DEFAULTS "DEFAULTS(glcm_matrix, GLCM_MATRIX)"

FEATURES = table([rug_glcm_feature_name(k) for k in range(64)])
MAPPED = [name for name, k in FEATURES.items() if rug_glcm_has_map(k)]
DIRECTIONS = table([rug_glcm_direction_name(k) for k in range(32)])
ORIGINS = table([rug_glcm_origin_name(k) for k in range(16)])
RANGES = table([rug_glcm_range_name(k) for k in range(16)])
PAIRS = table([rug_glcm_pairs_name(k) for k in range(16)])
AGGREGATES = table([rug_glcm_aggregate_name(k) for k in range(16)])
SLICES = table([rug_glcm_slices_name(k) for k in range(16)])


# ---- Options ----

cdef int set_levels(rug_glcm_options *options, levels, bin_width, bin_origin) except -1:
    """Either a number of bins, or bins of a width, or the values themselves."""
    if levels is not None and bin_width is not None:
        raise ValueError("levels: given beside bin_width; give one of them")
    if bin_width is not None:
        options.levels, options.bin_width = RUG_GLCM_LEVELS_WIDTH, bin_width
    elif isinstance(levels, str):
        if levels != "exact":
            raise ValueError(f"levels: {levels!r} given, 'exact' or a number of bins expected")
        options.levels = RUG_GLCM_LEVELS_EXACT
    elif levels is not None:
        options.levels = RUG_GLCM_LEVELS_COUNT
        options.n_levels = count("levels", levels, 2, 65536)
    if bin_origin is None:
        return 0
    if bin_width is None:
        raise ValueError("bin_origin: given without bin_width")
    if isinstance(bin_origin, str):
        options.origin = choice("bin_origin", bin_origin, ORIGINS)
    else:
        options.origin, options.bin_origin = RUG_GLCM_ORIGIN_GIVEN, bin_origin
    return 0


cdef int set_range(rug_glcm_options *options, range_of_values, resegment) except -1:
    if isinstance(range_of_values, str):
        options.range = choice("range", range_of_values, RANGES)
    elif range_of_values is not None:
        options.range = RUG_GLCM_RANGE_GIVEN
        options.range_lo, options.range_hi = range_of_values
    if resegment is not None:
        options.resegment = 1
        options.resegment_lo, options.resegment_hi = resegment
    return 0


cdef rug_glcm_options options_of(dict o, const uint32_t[::1] distances) except *:
    cdef rug_glcm_options options = GLCM_DEFAULTS
    set_levels(&options, o["levels"], o["bin_width"], o["bin_origin"])
    set_range(&options, o["range"], o["resegment"])
    if distances is not None:
        options.distances = &distances[0]
        options.n_distances = <uint32_t>len(distances)
    if o["directions"] is not None:
        for name in o["directions"]:
            options.directions |= <uint32_t>1 << <int>choice("directions", str(name), DIRECTIONS)
        if options.directions == 0:
            raise ValueError("directions: none given, None for all of them expected")
    options.log_base = o["log_base"]
    return options


# ---- Regions ----

cdef str direction_name(int direction):
    """The text of a direction."""
    return "all" if direction < 0 else rug_glcm_direction_name(<uint32_t>direction).decode()


cdef class Taker:
    """Takes one row after the other."""
    cdef Call call
    cdef list rows
    cdef bytearray features
    cdef uint32_t n_features


cdef rug_status take_row(void *user, const rug_glcm_row *row) noexcept with gil:
    taker = <Taker>user
    try:
        taker.rows.append(
            (row.label, row.distance, direction_name(row.direction), row.area, row.pairs,
             row.levels, rug_glcm_status_name(row.status).decode()))
        taker.features.extend((<const char *>row.features)[:row.n_features * sizeof(double)])
        taker.n_features = row.n_features
        return RUG_OK
    except BaseException as error:
        return taker.call.fail(error)


ROWS = np.dtype([
    ("label", np.uint64), ("distance", np.uint32), ("direction", "U16"), ("area", np.uint64),
    ("pairs", np.uint64), ("levels", np.uint32), ("status", "U16")])


cdef rug_glcm_options region_options(dict o, const uint32_t[::1] distances, Image mask,
                                     Image labels) except *:
    """Options of a call that measures regions."""
    cdef rug_glcm_options options = options_of(o, distances)
    options.asymmetric = not o["symmetric"]
    options.pairs = choice("pairs", o["pairs"], PAIRS)
    options.frame = o["frame"]
    options.aggregate = choice("aggregate", o["aggregate"], AGGREGATES)
    options.slices = choice("slices", o["slices"], SLICES)
    options.mask, options.labels = source_of(mask), source_of(labels)
    return options


def glcm(image, mask, labels, distances, int features, dict options_given, tuple run):
    """Rows of facts, and an array of all features for each row."""
    call = Call(run)
    cdef rug_status status
    cdef Image view = view_of(image), inside = view_of(mask), parts = view_of(labels)
    cdef rug_glcm_options options = region_options(options_given, distances, inside, parts)
    cdef Taker taker = Taker()
    taker.call, taker.rows, taker.features = call, [], bytearray()
    options.features = features
    with nogil:
        status = rug_glcm(call.ctx, &view.view, &options, take_row, <void *>taker)
    call.check(status)
    call.done()
    rows = np.array(taker.rows, ROWS)
    values = np.frombuffer(taker.features, np.float64).reshape(len(rows), -1 if len(rows) else 0)
    return rows, values


# ---- Matrices ----

cdef class Keeper:
    """Keeps one matrix after the other: those of a region in one array."""
    cdef Call call
    cdef list regions
    cdef size_t n_of_region, n_kept


cdef rug_status keep_matrix(void *user, const rug_glcm_matrix *m) noexcept with gil:
    keeper = <Keeper>user
    cdef uint64_t[:, :, ::1] counts
    try:
        if keeper.n_kept % keeper.n_of_region == 0:
            shape = (keeper.n_of_region, m.n_levels, m.n_levels)
            keeper.regions.append((m.label, m.level_min, m.n_gray, np.empty(shape, np.uint64)))
        counts = keeper.regions[-1][3]
        memcpy(&counts[keeper.n_kept % keeper.n_of_region, 0, 0], m.counts,
               <size_t>m.n_levels * m.n_levels * sizeof(uint64_t))
        keeper.n_kept += 1
        return RUG_OK
    except BaseException as error:
        return keeper.call.fail(error)


def matrices(image, mask, labels, distances, offsets, size_t n, dict options_given, tuple run):
    """For each region its label, first level, number of levels and [n, levels, levels] counts.

    Of distances and directions, the last ones fastest; or at offsets, [n, 3] of int32.
    """
    call = Call(run)
    cdef rug_status status
    cdef Image view = view_of(image), inside = view_of(mask), parts = view_of(labels)
    cdef rug_glcm_options options = region_options(options_given, distances, inside, parts)
    cdef const int32_t[:, ::1] steps
    cdef Keeper keeper = Keeper()
    keeper.call, keeper.regions, keeper.n_of_region = call, [], n
    if offsets is None:
        with nogil:
            status = rug_glcm_matrices(call.ctx, &view.view, &options, keep_matrix, <void *>keeper)
    else:
        steps = offsets
        with nogil:
            status = rug_glcm_matrices_at(
                call.ctx, &view.view, <const int32_t (*)[3]>&steps[0, 0], n, &options,
                keep_matrix, <void *>keeper)
    call.check(status)
    call.done()
    return keeper.regions


def matrix_features(counts, int64_t first, uint64_t n_gray, bint symmetric, int features,
                    double log_base):
    """Statuses and [n, features] of counts [n, levels, levels]."""
    call = Call((1, "cpu", None))
    cdef rug_glcm_matrix_options options = GLCM_MATRIX_DEFAULTS
    cdef const uint64_t[:, :, ::1] given = counts
    cdef double[:, ::1] out
    cdef rug_status status = RUG_OK
    cdef int[::1] found
    cdef Py_ssize_t i
    options.level_min, options.n_gray, options.asymmetric = first, n_gray, not symmetric
    options.features, options.log_base = features, log_base
    values = np.empty((len(counts), len(FEATURES)))
    statuses = np.empty(len(counts), np.intc)
    out, found = values, statuses
    with nogil:
        for i in range(given.shape[0]):
            status = rug_glcm_matrix_features(
                call.ctx, &out[i, 0], out.shape[1], &found[i], &given[i, 0, 0], given.shape[1],
                &options)
            if status != RUG_OK:
                break
    call.check(status)
    call.done()
    return [rug_glcm_status_name(k).decode() for k in statuses], values


# ---- Maps ----

cdef struct Sheets:
    double *values
    size_t ny, nx


cdef rug_status take_rows(void *user, const rug_glcm_map_rows *rows) noexcept nogil:
    cdef Sheets *sheets = <Sheets *>user
    memcpy(sheets.values + (rows.map * sheets.ny + rows.first) * sheets.nx, rows.values,
           rows.n * rows.nx * sizeof(double))
    return RUG_OK


def maps(image, mask, distances, features, tuple window, bint leave_out, dict options_given,
         tuple run):
    """An array [feature, ny, nx]."""
    call = Call(run)
    cdef rug_glcm_options options = options_of(options_given, distances)
    cdef rug_glcm_maps_options map_options = GLCM_MAPS_DEFAULTS
    cdef rug_status status
    cdef Image view = view_of(image), inside = view_of(mask)
    cdef rug_glcm_feature wanted[64]
    cdef Sheets sheets
    for i, name in enumerate(features):
        wanted[i] = <rug_glcm_feature><int>FEATURES[name]
    map_options.features, map_options.n_features = wanted, <uint32_t>len(features)
    map_options.rows, map_options.columns = window
    map_options.leave_out = leave_out
    options.mask = source_of(inside)
    found = np.empty((len(features),) + image.shape, np.float64)
    cdef double[::1] out = found.reshape(-1)
    sheets.values, sheets.ny, sheets.nx = &out[0], view.view.shape[0], view.view.shape[1]
    with nogil:
        status = rug_glcm_maps(call.ctx, &view.view, &options, &map_options, take_rows, &sheets)
    call.check(status)
    call.done()
    return found
