/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The code of a plane as in Pedersen (2011): ranges on one grid ("simple"), or on four
 * that wrap around the image ("quad"), each with the best of all transforms. */

#include "core/context/context_internal.h"
#include "core/context/sized.h"
#include "core/image/image_internal.h"
#include "ifs/search_cpu/ifs_search.h"
#include "ifs/stream/ifs_pixel.h"
#include "ifs_paper_code.h"
#include <string.h>

#define DEFAULT_SIZE 8
#define LARGEST_SIZE 32
#define DEFAULT_STEP 8
#define LARGEST_STEP 1024

rug_status rugi_ifs_check_plane(rug_context *ctx, const rug_image *plane)
{
    rug_status status = rugi_image_check(ctx, plane);
    if (status != RUG_OK)
        return status;
    if (plane->ndim != 2)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "a volume of %d axes is given, expected an image: code its "
            "slices one by one",
            plane->ndim);
    if (plane->dtype != RUG_U8 && plane->dtype != RUG_U16)
        return rug_context_fail(
            ctx, RUG_E_ARG, "the pixels are %s, expected u8 or u16: convert the image",
            rug_dtype_name(plane->dtype));
    if (plane->shape[0] > RUG_IFS_SIDE_MAX || plane->shape[1] > RUG_IFS_SIDE_MAX)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "an image of %zu x %zu pixels is given, expected sides of at "
            "most %d: code it in parts",
            plane->shape[1], plane->shape[0], RUG_IFS_SIDE_MAX);
    return RUG_OK;
}

static rug_status check_numbers(rug_context *ctx, const rugi_ifs_settings *s)
{
    if (s->size < 2 || s->size > LARGEST_SIZE)
        return rug_context_fail(ctx, RUG_E_ARG, "range size %u given, 2..%d expected",
                                s->size, LARGEST_SIZE);
    if (s->n_grids > 1 && s->size % 2 != 0)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "range size %u given, an even one expected: overlapping "
                                "grids are half a range apart",
                                s->size);
    if (s->step > LARGEST_STEP)
        return rug_context_fail(ctx, RUG_E_ARG, "domain step %u given, 1..%d expected",
                                s->step, LARGEST_STEP);
    if (!(s->s_max > 0 && s->s_max <= 1))
        return rug_context_fail(ctx, RUG_E_ARG,
                                "largest scale %g given, above 0 and at most 1 expected",
                                s->s_max);
    if (!(s->shadow_limit >= 0 && s->shadow_limit <= RUGI_IFS_SHADOW_MAX))
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "shadow limit %g given, 0..%.12g squared grey levels expected",
            s->shadow_limit, RUGI_IFS_SHADOW_MAX);
    return RUG_OK;
}

static rug_status choose(rug_context *ctx, rugi_ifs_settings *out,
                         const rug_ifs_options *opts)
{
    if (opts->partition != RUG_IFS_FIXED && opts->partition != RUG_IFS_OVERLAP)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "partition %d given, FIXED or OVERLAP expected; "
                                "rug_ifs_compress() does the quadtree",
                                (int)opts->partition);
    if (opts->search != RUG_IFS_SEARCH_AUTO && opts->search != RUG_IFS_SEARCH_EXHAUSTIVE)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "search %d given, AUTO or EXHAUSTIVE expected: all domains "
            "are tried",
            (int)opts->search);
    if (opts->unused != 0)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "rug_ifs_options: %u given for `unused`, 0 expected",
                                opts->unused);
    *out = (rugi_ifs_settings){
        .size = opts->range_size != 0 ? opts->range_size : DEFAULT_SIZE,
        .step = opts->domain_step != 0 ? opts->domain_step : DEFAULT_STEP,
        .n_grids = opts->partition == RUG_IFS_OVERLAP ? RUGI_IFS_GRIDS_MAX : 1,
        .s_max = opts->scale_max != 0 ? opts->scale_max : 1,
        .shadow_limit = opts->shadow_limit,
        .wraps = opts->domain_wrap != 0};
    return check_numbers(ctx, out);
}

