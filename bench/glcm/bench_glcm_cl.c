/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The experiment of Gipp et al. (2009), "Haralick's texture features computed by GPUs for
 * biological applications", IAENG IJCS 36(1), anew: 13 features of cells in a 12-bit image at
 * 5 distances and 4 directions, by the original formulation (a dense matrix, features by
 * sums over it), by the processor, and by an OpenCL device. Results that differ end the
 * program. Arguments: the number of interleaved runs (default 3), the device (default opencl),
 * and how many cells the original formulation measures (default 1). */

#include "bench.h"
#include "bench_cells.h"
#include "naive_glcm.h"
#include <math.h>
#include <rugose/rugose.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NY          ((size_t)1024)
#define NX          ((size_t)1344)
#define ROWS        15
#define COLUMNS     20
#define N_CELLS     (ROWS * COLUMNS)
#define N_DISTANCES 5
#define N_FEATURES  13

/* Features, relative to the larger of them and 1. */
#define BOUND 1e-9

static const uint32_t distances[N_DISTANCES] = {1, 2, 3, 4, 5};

/* A way to measure, with its best times. */
typedef struct way {
    const char *name;
    rug_context *ctx;
    double whole, kernels, upload, download;
    glcm_row row[N_CELLS * N_DISTANCES];
    size_t n;
} way;

