# SPDX-License-Identifier: BSD-3-Clause
# cython: language_level=3, boundscheck=False, wraparound=False
"""What all methods share: the context of a call, views of arrays, rules and fits."""

import difflib
import os
import warnings

import numpy as np

from cpython.buffer cimport PyBUF_STRIDED_RO, PyBuffer_Release, PyObject_GetBuffer
from cpython.exc cimport PyErr_CheckSignals
from libc.string cimport memcpy
from posix.time cimport CLOCK_MONOTONIC, clock_gettime, timespec

from . import _arrays, _progress
from ._errors import Error, RugoseWarning

cdef double LOOK_SECONDS = 0.05
cdef double SHOW_SECONDS = 0.1

version = rug_version().decode()


# ---- Callbacks ----

cdef double now() noexcept nogil:
    cdef timespec t
    clock_gettime(CLOCK_MONOTONIC, &t)
    return <double>t.tv_sec + 1e-9 * <double>t.tv_nsec


cdef int look_for_signals(void *user) noexcept nogil:
    """Signals, and what another callback raised, stop the call."""
    cdef Watch *watch = <Watch *>user
    cdef double t = now()
    if t < watch.next_look:
        return 0
    watch.next_look = t + LOOK_SECONDS
    with gil:
        call = <Call>watch.call
        if call.error is None:
            try:
                PyErr_CheckSignals()
            except BaseException as error:
                call.error = error
        return call.error is not None


cdef void show_progress(void *user, double share) noexcept nogil:
    cdef Watch *watch = <Watch *>user
    cdef double t = now()
    if t < watch.next_show:
        return
    watch.next_show = t + SHOW_SECONDS
    with gil:
        call = <Call>watch.call
        if call.error is not None or share <= call.shown:
            return
        call.shown = share
        try:
            call.reporter.show(share)
        except BaseException as error:
            call.fail(error)


cdef void keep_warning(void *user, const char *text) noexcept nogil:
    with gil:
        call = <Call>(<Watch *>user).call
        call.warnings.append(text.decode("utf-8", "replace"))


# ---- Calls ----

# Contexts are kept for the next call, since those of devices hold compiled programs, and a new one asks the
# system for its processors: those of this process, by device.
cdef dict kept = {}
cdef int KEPT_MOST = 16


cdef class Lent:
    """A context that waits for its next call."""
    cdef rug_context *ctx

    def __dealloc__(self):
        rug_context_free(self.ctx)


cdef rug_context *take_context(bytes device) except NULL:
    cdef rug_context *ctx = NULL
    cdef Lent lent
    waiting = kept.get((os.getpid(), device))
    if waiting:
        lent = waiting.pop()
        ctx = lent.ctx
        lent.ctx = NULL
        return ctx
    if rug_context_new(&ctx) != RUG_OK:
        raise MemoryError("a context")
    if rug_context_set_device(ctx, device) != RUG_OK:
        text = rug_context_error(ctx).decode()
        rug_context_free(ctx)
        raise ValueError(text)
    return ctx


