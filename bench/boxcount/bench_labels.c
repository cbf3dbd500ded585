/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Box counts per label against counting the whole image once, in the same run: 500 and
 * 2000 discs of equal area in all, and labels without any order. Argument: the number of
 * interleaved runs (default 9). */

#include "bench.h"
#include <rugose/rugose.h>
#include <stdio.h>
#include <stdlib.h>

#define SIDE 2048

/* The work that is timed. */
typedef struct load {
    const char *name;
    rug_image labels;
    double best;
} load;

static volatile uint64_t keep;

static void fail(rug_context *ctx)
{
    fprintf(stderr, "bench_labels: %s\n", rug_context_error(ctx));
    exit(1);
}

static rug_image image_of(rug_context *ctx, const void *pixels, rug_dtype dtype)
{
    rug_image img;
    if (rug_image_view(ctx, &img, pixels, dtype, 2, (size_t[]){SIDE, SIDE}) != RUG_OK)
        fail(ctx);
    return img;
}

/* rows * columns discs that fill pi/4 of the image, labelled from 1 on. */
static rug_image draw_discs(rug_context *ctx, size_t rows, size_t columns)
{
    uint16_t *pixels = bench_allocate((size_t)SIDE * SIDE * sizeof *pixels);
    for (size_t y = 0; y < SIDE; y++)
        for (size_t x = 0; x < SIDE; x++) {
            size_t row = y * rows / SIDE, column = x * columns / SIDE;
            double v = (double)(y * rows % SIDE) / SIDE - 0.5;
            double u = (double)(x * columns % SIDE) / SIDE - 0.5;
            if (u * u + v * v < 0.25)
                pixels[y * SIDE + x] = (uint16_t)(row * columns + column + 1);
        }
    return image_of(ctx, pixels, RUG_U16);
}

/* A run per pixel, n labels. */
static rug_image draw_noise(rug_context *ctx, uint64_t n)
{
    uint16_t *pixels = bench_allocate((size_t)SIDE * SIDE * sizeof *pixels);
    uint64_t s = 1;
    for (size_t i = 0; i < (size_t)SIDE * SIDE; i++) {
        s = s * 6364136223846793005u + 1442695040888963407u;
        pixels[i] = (uint16_t)((s >> 33) % n);
    }
    return image_of(ctx, pixels, RUG_U16);
}

static rug_status add_up(void *user, const rug_region *region,
                         const rug_boxcount_result *counts)
{
    *(uint64_t *)user += region->area + rug_boxcount_at(counts, 0)->nonempty;
    return RUG_OK;
}

static void keep_best(double *best, double t)
{
    t = bench_now() - t;
    *best = t < *best ? t : *best;
}

static void time_whole(rug_context *ctx, const rug_image *img, double *best)
{
    rug_boxcount_result *result;
    rug_boxcount_options opts = RUG_BOXCOUNT_OPTIONS_INIT;
    opts.foreground.kind = RUG_FOREGROUND_NONZERO;
    double t = bench_now();
    if (rug_boxcount(ctx, &result, img, &opts) != RUG_OK)
        fail(ctx);
    keep_best(best, t);
    keep = rug_boxcount_at(result, 0)->nonempty;
    rug_boxcount_free(result);
}

static void time_labels(rug_context *ctx, const rug_image *img, load *l)
{
    rug_boxcount_options opts = RUG_BOXCOUNT_OPTIONS_INIT;
    opts.foreground.kind = RUG_FOREGROUND_NONZERO;
    uint64_t sum = 0;
    rug_source labels = RUG_SOURCE_INIT;
    rug_source_of_image(&labels, &l->labels);
    double t = bench_now();
    if (rug_boxcount_labels(ctx, img, &labels, &opts, add_up, &sum) != RUG_OK)
        fail(ctx);
    keep_best(&l->best, t);
    keep = sum;
}

static void time_regions(rug_context *ctx, load *l)
{
    rug_regions *regions;
    double t = bench_now();
    if (rug_regions_find(ctx, &regions, &l->labels) != RUG_OK)
        fail(ctx);
    keep_best(&l->best, t);
    keep = rug_regions_count(regions);
    rug_regions_free(regions);
}

static void run(rug_context *ctx, const rug_image *img, load *counted, load *found,
                int n_threads, int n_runs)
{
    char name[128];
    double whole = 1e30, read = 1e30;
    rug_context_set_threads(ctx, n_threads);
    for (int i = 0; i < 2; i++)
        counted[i].best = found[i].best = 1e30;
    for (int k = 0; k < n_runs; k++) {
        time_whole(ctx, img, &whole);
        double t = bench_now();
        keep = bench_read(found[0].labels.data, (size_t)SIDE * SIDE * 2, n_threads);
        keep_best(&read, t);
        for (int i = 0; i < 2; i++) {
            time_labels(ctx, img, &counted[i]);
            time_regions(ctx, &found[i]);
        }
    }
    const char *threads = n_threads > 1 ? "2 threads" : "1 thread";
    for (int i = 0; i < 2; i++) {
        snprintf(name, sizeof name, "boxcount of %s, %s", counted[i].name, threads);
        bench_row(name, counted[i].best, "the whole image once", whole, 0);
    }
    snprintf(name, sizeof name, "boxcount of %s, %s", counted[1].name, threads);
    bench_row(name, counted[1].best, counted[0].name, counted[0].best, 0.67);
    for (int i = 0; i < 2; i++) {
        snprintf(name, sizeof name, "regions of %s, %s", found[i].name, threads);
        bench_row(name, found[i].best, "read labels once", read, 0);
    }
}

int main(int argc, char **argv)
{
    int n_runs = argc > 1 ? atoi(argv[1]) : 9;
    rug_context *ctx;
    if (n_runs < 1 || rug_context_new(&ctx) != RUG_OK) {
        fprintf(stderr, "usage: bench_labels [RUNS]\n");
        return 2;
    }
    uint8_t *pixels = bench_allocate((size_t)SIDE * SIDE);
    bench_fill_runs(pixels, (size_t)SIDE * SIDE, 1);
    rug_image img = image_of(ctx, pixels, RUG_U8);
    load counted[2] = {{"500 labels", draw_discs(ctx, 20, 25), 0},
                       {"2000 labels", draw_discs(ctx, 40, 50), 0}};
    load found[2] = {{"2000 labels", counted[1].labels, 0},
                     {"noise of 50000 labels", draw_noise(ctx, 50001), 0}};
    bench_header();
    run(ctx, &img, counted, found, 1, n_runs);
    run(ctx, &img, counted, found, 2, n_runs);
    for (int i = 0; i < 2; i++)
        free((void *)(uintptr_t)counted[i].labels.data);
    free((void *)(uintptr_t)found[1].labels.data);
    free(pixels);
    rug_context_free(ctx);
    return 0;
}