static void fail(const rug_context *ctx)
{
    fprintf(stderr, "bench_glcm_cl: %s\n", rug_context_error(ctx));
    exit(1);
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

static rug_status keep(void *user, const rug_glcm_row *row)
{
    way *w = user;
    if (w->n < N_CELLS * N_DISTANCES)
        glcm_copy_row(&w->row[w->n++], row);
    return RUG_OK;
}

static void time_way(way *w, const rug_image *img, const rug_glcm_options *opts)
{
    rug_device_times device = RUG_DEVICE_TIMES_INIT;
    w->n = 0;
    double t = bench_now();
    if (rug_glcm(w->ctx, img, opts, keep, w) != RUG_OK)
        fail(w->ctx);
    w->whole = smaller(w->whole, bench_now() - t);
    rug_devices_take_times(w->ctx, &device);
    w->kernels = smaller(w->kernels, device.kernel_seconds);
    w->upload = smaller(w->upload, device.upload_seconds);
    w->download = smaller(w->download, device.download_seconds);
}

/* All ways but the original one give the same bits. */
static void compare_ways(const way *a, const way *b)
{
    int same = a->n == b->n;
    for (size_t i = 0; i < a->n && same; i++)
        same = a->row[i].label == b->row[i].label && a->row[i].pairs == b->row[i].pairs &&
               memcmp(a->row[i].features, b->row[i].features,
                      N_FEATURES * sizeof(double)) == 0;
    if (same)
        return;
    fprintf(stderr, "bench_glcm_cl: %s and %s differ\n", a->name, b->name);
    exit(1);
}

/* The cell in one square of the grid, as the original formulation takes it. */
static naive_pixels cut_square(size_t cell, const rug_image *img, const rug_image *labels)
{
    static double value[NY * NX];
    static uint64_t label[NY * NX];
    size_t row = cell / COLUMNS, column = cell % COLUMNS;
    size_t y0 = (row * NY + ROWS - 1) / ROWS, y1 = ((row + 1) * NY + ROWS - 1) / ROWS;
    size_t x0 = (column * NX + COLUMNS - 1) / COLUMNS;
    size_t x1 = ((column + 1) * NX + COLUMNS - 1) / COLUMNS;
    const uint16_t *v = img->data, *l = labels->data;
    naive_pixels out = {.nz = 1,
                        .ny = y1 - y0,
                        .nx = x1 - x0,
                        .ndim = 2,
                        .value = value,
                        .label = label,
                        .dtype = RUG_U16};
    for (size_t y = 0; y < out.ny; y++)
        for (size_t x = 0; x < out.nx; x++) {
            value[y * out.nx + x] = v[(y0 + y) * NX + x0 + x];
            label[y * out.nx + x] = l[(y0 + y) * NX + x0 + x];
        }
    return out;
}

static void compare_rows(const glcm_row *got, const glcm_row *expected)
{
    int same = got->label == expected->label && got->pairs == expected->pairs;
    for (int f = 0; f < N_FEATURES; f++) {
        double e = expected->features[f];
        same = same && fabs(got->features[f] - e) <= BOUND * fmax(1, fabs(e));
    }
    if (same)
        return;
    fprintf(stderr, "bench_glcm_cl: label %llu differs from its definition\n",
            (unsigned long long)expected->label);
    exit(1);
}

/* Seconds of the first n cells by the original formulation. */
static double time_naive(size_t n, const rug_image *img, const rug_glcm_options *opts,
                         const way *other)
{
    double whole = 0;
    for (size_t cell = 0; cell < n; cell++) {
        naive_pixels pixels = cut_square(cell, img, opts->labels->user);
        for (size_t d = 0; d < N_DISTANCES; d++) {
            glcm_row row;
            double t = bench_now();
            if (!naive_glcm(&row, &pixels, opts, cell + 1, distances[d], -1, 0)) {
                fprintf(stderr, "bench_glcm_cl: out of memory\n");
                exit(1);
            }
            whole += bench_now() - t;
            compare_rows(&other->row[cell * N_DISTANCES + d], &row);
        }
    }
    return whole;
}

static void print_part(const way *w, const char *part, double seconds,
                       const char *reference, double reference_seconds)
{
    char name[128];
    snprintf(name, sizeof name, "%s, %s alone", w->name, part);
    if (seconds > 0)
        bench_row(name, seconds, reference, reference_seconds, 0);
}

static void run(way *ways, size_t n_ways, const rug_image *img,
                const rug_glcm_options *opts, int n_runs, size_t n_naive)
{
    char name[128];
    for (size_t i = 0; i < n_ways; i++) {
        time_way(&ways[i], img, opts); /* programs are built, caches and clocks warm */
        ways[i].whole = ways[i].kernels = ways[i].upload = ways[i].download = 1e30;
        compare_ways(&ways[i], &ways[0]);
    }
    double naive = time_naive(n_naive, img, opts, &ways[0]) * N_CELLS / (double)n_naive;
    for (int k = 0; k < n_runs; k++)
        for (size_t i = 0; i < n_ways; i++)
            time_way(&ways[i], img, opts);
    snprintf(name, sizeof name, "original formulation (from %zu of %d cells)", n_naive,
             N_CELLS);
    bench_row(name, naive, name, naive, 0);
    for (size_t i = 0; i < n_ways; i++) {
        const way *w = &ways[i];
        bench_row(w->name, w->whole, name, naive, 0);
        print_part(w, "kernels", w->kernels, name, naive);
        print_part(w, "upload", w->upload, name, naive);
        print_part(w, "download", w->download, name, naive);
    }
}

static rug_context *make_context(const char *device, int n_threads)
{
    rug_context *ctx;
    if (rug_context_new(&ctx) != RUG_OK)
        exit(1);
    if (rug_context_set_device(ctx, device) != RUG_OK ||
        rug_context_set_threads(ctx, n_threads) != RUG_OK)
        fail(ctx);
    return ctx;
}

int main(int argc, char **argv)
{
    static way ways[] = {{.name = "processor, 1 thread"},
                         {.name = "processor, all threads"},
                         {.name = "OpenCL"}};
    static const int threads[] = {1, 0, 0};
    int n_runs = argc > 1 ? atoi(argv[1]) : 3, n_naive = argc > 3 ? atoi(argv[3]) : 1;
    if (n_runs < 1 || n_naive < 1 || n_naive > N_CELLS) {
        fprintf(stderr, "usage: bench_glcm_cl [RUNS [DEVICE [CELLS]]]\n");
        return 2;
    }
    for (size_t i = 0; i < 3; i++)
        ways[i].ctx = make_context(i < 2      ? "cpu"
                                   : argc > 2 ? argv[2]
                                              : "opencl",
                                   threads[i]);
    uint16_t *pixels = bench_draw_surface(NY, NX, 2800, 1200);
    uint16_t *discs = bench_draw_discs(NY, NX, ROWS, COLUMNS, 25);
    rug_image img, labels;
    if (rug_image_view(ways[0].ctx, &img, pixels, RUG_U16, 2, (size_t[]){NY, NX}) !=
            RUG_OK ||
        rug_image_view(ways[0].ctx, &labels, discs, RUG_U16, 2, (size_t[]){NY, NX}) !=
            RUG_OK)
        fail(ways[0].ctx);
    rug_source regions = RUG_SOURCE_INIT;
    rug_glcm_options opts = RUG_GLCM_OPTIONS_INIT;
    opts.labels = rug_source_of_image(&regions, &labels);
    opts.distances = distances;
    opts.n_distances = N_DISTANCES;
    opts.features = RUG_GLCM_FEATURES_13;
    bench_header();
    run(ways, sizeof ways / sizeof ways[0], &img, &opts, n_runs, (size_t)n_naive);
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
        rug_context_free(ways[i].ctx);
    free(discs);
    free(pixels);
    return 0;
}
