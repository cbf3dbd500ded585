/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The decoder of the paper's modes: transforms are repeated in single precision, at the
 * coded size or a multiple of it. Ranges of one grid do not touch; of several grids the
 * later ones add to what the earlier ones wrote, so that sums have one order. */

#include "core/context/context_internal.h"
#include "core/context/sized.h"
#include "core/context/small.h"
#include "core/context/threads.h"
#include "ifs/stream/ifs_isometry.h"
#include "ifs_paper_code.h"
#include <math.h>
#include <string.h>

#define ITERATIONS_MAX 64

/* One iteration. */
typedef struct pass {
    const rug_ifs_code *code;
    const rug_ifs_transform *transforms; /* of the grid */
    size_t n;
    uint32_t scale;
    const float *from;
    float *to;
    size_t nx, ny;  /* pixels a row, rows */
    float *scratch; /* a shrunk domain of each thread */
    int is_first;   /* of the grids */
    float share;    /* of a grid in a pixel */
} pass;

/* Ranges of a task. */
#define RANGES_PER_TASK 64

/* The shrunk domain, which goes round the edges. @return its mean */
static float shrink(const pass *p, float *out, const rug_ifs_transform *t, size_t side)
{
    const size_t y0 = (size_t)t->domain_y * p->scale;
    const size_t x0 = (size_t)t->domain_x * p->scale;
    double sum = 0;
    for (size_t y = y0; y < y0 + 2 * side; y += 2) {
        const float *upper = p->from + y % p->ny * p->nx;
        const float *lower = p->from + (y + 1) % p->ny * p->nx;
        for (size_t x = x0; x < x0 + 2 * side; x += 2) {
            const size_t i = x < p->nx ? x : x - p->nx;
            const size_t j = i + 1 < p->nx ? i + 1 : 0;
            float v = 0.25f * (upper[i] + upper[j] + lower[i] + lower[j]);
            sum += v;
            *out++ = v;
        }
    }
    return (float)(sum / (double)(side * side));
}

static void put(const pass *p, float *row, size_t x, float v)
{
    x = x < p->nx ? x : x - p->nx;
    row[x] = (p->is_first ? 0 : row[x]) + p->share * v;
}

static void put_mean(const pass *p, const rug_ifs_transform *t, size_t side)
{
    for (size_t y = 0; y < side; y++) {
        float *row = p->to + (t->range_y * (size_t)p->scale + y) % p->ny * p->nx;
        for (size_t x = 0; x < side; x++)
            put(p, row, t->range_x * (size_t)p->scale + x, (float)t->mean);
    }
}

static void put_domain(const pass *p, const rug_ifs_transform *t, size_t side,
                       float *domain)
{
    const float mean = shrink(p, domain, t, side), s = (float)t->s, o = (float)t->mean;
    const rugi_ifs_isometry walk = rugi_ifs_isometry_of(t->symmetry, side, side);
    for (size_t y = 0; y < side; y++) {
        const float *in = domain + walk.start + (ptrdiff_t)y * walk.row;
        float *row = p->to + (t->range_y * (size_t)p->scale + y) % p->ny * p->nx;
        for (size_t x = 0; x < side; x++)
            put(p, row, t->range_x * (size_t)p->scale + x,
                o + s * (in[(ptrdiff_t)x * walk.column] - mean));
    }
}

static void apply_some(void *shared, size_t task, int thread)
{
    const pass *p = shared;
    const size_t side = (size_t)p->code->size * p->scale, from = task * RANGES_PER_TASK;
    const size_t to = rugi_smaller(p->n, from + RANGES_PER_TASK);
    for (size_t i = from; i < to; i++) {
        const rug_ifs_transform *t = &p->transforms[i];
        if (t->has_domain)
            put_domain(p, t, side, p->scratch + (size_t)thread * side * side);
        else
            put_mean(p, t, side);
    }
}

static rug_status apply(rug_context *ctx, pass *p)
{
    const int n_grids = p->code->n_grids;
    rug_status status = RUG_OK;
    p->n = p->code->n / (size_t)n_grids;
    p->share = 1.0f / (float)n_grids;
    for (int g = 0; g < n_grids && status == RUG_OK; g++) {
        p->transforms = p->code->transforms + (size_t)g * p->n;
        p->is_first = g == 0;
        RUGI_PHASE(
            ctx, (double)g / n_grids, (double)(g + 1) / n_grids, status,
            rugi_parallel_for(ctx, (p->n - 1) / RANGES_PER_TASK + 1, apply_some, p));
    }
    return status;
}

static rug_status repeat(rug_context *ctx, pass *p, float *pixels[2], uint32_t iterations,
                         rugi_ifs_pixels_fn see, void *user)
{
    rug_status status = see != NULL ? see(user, 0, pixels[0]) : RUG_OK;
    for (uint32_t i = 1; i <= iterations && status == RUG_OK; i++) {
        p->from = pixels[0];
        p->to = pixels[1];
        RUGI_PHASE(ctx, (double)(i - 1) / iterations, (double)i / iterations, status,
                   apply(ctx, p));
        pixels[0] = p->to;
        pixels[1] = (float *)p->from;
        if (status == RUG_OK && see != NULL)
            status = see(user, i, pixels[0]);
    }
    return status;
}

