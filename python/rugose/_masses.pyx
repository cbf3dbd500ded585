# SPDX-License-Identifier: BSD-3-Clause
# cython: language_level=3
"""Multifractals, exponents of pixels, lacunarity."""

import numpy as np

cimport cython
from libc.stdint cimport uint8_t, uint32_t, uint64_t

from ._context cimport *
from ._context import choice, table

cdef extern from "rugose/rugose.h" nogil:
    enum:
        RUG_MASS_OF_FOREGROUND
    ctypedef struct rug_masses:
        pass
    ctypedef struct rug_masses_options:
        int of
        rug_foreground foreground
        const rug_source *mask
    ctypedef struct rug_masses_points_options:
        double spacing
        uint64_t resolution
    ctypedef struct rug_masses_facts:
        int ndim
        uint64_t shape[10]
        uint64_t n_pixels, n_set, n_left_out, n_lost, total
        int unit_exponent
        rug_foreground foreground
        int of
        uint32_t n_sizes
        const char *engine
    rug_status rug_masses_measure(rug_context *ctx, rug_masses **out, const rug_image *image,
                                  const rug_masses_options *opts)
    rug_status rug_masses_measure_points(rug_context *ctx, rug_masses **out,
                                         const rug_points *points,
                                         const rug_masses_points_options *opts)
    rug_status rug_masses_new(rug_context *ctx, rug_masses **out, rug_dtype dtype, int ndim,
                              const size_t *shape, int unit_exponent,
                              const rug_masses_options *opts)
    rug_status rug_masses_add(rug_context *ctx, rug_masses *masses, const rug_image *part,
                              const rug_image *mask, const size_t *first)
    rug_status rug_masses_merge(rug_context *ctx, rug_masses *masses, const rug_masses *other)
    void rug_masses_free(rug_masses *masses)
    rug_status rug_masses_save(rug_context *ctx, uint8_t **out, size_t *n, const rug_masses *masses)
    rug_status rug_masses_load(rug_context *ctx, rug_masses **out, const uint8_t *bytes, size_t n)
    const rug_masses_facts *rug_masses_get_facts(rug_masses *masses)
    ctypedef struct rug_multifractal_order:
        double q, tau, tau_error, dimension, dimension_error, alpha, alpha_error, f, f_error
        double r_squared, near_empty
        int status
    ctypedef struct rug_multifractal_facts:
        uint64_t size_min, size_max
        uint32_t n_sizes
        int status
    ctypedef struct rug_multifractal_result:
        pass
    rug_status rug_multifractal_fit(rug_context *ctx, rug_multifractal_result **out,
                                    rug_masses *masses, const double *q, size_t n_q,
                                    const rug_fit_options *opts)
    void rug_multifractal_free(rug_multifractal_result *result)
    const rug_multifractal_facts *rug_multifractal_get_facts(const rug_multifractal_result *result)
    const rug_multifractal_order *rug_multifractal_at(const rug_multifractal_result *result,
                                                      size_t i)

    const char *rug_alpha_measure_name(int measure)
    ctypedef struct rug_alpha_options:
        int measure
        uint32_t n_windows
        double iso_tolerance
        const rug_source *mask
    rug_status rug_alpha_map(rug_context *ctx, float *out, const rug_image *image,
                             const rug_alpha_options *opts)

    const char *rug_lacunarity_boxes_name(int boxes)
    const char *rug_lacunarity_status_name(int status)
    ctypedef struct rug_lacunarity_options:
        int boxes
        int is_gray
        rug_foreground foreground
        const uint64_t *sizes
        uint32_t n_sizes
        const rug_source *mask
    ctypedef struct rug_lacunarity_size:
        uint64_t size
        double lacunarity, mean, variance
        uint64_t positions
        int status
    ctypedef struct rug_lacunarity_facts:
        int ndim
        uint64_t shape[3]
        uint64_t n_pixels, n_set, n_left_out
        rug_foreground foreground
        const char *engine
        uint32_t n_sizes
        uint64_t is_gray
    ctypedef struct rug_lacunarity_result:
        pass
    ctypedef rug_status (*rug_lacunarity_label_fn)(
        void *user, const rug_region *region,
        const rug_lacunarity_result *result) noexcept nogil
    rug_status rug_lacunarity(rug_context *ctx, rug_lacunarity_result **out,
                              const rug_image *image, const rug_lacunarity_options *opts)
    rug_status rug_lacunarity_labels(rug_context *ctx, const rug_image *image,
                                     const rug_source *labels,
                                     const rug_lacunarity_options *opts,
                                     rug_lacunarity_label_fn fn, void *user)
    void rug_lacunarity_free(rug_lacunarity_result *result)
    const rug_lacunarity_facts *rug_lacunarity_get_facts(const rug_lacunarity_result *result)
    const rug_lacunarity_size *rug_lacunarity_at(const rug_lacunarity_result *result, size_t i)
    ctypedef struct rug_lacunarity_parts:
        pass
    rug_status rug_lacunarity_parts_new(rug_context *ctx, rug_lacunarity_parts **out,
                                        rug_dtype dtype, int ndim, const size_t *shape,
                                        const rug_lacunarity_options *opts)
    void rug_lacunarity_parts_free(rug_lacunarity_parts *parts)
    rug_status rug_lacunarity_parts_add(rug_context *ctx, rug_lacunarity_parts *parts,
                                        const rug_image *part, const rug_image *mask,
                                        const size_t *first)
    rug_status rug_lacunarity_merge(rug_context *ctx, rug_lacunarity_parts *parts,
                                    const rug_lacunarity_parts *other)
    rug_status rug_lacunarity_parts_finish(rug_context *ctx, rug_lacunarity_result **out,
                                           const rug_lacunarity_parts *parts)
    rug_status rug_lacunarity_parts_save(rug_context *ctx, uint8_t **out, size_t *n,
                                         const rug_lacunarity_parts *parts)
    rug_status rug_lacunarity_parts_load(rug_context *ctx, rug_lacunarity_parts **out,
                                         const uint8_t *bytes, size_t n)

    rug_masses_options MASSES_DEFAULTS "DEFAULTS(masses, MASSES)"
    rug_masses_points_options MASSES_POINTS_DEFAULTS "DEFAULTS(masses_points, MASSES_POINTS)"
    rug_alpha_options ALPHA_DEFAULTS "DEFAULTS(alpha, ALPHA)"
    rug_lacunarity_options LACUNARITY_DEFAULTS "DEFAULTS(lacunarity, LACUNARITY)"

