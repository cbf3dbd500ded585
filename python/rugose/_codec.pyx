# SPDX-License-Identifier: BSD-3-Clause
# cython: language_level=3
"""Fractal coding, enlarging, differences of images."""

import numpy as np

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from ._context cimport *
from ._context import choice, table

cdef extern from "rugose/rugose.h" nogil:
    const char *rug_ifs_partition_name(int partition)
    const char *rug_ifs_search_name(int search)
    const char *rug_ifs_target_name(int target)
    const char *rug_ifs_tune_name(int tune)
    const char *rug_ifs_chroma_name(int chroma)
    ctypedef struct rug_ifs_notes:
        size_t struct_size
        const uint8_t *icc
        size_t icc_size
        double spacing[2]
        char unit[16]
        int orientation, premultiplied
    ctypedef struct rug_ifs_options:
        int partition
        int target
        double target_value
        uint32_t range_size, domain_step
        int without_residual
        int search
        double scale_max, shadow_limit
        int domain_wrap
        uint32_t version, effort
        int tune, chroma
        double chroma_quality
        int lossless, progressive
        uint32_t tile
        const rug_ifs_notes *notes
    ctypedef struct rug_ifs_stream:
        uint8_t *bytes
        size_t size
    rug_status rug_ifs_compress(rug_context *ctx, rug_ifs_stream *out, const rug_image *planes,
                                int n_planes, const rug_ifs_options *opts)
    void rug_ifs_stream_free(rug_context *ctx, rug_ifs_stream *stream)
    ctypedef struct rug_ifs_info:
        size_t struct_size
        uint32_t version, nx, ny
        int n_planes, depth
        int partition
        uint32_t range_min, range_max, domain_step
        int has_residual
        double quantiser_step
        uint32_t iterations
        int is_deblocked
        uint64_t bytes
        int domain_wrap, has_alpha, is_lossless, chroma, has_preview
        uint32_t tile_nx, tile_ny, value_min, value_max
    rug_status rug_ifs_read_info(rug_context *ctx, rug_ifs_info *out, const uint8_t *bytes,
                                 size_t size)
    rug_status rug_ifs_read_notes(rug_context *ctx, rug_ifs_notes *out, const uint8_t *bytes,
                                  size_t size)
    ctypedef struct rug_ifs_picture:
        size_t struct_size
        void *pixels
        rug_dtype dtype
        int n_planes
        uint32_t nx, ny
        double share
    ctypedef struct rug_ifs_decode_options:
        double scale
        uint32_t nx, ny, iterations
        uint64_t pixels_max
        uint32_t crop_x, crop_y, crop_nx, crop_ny
        int partial
    rug_status rug_ifs_decompress(rug_context *ctx, rug_ifs_picture *out, const uint8_t *bytes,
                                  size_t size, const rug_ifs_decode_options *opts)
    void rug_ifs_picture_free(rug_context *ctx, rug_ifs_picture *picture)
    ctypedef struct rug_ifs_upscale_options:
        uint32_t scale, domain_step, rounds
    rug_status rug_ifs_upscale(rug_context *ctx, rug_ifs_picture *out, const rug_image *planes,
                               int n_planes, const rug_ifs_upscale_options *opts)

    const char *rug_quality_status_name(int status)
    ctypedef struct rug_quality_options:
        double peak
    ctypedef struct rug_quality_result:
        size_t struct_size
        double mse, psnr, ssim, max_difference, peak
        int status
    rug_status rug_quality(rug_context *ctx, rug_quality_result *out, const rug_image *a,
                           const rug_image *b, int n_planes, const rug_quality_options *opts)

    rug_ifs_options IFS_DEFAULTS "DEFAULTS(ifs, IFS)"
    rug_ifs_decode_options IFS_DECODE_DEFAULTS "DEFAULTS(ifs_decode, IFS_DECODE)"
    rug_ifs_upscale_options IFS_UPSCALE_DEFAULTS "DEFAULTS(ifs_upscale, IFS_UPSCALE)"
    rug_quality_options QUALITY_DEFAULTS "DEFAULTS(quality, QUALITY)"

