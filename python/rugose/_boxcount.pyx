# SPDX-License-Identifier: BSD-3-Clause
# cython: language_level=3
"""Box counting of images, labels and points; differential box counting."""

import numpy as np

cimport cython
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

from ._context cimport *
from ._context import choice, table

cdef extern from "rugose/rugose.h" nogil:
    ctypedef struct rug_box_count:
        uint64_t size, total, nonempty, black, gray, white
    ctypedef struct rug_box_positions:
        uint64_t shift[3]
        uint64_t least, most
        double mean_total, mean_nonempty, mean_black
    enum:
        RUG_BOXCOUNT_GRID_MEAN
    const char *rug_boxcount_method_name(int method)
    const char *rug_boxcount_grid_name(int grid)
    const char *rug_boxcount_of_name(int of)
    ctypedef struct rug_boxcount_options:
        rug_foreground foreground
        int method
        int grid
        const uint64_t *sizes
        uint32_t n_sizes
        const rug_source *mask
        uint64_t pixel_size[3]
    ctypedef struct rug_boxcount_points_options:
        double spacing
        uint64_t resolution
        int method
        int grid
        const uint64_t *sizes
        uint32_t n_sizes
    ctypedef struct rug_boxcount_facts:
        int ndim
        uint64_t shape[10]
        uint64_t n_pixels, n_set
        rug_foreground foreground
        int method
        int grid
        uint32_t n_sizes
        const char *engine
    ctypedef struct rug_boxcount_result:
        pass
    ctypedef rug_status (*rug_boxcount_label_fn)(
        void *user, const rug_region *region, const rug_boxcount_result *counts) noexcept nogil
    rug_status rug_boxcount(rug_context *ctx, rug_boxcount_result **out, const rug_image *image,
                            const rug_boxcount_options *opts)
    rug_status rug_boxcount_labels(rug_context *ctx, const rug_image *image,
                                   const rug_source *labels, const rug_boxcount_options *opts,
                                   rug_boxcount_label_fn fn, void *user)
    rug_status rug_boxcount_points(rug_context *ctx, rug_boxcount_result **out,
                                   const rug_points *points,
                                   const rug_boxcount_points_options *opts)
    ctypedef struct rug_boxcount_parts:
        pass
    rug_status rug_boxcount_parts_new(rug_context *ctx, rug_boxcount_parts **out, int ndim,
                                      const size_t *shape, const rug_boxcount_options *opts)
    void rug_boxcount_parts_free(rug_boxcount_parts *parts)
    rug_status rug_boxcount_parts_save(rug_context *ctx, uint8_t **out, size_t *n, const rug_boxcount_parts *parts)
    rug_status rug_boxcount_parts_load(rug_context *ctx, rug_boxcount_parts **out, const uint8_t *bytes, size_t n)
    rug_status rug_boxcount_parts_add(rug_context *ctx, rug_boxcount_parts *parts,
                                      const rug_image *part, const rug_image *mask,
                                      const size_t *first)
    rug_status rug_boxcount_merge(rug_context *ctx, rug_boxcount_parts *parts,
                                  const rug_boxcount_parts *other)
    rug_status rug_boxcount_parts_finish(rug_context *ctx, rug_boxcount_result **out,
                                         const rug_boxcount_parts *parts)
    void rug_boxcount_free(rug_boxcount_result *result)
    const rug_boxcount_facts *rug_boxcount_get_facts(const rug_boxcount_result *result)
    const rug_box_count *rug_boxcount_at(const rug_boxcount_result *result, size_t i)
    const rug_box_positions *rug_boxcount_positions_at(const rug_boxcount_result *result, size_t i)
    rug_status rug_boxcount_fit(rug_context *ctx, rug_fit *out, const rug_boxcount_result *counts,
                                int of, const rug_fit_options *opts)

    const char *rug_dbc_anchor_name(int anchor)
    ctypedef struct rug_dbc_options:
        double levels
        const rug_source *mask
        int anchor
    ctypedef struct rug_dbc_size:
        uint64_t size
        double height
        uint64_t blocks, boxes
        double boxes_by_area
    ctypedef struct rug_dbc_facts:
        int ndim
        uint64_t shape[3]
        uint64_t n_pixels, n_left_out
        double min, max, levels, base
        const char *engine
        uint32_t n_sizes
    ctypedef struct rug_dbc_result:
        pass
    rug_status rug_dbc(rug_context *ctx, rug_dbc_result **out, const rug_image *image,
                       const rug_dbc_options *opts)
    void rug_dbc_free(rug_dbc_result *result)
    const rug_dbc_facts *rug_dbc_get_facts(const rug_dbc_result *result)
    const rug_dbc_size *rug_dbc_at(const rug_dbc_result *result, size_t i)
    rug_status rug_dbc_fit(rug_context *ctx, rug_fit *out, const rug_dbc_result *counts,
                           const rug_fit_options *opts)

    ctypedef struct rug_dbc_parts:
        pass
    int rug_dbc_must_know_range(rug_dtype dtype, const rug_dbc_options *opts)
    rug_status rug_dbc_parts_new(rug_context *ctx, rug_dbc_parts **out, rug_dtype dtype, int ndim,
                                 const size_t *shape, const rug_dbc_options *opts,
                                 const rug_image_range *range)
    void rug_dbc_parts_free(rug_dbc_parts *parts)
    rug_status rug_dbc_parts_add(rug_context *ctx, rug_dbc_parts *parts, const rug_image *part,
                                 const rug_image *mask, const size_t *first)
    rug_status rug_dbc_merge(rug_context *ctx, rug_dbc_parts *parts, const rug_dbc_parts *other)
    rug_status rug_dbc_parts_finish(rug_context *ctx, rug_dbc_result **out,
                                    const rug_dbc_parts *parts)
    rug_status rug_dbc_parts_save(rug_context *ctx, uint8_t **out, size_t *n,
                                  const rug_dbc_parts *parts)
    rug_status rug_dbc_parts_load(rug_context *ctx, rug_dbc_parts **out, const uint8_t *bytes,
                                  size_t n)

    rug_boxcount_options BOXCOUNT_DEFAULTS "DEFAULTS(boxcount, BOXCOUNT)"
    rug_boxcount_points_options POINTS_DEFAULTS "DEFAULTS(boxcount_points, BOXCOUNT_POINTS)"
    rug_dbc_options DBC_DEFAULTS "DEFAULTS(dbc, DBC)"

