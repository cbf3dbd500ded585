/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Enlarging: a code of overlapping ranges is decoded larger, then corrected until it
 * shrinks to the image that was given (back-projection: Irani and Peleg 1991). */

#include "core/context/context_internal.h"
#include "core/context/sized.h"
#include "core/context/threads.h"
#include "core/image/image_internal.h"
#include "ifs/stream/ifs_pixel.h"
#include "ifs_paper_code.h"
#include <math.h>
#include <string.h>

#define RANGE_SIZE 4
#define ITERATIONS 16

/* Largest |s|: larger ones sharpen more than back-projection can make good again; of
 * photographs and textures this one leaves the least error, by up to 0.3 dB. */
#define SCALE_MAX 0.85

#define ROUNDS_MAX 16

/* Planes of an image in colours. */
#define COLOURS 3

/* Pixels by which an image is continued at each side, mirrored: ranges that wrap around the
 * edges then lie outside of it. */
#define MARGIN RANGE_SIZE

/* Shares of a plane's work. */
#define FIND_SHARE   0.85
#define REPEAT_SHARE 0.95

/* One plane and its enlargement. */
typedef struct enlarging {
    const rug_image *image;
    uint32_t scale;
    size_t nx, ny;  /* of the image */
    float *decoded; /* owned */
    float *pixels;  /* of it, from the image's first pixel on: [ny scale][row] */
    size_t row;
    float top;           /* the largest value */
    float *missing;      /* [ny][nx] what the shrunk enlargement lacks */
    float weights[4][4]; /* [scale] of the four pixels about each of the larger ones */
    void *out;           /* [ny scale][nx scale] */
} enlarging;

/* Keys' cubic with a = -1/2, which is exact for quadratics. */
static double cubic(double x)
{
    x = fabs(x);
    return x < 1 ? (1.5 * x - 2.5) * x * x + 1 : ((-0.5 * x + 2.5) * x - 4) * x + 2;
}

/* Larger pixel i of a pixel has its centre at (i + 1/2) / scale - 1/2 from that of the
 * pixel; the four pixels begin two before it or one, whichever is about it. */
static int first_of(uint32_t i, uint32_t scale)
{
    return 2 * i < scale ? -2 : -1;
}

static void choose_weights(enlarging *e)
{
    for (uint32_t i = 0; i < e->scale; i++) {
        double at = (i + 0.5) / e->scale - 0.5;
        for (int k = 0; k < 4; k++)
            e->weights[i][k] = (float)cubic(at - (first_of(i, e->scale) + k));
    }
}

/* A row of the image less the mean of the larger pixels. */
static void compare_row(void *shared, size_t y, int thread)
{
    const enlarging *e = shared;
    const size_t z = e->scale;
    const float part = 1.0f / (float)(z * z);
    (void)thread;
    for (size_t x = 0; x < e->nx; x++) {
        const float *in = e->pixels + y * z * e->row + x * z;
        float sum = 0;
        for (size_t i = 0; i < z; i++)
            for (size_t j = 0; j < z; j++)
                sum += in[i * e->row + j];
        e->missing[y * e->nx + x] = rugi_ifs_pixel_of(e->image, y, x) - sum * part;
    }
}

static size_t inside(ptrdiff_t at, size_t n)
{
    return at < 0 ? 0 : (size_t)at < n ? (size_t)at : n - 1;
}

/* Column x of four rows, weighted. */
static float blend(const enlarging *e, const size_t rows[4], const float *weights,
                   size_t x)
{
    float sum = 0;
    for (int k = 0; k < 4; k++)
        sum += weights[k] * e->missing[rows[k] * e->nx + x];
    return sum;
}

/* Adds the enlarged difference to the larger rows of a row, and clamps. */
static void correct_row(void *shared, size_t y, int thread)
{
    const enlarging *e = shared;
    (void)thread;
    for (uint32_t i = 0; i < e->scale; i++) {
        size_t rows[4];
        float *out = e->pixels + (y * e->scale + i) * e->row;
        for (int k = 0; k < 4; k++)
            rows[k] = inside((ptrdiff_t)y + first_of(i, e->scale) + k, e->ny);
        for (size_t x = 0; x < e->nx; x++) {
            float columns[5]; /* two before the pixel to two behind */
            for (int k = 0; k < 5; k++)
                columns[k] =
                    blend(e, rows, e->weights[i], inside((ptrdiff_t)x + k - 2, e->nx));
            for (uint32_t j = 0; j < e->scale; j++, out++) {
                const float *c = columns + (first_of(j, e->scale) + 2);
                float v = *out;
                for (int k = 0; k < 4; k++)
                    v += e->weights[j][k] * c[k];
                *out = fminf(fmaxf(v, 0), e->top);
            }
        }
    }
}