cdef class Call:
    """A call of the library: its context, what it warns of, what its callbacks raise."""

    def __init__(self, tuple run):
        threads, device, progress = run
        self.warnings = []
        self.device = _arrays.text("device", device, "'cpu', 'auto', 'opencl' or 'opencl:N'")
        self.ctx = take_context(self.device)
        n = 0 if threads is None else _arrays.count("threads", threads, 1, 4096)
        self.check(rug_context_set_threads(self.ctx, n))
        self.watch.call = <void *>self
        self.watch.next_look = now() + LOOK_SECONDS
        rug_context_set_cancel(self.ctx, look_for_signals, &self.watch)
        rug_context_set_warn(self.ctx, keep_warning, &self.watch)
        self.reporter = _progress.reporter(progress)
        if self.reporter is not None:
            rug_context_set_progress(self.ctx, show_progress, &self.watch)

    def __dealloc__(self):
        cdef Lent lent
        if self.ctx == NULL:
            return
        waiting = None
        if self.device is not None:  # None: the collector was here
            waiting = kept.setdefault((os.getpid(), self.device), [])
        if waiting is None or len(waiting) >= KEPT_MOST:
            rug_context_free(self.ctx)
            return
        rug_context_set_progress(self.ctx, NULL, NULL)
        rug_context_set_cancel(self.ctx, NULL, NULL)
        rug_context_set_warn(self.ctx, NULL, NULL)
        lent = Lent.__new__(Lent)
        lent.ctx = self.ctx
        waiting.append(lent)

    cdef rug_status fail(self, object error) noexcept:
        """Keeps what a callback raised, which ends the call at its next look."""
        if self.error is None:
            self.error = error
        self.watch.next_look = 0
        return RUG_E_CANCELLED

    cdef int check(self, rug_status status) except -1:
        """Raises what the status means."""
        if self.error is not None:
            self.close()
            raise self.error
        if status == RUG_OK:
            return 0
        text = rug_context_error(self.ctx).decode("utf-8", "replace")
        self.close()
        if status == RUG_E_ARG:
            raise ValueError(text)
        if status == RUG_E_NOMEM:
            raise MemoryError(text)
        raise Error(text, rug_status_name(status).decode())

    cdef int done(self) except -1:
        """The call has succeeded: issues its warnings at the line that called the function."""
        if self.reporter is not None and self.shown < 1:
            self.reporter.show(1.0)
        self.close()
        for text in self.warnings:
            warnings.warn(text, RugoseWarning, stacklevel=2)
        return 0

    def close(self):
        if self.reporter is not None:
            self.reporter.close()
            self.reporter = None


# ---- The machine ----

def machine():
    """The processor's level, how many threads calls have, whether OpenCL is built in, the names of the
    devices, the number of that which "auto" selects, and why there is none."""
    call = Call((None, "cpu", None))
    cdef rug_devices *devices = NULL
    cdef const rug_device *device
    call.check(rug_devices_list(call.ctx, &devices))
    names, auto = [], None
    for i in range(rug_devices_count(devices)):
        device = rug_devices_at(devices, i)
        text = device.name.decode("utf-8", "replace")
        names.append(text if device.is_usable else text + " (lacks OpenCL 1.2 or a compiler)")
        if device.is_auto:
            auto = i
    reason = rug_devices_reason(devices)
    found = dict(
        level=rug_cpu_level_name(rug_context_cpu_level(call.ctx)).decode(),
        threads=rug_context_threads(call.ctx), opencl=rug_devices_built_in() != 0,
        devices=names, auto=auto, reason=reason.decode("utf-8", "replace") if names == [] else "")
    rug_devices_free(devices)
    call.done()
    return found


# ---- Views ----

cdef class Image:
    """A view of an array, which it holds."""

    def __dealloc__(self):
        if self.is_held:
            PyBuffer_Release(&self.buffer)


cdef Image view_of(object values):
    """None of None."""
    if values is None:
        return None
    cdef Image image = Image()
    cdef int a
    PyObject_GetBuffer(values, &image.buffer, PyBUF_STRIDED_RO)
    image.is_held = True
    image.view.data = image.buffer.buf
    image.view.dtype = <rug_dtype><int>_arrays.dtype_number(values)
    image.view.ndim = image.buffer.ndim
    for a in range(min(image.buffer.ndim, 3)):
        image.view.shape[a] = <size_t>image.buffer.shape[a]
        image.view.stride[a] = image.buffer.strides[a]
    return image


cdef const rug_source *source_of(Image image) noexcept:
    """The image, lent; NULL of None."""
    if image is None:
        return NULL
    image.source.struct_size = sizeof(rug_source)
    return rug_source_of_image(&image.source, &image.view)


cdef const rug_image *image_of(Image image) noexcept:
    """The image, lent; NULL of None."""
    return &image.view if image is not None else NULL


