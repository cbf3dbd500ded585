/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The range and the distinct values of 8192 x 8192 pixels of several kinds, beside reading
 * them. Argument: the number of interleaved runs (default 5). */

#include "bench.h"
#include <rugose/rugose.h>
#include <stdio.h>
#include <stdlib.h>

#define SIDE   ((size_t)8192)
#define PIXELS (SIDE * SIDE)

/* The i-th pixel of a kind; r is random. */
typedef double (*kind_fn)(size_t i, uint64_t r);

static double noise(size_t i, uint64_t r)
{
    (void)i;
    return (double)(r >> 56);
}

/* Half of the levels, rarely others, as photographs have them. */
static double photograph(size_t i, uint64_t r)
{
    return (double)(40 + i / 64 % 64 + (r >> 58));
}

static double ten_values(size_t i, uint64_t r)
{
    (void)i;
    return (double)(r >> 32) * 10 / 4294967296.0 - 0.5;
}

static double wide_noise(size_t i, uint64_t r)
{
    (void)i;
    return (double)(r >> 52);
}

static double labels(size_t i, uint64_t r)
{
    (void)r;
    return (double)(i % SIDE / 400 + i / SIDE / 800 * 20 % 200);
}

static const struct {
    const char *name;
    rug_dtype dtype;
    kind_fn pixel;
} kinds[] = {
    {"noise u8", RUG_U8, noise},           {"photograph u8", RUG_U8, photograph},
    {"ten values u8", RUG_U8, ten_values}, {"12 bits of noise u16", RUG_U16, wide_noise},
    {"labels u16", RUG_U16, labels},       {"noise u8 as f32", RUG_F32, noise},
};

static void fill(void *pixels, rug_dtype dtype, kind_fn pixel)
{
    uint64_t seed = 1;
    for (size_t i = 0; i < PIXELS; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        double v = pixel(i, seed);
        if (dtype == RUG_U8)
            ((uint8_t *)pixels)[i] = (uint8_t)(v + 0.5);
        else if (dtype == RUG_U16)
            ((uint16_t *)pixels)[i] = (uint16_t)(v + 0.5);
        else
            ((float *)pixels)[i] = (float)v;
    }
}

static double time_range(rug_context *ctx, const rug_image *image)
{
    rug_image_range range = RUG_IMAGE_RANGE_INIT;
    double t = bench_now();
    if (rug_image_measure_range(ctx, &range, image) != RUG_OK) {
        fprintf(stderr, "bench_range: %s\n", rug_context_error(ctx));
        exit(1);
    }
    return bench_now() - t;
}

static void run(rug_context *ctx, const rug_image *image, const char *kind, int threads,
                int n_runs)
{
    static const rug_cpu_level levels[] = {RUG_CPU_AVX512, RUG_CPU_AVX2, RUG_CPU_REF};
    for (size_t l = 0; l < (threads == 1 ? 3 : 1); l++) {
        char name[100];
        snprintf(name, sizeof name, "range of %s, %s, %d thread%s", kind,
                 rug_cpu_level_name(levels[l]), threads, threads > 1 ? "s" : "");
        if (!bench_wants(ctx, name, "", levels[l]))
            continue;
        double ours = 1e30, read = 1e30;
        for (int k = 0; k < 2 * n_runs; k++) {
            double t = bench_now();
            bench_read(image->data, PIXELS * rug_dtype_size(image->dtype), threads);
            t = bench_now() - t;
            read = t < read ? t : read;
            t = time_range(ctx, image);
            ours = t < ours ? t : ours;
        }
        bench_row(name, ours, "read memory once", read, 1 / 1.5);
    }
}

int main(int argc, char **argv)
{
    int n_runs = argc > 1 ? atoi(argv[1]) : 5;
    rug_context *ctx;
    if (n_runs < 1 || rug_context_new(&ctx) != RUG_OK) {
        fprintf(stderr, "usage: bench_range [RUNS]\n");
        return 2;
    }
    const size_t shape[2] = {SIDE, SIDE};
    void *pixels = bench_allocate(PIXELS * sizeof(float));
    bench_header();
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        rug_image image;
        fill(pixels, kinds[i].dtype, kinds[i].pixel);
        rug_image_view(ctx, &image, pixels, kinds[i].dtype, 2, shape);
        for (int threads = 1; threads <= 2; threads++) {
            rug_context_set_threads(ctx, threads);
            run(ctx, &image, kinds[i].name, threads, n_runs);
        }
    }
    free(pixels);
    rug_context_free(ctx);
    return 0;
}
