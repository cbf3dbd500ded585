/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Boxes of any size from packed pixels, on one thread: one grid against the time aimed at,
 * all positions of the grid against one grid, boxes in space, of uneven numbers of pixels,
 * against boxes of pixels, and packing against reading the pixels once.
 * Arguments: the number of runs (default 5) and a text that the printed cases must contain
 * (default all). */

#include "bench.h"
#include "boxcount/window/boxcount_window.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N_SIZES  18
#define ONE_GRID 0.6e-3 /* seconds at 8192 x 8192: what is aimed at, mean over sizes */
#define ALL_GRID 15     /* times one grid: what is aimed at */

static const uint64_t sizes[N_SIZES] = {2,  3,  4,  5,  6,  7,   8,   9,   12,
                                        16, 25, 32, 50, 64, 100, 128, 200, 256};

static volatile uint64_t keep;

static void check(rug_context *ctx, rug_status status)
{
    if (status != RUG_OK) {
        fprintf(stderr, "bench_window: %s\n", rug_context_error(ctx));
        exit(1);
    }
}

/* Whether a pixel is in the Sierpinski carpet, or in 3D in the Menger sponge: nowhere are
 * two digits of three 1, or in 2D both. */
static int is_inside(size_t z, size_t y, size_t x)
{
    for (; z + y + x > 0; z /= 3, y /= 3, x /= 3)
        if ((z % 3 == 1) + (y % 3 == 1) + (x % 3 == 1) >= 2)
            return 0;
    return 1;
}

/* A quarter of the carpet at random, or the whole sponge. */
static rugi_bits draw(rug_context *ctx, int ndim, size_t side)
{
    size_t shape[3] = {side, side, side};
    uint64_t seed = 9;
    rugi_bits bits;
    check(ctx, rugi_bits_new(ctx, &bits, ndim, shape, "packed pixels"));
    for (size_t z = 0; z < bits.shape[0]; z++)
        for (size_t y = 0; y < side; y++)
            for (size_t x = 0; x < side; x++) {
                seed = seed * 6364136223846793005u + 1442695040888963407u;
                uint64_t is_set = is_inside(z, y, x) && (ndim == 3 || seed >> 62 == 0);
                rugi_bits_row(&bits, z, y)[x / 64] |= is_set << x % 64;
            }
    return bits;
}

/* @param pixel_size  0: sizes are in pixels */
static double time_of(rug_context *ctx, const rugi_bits *bits, rug_boxcount_grid grid,
                      uint64_t size, const uint64_t pixel_size[3], int n_runs)
{
    rug_box_count count;
    rug_box_positions positions;
    double best = 1e30;
    for (int k = 0; k < n_runs; k++) {
        rug_boxcount_result result = {.counts = &count, .positions = &positions};
        count = (rug_box_count){.size = size};
        result.facts.grid = grid;
        result.facts.n_sizes = 1;
        memcpy(result.facts.pixel_size, pixel_size, sizeof result.facts.pixel_size);
        double t = bench_now();
        check(ctx, rugi_boxcount_window(ctx, &result, bits));
        t = bench_now() - t;
        best = t < best ? t : best;
        keep = count.nonempty;
    }
    return best;
}

static const uint64_t no_size[3];

static void run_sizes(rug_context *ctx, const rugi_bits *bits, const char *shape,
                      rug_cpu_level level, int n_runs, const char *only)
{
    char name[128];
    double sum = 0;
    double target = bits->box_axes == 2 && level == RUG_CPU_AVX512 ? 1 : 0;
    double goal = ONE_GRID * (bits->box_axes == 2 ? 1 : 2); /* by the number of pixels */
    snprintf(name, sizeof name, "%s %s", shape, rug_cpu_level_name(level));
    if (!bench_wants(ctx, name, only, level))
        return;
    for (int i = 0; i < N_SIZES; i++) {
        double one =
            time_of(ctx, bits, RUG_BOXCOUNT_GRID_ORIGIN, sizes[i], no_size, n_runs);
        double all =
            time_of(ctx, bits, RUG_BOXCOUNT_GRID_MEAN, sizes[i], no_size, n_runs);
        sum += one;
        snprintf(name, sizeof name, "one grid, %s %s, size %d", shape,
                 rug_cpu_level_name(level), (int)sizes[i]);
        bench_row(name, one, "0.6 ms per 8192 x 8192 pixels", goal, target);
        snprintf(name, sizeof name, "all positions (%.1f x one grid), %s %s, size %d",
                 all / one, shape, rug_cpu_level_name(level), (int)sizes[i]);
        bench_row(name, all, "15 x one grid", ALL_GRID * one, 1);
    }
    snprintf(name, sizeof name, "one grid, %s %s, mean of sizes", shape,
             rug_cpu_level_name(level));
    bench_row(name, sum / N_SIZES, "0.6 ms per 8192 x 8192 pixels", goal, target);
}

