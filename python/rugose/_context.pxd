# SPDX-License-Identifier: BSD-3-Clause
# cython: language_level=3
# What all methods share: the context of a call, views of arrays, rules and fits. Here and in the
# modules, enumerations that go by their names alone are declared as int.

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

cdef extern from "rugose/rugose.h" nogil:
    ctypedef enum rug_status:
        RUG_OK, RUG_E_ARG, RUG_E_NOMEM, RUG_E_CANCELLED
    ctypedef enum rug_dtype:
        pass
    const char *rug_status_name(rug_status status)
    const char *rug_version()

    ctypedef struct rug_context:
        pass
    ctypedef void (*rug_progress_fn)(void *user, double share) noexcept nogil
    ctypedef int (*rug_cancel_fn)(void *user) noexcept nogil
    ctypedef void (*rug_warn_fn)(void *user, const char *text) noexcept nogil
    rug_status rug_context_new(rug_context **out)
    void rug_context_free(rug_context *ctx)
    void rug_context_release(rug_context *ctx, void *block)
    const char *rug_context_error(const rug_context *ctx)
    rug_status rug_context_set_threads(rug_context *ctx, int n_threads)
    rug_status rug_context_set_device(rug_context *ctx, const char *device)
    void rug_context_set_progress(rug_context *ctx, rug_progress_fn progress, void *user)
    void rug_context_set_cancel(rug_context *ctx, rug_cancel_fn cancel, void *user)
    void rug_context_set_warn(rug_context *ctx, rug_warn_fn warn, void *user)
    int rug_context_threads(const rug_context *ctx)
    int rug_context_cpu_level(const rug_context *ctx)
    const char *rug_cpu_level_name(int level)

    ctypedef struct rug_device:
        const char *name
        int is_auto
        int is_usable
    ctypedef struct rug_devices:
        pass
    int rug_devices_built_in()
    rug_status rug_devices_list(rug_context *ctx, rug_devices **out)
    void rug_devices_free(rug_devices *devices)
    size_t rug_devices_count(const rug_devices *devices)
    const rug_device *rug_devices_at(const rug_devices *devices, size_t i)
    const char *rug_devices_reason(const rug_devices *devices)

    ctypedef struct rug_image:
        const void *data
        rug_dtype dtype
        int ndim
        size_t shape[3]
        Py_ssize_t stride[3]
    ctypedef struct rug_source:
        size_t struct_size
    const rug_source *rug_source_of_image(rug_source *out, const rug_image *image)
    ctypedef struct rug_points:
        const void *data
        rug_dtype dtype
        uint64_t n
        int ndim
        Py_ssize_t stride[2]
    ctypedef struct rug_region:
        uint64_t label
        size_t first[3]
        size_t shape[3]
        uint64_t area

    ctypedef struct rug_image_range:
        double min, max
        int64_t min_rest, max_rest

    ctypedef struct rug_foreground:
        int kind
        double value
        int64_t rest
    rug_status rug_foreground_parse(rug_context *ctx, rug_foreground *out, const char *text)
    void rug_foreground_format(char *text, rug_foreground rule)

    ctypedef struct rug_fit_options:
        int auto_range
        uint64_t size_min, size_max
    const char *rug_fit_status_name(int status)
    ctypedef struct rug_fit:
        double slope, std_error, r_squared, intercept
        uint64_t size_min, size_max
        uint32_t n_sizes
        int status
        uint8_t used[1024]
        double local_slope[1024]

cdef extern from * nogil:
    """
    static const rug_source some_source = RUG_SOURCE_INIT;
    /* The default options of a call as a value, which modules give a name of theirs. */
    #define DEFAULTS(name, NAME) ((rug_##name##_options)RUG_##NAME##_OPTIONS_INIT)
    static inline void fit_begin(rug_fit *fit)
    {
        *fit = (rug_fit)RUG_FIT_INIT;
    }
    static inline void range_begin(rug_image_range *range)
    {
        *range = (rug_image_range)RUG_IMAGE_RANGE_INIT;
    }
    """
    const rug_source SOME_SOURCE "some_source"
    rug_fit_options FIT_DEFAULTS "DEFAULTS(fit, FIT)"
    void fit_begin(rug_fit *fit)
    void range_begin(rug_image_range *range)

# What callbacks see without the interpreter.
cdef struct Watch:
    void *call  # a Call, lent
    double next_look  # for signals, in seconds
    double next_show  # of progress

cdef class Call:
    cdef rug_context *ctx
    cdef Watch watch
    cdef bytes device
    cdef object reporter
    cdef double shown  # the largest share so far
    cdef object error  # what a callback raised
    cdef list warnings
    cdef int check(self, rug_status status) except -1
    cdef int done(self) except -1
    cdef rug_status fail(self, object error) noexcept

cdef class Image:
    cdef Py_buffer buffer
    cdef bint is_held
    cdef rug_image view
    cdef rug_source source

cdef Image view_of(object values)
cdef const rug_source *source_of(Image image) noexcept
cdef const rug_image *image_of(Image image) noexcept
cdef int fill_place(size_t *out, tuple numbers) except -1
cdef int check_begun(bint is_begun) except -1
cdef bytes take_bytes(Call call, uint8_t *saved, size_t n)
cdef rug_image_range range_of(object ends) except *
cdef rug_foreground rule_of(Call call, object text) except *
cdef str rule_text(rug_foreground rule)
cdef rug_fit_options fit_options(tuple asked) except *
cdef dict fit_of(const rug_fit *fit, size_t n)
cdef dict region_of(const rug_region *region, int ndim)
cdef rug_points points_of(Image image) except *