/* Whole ranges, and at least one domain. */
static uint32_t padded(size_t n, uint32_t size)
{
    size_t whole = (n + size - 1) / size * size;
    return (uint32_t)(whole < 2 * (size_t)size ? 2 * (size_t)size : whole);
}

/* Pixels of the image, continued by its last row and column. */
static void fill(rugi_ifs_plane *out, const rug_image *plane)
{
    for (size_t y = 0; y < out->ny; y++) {
        uint16_t *pixels = out->pixels + y * out->nx;
        for (size_t x = 0; x < out->nx; x++)
            pixels[x] = rugi_ifs_continued_pixel(plane, y, x);
    }
}

/* The plane and, behind its right and lower edge, what domains that cross them go on
 * with. */
static rug_status go_round(rug_context *ctx, rugi_ifs_plane *out,
                           const rugi_ifs_plane *plane, uint32_t size)
{
    const size_t more = 2 * (size_t)size - 1;
    *out = (rugi_ifs_plane){.nx = plane->nx + more, .ny = plane->ny + more};
    out->pixels = rug_context_allocate(ctx, out->ny, out->nx * sizeof *out->pixels,
                                       "pixels of a plane that goes round");
    if (out->pixels == NULL)
        return RUG_E_NOMEM;
    for (size_t y = 0; y < out->ny; y++) {
        const uint16_t *from = plane->pixels + y % plane->ny * plane->nx;
        uint16_t *to = out->pixels + y * out->nx;
        memcpy(to, from, plane->nx * sizeof *to);
        memcpy(to + plane->nx, from, more * sizeof *to);
    }
    return RUG_OK;
}

/* Grid by grid, row by row: the second grid is half a range to the right, the third
 * half a range down, the fourth both. */
static void place_ranges(rugi_ifs_place *out, const rug_ifs_code *code)
{
    const uint32_t size = code->size;
    for (uint32_t g = 0; g < (uint32_t)code->n_grids; g++)
        for (uint32_t y = 0; y < code->padded_y; y += size)
            for (uint32_t x = 0; x < code->padded_x; x += size)
                *out++ = (rugi_ifs_place){x + g % 2 * (size / 2), y + g / 2 * (size / 2)};
}

/* @param error  the sum of squared distances from the mean */
static double mean_of(const rugi_ifs_plane *p, rugi_ifs_place at, uint32_t size,
                      double *error)
{
    const uint64_t n = (uint64_t)size * size;
    uint64_t sum = 0, squares = 0;
    for (size_t y = 0; y < size; y++)
        for (size_t x = 0; x < size; x++) {
            uint64_t v = p->pixels[(at.y + y) % p->ny * p->nx + (at.x + x) % p->nx];
            sum += v;
            squares += v * v;
        }
    *error = (double)(n * squares - sum * sum) / (double)n;
    return (double)sum / (double)n;
}

static void make_transforms(rug_ifs_code *code, const rugi_ifs_search_job *job)
{
    for (size_t i = 0; i < code->n; i++) {
        const rugi_ifs_match *m = &job->matches[i];
        double alone, mean = mean_of(job->image, job->ranges[i], code->size, &alone);
        code->transforms[i] = (rug_ifs_transform){.range_x = job->ranges[i].x,
                                                  .range_y = job->ranges[i].y,
                                                  .size = code->size,
                                                  .domain_x = m->x,
                                                  .domain_y = m->y,
                                                  .symmetry = m->symmetry,
                                                  .has_domain = m->found,
                                                  .s = m->s,
                                                  .mean = mean,
                                                  .error = m->found ? m->error : alone};
    }
}