METHODS = table([rug_boxcount_method_name(k) for k in range(16)])
GRIDS = table([rug_boxcount_grid_name(k) for k in range(16)])
KINDS = table([rug_boxcount_of_name(k) for k in range(16)])
ANCHORS = table([rug_dbc_anchor_name(k) for k in range(16)])

COLUMNS = ("size", "total", "nonempty", "black", "gray", "white")
COUNTS = np.dtype([(name, np.uint64) for name in COLUMNS])
MEANS = np.dtype([("size", np.uint64)] + [(name, np.float64) for name in COLUMNS[1:]])
DBC_SIZES = np.dtype([("size", np.uint64), ("height", np.float64), ("blocks", np.uint64),
                      ("boxes", np.uint64), ("boxes_by_area", np.float64)])


# ---- Results ----

cdef counts_of(const rug_boxcount_result *result, uint32_t n):
    """A row for each size."""
    rows = np.empty(n, COUNTS)
    cdef uint64_t[:, :] numbers = rows.view(np.uint64).reshape(n, 6)
    cdef uint32_t i
    for i in range(n):
        memcpy(&numbers[i, 0], rug_boxcount_at(result, i), sizeof(rug_box_count))
    return rows


cdef means_of(const rug_boxcount_result *result, uint32_t n):
    """A row for each size: means over all positions of the grid."""
    cdef const rug_box_positions *p
    rows = []
    for i in range(n):
        p = rug_boxcount_positions_at(result, i)
        rows.append((rug_boxcount_at(result, i).size, p.mean_total, p.mean_nonempty, p.mean_black,
                     p.mean_nonempty - p.mean_black, p.mean_total - p.mean_nonempty))
    return np.array(rows, MEANS)


