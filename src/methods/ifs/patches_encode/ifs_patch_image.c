/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Images to samples: colours as Y, Co and Cg (Malvar and Sullivan 2003), padded to whole roots by
 * their last row and column. */

#include "ifs_patch_image.h"
#include "core/context/threads.h"
#include "ifs/stream/ifs_pixel.h"
#include <string.h>

static const char what[] = "image of fractal coding";

/* ---- The range of values ---- */

void rugi_ifs_find_range(const rugi_ifs_job *job, rugi_ifs_tiled *t)
{
    uint32_t low = UINT16_MAX, high = 0;
    t->minimum = job->minimum;
    t->depth = job->bits > 0 ? job->bits : 8;
    if (job->depth == 8 || job->bits > 0)
        return;
    for (int i = 0; i < job->n_planes; i++)
        for (size_t y = 0; y < job->ny; y++)
            for (size_t x = 0; x < job->nx; x++) {
                uint32_t value = rugi_ifs_pixel_of(&job->planes[i], y, x);
                low = value < low ? value : low;
                high = value > high ? value : high;
            }
    unsigned bits = 1, fewer = 1;
    while (high >> bits != 0)
        bits++;
    while ((high - low) >> fewer != 0)
        fewer++;
    t->depth = fewer < bits ? fewer : bits;
    t->minimum = fewer < bits ? low : 0;
}

/* ---- Samples ---- */

typedef struct reading {
    rugi_ifs_patch_image *image;
    const rugi_ifs_region *region;
} reading;

/* The samples of a pixel, Y, Co and Cg or grey; what lies beyond the image is its last row and
 * column. */
static void read_samples(const reading *r, size_t y, size_t x, int16_t samples[3])
{
    const rugi_ifs_job *job = r->image->job;
    const rugi_ifs_tiled *t = r->region->tiled;
    int32_t values[3];
    y = y < job->ny ? y : job->ny - 1;
    x = x < job->nx ? x : job->nx - 1;
    for (int i = 0; i < job->n_planes; i++)
        values[i] = rugi_ifs_pixel_of(&job->planes[i], y, x) - (int32_t)t->minimum;
    if (job->n_planes == 3)
        rugi_ifs_samples_of_colour(samples, values, t->depth);
    else
        samples[0] = rugi_ifs_sample_of(values[0], t->depth);
}

static void read_row(const reading *r, size_t y)
{
    const rugi_ifs_region_plane *planes = r->region->planes;
    for (size_t x = 0; x < planes[0].nx; x++) {
        int16_t samples[3];
        read_samples(r, y, x, samples);
        for (int i = 0; i < r->region->n_planes; i++)
            if (!planes[i].halved && y < planes[i].ny && x < planes[i].nx)
                r->image->samples[i][y * planes[i].pitch + x] = samples[i];
    }
}

/* A row of the planes that have half as many samples: means of 2 x 2. */
static void read_halved_row(const reading *r, size_t y)
{
    const rugi_ifs_region_plane *planes = r->region->planes;
    for (size_t x = 0; x < planes[1].nx; x++) {
        int32_t sums[3] = {0};
        int16_t samples[3];
        for (size_t i = 0; i < 4; i++) {
            read_samples(r, 2 * y + i / 2, 2 * x + i % 2, samples);
            for (int p = 1; p < 3; p++)
                sums[p] += samples[p];
        }
        for (int p = 1; p < 3; p++)
            r->image->samples[p][y * planes[p].pitch + x] = (int16_t)((sums[p] + 2) >> 2);
    }
}

static void read_task(void *shared, size_t y, int thread)
{
    const reading *r = shared;
    (void)thread;
    if (y < r->region->planes[0].ny)
        read_row(r, y);
    if (r->region->n_planes > 1 && r->region->tiled->halved &&
        y < r->region->planes[1].ny)
        read_halved_row(r, y);
}

static int is_flat(const rugi_ifs_region_plane *p, const int16_t *samples)
{
    for (size_t y = 0; y < p->ny; y++)
        for (size_t x = 0; x < p->nx; x++)
            if (samples[y * p->pitch + x] != samples[0])
                return 0;
    return 1;
}

rug_status rugi_ifs_patch_image_read(rug_context *ctx, rugi_ifs_patch_image *image,
                                     const rugi_ifs_job *job,
                                     const rugi_ifs_region *region)
{
    reading r = {image, region};
    size_t n = region->planes[0].ny;
    memset(image, 0, sizeof *image);
    image->job = job;
    for (int i = 0; i < region->n_planes; i++) {
        const rugi_ifs_region_plane *p = &region->planes[i];
        image->samples[i] =
            rug_context_allocate(ctx, p->pitch * p->ny, sizeof(int16_t), what);
        if (image->samples[i] == NULL)
            return RUG_E_NOMEM;
        n = p->ny > n ? p->ny : n;
    }
    rug_status status = rugi_parallel_for(ctx, n, read_task, &r);
    for (int i = 0; i < region->n_planes && status == RUG_OK; i++)
        image->is_flat[i] = is_flat(&region->planes[i], image->samples[i]);
    return status;
}

void rugi_ifs_patch_image_free(rug_context *ctx, rugi_ifs_patch_image *image)
{
    for (int i = 0; i < RUGI_IFS_PATCH_PLANES; i++)
        rug_context_release(ctx, image->samples[i]);
    rug_context_release(ctx, image->weights);
    memset(image, 0, sizeof *image);
}
