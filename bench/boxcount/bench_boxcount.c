/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Box counting against reading the same memory once, in the same run. Arguments: the
 * number of interleaved runs (default 9) and a text that the printed cases must contain
 * (default all). */

#include "bench.h"
#include <rugose/rugose.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct bench_case {
    const char *name;
    rug_dtype dtype;
    size_t shape[3]; /* [nz][ny][nx]; nz = 0: an image */
    rug_cpu_level level;
    int n_threads;
    double target;
} bench_case;

#define SHAPES(dtype, level, threads, target)                               \
    {"8192x8192", dtype, {0, 8192, 8192}, level, threads, target},          \
        {"32768x32768", dtype, {0, 32768, 32768}, level, threads, target},  \
        {"512x512x512", dtype, {512, 512, 512}, level, threads, target},    \
    {                                                                       \
        "1024x1024x1024", dtype, {1024, 1024, 1024}, level, threads, target \
    }

static const bench_case cases[] = {
    SHAPES(RUG_U8, RUG_CPU_AVX512, 1, 0.90),
    SHAPES(RUG_U8, RUG_CPU_AVX512, 2, 0.85),
    SHAPES(RUG_U8, RUG_CPU_AVX2, 1, 0.80),
    SHAPES(RUG_U8, RUG_CPU_REF, 1, 0.45),
    {"512x512x512", RUG_U16, {512, 512, 512}, RUG_CPU_AVX512, 1, 0},
    {"512x512x512", RUG_F32, {512, 512, 512}, RUG_CPU_AVX512, 1, 0},
    {"8192x8192", RUG_U16, {0, 8192, 8192}, RUG_CPU_AVX512, 1, 0},
    {"8192x8192", RUG_F32, {0, 8192, 8192}, RUG_CPU_AVX512, 1, 0},
    {"512x512x512", RUG_BIT, {512, 512, 512}, RUG_CPU_AVX512, 1, 0},
    {"8192x8192", RUG_BIT, {0, 8192, 8192}, RUG_CPU_AVX512, 1, 0},
    /* In the second-level cache: arithmetic alone. 8192 times 64 bytes. */
    {"64x8192", RUG_U8, {0, 64, 8192}, RUG_CPU_AVX512, 1, 0},
    {"64x8192", RUG_U8, {0, 64, 8192}, RUG_CPU_AVX2, 1, 0},
    {"64x8192", RUG_U8, {0, 64, 8192}, RUG_CPU_REF, 1, 0},
    {"181x217x181", RUG_U8, {181, 217, 181}, RUG_CPU_AVX512, 1, 0},
    {"1000x1000", RUG_U8, {0, 1000, 1000}, RUG_CPU_AVX512, 1, 0},
};

static volatile uint64_t keep;

static void fail(rug_context *ctx)
{
    fprintf(stderr, "bench_boxcount: %s\n", rug_context_error(ctx));
    exit(1);
}

static void run_case(rug_context *ctx, const bench_case *c, const uint8_t *memory,
                     int n_runs, const char *name)
{
    size_t shape[3] = {c->shape[0], c->shape[1], c->shape[2]};
    rug_image img;
    int is_image = shape[0] == 0;
    if (rug_image_view(ctx, &img, memory, c->dtype, is_image ? 2 : 3, shape + is_image) !=
        RUG_OK)
        fail(ctx);
    size_t n_pixels = (size_t)rug_image_pixels(&img), size = rug_dtype_size(c->dtype);
    size_t n_bytes = size > 0 ? n_pixels * size : n_pixels / 8;
    rug_boxcount_options opts = RUG_BOXCOUNT_OPTIONS_INIT;
    opts.foreground.kind = RUG_FOREGROUND_NONZERO;
    rug_context_set_threads(ctx, c->n_threads);
    rug_context_set_cpu_level(ctx, c->level);
    double best = 1e30, best_read = 1e30;
    for (int k = 0; k < n_runs; k++) {
        double t = bench_now();
        keep = bench_read(memory, n_bytes, c->n_threads);
        t = bench_now() - t;
        best_read = t < best_read ? t : best_read;
        rug_boxcount_result *result;
        t = bench_now();
        if (rug_boxcount(ctx, &result, &img, &opts) != RUG_OK)
            fail(ctx);
        t = bench_now() - t;
        best = t < best ? t : best;
        keep = rug_boxcount_at(result, 0)->nonempty;
        rug_boxcount_free(result);
    }
    bench_row(name, best, "read memory once", best_read, c->target);
}

int main(int argc, char **argv)
{
    int n_runs = argc > 1 ? atoi(argv[1]) : 9;
    const char *only = argc > 2 ? argv[2] : "";
    size_t n_bytes = (size_t)1 << 30;
    rug_context *ctx;
    if (n_runs < 1 || rug_context_new(&ctx) != RUG_OK) {
        fprintf(stderr, "usage: bench_boxcount [RUNS [CASE]]\n");
        return 2;
    }
    uint8_t *memory = bench_allocate(n_bytes);
    bench_fill_runs(memory, n_bytes, 1);
    bench_header();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const bench_case *c = &cases[i];
        char name[128];
        snprintf(name, sizeof name, "boxcount %s %s, %s, %d thread%s", c->name,
                 rug_dtype_name(c->dtype), rug_cpu_level_name(c->level), c->n_threads,
                 c->n_threads > 1 ? "s" : "");
        if (bench_wants(ctx, name, only, c->level))
            run_case(ctx, c, memory, n_runs, name);
    }
    free(memory);
    rug_context_free(ctx);
    return 0;
}