cdef positions_of(const rug_boxcount_result *result, uint32_t n, int ndim):
    """A row for each size, over all positions of the grid; None for the grid at the origin."""
    cdef const rug_box_positions *p
    if rug_boxcount_positions_at(result, 0) == NULL:
        return None
    rows = []
    for i in range(n):
        p = rug_boxcount_positions_at(result, i)
        rows.append((rug_boxcount_at(result, i).size, tuple([p.shift[a] for a in range(ndim)]),
                     p.least, p.mean_nonempty, p.most))
    return np.array(rows, np.dtype([("size", np.uint64), ("shift", np.uint64, (ndim,)),
                                    ("least", np.uint64), ("mean", np.float64),
                                    ("most", np.uint64)]))


cdef dict boxes_of(Call call, const rug_boxcount_result *result, int of, rug_fit_options fit):
    """All of a result."""
    cdef rug_fit line
    cdef const rug_boxcount_facts *facts = rug_boxcount_get_facts(result)
    fit_begin(&line)
    call.check(rug_boxcount_fit(call.ctx, &line, result, of, &fit))
    is_mean = facts.grid == RUG_BOXCOUNT_GRID_MEAN
    return dict(
        counts=means_of(result, facts.n_sizes) if is_mean else counts_of(result, facts.n_sizes),
        positions=positions_of(result, facts.n_sizes, facts.ndim),
        fit=fit_of(&line, facts.n_sizes),
        of=rug_boxcount_of_name(of).decode(),
        foreground=rule_text(facts.foreground),
        shape=tuple([facts.shape[a] for a in range(facts.ndim)]),
        n_pixels=facts.n_pixels, n_set=facts.n_set,
        grid=rug_boxcount_grid_name(facts.grid).decode(),
        method=rug_boxcount_method_name(facts.method).decode(),
        engine=facts.engine.decode())


# ---- Images ----

cdef class Taker:
    """Takes the counts of one label after the other."""
    cdef Call call
    cdef rug_fit_options fit
    cdef int of, ndim
    cdef list found


cdef rug_status take_label(void *user, const rug_region *region,
                           const rug_boxcount_result *counts) noexcept with gil:
    taker = <Taker>user
    try:
        found = boxes_of(taker.call, counts, taker.of, taker.fit)
        found.update(region_of(region, taker.ndim))
        taker.found.append(found)
        return RUG_OK
    except BaseException as error:
        return taker.call.fail(error)


cdef rug_boxcount_options options_of(Call call, foreground, const uint64_t[::1] sizes, pixel_size, grid,
                                     method) except *:
    """The options; the sizes are lent."""
    cdef rug_boxcount_options options = BOXCOUNT_DEFAULTS
    options.foreground = rule_of(call, foreground)
    options.method = choice("method", method, METHODS)
    options.grid = choice("grid", grid, GRIDS)
    if sizes is not None:
        options.sizes = &sizes[0]
        options.n_sizes = <uint32_t>len(sizes)
    if pixel_size is not None:
        for a, side in enumerate(pixel_size):
            options.pixel_size[a] = side
    return options


def boxcount(image, mask, labels, foreground, sizes, pixel_size, grid, method, of, tuple fit,
             tuple run):
    """A dict; with labels a list of them."""
    call = Call(run)
    cdef rug_boxcount_options options = options_of(call, foreground, sizes, pixel_size, grid,
                                                   method)
    cdef rug_boxcount_result *result = NULL
    cdef rug_status status
    cdef Image view = view_of(image), inside = view_of(mask), parts = view_of(labels)
    cdef const rug_source *regions = source_of(parts)
    cdef Taker taker = Taker()
    options.mask = source_of(inside)
    taker.call, taker.found, taker.ndim = call, [], view.view.ndim
    taker.of, taker.fit = choice("of", of, KINDS), fit_options(fit)
    try:
        if labels is not None:
            with nogil:
                status = rug_boxcount_labels(call.ctx, &view.view, regions, &options, take_label,
                                             <void *>taker)
            call.check(status)
            found = taker.found
        else:
            with nogil:
                status = rug_boxcount(call.ctx, &result, &view.view, &options)
            call.check(status)
            found = boxes_of(call, result, taker.of, taker.fit)
    finally:
        rug_boxcount_free(result)
    call.done()
    return found