static void round_row(void *shared, size_t y, int thread)
{
    const enlarging *e = shared;
    const size_t nx = e->nx * e->scale;
    const float *in = e->pixels + y * e->row;
    (void)thread;
    for (size_t x = 0; x < nx; x++) {
        float v = fminf(fmaxf(in[x], 0), e->top);
        if (e->image->dtype == RUG_U8)
            ((uint8_t *)e->out)[y * nx + x] = (uint8_t)lrintf(v);
        else
            ((uint16_t *)e->out)[y * nx + x] = (uint16_t)lrintf(v);
    }
}

static rug_status run_rows(rug_context *ctx, enlarging *e, rugi_task_fn fn, size_t n,
                           double from, double to)
{
    rug_status status = RUG_OK;
    RUGI_PHASE(ctx, from, to, status, rugi_parallel_for(ctx, n, fn, e));
    return status;
}

static rug_status correct(rug_context *ctx, enlarging *e, uint32_t rounds)
{
    rug_status status = RUG_OK;
    const double n = 2.0 * rounds + 1;
    choose_weights(e);
    for (uint32_t i = 0; i < rounds && status == RUG_OK; i++) {
        status = run_rows(ctx, e, compare_row, e->ny, 2 * i / n, (2 * i + 1) / n);
        if (status == RUG_OK)
            status =
                run_rows(ctx, e, correct_row, e->ny, (2 * i + 1) / n, (2 * i + 2) / n);
    }
    if (status == RUG_OK)
        status = run_rows(ctx, e, round_row, e->ny * e->scale, (n - 1) / n, 1);
    return status;
}

/* Which of n pixels stands at a place of the continued row. */
static size_t mirrored(size_t at, size_t n)
{
    if (at < MARGIN)
        return MARGIN - 1 - at < n ? MARGIN - 1 - at : n - 1;
    at -= MARGIN;
    return at < n ? at : at < 2 * n ? 2 * n - 1 - at : 0;
}

/* The image with its margins. @return its pixels, or NULL */
static void *continue_image(rug_context *ctx, rug_image *out, const rug_image *image)
{
    const size_t shape[2] = {image->shape[0] + 2 * MARGIN, image->shape[1] + 2 * MARGIN};
    const size_t size = rug_dtype_size(image->dtype);
    char *pixels =
        rug_context_allocate(ctx, shape[0], shape[1] * size, "pixels with margins");
    if (pixels == NULL ||
        rug_image_view(ctx, out, pixels, image->dtype, 2, shape) != RUG_OK)
        return NULL;
    for (size_t y = 0; y < shape[0]; y++)
        for (size_t x = 0; x < shape[1]; x++)
            memcpy(pixels + (y * shape[1] + x) * size,
                   (const char *)image->data +
                       (ptrdiff_t)mirrored(y, image->shape[0]) * image->stride[0] +
                       (ptrdiff_t)mirrored(x, image->shape[1]) * image->stride[1],
                   size);
    return pixels;
}

/* The code of a plane with margins, decoded larger; pixels begin behind the margins. */
static rug_status decode(rug_context *ctx, enlarging *e, const rug_image *image,
                         uint32_t step)
{
    rug_ifs_options opts = RUG_IFS_OPTIONS_INIT;
    rug_ifs_code *code;
    opts.partition = RUG_IFS_OVERLAP;
    opts.range_size = RANGE_SIZE;
    opts.domain_step = step;
    opts.scale_max = SCALE_MAX;
    rug_status status = RUG_OK;
    RUGI_PHASE(ctx, 0, FIND_SHARE, status, rug_ifs_find(ctx, &code, image, &opts));
    if (status != RUG_OK)
        return status;
    e->row = (size_t)code->padded_x * e->scale;
    RUGI_PHASE(ctx, FIND_SHARE, REPEAT_SHARE, status,
               rugi_ifs_repeat(ctx, &e->decoded, code, e->scale, ITERATIONS, NULL, NULL));
    rug_ifs_code_free(code);
    if (status == RUG_OK)
        e->pixels = e->decoded + MARGIN * e->scale * (e->row + 1);
    return status;
}

