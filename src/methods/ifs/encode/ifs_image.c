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

static void read_row(const rug_image *plane, size_t y, int32_t *out, size_t nx)
{
    for (size_t x = 0; x < nx; x++)
        out[x] = rugi_ifs_pixel_of(plane, y, x);
}

static void to_ycocg(int32_t *const row[RUG_IFS_PLANES_MAX], size_t nx, unsigned depth)
{
    for (size_t x = 0; x < nx; x++) {
        int32_t pixel[3] = {row[0][x], row[1][x], row[2][x]};
        rugi_ifs_to_ycocg(pixel, depth);
        for (int i = 0; i < 3; i++)
            row[i][x] = pixel[i];
    }
}

/* Pixels that tell whether a line is smooth, where it bends by no more than 1 / 64 of
 * the range. */
#define SMOOTH_PIXELS 8

/* The slope at the end of a smooth line, in 1/64; 0 of others. */
static int32_t slope_of(const int32_t *line, size_t n, size_t pitch, unsigned depth)
{
    if (n < SMOOTH_PIXELS)
        return 0;
    const int32_t *from = line + (n - SMOOTH_PIXELS) * pitch;
    for (size_t i = 2; i < SMOOTH_PIXELS; i++) {
        int32_t bend =
            from[i * pitch] - 2 * from[(i - 1) * pitch] + from[(i - 2) * pitch];
        if (bend > 1 << (depth - 6) || bend < -(1 << (depth - 6)))
            return 0;
    }
    return 64 * (from[(SMOOTH_PIXELS - 1) * pitch] - from[0]) / (SMOOTH_PIXELS - 1);
}

/* Values behind the end of a line: slopes of smooth ones go on, less and less, so that
 * blocks have no kink at the border; others end in their last value, which costs least. */
static void continue_line(int32_t *line, size_t n, size_t padded, size_t pitch,
                          unsigned depth)
{
    int32_t value = 64 * line[(n - 1) * pitch], slope = slope_of(line, n, pitch, depth);
    for (size_t i = n; i < padded; i++) {
        value += slope;
        slope = slope * 7 / 8;
        line[i * pitch] = value / 64;
    }
}

static void read_task(void *shared, size_t y, int thread)
{
    rugi_ifs_image *image = shared;
    const rugi_ifs_job *job = image->job;
    int32_t *row[RUG_IFS_PLANES_MAX];
    (void)thread;
    for (int i = 0; i < job->n_planes; i++) {
        row[i] = image->planes[i].pixels + y * image->planes[i].nx;
        read_row(&job->planes[i], y, row[i], job->nx);
    }
    if (job->n_planes == 3)
        to_ycocg(row, job->nx, job->depth);
    for (int i = 0; i < job->n_planes; i++)
        continue_line(row[i], job->nx, image->planes[i].nx, 1, depth_of(job, i));
}

/* Columns go on, and the range of values is found. */
static void complete(rugi_ifs_pixels *plane, unsigned depth)
{
    size_t nx = plane->nx;
    for (size_t x = 0; x < nx; x++)
        continue_line(plane->pixels + x, plane->used_y, plane->ny, nx, depth);
    int32_t min = plane->pixels[0], max = min;
    for (size_t at = 0; at < nx * plane->ny; at++) {
        min = plane->pixels[at] < min ? plane->pixels[at] : min;
        max = plane->pixels[at] > max ? plane->pixels[at] : max;
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

rug_status rugi_ifs_image_read(rug_context *ctx, rugi_ifs_image *image,
                               const rugi_ifs_job *job)
{
    memset(image, 0, sizeof *image);
    image->job = job;
    for (int i = 0; i < job->n_planes; i++) {
        rugi_ifs_pixels *plane = &image->planes[i];
        plane->used_x = job->nx;
        plane->used_y = job->ny;
        plane->nx = padded(job->nx);
        plane->ny = padded(job->ny);
        plane->pixels = rug_context_allocate(ctx, (size_t)plane->nx * plane->ny,
                                             sizeof(int32_t), what);
        if (plane->pixels == NULL)
            return RUG_E_NOMEM;
    }
    rug_status status = rugi_parallel_for(ctx, job->ny, read_task, image);
    for (int i = 0; i < job->n_planes && status == RUG_OK; i++)
        complete(&image->planes[i], depth_of(job, i));
    if (status == RUG_OK)
        image->bits = bits_of(image);
    return status;
}

/* Decoded planes beside the image. */
typedef struct comparison {
    const rugi_ifs_image *image;
    int32_t *const *decoded;
    double *of_row;
} comparison;

static void compare_task(void *shared, size_t y, int thread)
{
    const comparison *c = shared;
    const rugi_ifs_image *image = c->image;
    const rugi_ifs_job *job = image->job;
    double sum = 0;
    (void)thread;
    for (size_t x = 0; x < job->nx; x++) {
        int32_t pixels[RUG_IFS_PLANES_MAX];
        for (int i = 0; i < job->n_planes; i++)
            pixels[i] = rugi_ifs_gray(c->decoded[i][y * image->planes[i].nx + x],
                                      depth_of(job, i));
        if (job->n_planes == 3)
            rugi_ifs_from_ycocg(pixels, job->depth);
        for (int i = 0; i < job->n_planes; i++) {
            int32_t top = (1 << job->depth) - 1;
            int32_t pixel = pixels[i] < 0 ? 0 : pixels[i] > top ? top : pixels[i];
            double error = pixel - rugi_ifs_pixel_of(&job->planes[i], y, x);
            sum += error * error;
        }
    }
    c->of_row[y] = sum;
}

rug_status rugi_ifs_squared_error(rug_context *ctx, double *out,
                                  const rugi_ifs_image *image,
                                  int32_t *const decoded[RUG_IFS_PLANES_MAX])
{
    comparison c = {.image = image, .decoded = decoded};
    c.of_row = rug_context_allocate(ctx, image->job->ny, sizeof *c.of_row, what);
    if (c.of_row == NULL)
        return RUG_E_NOMEM;
    rug_status status = rugi_parallel_for(ctx, image->job->ny, compare_task, &c);
    *out = 0;
    for (size_t y = 0; y < image->job->ny && status == RUG_OK; y++)
        *out += c.of_row[y];
    rug_context_release(ctx, c.of_row);
    return status;
}