rug_status rugi_ifs_repeat(rug_context *ctx, float **out, const rug_ifs_code *code,
                           uint32_t scale, uint32_t iterations, rugi_ifs_pixels_fn see,
                           void *user)
{
    const size_t nx = (size_t)code->padded_x * scale, ny = (size_t)code->padded_y * scale;
    const size_t side = (size_t)code->size * scale;
    float *pixels[2] = {NULL, NULL};
    rug_status status = RUG_E_NOMEM;
    pass p = {.code = code, .scale = scale, .nx = nx, .ny = ny};
    *out = NULL;
    p.scratch = rug_context_allocate(ctx, (size_t)rug_context_threads(ctx),
                                     side * side * sizeof(float), "shrunk domains");
    for (int i = 0; i < 2; i++)
        pixels[i] = rug_context_allocate(ctx, ny, nx * sizeof(float),
                                         "pixels of a decoded plane");
    if (p.scratch != NULL && pixels[0] != NULL && pixels[1] != NULL) {
        const float gray = (rugi_ifs_top(code->dtype) + 1) / 2;
        for (size_t i = 0; i < nx * ny; i++)
            pixels[0][i] = gray;
        status = repeat(ctx, &p, pixels, iterations, see, user);
    }
    rug_context_release(ctx, p.scratch);
    rug_context_release(ctx, pixels[1]);
    if (status == RUG_OK)
        *out = pixels[0];
    else
        rug_context_release(ctx, pixels[0]);
    return status;
}

/* A caller's frames. */
typedef struct showing {
    const rug_ifs_code *code;
    size_t row; /* of pixels, their padding included */
    rug_ifs_picture *picture;
    rug_ifs_frame_fn frame;
    void *user;
} showing;

static void round_pixels(const rug_ifs_picture *out, const float *pixels, size_t row)
{
    const float top = rugi_ifs_top(out->dtype);
    for (size_t y = 0; y < out->ny; y++)
        for (size_t x = 0; x < out->nx; x++) {
            float v = fminf(fmaxf(pixels[y * row + x], 0), top);
            if (out->dtype == RUG_U8)
                ((uint8_t *)out->pixels)[y * out->nx + x] = (uint8_t)lrintf(v);
            else
                ((uint16_t *)out->pixels)[y * out->nx + x] = (uint16_t)lrintf(v);
        }
}

static rug_status show(void *user, uint32_t iteration, const float *pixels)
{
    const showing *s = user;
    round_pixels(s->picture, pixels, s->row);
    return s->frame(s->user, iteration, s->picture);
}

static rug_status check(rug_context *ctx, uint32_t scale, uint32_t iterations)
{
    if (scale == 0 || scale > 16 || (scale & (scale - 1)) != 0)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "scale %u given, 1, 2, 4, 8 or 16 expected", scale);
    if (iterations == 0 || iterations > ITERATIONS_MAX)
        return rug_context_fail(ctx, RUG_E_ARG, "%u iterations given, 1..%d expected",
                                iterations, ITERATIONS_MAX);
    return RUG_OK;
}

rug_status rug_ifs_iterate(rug_context *ctx, const rug_ifs_code *code,
                           rug_ifs_picture *out, uint32_t scale, uint32_t iterations,
                           rug_ifs_frame_fn frame, void *user)
{
    rug_status status = rugi_clear(ctx, out, "rug_ifs_picture");
    if (status == RUG_OK && (ctx == NULL || code == NULL))
        status = rug_context_fail(ctx, RUG_E_ARG, "rug_ifs_iterate: NULL given");
    if (status == RUG_OK)
        status = check(ctx, scale, iterations);
    if (status != RUG_OK)
        return status;
    rug_ifs_picture picture = {.struct_size = sizeof picture,
                               .dtype = code->dtype,
                               .n_planes = 1,
                               .nx = code->nx * scale,
                               .ny = code->ny * scale};
    picture.pixels = rug_context_allocate(
        ctx, picture.ny, picture.nx * rug_dtype_size(code->dtype), "a decoded picture");
    if (picture.pixels == NULL)
        return RUG_E_NOMEM;
    showing s = {code, (size_t)code->padded_x * scale, &picture, frame, user};
    float *pixels;
    status = rugi_ifs_repeat(ctx, &pixels, code, scale, iterations,
                             frame != NULL ? show : NULL, &s);
    if (status == RUG_OK) {
        round_pixels(&picture, pixels, s.row);
        RUGI_GIVE(out, &picture);
        rugi_context_set_engine(ctx, "cpu");
    } else {
        rug_context_release(ctx, picture.pixels);
    }
    rug_context_release(ctx, pixels);
    return status;
}