/* Boxes of 0.3 pixels more than a whole number, so that some have a pixel more than others; in the
 * volume slices lie four times as far apart as pixels. */
static void run_lengths(rug_context *ctx, const rugi_bits *bits, const char *shape,
                        rug_cpu_level level, int n_runs, const char *only)
{
    char name[128];
    const uint64_t sides[2][3] = {{10, 10, 0}, {40, 10, 10}};
    const uint64_t *side = sides[bits->box_axes - 2];
    double sum[2] = {0, 0};
    int n = 0;
    snprintf(name, sizeof name, "in space, %s %s, mean of sizes", shape,
             rug_cpu_level_name(level));
    if (!bench_wants(ctx, name, only, level))
        return;
    for (int i = 0; i < N_SIZES; i++) {
        if (10 * sizes[i] < side[0])
            continue;
        sum[0] +=
            time_of(ctx, bits, RUG_BOXCOUNT_GRID_ORIGIN, 10 * sizes[i] + 3, side, n_runs);
        sum[1] += time_of(ctx, bits, RUG_BOXCOUNT_GRID_ORIGIN, sizes[i], no_size, n_runs);
        n++;
    }
    bench_row(name, sum[0] / n, "boxes of pixels", sum[1] / n, 0);
}

static void run_packing(rug_context *ctx, rug_dtype dtype, rug_cpu_level level,
                        const uint8_t *memory, int n_runs, const char *only)
{
    char name[128];
    size_t shape[2] = {8192, 8192}, first[3] = {0};
    size_t n_bytes = dtype == RUG_BIT ? shape[0] * shape[1] / 8
                                      : shape[0] * shape[1] * rug_dtype_size(dtype);
    snprintf(name, sizeof name, "pack 8192x8192 %s %s", rug_dtype_name(dtype),
             rug_cpu_level_name(level));
    rug_context_set_cpu_level(ctx, level);
    if (strstr(name, only) == NULL || rug_context_cpu_level(ctx) != level)
        return;
    rug_image img;
    rugi_bits bits;
    rug_foreground rule = RUG_FOREGROUND_INIT;
    rule.kind = RUG_FOREGROUND_NONZERO;
    rugi_predicate predicate = rugi_predicate_make(dtype, rule);
    check(ctx, rug_image_view(ctx, &img, memory, dtype, 2, shape));
    check(ctx, rugi_bits_new(ctx, &bits, 2, shape, "packed pixels"));
    double best = 1e30, best_read = 1e30;
    for (int k = 0; k < n_runs; k++) {
        double t = bench_now();
        keep = bench_read(memory, n_bytes, 1);
        t = bench_now() - t;
        best_read = t < best_read ? t : best_read;
        t = bench_now();
        check(ctx, rugi_bits_add(ctx, &bits, &img, &predicate, first));
        t = bench_now() - t;
        best = t < best ? t : best;
    }
    bench_row(name, best, "read memory once", best_read,
              dtype == RUG_U8 && level > RUG_CPU_REF ? 0.9 : 0);
    rugi_bits_free(ctx, &bits);
}

int main(int argc, char **argv)
{
    static const rug_dtype dtypes[] = {RUG_U8,  RUG_I16, RUG_U32, RUG_I64,
                                       RUG_F32, RUG_F64, RUG_BIT};
    int n_runs = argc > 1 ? atoi(argv[1]) : 5;
    const char *only = argc > 2 ? argv[2] : "";
    rug_context *ctx;
    if (n_runs < 1 || rug_context_new(&ctx) != RUG_OK) {
        fprintf(stderr, "usage: bench_window [RUNS [CASE]]\n");
        return 2;
    }
    rug_context_set_threads(ctx, 1);
    rugi_bits image = draw(ctx, 2, 8192), volume = draw(ctx, 3, 512);
    size_t n_bytes = (size_t)8192 * 8192 * 8;
    uint8_t *memory = bench_allocate(n_bytes);
    bench_fill_runs(memory, n_bytes, 1);
    bench_header();
    for (int level = RUG_CPU_MAX; level >= 0; level--) {
        for (size_t i = 0; i < sizeof dtypes / sizeof dtypes[0]; i++)
            run_packing(ctx, dtypes[i], (rug_cpu_level)level, memory, n_runs, only);
        run_sizes(ctx, &image, "8192x8192", (rug_cpu_level)level, n_runs, only);
        run_sizes(ctx, &volume, "512x512x512", (rug_cpu_level)level, n_runs, only);
        run_lengths(ctx, &image, "8192x8192", (rug_cpu_level)level, n_runs, only);
        run_lengths(ctx, &volume, "512x512x512", (rug_cpu_level)level, n_runs, only);
    }
    free(memory);
    rugi_bits_free(ctx, &volume);
    rugi_bits_free(ctx, &image);
    rug_context_free(ctx);
    return 0;
}
