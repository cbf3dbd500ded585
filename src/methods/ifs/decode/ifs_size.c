/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Sizes of pictures, and their bounds. */

#include "ifs_size.h"
#include "core/context/context_internal.h"
#include "ifs/stream/ifs_container.h"

#define SCALE_LEAST 0.25
#define SCALE_MOST  16

/* Pixels of a picture that may be larger than coded, by default. */
#define PIXELS_USUAL ((uint64_t)1 << 28)

rug_status rugi_ifs_check_decode_options(rug_context *ctx,
                                         const rug_ifs_decode_options *o)
{
    if (!(o->scale >= SCALE_LEAST && o->scale <= SCALE_MOST))
        return rug_context_fail(ctx, RUG_E_ARG, "scale %g: %g..%d expected", o->scale,
                                SCALE_LEAST, SCALE_MOST);
    if ((o->nx == 0) != (o->ny == 0))
        return rug_context_fail(ctx, RUG_E_ARG,
                                "size %u x %u: both sides, or both 0 for the scale, "
                                "expected",
                                o->nx, o->ny);
    if (o->iterations > RUGI_IFS_ITERATIONS_MAX)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "%u iterations: 1..%d expected, or 0 for those of the "
                                "stream",
                                o->iterations, RUGI_IFS_ITERATIONS_MAX);
    if (o->unused != 0)
        return rug_context_fail(
            ctx, RUG_E_ARG, "rug_ifs_decode_options: %u given for `unused`, 0 expected",
            o->unused);
    return RUG_OK;
}

static uint32_t scaled(uint32_t n, double scale)
{
    double wanted = n * scale + 0.5;
    return wanted < 1 ? 1 : (uint32_t)wanted;
}

/* The wanted size, and the octave that is large enough for it. */
static rug_status choose_octave(rug_context *ctx, const rugi_ifs_wanted *h,
                                const rug_ifs_decode_options *o, uint32_t *nx,
                                uint32_t *ny, unsigned *octave)
{
    *nx = o->nx > 0 ? o->nx : scaled(h->nx, o->scale);
    *ny = o->ny > 0 ? o->ny : scaled(h->ny, o->scale);
    *octave = 0;
    uint32_t least_x = (h->nx + 3) / 4, least_y = (h->ny + 3) / 4;
    if (o->nx > 0 &&
        (*nx > h->nx * 16 || *ny > h->ny * 16 || *nx < least_x || *ny < least_y))
        return rug_context_fail(ctx, RUG_E_ARG,
                                "size %u x %u: %u..%u x %u..%u expected, a quarter to 16 "
                                "times that of the image",
                                *nx, *ny, least_x, 16 * h->nx, least_y, 16 * h->ny);
    while (h->nx << *octave < *nx || h->ny << *octave < *ny)
        ++*octave;
    return RUG_OK;
}

/* The picture, and what it is reduced from: a long picture may come from a large
 * plane. By default a picture may be as large as coded. */
static rug_status check_pixels(rug_context *ctx, const rugi_ifs_wanted *h, uint32_t to_nx,
                               uint32_t to_ny, unsigned octave, uint64_t pixels_max)
{
    if (pixels_max == 0) {
        uint64_t coded = (uint64_t)h->from_nx * h->from_ny * (uint64_t)h->n_planes;
        pixels_max = coded > PIXELS_USUAL ? coded : PIXELS_USUAL;
    }
    uint32_t unit = h->unit;
    uint64_t nx = (uint64_t)((h->from_nx + unit - 1) / unit * unit) << octave;
    uint64_t ny = (uint64_t)((h->from_ny + unit - 1) / unit * unit) << octave;
    uint64_t n = (uint64_t)to_nx * to_ny * (uint64_t)h->n_planes;
    if (n > pixels_max)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "a picture of %u x %u pixels, %llu in all planes; at most "
            "%llu are allowed: ask for less or allow more "
            "(pixels_max, --max-pixels)",
            to_nx, to_ny, (unsigned long long)n, (unsigned long long)pixels_max);
    if (octave > 0 && nx * ny > pixels_max)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "a picture of %u x %u pixels is reduced from planes of %llu x %llu pixels; at "
            "most %llu are allowed: ask for less or allow more (pixels_max, --max-pixels)",
            to_nx, to_ny, (unsigned long long)nx, (unsigned long long)ny,
            (unsigned long long)pixels_max);
    if (nx * ny > PTRDIFF_MAX / sizeof(int32_t) || n > PTRDIFF_MAX / sizeof(int32_t))
        return rug_context_fail(
            ctx, RUG_E_NOMEM,
            "a picture of %u x %u pixels does not fit the address space", to_nx, to_ny);
    return RUG_OK;
}

rug_status rugi_ifs_choose_size(rug_context *ctx, const rugi_ifs_wanted *wanted,
                                const rug_ifs_decode_options *o, uint32_t *nx,
                                uint32_t *ny, unsigned *octave)
{
    rug_status status = choose_octave(ctx, wanted, o, nx, ny, octave);
    return status == RUG_OK ? check_pixels(ctx, wanted, *nx, *ny, *octave, o->pixels_max)
                            : status;
}

rug_status rugi_ifs_choose_crop(rug_context *ctx, const rug_ifs_decode_options *o,
                                uint32_t nx, uint32_t ny, uint32_t crop[4])
{
    crop[0] = o->crop_x;
    crop[1] = o->crop_y;
    crop[2] = o->crop_nx;
    crop[3] = o->crop_ny;
    if (crop[2] == 0 && crop[3] == 0 && crop[0] == 0 && crop[1] == 0) {
        crop[2] = nx;
        crop[3] = ny;
    }
    if (crop[2] == 0 || crop[3] == 0 || crop[0] >= nx || crop[1] >= ny ||
        crop[2] > nx - crop[0] || crop[3] > ny - crop[1])
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "a region of %u x %u pixels at column %u, row %u is given: one "
            "inside the image of %u x %u expected",
            crop[2], crop[3], crop[0], crop[1], nx, ny);
    return RUG_OK;
}
