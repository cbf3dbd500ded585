/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Lacunarity of a binary image, time for each size, beside reading the pixels once and beside
 * plain C with a summed-area table of 32 bits. Arguments: the number of interleaved runs
 * (default 5) and a text that the printed cases must contain (default all). */

#include "bench.h"
#include <rugose/rugose.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct bench_case {
    const char *name;
    size_t shape[3]; /* [nz][ny][nx]; nz = 0: an image */
    uint64_t sizes[14];
    uint32_t n_sizes;
    int is_gray, is_fixed;
    rug_cpu_level level;
    int n_threads;
    double target; /* of each size */
} bench_case;

#define SMALL {2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 160}, 14
#define LARGE {256, 512, 1024, 2048, 4096}, 5
#define CUBES {2, 4, 8, 16, 32}, 5
#define IMAGE         \
    {                 \
        0, 8192, 8192 \
    }

static const bench_case cases[] = {
    {"8192x8192, 2..160", IMAGE, SMALL, 0, 0, RUG_CPU_AVX512, 1, 0.33},
    {"8192x8192, 2..160", IMAGE, SMALL, 0, 0, RUG_CPU_AVX512, 2, 0},
    {"8192x8192, 2..160", IMAGE, SMALL, 0, 0, RUG_CPU_AVX2, 1, 0},
    {"8192x8192, 2..160", IMAGE, SMALL, 0, 0, RUG_CPU_REF, 1, 0},
    {"8192x8192, 4", IMAGE, {4}, 1, 0, 0, RUG_CPU_AVX512, 1, 0},
    {"8192x8192, 256..4096", IMAGE, LARGE, 0, 0, RUG_CPU_AVX512, 1, 0},
    {"8192x8192 grey, 2..160", IMAGE, SMALL, 1, 0, RUG_CPU_AVX512, 1, 0},
    {"8192x8192 fixed, 2..160", IMAGE, SMALL, 0, 1, RUG_CPU_AVX512, 1, 0},
    {"400x400x400, 2..32", {400, 400, 400}, CUBES, 0, 0, RUG_CPU_AVX512, 1, 0},
};

static volatile double keep;

static void fail(rug_context *ctx)
{
    fprintf(stderr, "bench_lacunarity: %s\n", rug_context_error(ctx));
    exit(1);
}

static rug_lacunarity_options options_of(const bench_case *c)
{
    rug_lacunarity_options opts = RUG_LACUNARITY_OPTIONS_INIT;
    opts.foreground.kind = RUG_FOREGROUND_NONZERO;
    opts.is_gray = c->is_gray;
    opts.boxes = c->is_fixed ? RUG_LACUNARITY_FIXED : RUG_LACUNARITY_GLIDING;
    opts.sizes = c->sizes;
    opts.n_sizes = c->n_sizes;
    return opts;
}

/* @return the lacunarity of the first size */
static double measure(rug_context *ctx, const rug_image *img,
                      const rug_lacunarity_options *opts)
{
    rug_lacunarity_result *result;
    if (rug_lacunarity(ctx, &result, img, opts) != RUG_OK)
        fail(ctx);
    double first = rug_lacunarity_at(result, 0)->lacunarity;
    rug_lacunarity_free(result);
    return first;
}

static void run_case(rug_context *ctx, const bench_case *c, const uint8_t *memory,
                     int n_runs, const char *name)
{
    int is_image = c->shape[0] == 0;
    rug_image img;
    if (rug_image_view(ctx, &img, memory, RUG_U8, is_image ? 2 : 3,
                       c->shape + is_image) != RUG_OK)
        fail(ctx);
    rug_lacunarity_options opts = options_of(c);
    rug_context_set_threads(ctx, c->n_threads);
    double best = 1e30, best_read = 1e30;
    for (int k = 0; k < n_runs; k++) {
        double t = bench_now();
        keep = (double)bench_read(memory, (size_t)rug_image_pixels(&img), c->n_threads);
        t = bench_now() - t;
        best_read = t < best_read ? t : best_read;
        t = bench_now();
        keep = measure(ctx, &img, &opts);
        t = (bench_now() - t) / c->n_sizes;
        best = t < best ? t : best;
    }
    bench_row(name, best, "read memory once", best_read, c->target);
}

