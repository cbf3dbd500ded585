/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Strengths of smoothing tried on the whole plane, and errors. Sums are made row by row and added in
 * order, so that they do not depend on threads. */

#include "ifs_patch_finish.h"
#include "core/context/threads.h"
#include "ifs/filter/ifs_filter_find.h"
#include "ifs/patches/ifs_patch_filter.h"
#include "ifs/stream/ifs_pixel.h"
#include <math.h>
#include <string.h>

static const char what[] = "decoded planes";

/* Strengths that are tried, weakest first. */
static const int strengths[] = {0, 1, 2, 3, 4, 6, 8};
#define STRENGTHS (sizeof strengths / sizeof strengths[0])

/* ---- Edges ---- */

/* A plane that is tried. */
typedef struct trying {
    rugi_ifs_patch_edges edges; /* of the copy */
    const int16_t *original;
    uint32_t used_x, used_y;
    double *errors; /* [rows of roots] */
} trying;

static void measure_row(void *shared, size_t row, int thread)
{
    const trying *t = shared;
    int64_t sum = 0;
    (void)thread;
    for (size_t y = row * RUGI_IFS_BLOCK; y < (row + 1) * RUGI_IFS_BLOCK && y < t->used_y;
         y++) {
        const int16_t *a = t->edges.samples + y * t->edges.pitch,
                      *b = t->original + y * t->edges.pitch;
        for (uint32_t x = 0; x < t->used_x; x++)
            sum += (int64_t)(a[x] - b[x]) * (a[x] - b[x]);
    }
    t->errors[row] = (double)sum;
}

static rug_status try_strength(rug_context *ctx, trying *t, size_t n_rows, double *error)
{
    rug_status status = rugi_ifs_smooth_edges(ctx, &t->edges);
    if (status == RUG_OK)
        status = rugi_parallel_for(ctx, n_rows, measure_row, t);
    *error = 0;
    for (size_t i = 0; i < n_rows; i++)
        *error += t->errors[i];
    return status;
}

/* Stronger ones are tried as long as they help. */
static rug_status try_strengths(const rugi_ifs_finishing *f, trying *t, int plane)
{
    const rugi_ifs_region_plane *p = &f->region->planes[plane];
    size_t n_rows = p->ny / RUGI_IFS_BLOCK, n = p->pitch * p->ny;
    double best = 0, error;
    int *chosen = &f->tiled->planes[plane].deblock;
    rug_status status = RUG_OK;
    for (size_t i = 0; i < STRENGTHS && status == RUG_OK; i++) {
        memcpy(t->edges.samples, p->samples, n * sizeof *p->samples);
        t->edges.strength = strengths[i];
        status = try_strength(f->ctx, t, n_rows, &error);
        if (i > 0 && !(error < best))
            break;
        best = error;
        *chosen = strengths[i];
    }
    if (status != RUG_OK || *chosen == 0)
        return status;
    t->edges = rugi_ifs_edges_of(f->region, plane);
    return rugi_ifs_smooth_edges(f->ctx, &t->edges);
}

static rug_status choose_of_plane(const rugi_ifs_finishing *f, int plane)
{
    const rugi_ifs_region_plane *p = &f->region->planes[plane];
    trying t = {.edges = rugi_ifs_edges_of(f->region, plane),
                .original = f->image->samples[plane],
                .used_x = (f->tiled->nx + p->halved) >> p->halved,
                .used_y = (f->tiled->ny + p->halved) >> p->halved};
    t.errors =
        rug_context_allocate(f->ctx, p->ny / RUGI_IFS_BLOCK, sizeof *t.errors, what);
    int16_t *copy =
        rug_context_allocate(f->ctx, p->pitch * p->ny, sizeof *t.edges.samples, what);
    rug_status status = RUG_E_NOMEM;
    if (t.errors != NULL && copy != NULL) {
        t.edges.samples = copy;
        status = try_strengths(f, &t, plane);
    }
    rug_context_release(f->ctx, copy);
    rug_context_release(f->ctx, t.errors);
    return status;
}

rug_status rugi_ifs_choose_edges(const rugi_ifs_finishing *f)
{
    rug_status status = RUG_OK;
    for (int i = 0; i < f->region->n_planes && status == RUG_OK; i++)
        status = choose_of_plane(f, i);
    return status;
}

/* ---- Filters ---- */

