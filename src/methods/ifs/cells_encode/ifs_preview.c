/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Means of squares of pixels, coded like an image. */

#include "ifs_preview.h"
#include "core/context/context_internal.h"
#include "ifs/stream/ifs_pixel.h"
#include "ifs_compress_cells.h"

static const char what[] = "small picture of a stream";

/* The mean of the pixels of a square, as far as they are in the image. */
static uint32_t mean_of(const rugi_ifs_job *job, int plane, size_t y0, size_t x0)
{
    uint64_t sum = 0, n = 0;
    for (size_t y = y0; y < y0 + RUGI_IFS_PREVIEW && y < job->ny; y++)
        for (size_t x = x0; x < x0 + RUGI_IFS_PREVIEW && x < job->nx; x++, n++)
            sum += rugi_ifs_pixel_of(&job->planes[plane], y, x);
    return (uint32_t)((sum + n / 2) / n);
}

static void fill(void *pixels, const rugi_ifs_job *small, const rugi_ifs_job *job,
                 int plane)
{
    for (size_t y = 0, at = 0; y < small->ny; y++)
        for (size_t x = 0; x < small->nx; x++, at++) {
            uint32_t value =
                mean_of(job, plane, y * RUGI_IFS_PREVIEW, x * RUGI_IFS_PREVIEW);
            if (job->depth == 16)
                ((uint16_t *)pixels)[at] = (uint16_t)value;
            else
                ((uint8_t *)pixels)[at] = (uint8_t)value;
        }
}

static rug_status code(rug_context *ctx, rugi_ifs_part *out, rugi_ifs_job *small,
                       const rugi_ifs_job *job, uint8_t *pixels)
{
    rug_image planes[RUG_IFS_PLANES_MAX];
    rug_ifs_stream stream;
    size_t bytes = job->depth / 8, n = (size_t)small->nx * small->ny * bytes;
    for (int i = 0; i < job->n_planes; i++) {
        planes[i] = job->planes[i];
        planes[i].data = pixels + (size_t)i * n;
        planes[i].shape[0] = small->ny;
        planes[i].shape[1] = small->nx;
        planes[i].stride[0] = (ptrdiff_t)(small->nx * bytes);
        planes[i].stride[1] = (ptrdiff_t)bytes;
        fill(pixels + (size_t)i * n, small, job, i);
    }
    small->planes = planes;
    rug_status status = rugi_ifs_compress_cells(ctx, &stream, small);
    *out = (rugi_ifs_part){stream.bytes, stream.size, 0, 0};
    return status;
}

rug_status rugi_ifs_make_preview(rug_context *ctx, rugi_ifs_part *out,
                                 const rugi_ifs_job *job, const rugi_ifs_tiled *t)
{
    rugi_ifs_job small = *job;
    small.nx = (job->nx + RUGI_IFS_PREVIEW - 1) / RUGI_IFS_PREVIEW;
    small.ny = (job->ny + RUGI_IFS_PREVIEW - 1) / RUGI_IFS_PREVIEW;
    small.has_alpha = small.is_progressive = 0;
    small.notes = (rug_ifs_notes)RUG_IFS_NOTES_INIT;
    small.bits = t->depth;
    small.minimum = t->minimum;
    small.tile = RUGI_IFS_TILE_UNIT * RUGI_IFS_TILE_MOST;
    if (job->target != RUG_IFS_TARGET_QUALITY) {
        small.target = RUG_IFS_TARGET_QUALITY;
        small.target_value = 50;
    }
    size_t n = (size_t)small.nx * small.ny * (size_t)job->n_planes;
    uint8_t *pixels = rug_context_allocate(ctx, n, job->depth / 8, what);
    rug_status status = RUG_E_NOMEM;
    if (pixels != NULL)
        status = code(ctx, out, &small, job, pixels);
    rug_context_release(ctx, pixels);
    return status;
}