PARTITIONS = table([rug_ifs_partition_name(k) for k in range(16)])
SEARCHES = table([rug_ifs_search_name(k) for k in range(16)])
TARGETS = table([rug_ifs_target_name(k) for k in range(16)])
TUNES = table([rug_ifs_tune_name(k) for k in range(16)])
CHROMAS = table([rug_ifs_chroma_name(k) for k in range(16)])

# The most planes of one call.
MAX_PLANES = 64


cdef class Planes:
    """Views of the planes of an image."""
    cdef list held
    cdef rug_image views[64]
    cdef int n

    def __init__(self, planes):
        cdef Image view
        self.held = [view_of(plane) for plane in planes]
        self.n = <int>len(planes)
        for i in range(self.n):
            view = self.held[i]
            self.views[i] = view.view


cdef pixels_of(Call call, rug_ifs_picture *picture, rug_status status):
    """The pixels as an array [n_planes, ny, nx]; frees the picture."""
    cdef unsigned char[::1] out
    try:
        call.check(status)
        dtype = np.uint8 if <int>picture.dtype == 1 else np.uint16
        found = np.empty((picture.n_planes, picture.ny, picture.nx), dtype)
        out = found.reshape(-1).view(np.uint8)
        memcpy(&out[0], picture.pixels, <size_t>out.shape[0])
        return found
    finally:
        rug_ifs_picture_free(call.ctx, picture)


cdef void put_notes(rug_ifs_notes *out, dict given):
    """The profile and the unit of the notes are those of the dict, as long as it lives."""
    cdef bytes profile = given["icc"], unit = given["unit"]
    memset(out, 0, sizeof(rug_ifs_notes))
    out.struct_size = sizeof(rug_ifs_notes)
    if len(profile) > 0:
        out.icc, out.icc_size = <const uint8_t *>profile, <size_t>len(profile)
    out.spacing[0], out.spacing[1] = given["spacing"]
    memcpy(out.unit, <const char *>unit, <size_t>len(unit))
    out.orientation, out.premultiplied = given["orientation"], given["premultiplied"]


def encode(planes, target, double target_value, partition, search, dict given, tuple run):
    """Bytes."""
    call = Call(run)
    cdef rug_ifs_options options = IFS_DEFAULTS
    cdef rug_ifs_notes notes
    cdef rug_ifs_stream stream
    cdef rug_status status
    cdef Planes p = Planes(planes)
    options.partition = choice("partition", partition, PARTITIONS)
    options.search = choice("search", search, SEARCHES)
    options.target = TARGETS[target]
    options.target_value = target_value
    options.range_size, options.domain_step = given["range_size"], given["domain_step"]
    options.without_residual = not given["residual"]
    options.scale_max, options.shadow_limit = given["scale_max"], given["shadow_limit"]
    options.domain_wrap = given["domain_wrap"]
    options.version, options.effort, options.tile = given["version"], given["effort"], given["tile"]
    options.tune = choice("tune", given["tune"], TUNES)
    options.chroma = choice("chroma", given["chroma"], CHROMAS)
    options.chroma_quality = given["chroma_quality"]
    options.lossless, options.progressive = given["lossless"], given["progressive"]
    if given["notes"] is not None:
        put_notes(&notes, given["notes"])
        options.notes = &notes
    with nogil:
        status = rug_ifs_compress(call.ctx, &stream, p.views, p.n, &options)
    try:
        call.check(status)
        found = (<const char *>stream.bytes)[:stream.size]
    finally:
        rug_ifs_stream_free(call.ctx, &stream)
    call.done()
    return found


def decode(const uint8_t[::1] stream, double scale, uint32_t ny, uint32_t nx, uint32_t iterations,
           uint64_t max_pixels, tuple crop, bint partial, tuple run):
    """An array [n_planes, ny, nx], and the share of the coded pixels that was there."""
    call = Call(run)
    cdef rug_ifs_decode_options options = IFS_DECODE_DEFAULTS
    cdef rug_ifs_picture picture
    cdef rug_status status
    cdef size_t size = <size_t>stream.shape[0]
    cdef const uint8_t *data = &stream[0] if size > 0 else <const uint8_t *>b""
    options.scale, options.ny, options.nx = scale, ny, nx
    options.iterations, options.pixels_max = iterations, max_pixels
    options.crop_y, options.crop_x, options.crop_ny, options.crop_nx = crop
    options.partial = partial
    memset(&picture, 0, sizeof(picture))
    picture.struct_size = sizeof(picture)
    with nogil:
        status = rug_ifs_decompress(call.ctx, &picture, data, size, &options)
    share = picture.share
    found = pixels_of(call, &picture, status)
    call.done()
    return found, share