MEASURES = table([rug_alpha_measure_name(k) for k in range(16)])
BOXES = table([rug_lacunarity_boxes_name(k) for k in range(16)])

ORDERS = np.dtype(
    [(name, np.float64) for name in
     ("q", "tau", "tau_error", "dimension", "dimension_error", "alpha", "alpha_error", "f",
      "f_error", "r_squared", "near_empty")] + [("status", "U16")])
LACUNARITIES = np.dtype(
    [("size", np.uint64), ("lacunarity", np.float64), ("mean", np.float64),
     ("variance", np.float64), ("positions", np.uint64), ("status", "U8")])


# ---- Multifractals ----

cdef orders_of(const rug_multifractal_result *result, size_t n):
    """A row for each order."""
    cdef const rug_multifractal_order *o
    rows = []
    for i in range(n):
        o = rug_multifractal_at(result, i)
        rows.append((o.q, o.tau, o.tau_error, o.dimension, o.dimension_error, o.alpha,
                     o.alpha_error, o.f, o.f_error, o.r_squared, o.near_empty,
                     rug_fit_status_name(o.status).decode()))
    return np.array(rows, ORDERS)


cdef dict spectrum_of(Call call, rug_masses *masses, double[::1] q, rug_fit_options fit):
    """All that follows from masses."""
    cdef const rug_masses_facts *facts = rug_masses_get_facts(masses)
    cdef const rug_multifractal_facts *common
    cdef rug_multifractal_result *result = NULL
    cdef rug_status status
    cdef size_t n_q = <size_t>q.shape[0]
    cdef const double *orders = &q[0]
    try:
        with nogil:
            status = rug_multifractal_fit(call.ctx, &result, masses, orders, n_q, &fit)
        call.check(status)
        common = rug_multifractal_get_facts(result)
        return dict(
            orders=orders_of(result, n_q), size_min=common.size_min, size_max=common.size_max,
            n_sizes=common.n_sizes, status=rug_fit_status_name(common.status).decode(),
            shape=tuple([facts.shape[a] for a in range(facts.ndim)]),
            n_pixels=facts.n_pixels, n_set=facts.n_set, n_left_out=facts.n_left_out,
            total=float(facts.total) * 2.0 ** facts.unit_exponent,
            foreground=rule_text(facts.foreground) if facts.of == RUG_MASS_OF_FOREGROUND else None,
            engine=facts.engine.decode())
    finally:
        rug_multifractal_free(result)


