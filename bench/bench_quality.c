/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Comparing images of 2048 x 2048 pixels: MSE, PSNR and SSIM together, beside SSIM straight
 * from the definition, window by window. Argument: the number of interleaved runs (default
 * 5). */

#include "bench.h"
#include <math.h>
#include <rugose/rugose.h>
#include <stdio.h>
#include <stdlib.h>

#define SIDE   ((size_t)2048)
#define WINDOW 11

/* Rows of windows that are computed one by one. */
#define SAMPLE_ROWS 4

static uint8_t *draw(uint64_t seed)
{
    uint8_t *pixels = bench_allocate(SIDE * SIDE);
    for (size_t i = 0; i < SIDE * SIDE; i++) {
        double v = sin((double)(i % SIDE) * 0.043) * cos((double)(i / SIDE) * 0.037);
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        pixels[i] = (uint8_t)(120 + 100 * v + (double)(seed >> 60));
    }
    return pixels;
}

static double one_window(const uint8_t *a, const uint8_t *b, const double *weights)
{
    double m[5] = {0};
    for (int i = 0; i < WINDOW * WINDOW; i++) {
        size_t at = (size_t)(i / WINDOW) * SIDE + (size_t)(i % WINDOW);
        double w = weights[i / WINDOW] * weights[i % WINDOW], p = a[at], q = b[at];
        m[0] += w * p;
        m[1] += w * q;
        m[2] += w * p * p;
        m[3] += w * q * q;
        m[4] += w * p * q;
    }
    double c1 = 2.55 * 2.55, c2 = 7.65 * 7.65;
    return (2 * m[0] * m[1] + c1) * (2 * (m[4] - m[0] * m[1]) + c2) /
           ((m[0] * m[0] + m[1] * m[1] + c1) *
            (m[2] - m[0] * m[0] + m[3] - m[1] * m[1] + c2));
}

/* Seconds that all windows would take. */
static double time_windows(const uint8_t *a, const uint8_t *b)
{
    double weights[WINDOW], sum = 0, ssim = 0, t = bench_now();
    const size_t n = SIDE - WINDOW + 1;
    for (int k = 0; k < WINDOW; k++)
        sum += weights[k] = exp(-(k - 5) * (k - 5) / 4.5);
    for (int k = 0; k < WINDOW; k++)
        weights[k] /= sum;
    for (size_t y = 0; y < SAMPLE_ROWS; y++)
        for (size_t x = 0; x < n; x++)
            ssim += one_window(a + y * SIDE + x, b + y * SIDE + x, weights);
    t = bench_now() - t;
    if (!(ssim > 0))
        printf("# no window is alike\n");
    return t / SAMPLE_ROWS * (double)n;
}

static double time_call(rug_context *ctx, const rug_image *a, const rug_image *b)
{
    rug_quality_result r = RUG_QUALITY_RESULT_INIT;
    double t = bench_now();
    if (rug_quality(ctx, &r, a, b, 1, NULL) != RUG_OK) {
        fprintf(stderr, "bench_quality: %s\n", rug_context_error(ctx));
        exit(1);
    }
    return bench_now() - t;
}

int main(int argc, char **argv)
{
    int n_runs = argc > 1 ? atoi(argv[1]) : 5;
    rug_context *ctx;
    if (n_runs < 1 || rug_context_new(&ctx) != RUG_OK) {
        fprintf(stderr, "usage: bench_quality [RUNS]\n");
        return 2;
    }
    uint8_t *pixels[2] = {draw(1), draw(2)};
    rug_image a, b;
    const size_t shape[2] = {SIDE, SIDE};
    rug_image_view(ctx, &a, pixels[0], RUG_U8, 2, shape);
    rug_image_view(ctx, &b, pixels[1], RUG_U8, 2, shape);
    bench_header();
    for (int threads = 1; threads <= 2; threads++) {
        double best[2] = {1e30, 1e30};
        rug_context_set_threads(ctx, threads);
        for (int k = 0; k < n_runs; k++) {
            double t[2] = {time_call(ctx, &a, &b), time_windows(pixels[0], pixels[1])};
            for (int i = 0; i < 2; i++)
                best[i] = t[i] < best[i] ? t[i] : best[i];
        }
        bench_row(threads == 1 ? "MSE, PSNR and SSIM, 2048x2048 u8, 1 thread"
                               : "MSE, PSNR and SSIM, 2048x2048 u8, 2 threads",
                  best[0], "SSIM window by window", best[1], 0);
    }
    free(pixels[0]);
    free(pixels[1]);
    rug_context_free(ctx);
    return 0;
}