def boxcount_points(points, spacing, resolution, sizes, grid, method, of, tuple fit, tuple run):
    """A dict."""
    call = Call(run)
    cdef rug_boxcount_points_options options = POINTS_DEFAULTS
    cdef rug_boxcount_result *result = NULL
    cdef rug_status status
    cdef Image view = view_of(points)
    cdef rug_points set_of_points = points_of(view)
    cdef const uint64_t[::1] numbers = sizes
    cdef int kind = choice("of", of, KINDS)
    options.spacing, options.resolution = spacing, resolution
    options.method = choice("method", method, METHODS)
    options.grid = choice("grid", grid, GRIDS)
    if sizes is not None:
        options.sizes = &numbers[0]
        options.n_sizes = <uint32_t>len(sizes)
    try:
        with nogil:
            status = rug_boxcount_points(call.ctx, &result, &set_of_points, &options)
        call.check(status)
        found = boxes_of(call, result, kind, fit_options(fit))
    finally:
        rug_boxcount_free(result)
    found["foreground"] = "points"
    call.done()
    return found


# ---- Parts ----

@cython.no_gc_clear
cdef class Parts:
    """The boxes of an image in parts. One call at a time."""
    cdef Call call
    cdef rug_boxcount_parts *parts

    def __dealloc__(self):
        rug_boxcount_parts_free(self.parts)

    cdef int after(self, rug_status status) except -1:
        """Whatever fails ends the state."""
        if status != RUG_OK:
            rug_boxcount_parts_free(self.parts)
            self.parts = NULL
        return self.call.check(status)

    def begin(self, tuple shape, masked, foreground, sizes, pixel_size, grid, method, tuple run):
        self.call = Call(run)
        cdef rug_boxcount_options options = options_of(self.call, foreground, sizes, pixel_size,
                                                       grid, method)
        cdef rug_source some = SOME_SOURCE
        cdef size_t sides[3]
        if masked:
            options.mask = &some
        fill_place(sides, shape)
        self.after(rug_boxcount_parts_new(self.call.ctx, &self.parts, <int>len(shape), sides,
                                          &options))
        return self

    def load(self, const uint8_t[::1] saved, tuple run):
        cdef uint8_t nothing = 0
        cdef const uint8_t *first = &saved[0] if saved.shape[0] > 0 else &nothing
        cdef size_t n = <size_t>saved.shape[0]
        cdef rug_status status
        self.call = Call(run)
        with nogil:
            status = rug_boxcount_parts_load(self.call.ctx, &self.parts, first, n)
        self.after(status)
        return self

    def save(self, tuple run):
        call = Call(run)
        cdef uint8_t *saved = NULL
        cdef size_t n = 0
        cdef rug_status status
        check_begun(self.parts != NULL)
        with nogil:
            status = rug_boxcount_parts_save(call.ctx, &saved, &n, self.parts)
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
            status = rug_boxcount_parts_add(self.call.ctx, self.parts, &view.view,
                                            covered, first)
        self.after(status)

    def merge(self, Parts other):
        cdef rug_status status
        check_begun(self.parts != NULL and other.parts != NULL)
        with nogil:
            status = rug_boxcount_merge(self.call.ctx, self.parts, other.parts)
        self.after(status)

    def finish(self, of, tuple fit, tuple run):
        """A dict."""
        call = Call(run)
        cdef rug_boxcount_result *result = NULL
        cdef rug_status status
        cdef int kind = choice("of", of, KINDS)
        check_begun(self.parts != NULL)
        try:
            with nogil:
                status = rug_boxcount_parts_finish(call.ctx, &result, self.parts)
            call.check(status)
            found = boxes_of(call, result, kind, fit_options(fit))
        finally:
            rug_boxcount_free(result)
        call.done()
        return found


# ---- Grey values ----

cdef dict surface_of(Call call, const rug_dbc_result *result, rug_fit_options range_of_sizes):
    """All of a result."""
    cdef const rug_dbc_facts *facts = rug_dbc_get_facts(result)
    cdef const rug_dbc_size *s
    cdef rug_fit line
    fit_begin(&line)
    call.check(rug_dbc_fit(call.ctx, &line, result, &range_of_sizes))
    rows = []
    for i in range(facts.n_sizes):
        s = rug_dbc_at(result, i)
        rows.append((s.size, s.height, s.blocks, s.boxes, s.boxes_by_area))
    return dict(
        counts=np.array(rows, DBC_SIZES), fit=fit_of(&line, facts.n_sizes),
        shape=tuple([facts.shape[a] for a in range(facts.ndim)]),
        n_pixels=facts.n_pixels, n_left_out=facts.n_left_out,
        min=facts.min, max=facts.max, levels=facts.levels, base=facts.base,
        engine=facts.engine.decode())


