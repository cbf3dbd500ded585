/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Images to planes that are coded, and how far decoded planes are from the image.
 * Colours go through YCoCg-R (Malvar and Sullivan 2003), which loses nothing. */

#include "ifs_image.h"
#include "core/context/threads.h"
#include "ifs/stream/ifs_pixel.h"
#include <string.h>

static const char what[] = "image of fractal coding";

/* Bits of a coded plane: those of chroma have one more. */
static unsigned depth_of(const rugi_ifs_job *job, int plane)
{
    return job->n_planes > 1 && plane > 0 ? job->depth + 1 : job->depth;
}

static void read_pixel(const rugi_ifs_image *image, size_t y, size_t x)
{
    const rugi_ifs_job *job = image->job;
    int32_t pixel[RUG_IFS_PLANES_MAX];
    for (int i = 0; i < job->n_planes; i++)
        pixel[i] = rugi_ifs_pixel_of(&job->planes[i], y, x);
    if (job->n_planes == 3)
        rugi_ifs_to_ycocg(pixel, job->depth);
    for (int i = 0; i < job->n_planes; i++)
        rugi_ifs_put_pixel(&image->planes[i], y * image->planes[i].nx + x, pixel[i]);
}

/* Pixels that tell whether a line is smooth, where it bends by no more than 1 / 64 of
 * the range. */
#define SMOOTH_PIXELS 8

/* A row or a column of a plane. */
typedef struct line {
    const rugi_ifs_pixels *plane;
    size_t first, pitch; /* its first pixel, and from one to the next */
} line;

static int32_t pixel_of(const line *l, size_t i)
{
    return rugi_ifs_pixel_at(l->plane, l->first + i * l->pitch);
}

/* The slope at the end of a smooth line, in 1/64; 0 of others. */
static int32_t slope_of(const line *l, size_t n)
{
    if (n < SMOOTH_PIXELS)
        return 0;
    size_t from = n - SMOOTH_PIXELS;
    for (size_t i = from + 2; i < n; i++) {
        int32_t bend = pixel_of(l, i) - 2 * pixel_of(l, i - 1) + pixel_of(l, i - 2);
        if (bend > 1 << (l->plane->depth - 6) || bend < -(1 << (l->plane->depth - 6)))
            return 0;
    }
    return 64 * (pixel_of(l, n - 1) - pixel_of(l, from)) / (SMOOTH_PIXELS - 1);
}

/* Values behind the end of a line: slopes of smooth ones go on, less and less, so that
 * blocks have no kink at the border; others end in their last value, which costs least. */
static void continue_line(const line *l, size_t n, size_t padded)
{
    int32_t value = 64 * pixel_of(l, n - 1), slope = slope_of(l, n);
    for (size_t i = n; i < padded; i++) {
        value += slope;
        slope = slope * 7 / 8;
        rugi_ifs_put_pixel(l->plane, l->first + i * l->pitch, value / 64);
    }
}

static void read_task(void *shared, size_t y, int thread)
{
    rugi_ifs_image *image = shared;
    const rugi_ifs_job *job = image->job;
    (void)thread;
    for (size_t x = 0; x < job->nx; x++)
        read_pixel(image, y, x);
    for (int i = 0; i < job->n_planes; i++) {
        const rugi_ifs_pixels *plane = &image->planes[i];
        const line row = {plane, y * plane->nx, 1};
        continue_line(&row, job->nx, plane->nx);
    }
}

/* Columns go on, and the range of values is found. */
static void complete(rugi_ifs_pixels *plane)
{
    size_t nx = plane->nx;
    for (size_t x = 0; x < nx; x++) {
        const line column = {plane, x, nx};
        continue_line(&column, plane->used_y, plane->ny);
    }
    int32_t min = rugi_ifs_pixel_at(plane, 0), max = min;
    for (size_t at = 0; at < nx * plane->ny; at++) {
        int32_t value = rugi_ifs_pixel_at(plane, at);
        min = value < min ? value : min;
        max = value > max ? value : max;
    }
    plane->min = min;
    plane->max = max;
}

static uint32_t padded(uint32_t n)
{
    return (n + RUGI_IFS_BLOCK - 1) / RUGI_IFS_BLOCK * RUGI_IFS_BLOCK;
}

static unsigned bits_of(const rugi_ifs_image *image)
{
    unsigned bits = 1;
    int32_t max = image->planes[0].max;
    if (image->job->n_planes > 1)
        return image->job->depth;
    while (max >> bits != 0)
        bits++;
    return bits;
}

static rug_status allocate(rug_context *ctx, rugi_ifs_pixels *plane)
{
    size_t n = (size_t)plane->nx * plane->ny;
    if (plane->depth <= 9)
        plane->narrow = rug_context_allocate(ctx, n, sizeof *plane->narrow, what);
    else
        plane->wide = rug_context_allocate(ctx, n, sizeof *plane->wide, what);
    return plane->narrow != NULL || plane->wide != NULL ? RUG_OK : RUG_E_NOMEM;
}

rug_status rugi_ifs_image_read(rug_context *ctx, rugi_ifs_image *image,
                               const rugi_ifs_job *job)
{
    memset(image, 0, sizeof *image);
    image->job = job;
    for (int i = 0; i < job->n_planes; i++) {
        rugi_ifs_pixels *plane = &image->planes[i];
        plane->used_x = job->nx;
        plane->used_y = job->ny;
        plane->depth = depth_of(job, i);
        plane->nx = padded(job->nx);
        plane->ny = padded(job->ny);
        if (allocate(ctx, plane) != RUG_OK)
            return RUG_E_NOMEM;
    }
    rug_status status = rugi_parallel_for(ctx, job->ny, read_task, image);
    for (int i = 0; i < job->n_planes && status == RUG_OK; i++)
        complete(&image->planes[i]);
    if (status == RUG_OK)
        image->bits = bits_of(image);
    return status;
}
