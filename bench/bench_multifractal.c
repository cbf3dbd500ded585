/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Multifractals of 8192 x 8192 pixels, or 512 x 512 x 256: the mass pyramid, 41 orders from
 * -10 to 10 over all sizes, and both together, against reading the pixels once; and a call of
 * pow() for each box, order and size, of which a part is timed. Arguments: the number of
 * runs (default 5), threads (default 1) and a text that the printed cases must contain. */

#include "bench.h"
#include <math.h>
#include <rugose/rugose.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIDE   8192
#define ORDERS 41

/* Of all boxes of size 1, pow() sees one row in so many. */
#define SAMPLED 256

static volatile double keep;
static int n_runs = 5, n_threads = 1;
static const char *only = "";
static double orders[ORDERS];

static void check(rug_context *ctx, rug_status status)
{
    if (status != RUG_OK) {
        fprintf(stderr, "bench_multifractal: %s\n", rug_context_error(ctx));
        exit(1);
    }
}

/* Hills with noise on them: neither flat nor random. */
static void draw(uint8_t *pixels)
{
    uint64_t s = 1;
    for (size_t y = 0; y < SIDE; y++)
        for (size_t x = 0; x < SIDE; x++) {
            s = s * 6364136223846793005u + 1442695040888963407u;
            double hills = 60 * sin((double)x * .003) + 60 * cos((double)y * .002);
            pixels[y * SIDE + x] = (uint8_t)(127 + hills + (double)(s >> 61));
        }
}

typedef struct times {
    double read, pyramid, moments, whole;
} times;

static double least(double a, double b)
{
    return a < b ? a : b;
}

static void time_once(rug_context *ctx, times *best, const rug_image *img,
                      const rug_masses_options *opts, size_t n_bytes)
{
    static rug_moments moments[ORDERS * 64];
    rug_masses *m;
    double t = bench_now();
    keep = (double)bench_read(img->data, n_bytes, n_threads);
    best->read = least(best->read, bench_now() - t);
    t = bench_now();
    check(ctx, rug_masses_measure(ctx, &m, img, opts));
    double pyramid = bench_now() - t;
    check(ctx, rug_multifractal_moments(ctx, moments, m, orders, ORDERS));
    double whole = bench_now() - t;
    keep = moments[0].z;
    best->pyramid = least(best->pyramid, pyramid);
    best->moments = least(best->moments, whole - pyramid);
    best->whole = least(best->whole, whole);
    rug_masses_free(m);
}

static void run_case(rug_context *ctx, const char *name, const rug_image *img,
                     const rug_masses_options *opts, size_t n_bytes, double target)
{
    times best = {1e30, 1e30, 1e30, 1e30};
    char text[80];
    if (strstr(name, only) == NULL)
        return;
    for (int i = 0; i < n_runs; i++)
        time_once(ctx, &best, img, opts, n_bytes);
    snprintf(text, sizeof text, "%s, pyramid", name);
    bench_row(text, best.pyramid, "read", best.read, 0);
    snprintf(text, sizeof text, "%s, %d orders", name, ORDERS);
    bench_row(text, best.moments, "read", best.read, 0);
    snprintf(text, sizeof text, "%s, both", name);
    bench_row(text, best.whole, "read", best.read, target);
}

/* A call of pow() for each pixel of some rows and each order: times SAMPLED, and 4/3 for the
 * larger boxes, that is what the definition costs. */
static void run_pow(rug_context *ctx, const rug_image *img)
{
    const uint8_t *pixels = img->data;
    rug_masses *m;
    rug_moments moments[ORDERS * 64];
    double z = 0, t = bench_now();
    for (size_t y = 0; y < SIDE; y += SAMPLED)
        for (size_t x = 0; x < SIDE; x++)
            for (int k = 0; k < ORDERS; k++)
                z += pow(pixels[y * SIDE + x] / 8.5e9, orders[k]);
    keep = z;
    double naive = (bench_now() - t) * SAMPLED * 4 / 3, ours = 1e30;
    for (int i = 0; i < n_runs; i++) {
        t = bench_now();
        check(ctx, rug_masses_measure(ctx, &m, img, NULL));
        check(ctx, rug_multifractal_moments(ctx, moments, m, orders, ORDERS));
        ours = least(ours, bench_now() - t);
        rug_masses_free(m);
    }
    bench_row("u8, both", ours, "pow (1 row in 256)", naive, 0);
}

static void run_levels(rug_context *ctx, const rug_image *img, const char *name,
                       const rug_masses_options *opts, size_t n_bytes, double target)
{
    char text[80];
    for (int level = RUG_CPU_REF; level <= RUG_CPU_MAX; level++) {
        check(ctx, rug_context_set_cpu_level(ctx, (rug_cpu_level)level));
        if (rug_context_cpu_level(ctx) != (rug_cpu_level)level)
            continue;
        snprintf(text, sizeof text, "%s, %s", name,
                 rug_cpu_level_name((rug_cpu_level)level));
        run_case(ctx, text, img, opts, n_bytes, level == RUG_CPU_MAX ? target : 0);
    }
}

static rug_image view_of(rug_context *ctx, const void *pixels, rug_dtype dtype, int ndim,
                         size_t nz, size_t ny, size_t nx)
{
    rug_image img;
    size_t flat[] = {ny, nx}, deep[] = {nz, ny, nx};
    check(ctx, rug_image_view(ctx, &img, pixels, dtype, ndim, ndim == 3 ? deep : flat));
    return img;
}

int main(int argc, char **argv)
{
    n_runs = argc > 1 ? atoi(argv[1]) : n_runs;
    n_threads = argc > 2 ? atoi(argv[2]) : n_threads;
    only = argc > 3 ? argv[3] : only;
    size_t n = (size_t)SIDE * SIDE;
    uint8_t *pixels = bench_allocate(n);
    rug_context *ctx;
    if (rug_context_new(&ctx) != RUG_OK)
        return 1;
    check(ctx, rug_context_set_threads(ctx, n_threads));
    draw(pixels);
    for (int k = 0; k < ORDERS; k++)
        orders[k] = -10 + 0.5 * k;
    rug_masses_options binary = RUG_MASSES_OPTIONS_INIT;
    binary.of = RUG_MASS_OF_FOREGROUND;
    binary.foreground = (rug_foreground){RUG_FOREGROUND_ABOVE, 140, 0};
    rug_image image = view_of(ctx, pixels, RUG_U8, 2, 0, SIDE, SIDE);
    rug_image volume = view_of(ctx, pixels, RUG_U8, 3, 256, 512, 512);
    rug_image wide = view_of(ctx, pixels, RUG_U16, 2, 0, SIDE, SIDE / 2);
    bench_header();
    run_levels(ctx, &image, "u8", NULL, n, 1.0 / 14);
    run_levels(ctx, &image, "foreground", &binary, n, 0);
    run_levels(ctx, &volume, "u8 volume", NULL, n, 0);
    run_case(ctx, "u16 of half as many pixels", &wide, NULL, n, 0);
    if (strstr("pow", only) != NULL)
        run_pow(ctx, &image);
    rug_context_free(ctx);
    free(pixels);
    return 0;
}