def multifractal(image, mask, foreground, q, tuple fit, tuple run):
    """A dict."""
    call = Call(run)
    cdef rug_masses_options options = MASSES_DEFAULTS
    cdef rug_masses *masses = NULL
    cdef rug_status status
    cdef Image view = view_of(image), inside = view_of(mask)
    options.mask = source_of(inside)
    if foreground is not None:
        options.of = RUG_MASS_OF_FOREGROUND
        options.foreground = rule_of(call, foreground)
    try:
        with nogil:
            status = rug_masses_measure(call.ctx, &masses, &view.view, &options)
        call.check(status)
        found = spectrum_of(call, masses, q, fit_options(fit))
    finally:
        rug_masses_free(masses)
    call.done()
    return found


def multifractal_points(points, double spacing, uint64_t resolution, q, tuple fit, tuple run):
    """A dict."""
    call = Call(run)
    cdef rug_masses_points_options options = MASSES_POINTS_DEFAULTS
    cdef rug_masses *masses = NULL
    cdef rug_status status
    cdef Image view = view_of(points)
    cdef rug_points set_of_points = points_of(view)
    options.spacing, options.resolution = spacing, resolution
    try:
        with nogil:
            status = rug_masses_measure_points(call.ctx, &masses, &set_of_points, &options)
        call.check(status)
        found = spectrum_of(call, masses, q, fit_options(fit))
    finally:
        rug_masses_free(masses)
    found["foreground"] = "points"
    call.done()
    return found


@cython.no_gc_clear
cdef class Parts:
    """The masses of an image in parts. One call at a time."""
    cdef Call call
    cdef rug_masses *masses

    def __dealloc__(self):
        rug_masses_free(self.masses)

    cdef int after(self, rug_status status) except -1:
        """Whatever fails ends the state."""
        if status != RUG_OK:
            rug_masses_free(self.masses)
            self.masses = NULL
        return self.call.check(status)

    def begin(self, tuple shape, int dtype, masked, foreground, int unit_exponent, tuple run):
        self.call = Call(run)
        cdef rug_masses_options options = MASSES_DEFAULTS
        cdef rug_source some = SOME_SOURCE
        cdef size_t sides[3]
        if foreground is not None:
            options.of = RUG_MASS_OF_FOREGROUND
            options.foreground = rule_of(self.call, foreground)
        if masked:
            options.mask = &some
        fill_place(sides, shape)
        self.after(rug_masses_new(self.call.ctx, &self.masses, <rug_dtype>dtype, <int>len(shape),
                                  sides, unit_exponent, &options))
        return self

    def load(self, const uint8_t[::1] saved, tuple run):
        cdef uint8_t nothing = 0
        cdef const uint8_t *first = &saved[0] if saved.shape[0] > 0 else &nothing
        cdef size_t n = <size_t>saved.shape[0]
        cdef rug_status status
        self.call = Call(run)
        with nogil:
            status = rug_masses_load(self.call.ctx, &self.masses, first, n)
        self.after(status)
        return self

    def save(self, tuple run):
        call = Call(run)
        cdef uint8_t *saved = NULL
        cdef size_t n = 0
        cdef rug_status status
        check_begun(self.masses != NULL)
        with nogil:
            status = rug_masses_save(call.ctx, &saved, &n, self.masses)
        call.check(status)
        return take_bytes(call, saved, n)

    def add(self, part, mask, tuple origin):
        cdef size_t first[3]
        cdef rug_status status
        cdef Image view = view_of(part), inside = view_of(mask)
        cdef const rug_image *covered = image_of(inside)
        check_begun(self.masses != NULL)
        fill_place(first, origin)
        with nogil:
            status = rug_masses_add(self.call.ctx, self.masses, &view.view, covered, first)
        self.after(status)

    def merge(self, Parts other):
        cdef rug_status status
        check_begun(self.masses != NULL and other.masses != NULL)
        with nogil:
            status = rug_masses_merge(self.call.ctx, self.masses, other.masses)
        self.after(status)

    def finish(self, q, tuple fit, tuple run):
        """A dict."""
        call = Call(run)
        check_begun(self.masses != NULL)
        found = spectrum_of(call, self.masses, q, fit_options(fit))
        call.done()
        return found