static rug_status enlarge(rug_context *ctx, void *out, const rug_image *plane,
                          const rug_ifs_upscale_options *opts)
{
    enlarging e = {.image = plane,
                   .scale = opts->scale,
                   .nx = plane->shape[1],
                   .ny = plane->shape[0],
                   .top = rugi_ifs_top(plane->dtype),
                   .out = out};
    rug_image with_margins;
    void *pixels = continue_image(ctx, &with_margins, plane);
    rug_status status = RUG_E_NOMEM;
    if (pixels != NULL)
        status = decode(ctx, &e, &with_margins,
                        opts->domain_step != 0 ? opts->domain_step : 1);
    rug_context_release(ctx, pixels);
    if (status == RUG_OK) {
        e.missing = rug_context_allocate(ctx, e.ny, e.nx * sizeof(float),
                                         "differences of pixels");
        status = e.missing != NULL ? RUG_OK : RUG_E_NOMEM;
    }
    RUGI_PHASE(ctx, REPEAT_SHARE, 1, status, correct(ctx, &e, opts->rounds));
    rug_context_release(ctx, e.missing);
    rug_context_release(ctx, e.decoded);
    return status;
}

static rug_status check_sides(rug_context *ctx, const rug_image *plane)
{
    const size_t most = RUG_IFS_SIDE_MAX - 2 * MARGIN;
    if (plane->shape[0] <= most && plane->shape[1] <= most)
        return RUG_OK;
    return rug_context_fail(
        ctx, RUG_E_ARG, "image of %zu x %zu pixels given, sides of at most %zu expected",
        plane->shape[0], plane->shape[1], most);
}

static rug_status check(rug_context *ctx, const rug_image *planes, int n_planes,
                        const rug_ifs_upscale_options *opts)
{
    if (opts->scale != 2 && opts->scale != 4)
        return rug_context_fail(ctx, RUG_E_ARG, "scale %u given, 2 or 4 expected",
                                opts->scale);
    if (opts->rounds > ROUNDS_MAX)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "%u back-projections given, 0..%d expected", opts->rounds,
                                ROUNDS_MAX);
    if (n_planes != 1 && n_planes != COLOURS)
        return rug_context_fail(ctx, RUG_E_ARG, "%d planes given, 1 or %d expected",
                                n_planes, COLOURS);
    rug_status status = RUG_OK;
    for (int i = 0; i < n_planes && status == RUG_OK; i++) {
        status = rugi_ifs_check_plane(ctx, planes != NULL ? &planes[i] : NULL);
        if (status == RUG_OK)
            status = check_sides(ctx, &planes[i]);
        if (status == RUG_OK)
            status = rugi_image_check_twin(ctx, &planes[i], "plane", &planes[0]);
        if (status == RUG_OK && planes[i].dtype != planes[0].dtype)
            status = rug_context_fail(
                ctx, RUG_E_ARG, "planes of %s and %s given, one type expected",
                rug_dtype_name(planes[0].dtype), rug_dtype_name(planes[i].dtype));
    }
    return status;
}

rug_status rug_ifs_upscale(rug_context *ctx, rug_ifs_picture *out,
                           const rug_image *planes, int n_planes,
                           const rug_ifs_upscale_options *opts)
{
    rug_ifs_upscale_options own = RUG_IFS_UPSCALE_OPTIONS_INIT;
    rug_status status = rugi_clear(ctx, out, "rug_ifs_picture");
    if (status == RUG_OK && ctx == NULL)
        return RUG_E_ARG;
    if (status == RUG_OK)
        status = RUGI_TAKE(ctx, &own, opts, "rug_ifs_upscale_options");
    if (status == RUG_OK)
        status = check(ctx, planes, n_planes, &own);
    if (status != RUG_OK)
        return status;
    rug_ifs_picture p = {.struct_size = sizeof p,
                         .dtype = planes[0].dtype,
                         .n_planes = n_planes,
                         .nx = (uint32_t)planes[0].shape[1] * own.scale,
                         .ny = (uint32_t)planes[0].shape[0] * own.scale};
    const size_t row = p.nx * rug_dtype_size(p.dtype);
    p.pixels =
        rug_context_allocate(ctx, (size_t)n_planes * p.ny, row, "a larger picture");
    if (p.pixels == NULL)
        return RUG_E_NOMEM;
    for (int i = 0; i < n_planes && status == RUG_OK; i++) {
        RUGI_PHASE(
            ctx, (double)i / n_planes, (double)(i + 1) / n_planes, status,
            enlarge(ctx, (char *)p.pixels + (size_t)i * p.ny * row, &planes[i], &own));
    }
    if (status == RUG_OK)
        RUGI_GIVE(out, &p);
    else
        rug_context_release(ctx, p.pixels);
    return status;
}