def info(const uint8_t[::1] stream):
    """A dict."""
    call = Call((1, "cpu", None))
    cdef rug_ifs_info i
    cdef size_t size = <size_t>stream.shape[0]
    cdef const uint8_t *data = &stream[0] if size > 0 else <const uint8_t *>b""
    memset(&i, 0, sizeof(i))
    i.struct_size = sizeof(i)
    call.check(rug_ifs_read_info(call.ctx, &i, data, size))
    return dict(
        version=i.version, shape=(i.ny, i.nx), n_planes=i.n_planes, depth=i.depth,
        partition=rug_ifs_partition_name(i.partition).decode(),
        range_min=i.range_min, range_max=i.range_max, domain_step=i.domain_step,
        has_residual=bool(i.has_residual), quantiser_step=i.quantiser_step,
        iterations=i.iterations, is_deblocked=bool(i.is_deblocked), n_bytes=i.bytes,
        domain_wrap=bool(i.domain_wrap), has_alpha=bool(i.has_alpha),
        is_lossless=bool(i.is_lossless), chroma=rug_ifs_chroma_name(i.chroma).decode(),
        has_preview=bool(i.has_preview), tile_shape=(i.tile_ny, i.tile_nx),
        value_min=i.value_min, value_max=i.value_max)


def notes(const uint8_t[::1] stream):
    """A dict, of what is known."""
    call = Call((1, "cpu", None))
    cdef rug_ifs_notes n
    cdef size_t size = <size_t>stream.shape[0]
    cdef const uint8_t *data = &stream[0] if size > 0 else <const uint8_t *>b""
    memset(&n, 0, sizeof(n))
    n.struct_size = sizeof(n)
    call.check(rug_ifs_read_notes(call.ctx, &n, data, size))
    found = {}
    if n.icc_size > 0:
        found["icc"] = (<const char *>n.icc)[:n.icc_size]
    if n.spacing[0] > 0 or n.spacing[1] > 0:
        found["spacing"] = (n.spacing[0], n.spacing[1])
    if n.unit[0] != 0:
        found["unit"] = (<const char *>n.unit).decode()
    if n.orientation > 0:
        found["orientation"] = n.orientation
    if n.premultiplied:
        found["premultiplied"] = True
    return found


def upscale(planes, uint32_t scale, uint32_t rounds, tuple run):
    """An array [n_planes, ny, nx]."""
    call = Call(run)
    cdef rug_ifs_upscale_options options = IFS_UPSCALE_DEFAULTS
    cdef rug_ifs_picture picture
    cdef rug_status status
    cdef Planes p = Planes(planes)
    options.scale, options.rounds = scale, rounds
    memset(&picture, 0, sizeof(picture))
    picture.struct_size = sizeof(picture)
    with nogil:
        status = rug_ifs_upscale(call.ctx, &picture, p.views, p.n, &options)
    found = pixels_of(call, &picture, status)
    call.done()
    return found


def compare(planes_a, planes_b, double peak, tuple run):
    """A dict."""
    call = Call(run)
    cdef rug_quality_options options = QUALITY_DEFAULTS
    cdef rug_quality_result result
    cdef rug_status status
    cdef Planes a = Planes(planes_a), b = Planes(planes_b)
    options.peak = peak
    memset(&result, 0, sizeof(result))
    result.struct_size = sizeof(result)
    with nogil:
        status = rug_quality(call.ctx, &result, a.views, b.views, a.n, &options)
    call.check(status)
    call.done()
    return dict(mse=result.mse, psnr=result.psnr, ssim=result.ssim,
                max_difference=result.max_difference, peak=result.peak,
                status=rug_quality_status_name(result.status).decode())