# ---- Parts ----

cdef int fill_place(size_t *out, tuple numbers) except -1:
    """A number for each of 2 or 3 axes."""
    for a, number in enumerate(numbers[:3]):
        out[a] = number
    return 0


cdef int check_begun(bint is_begun) except -1:
    if not is_begun:
        raise ValueError("a state given in which an earlier call failed; begin a new one")
    return 0


cdef bytes take_bytes(Call call, uint8_t *saved, size_t n):
    """Bytes of the library, which are released."""
    try:
        return (<char *>saved)[:n]
    finally:
        rug_context_release(call.ctx, saved)


def address_of(values):
    """Where the library reads an array, and its strides."""
    image = view_of(values)
    return <size_t>image.view.data, tuple(image.view.stride[a] for a in range(image.view.ndim))


# ---- Choices, rules, fits ----

def table(names):
    """The numbers of names, as the library has them: those behind the last are "?"."""
    return {name.decode(): number for number, name in enumerate(names) if name != b"?"}


def choice(what, value, numbers):
    """The number of a name."""
    if isinstance(value, str) and value in numbers:
        return numbers[value]
    near = difflib.get_close_matches(str(value), numbers, 1)
    hint = f"; '{near[0]}'?" if near else ""
    raise ValueError(f"{what}: {value!r} given, one of {', '.join(numbers)} expected{hint}")


cdef rug_image_range range_of(object ends) except *:
    """Of the least and the largest value, exact numbers; None: an empty one."""
    cdef rug_image_range out
    range_begin(&out)
    if ends is not None:
        least, most = ends
        out.min, out.max = least, most
        if isinstance(least, int):
            out.min_rest = least - int(out.min)
        if isinstance(most, int):
            out.max_rest = most - int(out.max)
    return out


cdef rug_foreground rule_of(Call call, object text) except *:
    cdef rug_foreground rule
    cdef bytes encoded = _arrays.text("foreground", text, "a rule such as 'auto' or 'above=100'")
    call.check(rug_foreground_parse(call.ctx, &rule, encoded))
    return rule


cdef str rule_text(rug_foreground rule):
    cdef char text[40]
    rug_foreground_format(text, rule)
    return text.decode()


cdef rug_fit_options fit_options(tuple asked) except *:
    cdef rug_fit_options options = FIT_DEFAULTS
    options.auto_range, options.size_min, options.size_max = asked
    return options


cdef dict fit_of(const rug_fit *fit, size_t n):
    """A fit over n sizes."""
    used = np.empty(n, np.bool_)
    local_slopes = np.empty(n, np.float64)
    cdef uint8_t[:] u = used.view(np.uint8)
    cdef double[:] l = local_slopes
    if n > 0:
        memcpy(&u[0], fit.used, n)
        memcpy(&l[0], fit.local_slope, n * sizeof(double))
    return dict(
        slope=fit.slope, std_error=fit.std_error, r_squared=fit.r_squared,
        intercept=fit.intercept, size_min=fit.size_min, size_max=fit.size_max,
        n_sizes=fit.n_sizes, status=rug_fit_status_name(fit.status).decode(),
        used=used, local_slopes=local_slopes)


cdef dict region_of(const rug_region *region, int ndim):
    cdef int skip = 3 - ndim
    return dict(
        label=region.label, area=region.area,
        bbox=tuple([region.first[a] for a in range(skip, 3)]
                   + [region.first[a] + region.shape[a] for a in range(skip, 3)]))


cdef rug_points points_of(Image image) except *:
    """The rows of an array as points."""
    cdef rug_points points
    points.data = image.view.data
    points.dtype = image.view.dtype
    points.n = image.view.shape[0]
    points.ndim = <int>min(image.view.shape[1], 1000)
    points.stride[0] = image.view.stride[0]
    points.stride[1] = image.view.stride[1]
    return points