cdef rug_dbc_options dbc_options(double levels, anchor) except *:
    """Without a mask."""
    cdef rug_dbc_options options = DBC_DEFAULTS
    options.levels = levels
    options.anchor = choice("anchor", anchor, ANCHORS)
    return options


def dbc(image, mask, double levels, anchor, tuple fit, tuple run):
    """A dict."""
    call = Call(run)
    cdef rug_dbc_options options = dbc_options(levels, anchor)
    cdef rug_dbc_result *result = NULL
    cdef rug_status status
    cdef Image view = view_of(image), inside = view_of(mask)
    options.mask = source_of(inside)
    try:
        with nogil:
            status = rug_dbc(call.ctx, &result, &view.view, &options)
        call.check(status)
        found = surface_of(call, result, fit_options(fit))
    finally:
        rug_dbc_free(result)
    call.done()
    return found


def dbc_needs_range(int dtype, double levels, anchor):
    """Whether parts must begin with the range of the whole image."""
    cdef rug_dbc_options options = dbc_options(levels, anchor)
    return rug_dbc_must_know_range(<rug_dtype>dtype, &options) != 0


@cython.no_gc_clear
cdef class SurfaceParts:
    """The grey values of an image in parts. One call at a time."""
    cdef Call call
    cdef rug_dbc_parts *parts

    def __dealloc__(self):
        rug_dbc_parts_free(self.parts)

    cdef int after(self, rug_status status) except -1:
        """Whatever fails ends the state."""
        if status != RUG_OK:
            rug_dbc_parts_free(self.parts)
            self.parts = NULL
        return self.call.check(status)

    def begin(self, tuple shape, int dtype, masked, double levels, anchor, ends, tuple run):
        self.call = Call(run)
        cdef rug_dbc_options options = dbc_options(levels, anchor)
        cdef rug_image_range known = range_of(ends)
        cdef rug_source some = SOME_SOURCE
        cdef size_t sides[3]
        if masked:
            options.mask = &some
        fill_place(sides, shape)
        self.after(rug_dbc_parts_new(self.call.ctx, &self.parts, <rug_dtype>dtype,
                                     <int>len(shape), sides, &options,
                                     &known if ends is not None else NULL))
        return self

    def load(self, const uint8_t[::1] saved, tuple run):
        cdef uint8_t nothing = 0
        cdef const uint8_t *first = &saved[0] if saved.shape[0] > 0 else &nothing
        cdef size_t n = <size_t>saved.shape[0]
        cdef rug_status status
        self.call = Call(run)
        with nogil:
            status = rug_dbc_parts_load(self.call.ctx, &self.parts, first, n)
        self.after(status)
        return self

    def save(self, tuple run):
        call = Call(run)
        cdef uint8_t *saved = NULL
        cdef size_t n = 0
        cdef rug_status status
        check_begun(self.parts != NULL)
        with nogil:
            status = rug_dbc_parts_save(call.ctx, &saved, &n, self.parts)
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
            status = rug_dbc_parts_add(self.call.ctx, self.parts, &view.view, covered, first)
        self.after(status)

    def merge(self, SurfaceParts other):
        cdef rug_status status
        check_begun(self.parts != NULL and other.parts != NULL)
        with nogil:
            status = rug_dbc_merge(self.call.ctx, self.parts, other.parts)
        self.after(status)

    def finish(self, tuple fit, tuple run):
        """A dict."""
        call = Call(run)
        cdef rug_dbc_result *result = NULL
        cdef rug_status status
        check_begun(self.parts != NULL)
        try:
            with nogil:
                status = rug_dbc_parts_finish(call.ctx, &result, self.parts)
            call.check(status)
            found = surface_of(call, result, fit_options(fit))
        finally:
            rug_dbc_free(result)
        call.done()
        return found