# ---- Exponents of pixels ----

def alpha_map(image, mask, measure, uint32_t n_windows, double iso_tolerance, tuple run):
    """An array of float32 of the image's shape."""
    call = Call(run)
    cdef rug_alpha_options options = ALPHA_DEFAULTS
    cdef rug_status status
    cdef Image view = view_of(image), inside = view_of(mask)
    alphas = np.empty(image.shape, np.float32)
    cdef float[::1] out = alphas.reshape(-1)
    options.measure = choice("measure", measure, MEASURES)
    options.n_windows, options.iso_tolerance = n_windows, iso_tolerance
    options.mask = source_of(inside)
    with nogil:
        status = rug_alpha_map(call.ctx, &out[0], &view.view, &options)
    call.check(status)
    call.done()
    return alphas


# ---- Lacunarity ----

cdef dict lacunarity_of(const rug_lacunarity_result *result):
    """All of a result."""
    cdef const rug_lacunarity_facts *facts = rug_lacunarity_get_facts(result)
    cdef const rug_lacunarity_size *s
    rows = []
    for i in range(facts.n_sizes):
        s = rug_lacunarity_at(result, i)
        rows.append((s.size, s.lacunarity, s.mean, s.variance, s.positions,
                     rug_lacunarity_status_name(s.status).decode()))
    return dict(
        sizes=np.array(rows, LACUNARITIES),
        shape=tuple([facts.shape[a] for a in range(facts.ndim)]),
        n_pixels=facts.n_pixels, n_set=facts.n_set, n_left_out=facts.n_left_out,
        foreground=None if facts.is_gray else rule_text(facts.foreground),
        engine=facts.engine.decode())


cdef class Taker:
    """Takes one label after the other."""
    cdef Call call
    cdef int ndim
    cdef list found


cdef rug_status take_label(void *user, const rug_region *region,
                           const rug_lacunarity_result *result) noexcept with gil:
    taker = <Taker>user
    try:
        found = lacunarity_of(result)
        found.update(region_of(region, taker.ndim))
        taker.found.append(found)
        return RUG_OK
    except BaseException as error:
        return taker.call.fail(error)


cdef rug_lacunarity_options lacunarity_options(Call call, foreground, const uint64_t[::1] sizes,
                                               boxes) except *:
    """Without a mask. Sizes are lent."""
    cdef rug_lacunarity_options options = LACUNARITY_DEFAULTS
    options.boxes = choice("boxes", boxes, BOXES)
    options.is_gray = foreground is None
    if foreground is not None:
        options.foreground = rule_of(call, foreground)
    if sizes is not None:
        options.sizes = &sizes[0]
        options.n_sizes = <uint32_t>len(sizes)
    return options


