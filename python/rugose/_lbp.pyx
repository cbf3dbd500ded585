# SPDX-License-Identifier: BSD-3-Clause
# cython: language_level=3
"""Local binary patterns: maps, histograms, classes of textures."""

import numpy as np

cimport cython
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
        const double *cuts
        uint32_t n_cuts
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
    uint32_t rug_lbp_n_bins(int method, const rug_lbp_operator *op)
    size_t rug_dtype_size(rug_dtype dtype)

    const char *rug_lbp_score_name(int score)
    ctypedef struct rug_lbp_model:
        pass
    ctypedef struct rug_lbp_classify_options:
        int score, nearest_sample
        double alpha
    ctypedef struct rug_lbp_verdict:
        size_t struct_size
        const char *predicted
        const char *second
        double score, margin
        const char *nearest
        uint64_t n_ruled_out
    rug_status rug_lbp_model_new(rug_context *ctx, rug_lbp_model **out,
                                 const rug_lbp_options *opts)
    void rug_lbp_model_free(rug_lbp_model *model)
    rug_status rug_lbp_model_add_bins(rug_context *ctx, rug_lbp_model *model,
                                      const char *class_name, const char *sample,
                                      const uint64_t *bins)
    size_t rug_lbp_model_n_bins(const rug_lbp_model *model)
    rug_status rug_lbp_model_classify_bins(rug_context *ctx, rug_lbp_verdict *out,
                                           const rug_lbp_model *model, const uint64_t *bins,
                                           const rug_lbp_classify_options *opts)
    ctypedef struct rug_lbp_variances:
        pass
    rug_status rug_lbp_variances_new(rug_context *ctx, rug_lbp_variances **out,
                                     const rug_lbp_options *opts)
    void rug_lbp_variances_free(rug_lbp_variances *variances)
    rug_status rug_lbp_variances_add(rug_context *ctx, rug_lbp_variances *variances,
                                     const rug_source *source, const rug_source *mask)
    rug_status rug_lbp_variances_cuts(rug_context *ctx, const rug_lbp_variances *variances,
                                      uint32_t op, uint32_t n_bins, double *cuts,
                                      uint32_t *n_cuts)

    rug_lbp_options LBP_DEFAULTS "DEFAULTS(lbp, LBP)"
    rug_lbp_classify_options CLASSIFY_DEFAULTS "DEFAULTS(lbp_classify, LBP_CLASSIFY)"

METHODS = table([rug_lbp_method_name(k) for k in range(16)])
INTERPOLATIONS = table(
    [rug_lbp_interpolation_name(k) for k in range(16)])
BORDERS = table([rug_lbp_border_name(k) for k in range(16)])
EXACTS = table([rug_lbp_exact_name(k) for k in range(16)])
PLANES = table([rug_lbp_planes_name(k) for k in range(16)])
SCORES = table([rug_lbp_score_name(k) for k in range(16)])

# scikit-image's name of what the library calls riu2.
METHODS["uniform"] = METHODS["riu2"]

# By rug_dtype.
CODES = {1: np.uint8, 3: np.uint16, 5: np.uint32, 10: np.float64}


cdef class Operators:
    """The circles of a call."""
    cdef rug_lbp_operator *rows
    cdef uint32_t n
    cdef list cuts  # which the rows point into

    def __init__(self, pairs, cuts=None):
        cdef const double[::1] between
        self.n = <uint32_t>len(pairs)
        self.rows = <rug_lbp_operator *>PyMem_Malloc(max(1, self.n) * sizeof(rug_lbp_operator))
        if self.rows == NULL:
            raise MemoryError("operators")
        memset(self.rows, 0, self.n * sizeof(rug_lbp_operator))
        for i, (points, radius) in enumerate(pairs):
            self.rows[i].points, self.rows[i].radius = points, radius
        self.cuts = [] if cuts is None else list(cuts)
        for i, of_operator in enumerate(self.cuts):
            between = of_operator
            if len(of_operator) > 0:
                self.rows[i].cuts, self.rows[i].n_cuts = &between[0], len(of_operator)

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

def n_bins(pairs, cuts, method):
    """The number of bins of each operator; 0 where there is no histogram."""
    cdef Operators operators = Operators(pairs, cuts)
    cdef int number = choice("method", method, METHODS)
    return [rug_lbp_n_bins(number, &operators.rows[i]) for i in range(operators.n)]


