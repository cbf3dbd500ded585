/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Differential box counting of all sizes, beside reading the pixels once and beside plain C
 * written from the definition. Arguments: the number of interleaved runs (default 9) and a
 * text that the printed cases must contain (default all). */

#include "bench.h"
#include <math.h>
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

static const bench_case cases[] = {
    {"8192x8192", RUG_U8, {0, 8192, 8192}, RUG_CPU_AVX512, 1, 0.40},
    {"8192x8192", RUG_U8, {0, 8192, 8192}, RUG_CPU_AVX512, 2, 0},
    {"8192x8192", RUG_U8, {0, 8192, 8192}, RUG_CPU_AVX2, 1, 0},
    {"8192x8192", RUG_U8, {0, 8192, 8192}, RUG_CPU_REF, 1, 0},
    {"8000x8000", RUG_U8, {0, 8000, 8000}, RUG_CPU_AVX512, 1, 0.40},
    {"8192x4096", RUG_U16, {0, 8192, 4096}, RUG_CPU_AVX512, 1, 0},
    {"8192x4096", RUG_U16, {0, 8192, 4096}, RUG_CPU_AVX2, 1, 0},
    {"4096x4096", RUG_F32, {0, 4096, 4096}, RUG_CPU_AVX512, 1, 0},
    {"400x400x400", RUG_U8, {400, 400, 400}, RUG_CPU_AVX512, 1, 0},
};

static volatile uint64_t keep;

/* N(s) of an image of bytes whose side is n, from the definition. */
static uint64_t naive_boxes(const uint8_t *pixels, size_t n, size_t s)
{
    double h = fmax(1, (double)s * 256 / (double)n);
    uint64_t boxes = 0;
    for (size_t y = 0; y < n; y += s)
        for (size_t x = 0; x < n; x += s) {
            uint8_t hi = 0, lo = 255;
            for (size_t j = y; j < y + s && j < n; j++)
                for (size_t i = x; i < x + s && i < n; i++) {
                    uint8_t v = pixels[j * n + i];
                    hi = v > hi ? v : hi;
                    lo = v < lo ? v : lo;
                }
            boxes += (uint64_t)(hi / h) - (uint64_t)(lo / h) + 1;
        }
    return boxes;
}

static void fail(rug_context *ctx)
{
    fprintf(stderr, "bench_dbc: %s\n", rug_context_error(ctx));
    exit(1);
}

static void run_case(rug_context *ctx, const bench_case *c, const uint8_t *memory,
                     int n_runs, const char *name)
{
    int is_image = c->shape[0] == 0;
    rug_image img;
    if (rug_image_view(ctx, &img, memory, c->dtype, is_image ? 2 : 3,
                       c->shape + is_image) != RUG_OK)
        fail(ctx);
    size_t n_bytes = (size_t)rug_image_pixels(&img) * rug_dtype_size(c->dtype);
    rug_context_set_threads(ctx, c->n_threads);
    double best = 1e30, best_read = 1e30;
    for (int k = 0; k < n_runs; k++) {
        double t = bench_now();
        keep = bench_read(memory, n_bytes, c->n_threads);
        t = bench_now() - t;
        best_read = t < best_read ? t : best_read;
        rug_dbc_result *result;
        t = bench_now();
        if (rug_dbc(ctx, &result, &img, NULL) != RUG_OK)
            fail(ctx);
        t = bench_now() - t;
        best = t < best ? t : best;
        keep = rug_dbc_at(result, 0)->boxes;
        rug_dbc_free(result);
    }
    bench_row(name, best, "read memory once", best_read, c->target);
}

static void run_naive(rug_context *ctx, const uint8_t *memory)
{
    const size_t n = 4096, shape[2] = {n, n};
    rug_image img;
    rug_dbc_result *result = NULL;
    rug_context_set_threads(ctx, 1);
    if (rug_image_view(ctx, &img, memory, RUG_U8, 2, shape) != RUG_OK)
        fail(ctx);
    double best = 1e30, t = 0;
    for (int k = 0; k < 5; k++) {
        rug_dbc_free(result);
        t = bench_now();
        if (rug_dbc(ctx, &result, &img, NULL) != RUG_OK)
            fail(ctx);
        t = bench_now() - t;
        best = t < best ? t : best;
    }
    t = bench_now();
    const rug_dbc_size *size;
    for (uint32_t i = 0; (size = rug_dbc_at(result, i)) != NULL; i++)
        if (naive_boxes(memory, n, (size_t)size->size) != size->boxes)
            printf("# size %llu differs\n", (unsigned long long)size->size);
    t = bench_now() - t;
    rug_dbc_free(result);
    bench_row("dbc 4096x4096 u8, 1 thread", best, "plain C, each size", t, 0);
}

int main(int argc, char **argv)
{
    int n_runs = argc > 1 ? atoi(argv[1]) : 9;
    const char *only = argc > 2 ? argv[2] : "";
    size_t n_bytes = (size_t)8192 * 8192;
    rug_context *ctx;
    if (n_runs < 1 || rug_context_new(&ctx) != RUG_OK) {
        fprintf(stderr, "usage: bench_dbc [RUNS [CASE]]\n");
        return 2;
    }
    uint8_t *memory = bench_allocate(n_bytes);
    for (size_t i = 0; i < n_bytes; i++)
        memory[i] = (uint8_t)((i % 8192) * 7 / 256 + (i / 8192) / 64 +
                              (i * 2654435761u >> 13 & 15));
    bench_header();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const bench_case *c = &cases[i];
        char name[128];
        snprintf(name, sizeof name, "dbc %s %s, %s, %d thread%s", c->name,
                 rug_dtype_name(c->dtype), rug_cpu_level_name(c->level), c->n_threads,
                 c->n_threads > 1 ? "s" : "");
        if (bench_wants(ctx, name, only, c->level))
            run_case(ctx, c, memory, n_runs, name);
    }
    if (strstr("dbc naive", only) != NULL)
        run_naive(ctx, memory);
    free(memory);
    rug_context_free(ctx);
    return 0;
}