def lacunarity(image, mask, labels, foreground, sizes, boxes, tuple run):
    """A dict; with labels a list of them."""
    call = Call(run)
    cdef rug_lacunarity_options options = lacunarity_options(call, foreground, sizes, boxes)
    cdef rug_lacunarity_result *result = NULL
    cdef rug_status status
    cdef Image view = view_of(image), inside = view_of(mask), parts = view_of(labels)
    cdef const rug_source *regions = source_of(parts)
    cdef Taker taker = Taker()
    options.mask = source_of(inside)
    taker.call, taker.found, taker.ndim = call, [], view.view.ndim
    try:
        if labels is not None:
            with nogil:
                status = rug_lacunarity_labels(call.ctx, &view.view, regions, &options,
                                               take_label, <void *>taker)
            call.check(status)
            found = taker.found
        else:
            with nogil:
                status = rug_lacunarity(call.ctx, &result, &view.view, &options)
            call.check(status)
            found = lacunarity_of(result)
    finally:
        rug_lacunarity_free(result)
    call.done()
    return found


@cython.no_gc_clear
cdef class LacunarityParts:
    """The pixels of an image in parts. One call at a time."""
    cdef Call call
    cdef rug_lacunarity_parts *parts

    def __dealloc__(self):
        rug_lacunarity_parts_free(self.parts)

    cdef int after(self, rug_status status) except -1:
        """Whatever fails ends the state."""
        if status != RUG_OK:
            rug_lacunarity_parts_free(self.parts)
            self.parts = NULL
        return self.call.check(status)

    def begin(self, tuple shape, int dtype, masked, foreground, sizes, boxes, tuple run):
        self.call = Call(run)
        cdef rug_lacunarity_options options = lacunarity_options(self.call, foreground, sizes,
                                                                 boxes)
        cdef rug_source some = SOME_SOURCE
        cdef size_t sides[3]
        if masked:
            options.mask = &some
        fill_place(sides, shape)
        self.after(rug_lacunarity_parts_new(self.call.ctx, &self.parts, <rug_dtype>dtype,
                                            <int>len(shape), sides, &options))
        return self

    def load(self, const uint8_t[::1] saved, tuple run):
        cdef uint8_t nothing = 0
        cdef const uint8_t *first = &saved[0] if saved.shape[0] > 0 else &nothing
        cdef size_t n = <size_t>saved.shape[0]
        cdef rug_status status
        self.call = Call(run)
        with nogil:
            status = rug_lacunarity_parts_load(self.call.ctx, &self.parts, first, n)
        self.after(status)
        return self

    def save(self, tuple run):
        call = Call(run)
        cdef uint8_t *saved = NULL
        cdef size_t n = 0
        cdef rug_status status
        check_begun(self.parts != NULL)
        with nogil:
            status = rug_lacunarity_parts_save(call.ctx, &saved, &n, self.parts)
        call.check(status)
        return take_bytes(call, saved, n)

    def add(self, part, mask, tuple origin):
        cdef size_t first[3]
        cdef rug_status status
        cdef Image view = view_of(part), inside = view_of(mask)
        cdef const rug_image *covered = image_of(inside)
        check_begun(self.parts != NULL)
        fill_place(first, origin)
        with nogil:
            status = rug_lacunarity_parts_add(self.call.ctx, self.parts, &view.view, covered, first)
        self.after(status)

    def merge(self, LacunarityParts other):
        cdef rug_status status
        check_begun(self.parts != NULL and other.parts != NULL)
        with nogil:
            status = rug_lacunarity_merge(self.call.ctx, self.parts, other.parts)
        self.after(status)

    def finish(self, tuple run):
        """A dict."""
        call = Call(run)
        cdef rug_lacunarity_result *result = NULL
        cdef rug_status status
        check_begun(self.parts != NULL)
        try:
            with nogil:
                status = rug_lacunarity_parts_finish(call.ctx, &result, self.parts)
            call.check(status)
            found = lacunarity_of(result)
        finally:
            rug_lacunarity_free(result)
        call.done()
        return found