static rug_status find(rug_context *ctx, rug_ifs_code *code, const rug_image *plane,
                       const rugi_ifs_settings *s)
{
    rugi_ifs_plane whole = {.nx = code->padded_x, .ny = code->padded_y};
    rugi_ifs_plane wider = {.pixels = NULL};
    rugi_ifs_search_job job = {.image = &whole,
                               .source = s->wraps ? &wider : &whole,
                               .size = s->size,
                               .step = s->step,
                               .s_max = s->s_max,
                               .shadow_limit = s->shadow_limit,
                               .n_ranges = code->n};
    whole.pixels = rug_context_allocate(ctx, whole.ny, whole.nx * sizeof *whole.pixels,
                                        "pixels of a plane");
    rugi_ifs_place *ranges =
        rug_context_allocate(ctx, code->n, sizeof *ranges, "places of ranges");
    job.matches = rug_context_allocate(ctx, code->n, sizeof *job.matches, "matches");
    rug_status status = RUG_E_NOMEM;
    if (whole.pixels != NULL && ranges != NULL && job.matches != NULL) {
        fill(&whole, plane);
        place_ranges(ranges, code);
        job.ranges = ranges;
        status = s->wraps ? go_round(ctx, &wider, &whole, s->size) : RUG_OK;
        if (status == RUG_OK)
            status = rugi_ifs_search(ctx, &job);
    }
    if (status == RUG_OK)
        make_transforms(code, &job);
    rug_context_release(ctx, job.matches);
    rug_context_release(ctx, ranges);
    rug_context_release(ctx, wider.pixels);
    rug_context_release(ctx, whole.pixels);
    return status;
}

static rug_ifs_code *code_new(rug_context *ctx, const rug_image *plane,
                              const rugi_ifs_settings *s)
{
    rug_ifs_code *code = rug_context_allocate(ctx, 1, sizeof *code, "a code");
    if (code == NULL)
        return NULL;
    *code = (rug_ifs_code){.ctx = ctx,
                           .dtype = plane->dtype,
                           .nx = (uint32_t)plane->shape[1],
                           .ny = (uint32_t)plane->shape[0],
                           .padded_x = padded(plane->shape[1], s->size),
                           .padded_y = padded(plane->shape[0], s->size),
                           .size = s->size,
                           .n_grids = s->n_grids,
                           .wraps = s->wraps};
    code->n =
        (size_t)s->n_grids * (code->padded_x / s->size) * (code->padded_y / s->size);
    code->transforms =
        rug_context_allocate(ctx, code->n, sizeof *code->transforms, "transforms");
    if (code->transforms != NULL)
        return code;
    rug_ifs_code_free(code);
    return NULL;
}

rug_status rugi_ifs_find(rug_context *ctx, rug_ifs_code **out, const rug_image *plane,
                         const rugi_ifs_settings *settings)
{
    rug_ifs_code *code = code_new(ctx, plane, settings);
    *out = NULL;
    if (code == NULL)
        return RUG_E_NOMEM;
    rug_status status = find(ctx, code, plane, settings);
    if (status == RUG_OK)
        *out = code;
    else
        rug_ifs_code_free(code);
    return status;
}

rug_status rug_ifs_find(rug_context *ctx, rug_ifs_code **out, const rug_image *plane,
                        const rug_ifs_options *opts)
{
    rug_ifs_options own = RUG_IFS_OPTIONS_INIT;
    rugi_ifs_settings settings;
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_ifs_find: NULL given");
    own.partition = RUG_IFS_FIXED;
    rug_status status = rugi_ifs_check_plane(ctx, plane);
    if (status == RUG_OK)
        status = RUGI_TAKE(ctx, &own, opts, "rug_ifs_options");
    if (status == RUG_OK)
        status = choose(ctx, &settings, &own);
    if (status != RUG_OK)
        return status;
    rugi_context_set_engine(ctx, "cpu"); /* unless the search runs elsewhere */
    return rugi_ifs_find(ctx, out, plane, &settings);
}

void rug_ifs_code_free(rug_ifs_code *code)
{
    if (code == NULL)
        return;
    rug_context *ctx = code->ctx;
    rug_context_release(ctx, code->transforms);
    rug_context_release(ctx, code);
}

size_t rug_ifs_code_count(const rug_ifs_code *code)
{
    return code != NULL ? code->n : 0;
}

const rug_ifs_transform *rug_ifs_code_at(const rug_ifs_code *code, size_t i)
{
    return code != NULL && i < code->n ? &code->transforms[i] : NULL;
}
