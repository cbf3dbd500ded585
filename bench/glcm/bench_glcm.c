/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Co-occurrence features: 300 cells in a 12-bit image, whole images of 8, 32, 256 and 65536
 * levels, and 500 labels against 2000 of equal area in all. References are the times that are
 * aimed at, or another load of the same run. Argument: the number of interleaved runs
 * (default 5). */

#include "bench.h"
#include "bench_cells.h"
#include <rugose/rugose.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is timed. */
typedef struct load {
    const char *name;
    rug_image image, labels; /* labels.data NULL: none */
    uint32_t n_distances;
    rug_glcm_features features;
    double pairs; /* that it counts, of all matrices */
    double best;
} load;

static void fail(rug_context *ctx)
{
    fprintf(stderr, "bench_glcm: %s\n", rug_context_error(ctx));
    exit(1);
}

static rug_image image_of(rug_context *ctx, const void *pixels, rug_dtype dtype,
                          size_t ny, size_t nx)
{
    rug_image img;
    if (rug_image_view(ctx, &img, pixels, dtype, 2, (size_t[]){ny, nx}) != RUG_OK)
        fail(ctx);
    return img;
}

static rug_image draw_u16(rug_context *ctx, size_t ny, size_t nx, double scale,
                          double grain)
{
    return image_of(ctx, bench_draw_surface(ny, nx, scale, grain), RUG_U16, ny, nx);
}

static rug_image draw_u8(rug_context *ctx, size_t ny, size_t nx, double levels)
{
    uint8_t *pixels = bench_allocate(ny * nx);
    for (size_t y = 0; y < ny; y++)
        for (size_t x = 0; x < nx; x++)
            pixels[y * nx + x] = (uint8_t)bench_surface(y, x, levels * 0.9, levels * 0.1);
    return image_of(ctx, pixels, RUG_U8, ny, nx);
}

static rug_image draw_discs(rug_context *ctx, size_t ny, size_t nx, size_t rows,
                            size_t columns, double radius)
{
    return image_of(ctx, bench_draw_discs(ny, nx, rows, columns, radius), RUG_U16, ny,
                    nx);
}

static rug_status add_up(void *user, const rug_glcm_row *row)
{
    *(double *)user += (double)row->pairs;
    return RUG_OK;
}

static void time_load(rug_context *ctx, load *l)
{
    static const uint32_t distances[] = {1, 2, 3, 4, 5};
    rug_glcm_options opts = RUG_GLCM_OPTIONS_INIT;
    opts.distances = l->n_distances > 0 ? distances : NULL;
    opts.n_distances = l->n_distances;
    opts.features = l->features;
    rug_source regions = RUG_SOURCE_INIT;
    if (l->labels.data != NULL)
        opts.labels = rug_source_of_image(&regions, &l->labels);
    l->pairs = 0;
    double t = bench_now();
    if (rug_glcm(ctx, &l->image, &opts, add_up, &l->pairs) != RUG_OK)
        fail(ctx);
    t = bench_now() - t;
    l->best = t < l->best ? t : l->best;
}

static void print_pair(const load *l, const char *how, double target_ns)
{
    char name[160];
    double millions = l->pairs / 1e6;
    snprintf(name, sizeof name, "a million pairs of %s, %s", l->name, how);
    bench_row(name, l->best / millions, "goal", target_ns * 1e-3, target_ns > 0 ? 1 : 0);
}

/* The loads, in the order of main(). */
enum { CELLS, CELLS_MCC, FINE, COARSE, TINY, DEEP, FEW_LABELS, MANY_LABELS, N_LOADS };

static void run(rug_context *ctx, load *loads, int n_threads, rug_cpu_level level,
                int n_runs)
{
    char how[64], name[160];
    rug_context_set_threads(ctx, n_threads);
    rug_context_set_cpu_level(ctx, level);
    for (int i = 0; i < N_LOADS; i++)
        loads[i].best = 1e30;
    for (int k = 0; k < n_runs; k++)
        for (int i = 0; i < N_LOADS; i++)
            time_load(ctx, &loads[i]);
    snprintf(how, sizeof how, "%s, %d thread%s",
             rug_cpu_level_name(rug_context_cpu_level(ctx)), n_threads,
             n_threads > 1 ? "s" : "");
    double goal = level == RUG_CPU_AVX512 ? 0.040 : level == RUG_CPU_AVX2 ? 0.060 : 0;
    for (int i = 0; i < N_LOADS; i++) {
        snprintf(name, sizeof name, "%s, %s", loads[i].name, how);
        double aim = i == CELLS ? goal / n_threads : 0;
        bench_row(name, loads[i].best, "goal", aim, aim > 0 ? 1 : 0);
        print_pair(&loads[i], how, i == DEEP ? 4.0 / n_threads : 0);
    }
    snprintf(name, sizeof name, "%s, %s", loads[MANY_LABELS].name, how);
    bench_row(name, loads[MANY_LABELS].best, loads[FEW_LABELS].name,
              loads[FEW_LABELS].best, 0.67);
}

static void free_loads(load *loads)
{
    for (int i = 0; i < N_LOADS; i++) {
        if (i != CELLS_MCC && i != MANY_LABELS)
            free((void *)(uintptr_t)loads[i].image.data);
        if (i != CELLS_MCC)
            free((void *)(uintptr_t)loads[i].labels.data);
    }
}

int main(int argc, char **argv)
{
    int n_runs = argc > 1 ? atoi(argv[1]) : 5;
    rug_context *ctx;
    if (n_runs < 1 || rug_context_new(&ctx) != RUG_OK) {
        fprintf(stderr, "usage: bench_glcm [RUNS]\n");
        return 2;
    }
    rug_image cells = draw_u16(ctx, 1024, 1344, 2800, 1200);
    rug_image discs = draw_discs(ctx, 1024, 1344, 15, 20, 25);
    rug_image gray = draw_u8(ctx, 2048, 2048, 256);
    const rug_glcm_features f13 = RUG_GLCM_FEATURES_13, f14 = RUG_GLCM_FEATURES_14;
    load loads[N_LOADS] = {
        {"300 cells of 12 bits, 5 distances, 4 directions", cells, discs, 5, f13, 0, 0},
        {"the same with f14", cells, discs, 5, f14, 0, 0},
        {"2048x2048, 256 levels, 4 directions", gray, {0}, 0, f13, 0, 0},
        {"2048x2048, 32 levels", draw_u8(ctx, 2048, 2048, 32), {0}, 0, f13, 0, 0},
        {"2048x2048, 8 levels", draw_u8(ctx, 2048, 2048, 8), {0}, 0, f13, 0, 0},
        {"1344x1024, 16 bits",
         draw_u16(ctx, 1024, 1344, 55000, 10000),
         {0},
         0,
         f13,
         0,
         0},
        {"500 labels", draw_u8(ctx, 2048, 2048, 256),
         draw_discs(ctx, 2048, 2048, 20, 25, 40), 0, f13, 0, 0},
        {"2000 labels", {0}, draw_discs(ctx, 2048, 2048, 40, 50, 20), 0, f13, 0, 0},
    };
    loads[MANY_LABELS].image = loads[FEW_LABELS].image;
    bench_header();
    rug_cpu_level most = rug_context_cpu_level(ctx);
    for (int level = (int)most; level >= (int)RUG_CPU_REF; level--)
        for (int threads = 1; threads <= 2; threads++)
            run(ctx, loads, threads, (rug_cpu_level)level, n_runs);
    free_loads(loads);
    rug_context_free(ctx);
    return 0;
}
