/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Box counting against reading the same memory once, in the same run. Arguments: the
 * number of interleaved runs (default 9) and a text that the printed cases must contain
 * (default all). The environment variable RUGOSE_PROTOTYPE may name another program that
 * counts the same shapes; its figures are printed beside, against its own reading. It is
 * run with the number of runs, and prints, for shapes as x, y, z:
 *
 *     D=3 512x512x512 nt=1
 *        read limit  2.805 ms ...
 *        avx512      3.492 ms ... */

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

/* Rows of few blocks. The first two come partly from the third-level cache. */
#define NARROW(level, target)                                         \
    {"256x256x256", RUG_U8, {256, 256, 256}, level, 1, 0},            \
        {"64x512x512", RUG_U8, {64, 512, 512}, level, 1, 0},          \
        {"1024x256x256", RUG_U8, {1024, 256, 256}, level, 1, target}, \
        {"1000x700x300", RUG_U8, {1000, 700, 300}, level, 1, 0},      \
    {                                                                 \
        "128x1024x1024", RUG_U8, {128, 1024, 1024}, level, 1, target  \
    }

static const bench_case cases[] = {
    SHAPES(RUG_U8, RUG_CPU_AVX512, 1, 0.90),
    SHAPES(RUG_U8, RUG_CPU_AVX512, 2, 0.90),
    SHAPES(RUG_U8, RUG_CPU_AVX2, 1, 0.90),
    SHAPES(RUG_U8, RUG_CPU_AVX2, 2, 0.90),
    SHAPES(RUG_U8, RUG_CPU_REF, 1, 0.45),
    NARROW(RUG_CPU_AVX512, 0.90),
    NARROW(RUG_CPU_AVX2, 0.90),
    NARROW(RUG_CPU_REF, 0),
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

/* ---- The other program ---- */

#define MAX_FIGURES 32

typedef struct figure {
    size_t shape[3]; /* as of a case */
    char level[16];
    int n_threads;
    double ms, read_ms;
} figure;

static figure figures[MAX_FIGURES];
static int n_figures;

static void take_line(const char *line, figure *now)
{
    size_t *n = now->shape;
    char level[16];
    double ms;
    int ndim;
    if (sscanf(line, " D=%d %zux%zux%zu nt=%d", &ndim, &n[2], &n[1], &n[0],
               &now->n_threads) == 5)
        n[0] = ndim == 2 ? 0 : n[0];
    else if (sscanf(line, " read limit %lf ms", &ms) == 1)
        now->read_ms = ms;
    else if (sscanf(line, " %15[a-z0-9] %lf ms", level, &ms) == 2 &&
             n_figures < MAX_FIGURES) {
        memcpy(now->level, level, sizeof level);
        now->ms = ms;
        figures[n_figures++] = *now;
    }
}

static void run_prototype(const char *program, int n_runs)
{
    char command[4096], line[512];
    snprintf(command, sizeof command, "%s %d", program, n_runs);
    FILE *f = popen(command, "r");
    figure now = {.n_threads = 1};
    while (f != NULL && fgets(line, sizeof line, f) != NULL)
        take_line(line, &now);
    if (f == NULL || pclose(f) != 0 || n_figures == 0) {
        fprintf(stderr, "bench_boxcount: RUGOSE_PROTOTYPE: `%s` gives no figures\n",
                command);
        exit(1);
    }
}

static void print_figure(const bench_case *c, const char *name)
{
    for (int i = 0; i < n_figures; i++) {
        const figure *f = &figures[i];
        char row[160];
        snprintf(row, sizeof row, "prototype of %s", name);
        if (c->dtype == RUG_U8 && memcmp(f->shape, c->shape, sizeof f->shape) == 0 &&
            strcmp(f->level, rug_cpu_level_name(c->level)) == 0 &&
            f->n_threads == c->n_threads)
            bench_row(row, f->ms / 1e3, "its reading", f->read_ms / 1e3, 0);
    }
}

/* ---- Box counting ---- */

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
    const char *prototype = getenv("RUGOSE_PROTOTYPE");
    if (prototype != NULL && prototype[0] != '\0')
        run_prototype(prototype, n_runs);
    uint8_t *memory = bench_allocate(n_bytes);
    bench_fill_runs(memory, n_bytes, 1);
    bench_header();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const bench_case *c = &cases[i];
        char name[128];
        snprintf(name, sizeof name, "boxcount %s %s, %s, %d thread%s", c->name,
                 rug_dtype_name(c->dtype), rug_cpu_level_name(c->level), c->n_threads,
                 c->n_threads > 1 ? "s" : "");
        if (!bench_wants(ctx, name, only, c->level))
            continue;
        run_case(ctx, c, memory, n_runs, name);
        print_figure(c, name);
    }
    free(memory);
    rug_context_free(ctx);
    return 0;
}
