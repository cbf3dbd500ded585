# SPDX-License-Identifier: BSD-3-Clause
# cython: language_level=3
"""Local binary patterns: maps and histograms."""

import numpy as np

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memcpy, memset

from ._context cimport *
from ._context import choice, table

cdef extern from "rugose/rugose.h" nogil:
    const char *rug_lbp_method_name(int method)
    const char *rug_lbp_interpolation_name(int interpolation)
    const char *rug_lbp_border_name(int border)
    const char *rug_lbp_exact_name(int exact)
    const char *rug_lbp_planes_name(int planes)
    ctypedef struct rug_lbp_operator:
        uint32_t points
        double radius
    ctypedef struct rug_lbp_rows:
        uint32_t op
        size_t slice, first, n, nx
        rug_dtype dtype
        const void *codes
    ctypedef rug_status (*rug_lbp_map_fn)(void *user, const rug_lbp_rows *rows) noexcept nogil
    ctypedef struct rug_lbp_options:
        const rug_lbp_operator *operators
        uint32_t n_operators
        int method
        int interpolation
        int border
        int exact
        int planes
        const rug_source *mask
        const rug_source *labels
        rug_lbp_map_fn map
        void *map_user
        uint32_t leave_out_nan
        uint64_t origin[2]
    ctypedef struct rug_lbp_histogram:
        uint64_t label
        uint32_t op
        uint64_t pixels
        uint32_t n_bins
        const uint64_t *bins
    ctypedef struct rug_lbp_facts:
        size_t n_histograms, n_labels
        uint32_t n_operators
        const char *engine
    ctypedef struct rug_lbp_result:
        pass
    rug_status rug_lbp(rug_context *ctx, rug_lbp_result **out, const rug_image *image,
                       const rug_lbp_options *opts)
    void rug_lbp_free(rug_lbp_result *result)
    const rug_lbp_facts *rug_lbp_get_facts(const rug_lbp_result *result)
    const rug_lbp_histogram *rug_lbp_at(const rug_lbp_result *result, size_t i)
    rug_status rug_lbp_map_dtype(rug_context *ctx, rug_dtype *out, const rug_lbp_options *opts,
                                 uint32_t op)
    size_t rug_dtype_size(rug_dtype dtype)

    rug_lbp_options LBP_DEFAULTS "DEFAULTS(lbp, LBP)"

METHODS = table([rug_lbp_method_name(k) for k in range(16)])
INTERPOLATIONS = table(
    [rug_lbp_interpolation_name(k) for k in range(16)])
BORDERS = table([rug_lbp_border_name(k) for k in range(16)])
EXACTS = table([rug_lbp_exact_name(k) for k in range(16)])
PLANES = table([rug_lbp_planes_name(k) for k in range(16)])

# scikit-image's name of what the library calls riu2.
METHODS["uniform"] = METHODS["riu2"]

# By rug_dtype.
CODES = {1: np.uint8, 3: np.uint16, 5: np.uint32, 10: np.float64}


cdef class Operators:
    """The circles of a call."""
    cdef rug_lbp_operator *rows
    cdef uint32_t n

    def __init__(self, pairs):
        self.n = <uint32_t>len(pairs)
        self.rows = <rug_lbp_operator *>PyMem_Malloc(max(1, self.n) * sizeof(rug_lbp_operator))
        if self.rows == NULL:
            raise MemoryError("operators")
        memset(self.rows, 0, self.n * sizeof(rug_lbp_operator))
        for i, (points, radius) in enumerate(pairs):
            self.rows[i].points, self.rows[i].radius = points, radius

    def __dealloc__(self):
        PyMem_Free(self.rows)


cdef rug_lbp_options options_of(Operators operators, method, border, exact,
                                tuple origin) except *:
    cdef rug_lbp_options options = LBP_DEFAULTS
    options.operators, options.n_operators = operators.rows, operators.n
    options.method = choice("method", method, METHODS)
    options.border = choice("border", border, BORDERS)
    options.exact = choice("exact", exact, EXACTS)
    options.origin[0], options.origin[1] = origin
    return options


# ---- Maps ----

cdef struct Sheet:
    char *codes
    size_t row  # bytes


cdef rug_status take_rows(void *user, const rug_lbp_rows *rows) noexcept nogil:
    cdef Sheet *sheet = <Sheet *>user
    memcpy(sheet.codes + rows.first * sheet.row, rows.codes, rows.n * sheet.row)
    return RUG_OK


def codes(image, points, radius, method, border, exact, tuple origin, tuple run):
    """An array of the smallest type that holds the codes."""
    call = Call(run)
    cdef Operators operators = Operators([(points, radius)])
    cdef rug_lbp_options options = options_of(operators, method, border, exact, origin)
    cdef rug_lbp_result *result = NULL
    cdef rug_dtype dtype
    cdef rug_status status
    cdef Sheet sheet
    cdef Image view = view_of(image)
    call.check(rug_lbp_map_dtype(call.ctx, &dtype, &options, 0))
    sheet.row = view.view.shape[1] * rug_dtype_size(dtype)
    found = np.empty(image.shape, CODES[<int>dtype])
    cdef unsigned char[::1] out = found.reshape(-1).view(np.uint8)
    sheet.codes = <char *>&out[0]
    options.map, options.map_user = take_rows, &sheet
    with nogil:
        status = rug_lbp(call.ctx, &result, &view.view, &options)
    rug_lbp_free(result)
    call.check(status)
    call.done()
    return found


# ---- Histograms ----

def histograms(image, mask, labels, pairs, method, interpolation, border, exact, planes,
               tuple origin, tuple run):
    """A dict: the histograms of each operator, a row for each label."""
    call = Call(run)
    cdef Operators operators = Operators(pairs)
    cdef rug_lbp_options options = options_of(operators, method, border, exact, origin)
    cdef rug_lbp_result *result = NULL
    cdef const rug_lbp_facts *facts
    cdef const rug_lbp_histogram *h
    cdef rug_status status
    cdef Image view = view_of(image), inside = view_of(mask), parts = view_of(labels)
    cdef uint64_t[:] row
    cdef size_t i
    options.interpolation = choice(
        "interpolation", interpolation, INTERPOLATIONS)
    options.planes = choice("planes", planes, PLANES)
    options.mask, options.labels = source_of(inside), source_of(parts)
    try:
        with nogil:
            status = rug_lbp(call.ctx, &result, &view.view, &options)
        call.check(status)
        facts = rug_lbp_get_facts(result)
        found = [[] for _ in range(facts.n_operators)]
        numbers = []
        for i in range(facts.n_histograms):
            h = rug_lbp_at(result, i)
            bins = np.zeros(h.n_bins, np.uint64)
            row = bins
            if h.n_bins > 0:
                memcpy(&row[0], h.bins, h.n_bins * sizeof(uint64_t))
            found[h.op].append(bins)
            if h.op == 0:
                numbers.append(h.label)
        engine = facts.engine.decode()
    finally:
        rug_lbp_free(result)
    call.done()
    return dict(counts=found, labels=numbers, engine=engine)
