/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Maps of co-occurrence features, 32 levels, 4 directions: 13 features and 3 of them in
 * windows of 7 and 15, and the same windows measured one by one. Times are of a million
 * pixels. Argument: the number of interleaved runs (default 5). */

#include "bench.h"
#include <math.h>
#include <rugose/rugose.h>
#include <stdio.h>
#include <stdlib.h>

#define SIDE ((size_t)512)

/* Pixels whose windows are measured by themselves. */
#define SAMPLES 500

static void fail(rug_context *ctx)
{
    fprintf(stderr, "bench_glcm_maps: %s\n", rug_context_error(ctx));
    exit(1);
}

static rug_image draw(rug_context *ctx)
{
    uint64_t state = 1;
    uint8_t *pixels = bench_allocate(SIDE * SIDE);
    rug_image img;
    for (size_t y = 0; y < SIDE; y++)
        for (size_t x = 0; x < SIDE; x++) {
            double v = sin((double)x * 0.043) * cos((double)y * 0.037);
            state = state * 6364136223846793005u + 1442695040888963407u;
            pixels[y * SIDE + x] = (uint8_t)(12 + 11 * v + (double)(state >> 61));
        }
    if (rug_image_view(ctx, &img, pixels, RUG_U8, 2, (size_t[]){SIDE, SIDE}) != RUG_OK)
        fail(ctx);
    return img;
}

static rug_status see_rows(void *user, const rug_glcm_map_rows *rows)
{
    *(double *)user += rows->values[0];
    return RUG_OK;
}

static rug_status see_row(void *user, const rug_glcm_row *row)
{
    *(double *)user += row->features[RUG_GLCM_CONTRAST];
    return RUG_OK;
}

static double time_maps(rug_context *ctx, const rug_image *img, uint32_t window,
                        uint32_t n_features)
{
    static const rug_glcm_feature three[] = {RUG_GLCM_CONTRAST, RUG_GLCM_ENTROPY,
                                             RUG_GLCM_CORRELATION};
    rug_glcm_maps_options maps = RUG_GLCM_MAPS_OPTIONS_INIT;
    double sum = 0, t = bench_now();
    maps.window = window;
    maps.features = n_features == 3 ? three : NULL;
    maps.n_features = n_features == 3 ? 3 : 0;
    if (rug_glcm_maps(ctx, img, NULL, &maps, see_rows, &sum) != RUG_OK)
        fail(ctx);
    return (bench_now() - t) / (double)(SIDE * SIDE) * 1e6;
}

static double time_windows(rug_context *ctx, const rug_image *img, uint32_t window)
{
    rug_glcm_options opts = RUG_GLCM_OPTIONS_INIT;
    double sum = 0, t = bench_now();
    opts.features = RUG_GLCM_FEATURES_13;
    for (size_t i = 0; i < SAMPLES; i++) {
        rug_image part = *img;
        part.data = (const uint8_t *)img->data + i * 523;
        part.shape[0] = part.shape[1] = window;
        if (rug_glcm(ctx, &part, &opts, see_row, &sum) != RUG_OK)
            fail(ctx);
    }
    return (bench_now() - t) / SAMPLES * 1e6;
}

static void run(rug_context *ctx, const rug_image *img, int n_threads, int n_runs)
{
    static const uint32_t windows[] = {7, 15};
    rug_context_set_threads(ctx, n_threads);
    for (int w = 0; w < 2; w++) {
        double best[3] = {1e30, 1e30, 1e30};
        for (int k = 0; k < n_runs; k++) {
            double t[3] = {time_maps(ctx, img, windows[w], 13),
                           time_maps(ctx, img, windows[w], 3),
                           time_windows(ctx, img, windows[w])};
            for (int i = 0; i < 3; i++)
                best[i] = t[i] < best[i] ? t[i] : best[i];
        }
        char name[160];
        snprintf(name, sizeof name, "a million pixels of 13 maps, window %u, %d thread%s",
                 windows[w], n_threads, n_threads > 1 ? "s" : "");
        bench_row(name, best[0], "goal", 0.9 / n_threads, 1);
        bench_row(name, best[0], "windows one by one", best[2], 0);
        snprintf(name, sizeof name,
                 "contrast, entropy, correlation, window %u, %d thread%s", windows[w],
                 n_threads, n_threads > 1 ? "s" : "");
        bench_row(name, best[1], "13 maps", best[0], 0);
    }
}

int main(int argc, char **argv)
{
    int n_runs = argc > 1 ? atoi(argv[1]) : 5;
    rug_context *ctx;
    if (n_runs < 1 || rug_context_new(&ctx) != RUG_OK) {
        fprintf(stderr, "usage: bench_glcm_maps [RUNS]\n");
        return 2;
    }
    rug_image img = draw(ctx);
    bench_header();
    for (int threads = 1; threads <= 2; threads++)
        run(ctx, &img, threads, n_runs);
    free((void *)(uintptr_t)img.data);
    rug_context_free(ctx);
    return 0;
}