def histograms(image, mask, labels, pairs, cuts, method, interpolation, border, exact, planes,
               tuple origin, tuple run):
    """A dict: the histograms of each operator, a row for each label."""
    call = Call(run)
    cdef Operators operators = Operators(pairs, cuts)
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


# ---- Classes of textures ----

@cython.no_gc_clear  # the context goes last
cdef class Variances:
    """Of many images."""
    cdef Call call
    cdef rug_lbp_variances *found

    def __dealloc__(self):
        rug_lbp_variances_free(self.found)


def cuts(images, pairs, n_bins, border, tuple run):
    """The cuts of each operator. Images: pairs of an array and a mask."""
    cdef Variances variances = Variances()
    cdef Operators operators = Operators(pairs)
    cdef rug_lbp_options options = options_of(operators, "riu2", border, "skimage", (0, 0))
    cdef Call call = Call(run)
    cdef rug_status status
    cdef Image view, inside
    cdef const rug_source *source
    cdef const rug_source *mask
    cdef double[::1] row
    cdef uint32_t op, n = 0
    variances.call = call
    call.check(rug_lbp_variances_new(call.ctx, &variances.found, &options))
    for image, left in images:
        view, inside = view_of(image), view_of(left)
        source, mask = source_of(view), source_of(inside)
        with nogil:
            status = rug_lbp_variances_add(call.ctx, variances.found, source, mask)
        call.check(status)
    found = []
    for op in range(operators.n):
        between = np.empty(n_bins - 1)
        row = between
        call.check(rug_lbp_variances_cuts(
            call.ctx, variances.found, op, <uint32_t>n_bins, &row[0], &n))
        found.append(between[:n].copy())
    call.done()
    return found


@cython.no_gc_clear
cdef class Model:
    """Of one call."""
    cdef Call call
    cdef rug_lbp_model *model

    def __dealloc__(self):
        rug_lbp_model_free(self.model)


cdef Model model_of(Operators operators, method, border, exact):
    cdef rug_lbp_options options = options_of(operators, method, border, exact, (0, 0))
    cdef Model own = Model()
    own.call = Call((None, "cpu", None))
    own.call.check(rug_lbp_model_new(own.call.ctx, &own.model, &options))
    return own


cdef int add_sample(Model own, str name, str sample, const uint64_t[::1] bins) except -1:
    cdef bytes class_name = name.encode(), sample_name = sample.encode()
    own.call.check(rug_lbp_model_add_bins(
        own.call.ctx, own.model, class_name, sample_name, &bins[0]))
    return 0


def model_bins(pairs, cuts, method, border, exact):
    """The number of all bins of a model, whose options are checked."""
    cdef Operators operators = Operators(pairs, cuts)
    return rug_lbp_model_n_bins(model_of(operators, method, border, exact).model)


def check_sample(pairs, cuts, method, str name, bins):
    """Raises where a model would not take it."""
    cdef Operators operators = Operators(pairs, cuts)
    add_sample(model_of(operators, method, "zero", "skimage"), name, "", bins)


cdef str text_of(const char *text):
    return None if text == NULL else text.decode()


def classify(pairs, cuts, method, samples, bins, score, nearest, alpha):
    """A dict: the verdict on a histogram. Samples: class, name and bins of each."""
    cdef Operators operators = Operators(pairs, cuts)
    cdef Model own = model_of(operators, method, "zero", "skimage")
    cdef rug_lbp_classify_options how = CLASSIFY_DEFAULTS
    cdef rug_lbp_verdict verdict
    cdef const uint64_t[::1] row = bins
    cdef rug_status status
    how.score = choice("score", score, SCORES)
    how.nearest_sample, how.alpha = bool(nearest), alpha
    for name, sample, counts in samples:
        add_sample(own, name, sample, counts)
    memset(&verdict, 0, sizeof(rug_lbp_verdict))
    verdict.struct_size = sizeof(rug_lbp_verdict)
    with nogil:
        status = rug_lbp_model_classify_bins(own.call.ctx, &verdict, own.model, &row[0], &how)
    own.call.check(status)
    own.call.done()
    return dict(
        predicted=text_of(verdict.predicted), second=text_of(verdict.second),
        score=verdict.score, margin=verdict.margin, nearest=text_of(verdict.nearest),
        n_ruled_out=verdict.n_ruled_out)
