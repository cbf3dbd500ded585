# SPDX-License-Identifier: BSD-3-Clause
# cython: language_level=3
"""The values of an image that comes in parts."""

cimport cython
from libc.stdint cimport uint8_t, uint32_t

from ._context cimport *

cdef extern from "rugose/rugose.h" nogil:
    ctypedef struct rug_values:
        pass
    ctypedef struct rug_values_options:
        uint32_t has_mask
        const rug_image_range *range
    rug_status rug_values_new(rug_context *ctx, rug_values **out, rug_dtype dtype, int ndim,
                              const size_t *shape, const rug_values_options *opts)
    void rug_values_free(rug_values *values)
    rug_status rug_values_add(rug_context *ctx, rug_values *values, const rug_image *part,
                              const rug_image *mask, const size_t *first)
    rug_status rug_values_merge(rug_context *ctx, rug_values *values, const rug_values *other)
    rug_status rug_values_save(rug_context *ctx, uint8_t **out, size_t *n, const rug_values *values)
    rug_status rug_values_load(rug_context *ctx, rug_values **out, const uint8_t *bytes, size_t n)
    rug_status rug_values_range(rug_context *ctx, rug_image_range *out, const rug_values *values)
    rug_status rug_values_resolve(rug_context *ctx, rug_foreground *out, const rug_values *values,
                                  rug_foreground asked)
    int rug_values_must_count(const rug_values *values, rug_foreground asked)
    rug_status rug_values_unit(rug_context *ctx, int *unit_exponent, const rug_values *values)

    rug_values_options VALUES_DEFAULTS "DEFAULTS(values, VALUES)"


@cython.no_gc_clear
cdef class Values:
    """What is known of the values. One call at a time."""
    cdef Call call
    cdef rug_values *values

    def __dealloc__(self):
        rug_values_free(self.values)

    cdef int after(self, rug_status status) except -1:
        """Whatever fails ends the state."""
        if status != RUG_OK:
            rug_values_free(self.values)
            self.values = NULL
        return self.call.check(status)

    def begin(self, tuple shape, int dtype, masked, ends, tuple run):
        self.call = Call(run)
        cdef rug_values_options options = VALUES_DEFAULTS
        cdef rug_image_range known = range_of(ends)
        cdef size_t sides[3]
        options.has_mask = 1 if masked else 0
        if ends is not None:
            options.range = &known
        fill_place(sides, shape)
        self.after(rug_values_new(self.call.ctx, &self.values, <rug_dtype>dtype, <int>len(shape),
                                  sides, &options))
        return self

    def load(self, const uint8_t[::1] saved, tuple run):
        cdef uint8_t nothing = 0
        cdef const uint8_t *first = &saved[0] if saved.shape[0] > 0 else &nothing
        cdef size_t n = <size_t>saved.shape[0]
        cdef rug_status status
        self.call = Call(run)
        with nogil:
            status = rug_values_load(self.call.ctx, &self.values, first, n)
        self.after(status)
        return self

    def save(self, tuple run):
        call = Call(run)
        cdef uint8_t *saved = NULL
        cdef size_t n = 0
        cdef rug_status status
        check_begun(self.values != NULL)
        with nogil:
            status = rug_values_save(call.ctx, &saved, &n, self.values)
        call.check(status)
        return take_bytes(call, saved, n)

    def add(self, part, mask, tuple origin):
        cdef size_t first[3]
        cdef rug_status status
        cdef Image view = view_of(part), inside = view_of(mask)
        cdef const rug_image *covered = image_of(inside)
        check_begun(self.values != NULL)
        fill_place(first, origin)
        with nogil:
            status = rug_values_add(self.call.ctx, self.values, &view.view, covered, first)
        self.after(status)

    def merge(self, Values other):
        cdef rug_status status
        check_begun(self.values != NULL and other.values != NULL)
        with nogil:
            status = rug_values_merge(self.call.ctx, self.values, other.values)
        self.after(status)

    def extremes(self, tuple run):
        """The least and the largest value; NaN where there are none. What no double holds is an int."""
        call = Call(run)
        cdef rug_image_range found
        check_begun(self.values != NULL)
        range_begin(&found)
        call.check(rug_values_range(call.ctx, &found, self.values))
        call.done()
        return (int(found.min) + found.min_rest if found.min_rest else found.min,
                int(found.max) + found.max_rest if found.max_rest else found.max)

    def rule(self, foreground, tuple run):
        """The rule in force; None where levels must be counted for it."""
        call = Call(run)
        cdef rug_foreground rule = rule_of(call, foreground)
        cdef rug_status status
        check_begun(self.values != NULL)
        if rug_values_must_count(self.values, rule):
            return None
        with nogil:
            status = rug_values_resolve(call.ctx, &rule, self.values, rule)
        call.check(status)
        call.done()
        return rule_text(rule)

    def unit(self, tuple run):
        call = Call(run)
        cdef int exponent = 0
        check_begun(self.values != NULL)
        call.check(rug_values_unit(call.ctx, &exponent, self.values))
        call.done()
        return exponent