static rug_status find_of_plane(const rugi_ifs_finishing *f, int plane,
                                rugi_ifs_plane_filters *filters, double lambda_factor)
{
    const rugi_ifs_region_plane *p = &f->region->planes[plane];
    const rugi_ifs_unfiltered decoded = rugi_ifs_unfiltered_of(f->region, plane);
    double step =
        ldexp(f->tiled->planes[plane].delta / 16.0, RUGI_IFS_SAMPLE_BITS - (int)p->depth);
    if (f->image->is_flat[plane])
        return RUG_OK;
    rug_status status = rugi_ifs_find_filters(
        f->ctx, &filters->filters[plane], filters->on[plane], &decoded,
        f->image->samples[plane], (f->tiled->nx + p->halved) >> p->halved,
        (f->tiled->ny + p->halved) >> p->halved, lambda_factor * step * step);
    return status == RUG_OK ? rugi_ifs_filter_plane(f->ctx, f->region, plane, filters)
                            : status;
}

static rug_status write_filters(const rugi_ifs_finishing *f,
                                rugi_ifs_plane_filters *filters)
{
    rugi_ifs_coder coder;
    int n = 0;
    for (int i = 0; i < f->region->n_planes; i++)
        n += filters->filters[i].n_filters;
    if (n == 0)
        return RUG_OK;
    rugi_ifs_write_begin(&coder, f->ctx);
    rugi_ifs_code_plane_filters(&coder, filters, f->tiled);
    rugi_ifs_write_end(&coder);
    f->tiled->has_filters = 1;
    f->tiled->filters = (rugi_ifs_part){coder.bytes, coder.n_bytes, 0, 0};
    return coder.failed ? RUG_E_NOMEM : RUG_OK;
}

rug_status rugi_ifs_choose_filters(const rugi_ifs_finishing *f, double lambda_factor)
{
    rugi_ifs_plane_filters filters;
    rug_status status = rugi_ifs_plane_filters_begin(f->ctx, &filters, f->tiled);
    for (int i = 0; i < f->region->n_planes && status == RUG_OK; i++)
        status = find_of_plane(f, i, &filters, lambda_factor);
    if (status == RUG_OK)
        status = write_filters(f, &filters);
    rugi_ifs_plane_filters_end(f->ctx, &filters);
    return status;
}

/* ---- The picture ---- */

/* Rows of it that are compared. */
typedef struct comparing {
    const rugi_ifs_finishing *f;
    rugi_ifs_patch_kernels kernels;
    int32_t *values; /* [threads][planes][nx] */
    double *errors;  /* [rows] */
} comparing;

static void compare_row(void *shared, size_t y, int thread)
{
    const comparing *c = shared;
    const rugi_ifs_region *region = c->f->region;
    size_t n = region->nx;
    int32_t *values = c->values + (size_t)thread * (size_t)region->n_planes * n;
    int64_t sum = 0;
    for (int i = 0; i < region->n_planes; i++)
        rugi_ifs_region_row(region, i, y, 0, n, values + (size_t)i * n);
    rugi_ifs_samples_to_pixels(&c->kernels, region->tiled, values, n);
    for (size_t i = 0; i < (size_t)region->n_planes; i++)
        for (size_t x = 0; x < n; x++) {
            int64_t error =
                values[i * n + x] - rugi_ifs_pixel_of(&c->f->image->job->planes[i], y, x);
            sum += error * error;
        }
    c->errors[y] = (double)sum;
}

rug_status rugi_ifs_measure_region(const rugi_ifs_finishing *f, double *squared_error)
{
    const rugi_ifs_region *region = f->region;
    comparing c = {.f = f};
    rugi_ifs_set_patch_kernels(&c.kernels, rug_context_cpu_level(f->ctx));
    size_t n_values = (size_t)rugi_loop_threads(f->ctx, region->ny) *
                      (size_t)region->n_planes * region->nx;
    c.values = rug_context_allocate(f->ctx, n_values, sizeof *c.values, what);
    c.errors = rug_context_allocate(f->ctx, region->ny, sizeof *c.errors, what);
    rug_status status = RUG_E_NOMEM;
    if (c.values != NULL && c.errors != NULL)
        status = rugi_parallel_for(f->ctx, region->ny, compare_row, &c);
    *squared_error = 0;
    for (size_t y = 0; y < region->ny && status == RUG_OK; y++)
        *squared_error += c.errors[y];
    rug_context_release(f->ctx, c.values);
    rug_context_release(f->ctx, c.errors);
    return status;
}
