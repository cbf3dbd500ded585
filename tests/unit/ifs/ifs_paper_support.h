/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The paper's modes for tests: pictures from files, PSNR, and what a transform leaves
 * of its range, pixel by pixel. Include it after support.h. */

#ifndef RUGOSE_IFS_PAPER_SUPPORT_H
#define RUGOSE_IFS_PAPER_SUPPORT_H

#include <math.h>
#include <rugose/io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A grey picture of 8 bits in memory. */
typedef struct gray {
    size_t ny, nx;
    uint8_t *pixels;
    rug_image img;
} gray;

static inline gray new_gray(size_t ny, size_t nx)
{
    gray g = {ny, nx, malloc(ny * nx), {.data = NULL}};
    assert_non_null(g.pixels);
    g.img = test_u8(g.pixels, 0, ny, nx);
    return g;
}

static inline gray read_gray(rug_context *ctx, const char *path)
{
    rug_file *file;
    if (rug_file_read(ctx, &file, path, NULL) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    const rug_image *img = rug_file_image(file);
    assert_int_equal(img->dtype, RUG_U8);
    gray g = new_gray(img->shape[0], img->shape[1]);
    for (size_t i = 0; i < g.ny * g.nx; i++)
        g.pixels[i] = (uint8_t)test_pixel(img, 0, i / g.nx, i % g.nx);
    rug_file_free(file);
    return g;
}

/* Waves, bands and noise. */
static inline gray random_gray(uint64_t *rng, size_t ny, size_t nx)
{
    gray g = new_gray(ny, nx);
    for (size_t y = 0; y < ny; y++)
        for (size_t x = 0; x < nx; x++)
            g.pixels[y * nx + x] =
                (uint8_t)(100 + 60 * sin((double)x / 3) + (double)(4 * y % 50) +
                          (double)test_below(rng, 30));
    return g;
}

/* Means of 2 x 2 pixels, rounded. */
static inline gray halve(const gray *g)
{
    gray half = new_gray(g->ny / 2, g->nx / 2);
    for (size_t y = 0; y < half.ny; y++)
        for (size_t x = 0; x < half.nx; x++) {
            const uint8_t *c = g->pixels + 2 * y * g->nx + 2 * x;
            half.pixels[y * half.nx + x] =
                (uint8_t)((c[0] + c[1] + c[g->nx] + c[g->nx + 1] + 2) / 4);
        }
    return half;
}

static inline gray cut(const gray *g, size_t y0, size_t x0, size_t ny, size_t nx)
{
    gray part = new_gray(ny, nx);
    for (size_t y = 0; y < ny; y++)
        memcpy(part.pixels + y * nx, g->pixels + (y0 + y) * g->nx + x0, nx);
    return part;
}

static inline rug_ifs_options paper_options(rug_ifs_partition partition, uint32_t size,
                                            uint32_t step)
{
    rug_ifs_options opts = RUG_IFS_OPTIONS_INIT;
    opts.partition = partition;
    opts.range_size = size;
    opts.domain_step = step;
    return opts;
}

static inline rug_ifs_code *must_find(rug_context *ctx, const rug_image *img,
                                      const rug_ifs_options *opts)
{
    rug_ifs_code *code = NULL;
    if (rug_ifs_find(ctx, &code, img, opts) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    assert_non_null(code);
    return code;
}

static inline rug_ifs_picture must_iterate(rug_context *ctx, const rug_ifs_code *code,
                                           uint32_t scale, uint32_t iterations)
{
    rug_ifs_picture p = RUG_IFS_PICTURE_INIT;
    if (rug_ifs_iterate(ctx, code, &p, scale, iterations, NULL, NULL) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    assert_int_equal(p.n_planes, 1);
    assert_non_null(p.pixels);
    return p;
}

static inline double psnr(const uint8_t *a, const uint8_t *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += ((double)a[i] - b[i]) * ((double)a[i] - b[i]);
    return 10 * log10(255.0 * 255 * (double)n / sum);
}

/* Where the pixel (y, x) of a shrunk domain goes under an isometry. */
static inline void isometry_place(unsigned symmetry, size_t n, size_t *y, size_t *x)
{
    size_t up = n - 1 - *y, left = n - 1 - *x, here_y = *y, here_x = *x;
    switch (symmetry) {
    case 1: *y = left, *x = here_y; break;
    case 2: *y = up, *x = left; break;
    case 3: *y = here_x, *x = up; break;
    case 4: *x = left; break;
    case 5: *y = up; break;
    case 6: *y = here_x, *x = here_y; break;
    case 7: *y = left, *x = up; break;
    default: break;
    }
}

/* The side of the plane that is coded. */
static inline size_t padded(size_t n, size_t size)
{
    size_t whole = (n + size - 1) / size * size;
    return whole < 2 * size ? 2 * size : whole;
}

/* A range as the transform makes it of pixels [ny][nx], which go round the edges;
 * size² in out. Scale 1: those of the code; else as many times the places. */
static inline void naive_apply(double *out, const rug_ifs_transform *t,
                               const double *pixels, size_t ny, size_t nx, size_t scale)
{
    const size_t n = t->size * scale, y0 = t->domain_y * scale, x0 = t->domain_x * scale;
    double mean = 0;
    for (size_t y = 0; y < n; y++)
        for (size_t x = 0; x < n; x++) {
            size_t to_y = y, to_x = x;
            isometry_place(t->symmetry, n, &to_y, &to_x);
            double *to = out + to_y * n + to_x;
            *to = 0;
            for (size_t i = 0; i < 4; i++)
                *to += pixels[(y0 + 2 * y + i / 2) % ny * nx + (x0 + 2 * x + i % 2) % nx];
            *to /= 4;
            mean += *to / (double)(n * n);
        }
    for (size_t i = 0; i < n * n; i++)
        out[i] = t->mean + (t->has_domain ? t->s * (out[i] - mean) : 0);
}

/* The squared error of a range, from its pixels. */
static inline double naive_error(const rug_ifs_transform *t, const double *pixels,
                                 size_t ny, size_t nx)
{
    double made[32 * 32], sum = 0;
    naive_apply(made, t, pixels, ny, nx, 1);
    for (size_t y = 0; y < t->size; y++)
        for (size_t x = 0; x < t->size; x++) {
            double d = pixels[(t->range_y + y) % ny * nx + (t->range_x + x) % nx] -
                       made[y * t->size + x];
            sum += d * d;
        }
    return sum;
}

static inline double *doubles_of(const gray *g)
{
    double *out = malloc(g->ny * g->nx * sizeof *out);
    assert_non_null(out);
    for (size_t i = 0; i < g->ny * g->nx; i++)
        out[i] = g->pixels[i];
    return out;
}

#endif
