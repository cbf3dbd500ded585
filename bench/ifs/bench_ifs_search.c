/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The exact search of all domains and symmetries in an image of 512 x 512 pixels, by the
 * public call, against the paper's formulation and a product of matrices; CPU levels and
 * threads. Arguments: the number of runs (default 5) and an image (default camera.png of the
 * tests, of which the first 512 x 512 pixels are taken). */

#include "bench.h"
#include "bench_ifs_rivals.h"
#include <math.h>
#include <rugose/io.h>
#include <rugose/rugose.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIDE 512

/* Ranges of which the paper's formulation does one. */
#define SAMPLE 256

static void check(rug_context *ctx, rug_status status)
{
    if (status != RUG_OK) {
        fprintf(stderr, "bench_ifs_search: %s\n", rug_context_error(ctx));
        exit(1);
    }
}

static void read_image(rug_context *ctx, uint8_t *pixels, const char *path)
{
    rug_file *file;
    check(ctx, rug_file_read(ctx, &file, path, NULL));
    const rug_image *img = rug_file_image(file);
    if (img->ndim != 2 || img->dtype != RUG_U8 || img->shape[0] < SIDE ||
        img->shape[1] < SIDE) {
        fprintf(stderr,
                "bench_ifs_search: %s: a grey image of 8 bits, at least %d x %d\n", path,
                SIDE, SIDE);
        exit(1);
    }
    for (size_t y = 0; y < SIDE; y++)
        for (size_t x = 0; x < SIDE; x++)
            pixels[y * SIDE + x] =
                *((const uint8_t *)img->data + (ptrdiff_t)y * img->stride[0] +
                  (ptrdiff_t)x * img->stride[1]);
    rug_file_free(file);
}

/* One search by the public call. */
static double time_of(rug_context *ctx, const bench_search *s, double *error)
{
    const size_t shape[2] = {SIDE, SIDE};
    rug_ifs_options opts = RUG_IFS_OPTIONS_INIT;
    rug_image img;
    rug_ifs_code *code;
    opts.partition = RUG_IFS_FIXED;
    opts.range_size = (uint32_t)s->size;
    opts.domain_step = (uint32_t)s->step;
    check(ctx, rug_image_view(ctx, &img, s->pixels, RUG_U8, 2, shape));
    double t = bench_now();
    check(ctx, rug_ifs_find(ctx, &code, &img, &opts));
    t = bench_now() - t;
    *error = 0;
    for (size_t i = 0; i < rug_ifs_code_count(code); i++)
        *error += rug_ifs_code_at(code, i)->error;
    rug_ifs_code_free(code);
    return t;
}

/* All three must find the same. */
static void compare_errors(double ours, double product)
{
    if (fabs(ours - product) > 1e-4 * ours) {
        fprintf(stderr, "bench_ifs_search: errors of %g and %g\n", ours, product);
        exit(1);
    }
}

static void run_rivals(rug_context *ctx, const bench_search *s, int n_runs)
{
    char name[96];
    double ours = INFINITY, product = INFINITY, error, product_error;
    const double pixels = bench_search_pixels(s, SAMPLE);
    check(ctx, rug_context_set_threads(ctx, 2));
    for (int k = 0; k < n_runs; k++) {
        ours = fmin(ours, time_of(ctx, s, &error));
        product = fmin(product, bench_search_product(s, &product_error));
        compare_errors(error, product_error);
    }
    snprintf(name, sizeof name, "ranges of %zu, step %zu, %s, 2 threads", s->size,
             s->step, rug_cpu_level_name(rug_context_cpu_level(ctx)));
    bench_row(name, ours, "the paper's formulation, of one range in 256, extrapolated",
              pixels, 400);
    bench_row(name, ours,
              bench_search_has_avx512() ? "matrix product, avx512" : "matrix product",
              product,
              s->size < 4 ? 0 : 3); /* so few pixels leave the sums as much work */
}

/* A level and one thread against the highest level and two. */
static void run_levels(rug_context *ctx, const bench_search *s, int n_runs)
{
    char name[96];
    double best[2][RUG_CPU_MAX + 1], error;
    for (int i = 0; i < 2 * (RUG_CPU_MAX + 1); i++)
        best[i % 2][i / 2] = INFINITY;
    for (int k = 0; k < n_runs; k++)
        for (int i = 0; i < 2 * (RUG_CPU_MAX + 1); i++) {
            check(ctx, rug_context_set_threads(ctx, 1 + i % 2));
            check(ctx, rug_context_set_cpu_level(ctx, (rug_cpu_level)(i / 2)));
            best[i % 2][i / 2] = fmin(best[i % 2][i / 2], time_of(ctx, s, &error));
        }
    for (int level = RUG_CPU_MAX; level >= 0; level--) {
        const char *text = rug_cpu_level_name((rug_cpu_level)level);
        snprintf(name, sizeof name, "ranges of %zu, step %zu, %s, 2 threads", s->size,
                 s->step, text);
        bench_row(name, best[1][level], "1 thread", best[0][level], 1.8);
        if (level > 0)
            bench_row(name, best[1][level], "ref", best[1][0], level == 1 ? 1.5 : 3);
    }
}

int main(int argc, char **argv)
{
    static uint8_t pixels[SIDE * SIDE];
    static const size_t sizes[] = {4, 8, 2, 16};
    rug_context *ctx;
    int n_runs = argc > 1 ? atoi(argv[1]) : 5;
    if (n_runs < 1 || rug_context_new(&ctx) != RUG_OK) {
        fprintf(stderr, "usage: bench_ifs_search [RUNS [IMAGE]]\n");
        return 2;
    }
    read_image(ctx, pixels, argc > 2 ? argv[2] : BENCH_DATA "/camera.png");
    bench_header();
    for (int i = 0; i < 4; i++) {
        bench_search s = {pixels, SIDE, sizes[i], 1};
        run_rivals(ctx, &s, n_runs);
    }
    for (int i = 0; i < 2; i++) {
        bench_search s = {pixels, SIDE, sizes[i], 4};
        run_levels(ctx, &s, n_runs);
    }
    rug_context_free(ctx);
    return 0;
}