/* From the definition, with a table of sums. */
static double naive(const uint8_t *pixels, size_t n, size_t s, uint32_t *table)
{
    size_t w = n + 1;
    uint64_t sum = 0, squares = 0;
    memset(table, 0, w * sizeof *table);
    for (size_t y = 0; y < n; y++) {
        uint32_t run = 0;
        table[(y + 1) * w] = 0;
        for (size_t x = 0; x < n; x++) {
            run += pixels[y * n + x] != 0;
            table[(y + 1) * w + x + 1] = run + table[y * w + x + 1];
        }
    }
    for (size_t y = s; y <= n; y++)
        for (size_t x = s; x <= n; x++) {
            uint32_t m = table[y * w + x] - table[(y - s) * w + x] -
                         table[y * w + x - s] + table[(y - s) * w + x - s];
            sum += m;
            squares += (uint64_t)m * m;
        }
    double p = (double)(n - s + 1) * (double)(n - s + 1);
    return p * (double)squares / ((double)sum * (double)sum);
}

static void run_naive(rug_context *ctx, const uint8_t *memory)
{
    bench_case c = {"", {0, 4096, 4096}, {16}, 1, 0, 0, RUG_CPU_MAX, 1, 0};
    rug_lacunarity_options opts = options_of(&c);
    rug_image img;
    uint32_t *table = bench_allocate((size_t)4097 * 4097 * sizeof *table);
    rug_context_set_threads(ctx, 1);
    if (rug_image_view(ctx, &img, memory, RUG_U8, 2, c.shape + 1) != RUG_OK)
        fail(ctx);
    double best = 1e30, best_naive = 1e30, lacunarity = 0;
    for (int k = 0; k < 5; k++) {
        double t = bench_now();
        keep = naive(memory, 4096, 16, table);
        t = bench_now() - t;
        best_naive = t < best_naive ? t : best_naive;
        t = bench_now();
        lacunarity = measure(ctx, &img, &opts);
        t = bench_now() - t;
        best = t < best ? t : best;
    }
    if (!(keep / lacunarity > 1 - 1e-12 && keep / lacunarity < 1 + 1e-12))
        printf("# the results differ\n");
    bench_row("lacunarity 4096x4096, 16, 1 thread", best, "plain C", best_naive, 0);
    free(table);
}

int main(int argc, char **argv)
{
    int n_runs = argc > 1 ? atoi(argv[1]) : 5;
    const char *only = argc > 2 ? argv[2] : "";
    size_t n_bytes = (size_t)8192 * 8192;
    rug_context *ctx;
    if (n_runs < 1 || rug_context_new(&ctx) != RUG_OK) {
        fprintf(stderr, "usage: bench_lacunarity [RUNS [CASE]]\n");
        return 2;
    }
    uint8_t *memory = bench_allocate(n_bytes);
    bench_fill_runs(memory, n_bytes, 1);
    bench_header();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const bench_case *c = &cases[i];
        char name[128];
        snprintf(name, sizeof name, "lacunarity %s, each size, %s, %d thread%s", c->name,
                 rug_cpu_level_name(c->level), c->n_threads, c->n_threads > 1 ? "s" : "");
        if (bench_wants(ctx, name, only, c->level))
            run_case(ctx, c, memory, n_runs, name);
    }
    rug_context_set_cpu_level(ctx, RUG_CPU_MAX);
    if (strstr("lacunarity naive", only) != NULL)
        run_naive(ctx, memory);
    free(memory);
    rug_context_free(ctx);
    return 0;
}
