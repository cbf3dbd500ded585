/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Alpha of an image of 8192 x 8192 pixels: the map by each measure, and 64 and more slices
 * of a map, of a given range and of that of the map, against one box count of an image of
 * the same size; CPU levels and threads. Arguments: the number of runs (default 3), a
 * text that the printed cases must contain (default all), and the side (default 8192). */

#include "bench.h"
#include <rugose/rugose.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile uint64_t keep;

static const char *only = "";
static int n_runs = 3;
static size_t side = 8192;

/* What a case times. */
typedef struct bench_case {
    rug_image gray, map;
    float *alpha;
    rug_alpha_options opts;
    int is_map;
} bench_case;

static void check(rug_context *ctx, rug_status status)
{
    if (status != RUG_OK) {
        fprintf(stderr, "bench_alpha: %s\n", rug_context_error(ctx));
        exit(1);
    }
}

/* Hills with noise on them: neither flat nor random, and never 0. */
static void draw(uint8_t *pixels)
{
    uint64_t s = 1;
    for (size_t y = 0; y < side; y++)
        for (size_t x = 0; x < side; x++) {
            s = s * 6364136223846793005u + 1442695040888963407u;
            size_t hill = (x * x / 997 + y * x / 1499 + y * y / 701) % 400;
            size_t gray = (hill < 200 ? hill : 400 - hill) + (size_t)(s >> 59) + 1;
            pixels[y * side + x] = (uint8_t)gray;
        }
}

static double time_of_boxcount(rug_context *ctx, const rug_image *img)
{
    rug_boxcount_result *counts;
    rug_boxcount_options opts = RUG_BOXCOUNT_OPTIONS_INIT;
    opts.foreground = (rug_foreground){.kind = RUG_FOREGROUND_ABOVE, .value = 100};
    double t = bench_now();
    check(ctx, rug_boxcount(ctx, &counts, img, &opts));
    t = bench_now() - t;
    keep = rug_boxcount_at(counts, 0)->nonempty;
    rug_boxcount_free(counts);
    return t;
}

static double time_of_case(rug_context *ctx, bench_case *c)
{
    rug_alpha_result *result = NULL;
    double t = bench_now();
    if (c->is_map)
        check(ctx, rug_alpha_map(ctx, c->alpha, &c->gray, &c->opts));
    else
        check(ctx, rug_alpha_slices(ctx, &result, &c->map, &c->opts));
    t = bench_now() - t;
    keep = result != NULL ? rug_alpha_get_facts(result)->n_pixels : 0;
    rug_alpha_free(result);
    return t;
}

/* The reference runs on one thread. */
static void run_case(rug_context *ctx, const char *what, bench_case *c,
                     rug_cpu_level level, int threads, double target)
{
    char name[128];
    double best = 1e30, best_count = 1e30;
    snprintf(name, sizeof name, "%s, %s, %d thread%s", what, rug_cpu_level_name(level),
             threads, threads > 1 ? "s" : "");
    check(ctx, rug_context_set_cpu_level(ctx, level));
    if (strstr(name, only) == NULL || rug_context_cpu_level(ctx) != level)
        return;
    for (int k = 0; k < n_runs; k++) {
        check(ctx, rug_context_set_threads(ctx, threads));
        double t = time_of_case(ctx, c);
        best = t < best ? t : best;
        check(ctx, rug_context_set_threads(ctx, 1));
        t = time_of_boxcount(ctx, &c->gray);
        best_count = t < best_count ? t : best_count;
    }
    bench_row(name, best, "one box count, 1 thread", best_count, target);
}

static void run_maps(rug_context *ctx, bench_case *c)
{
    static const char *const names[] = {"map of max", "map of min", "map of sum",
                                        "map of iso"};
    c->is_map = 1;
    for (int m = RUG_ALPHA_MAX; m <= RUG_ALPHA_ISO; m++)
        for (int level = RUG_CPU_REF; level <= RUG_CPU_MAX; level++) {
            c->opts.measure = (rug_alpha_measure)m;
            run_case(ctx, names[m], c, (rug_cpu_level)level, 1, 0);
            if (level == RUG_CPU_MAX)
                run_case(ctx, names[m], c, (rug_cpu_level)level, 2, 0);
        }
}

static void run_slices(rug_context *ctx, bench_case *c)
{
    static const uint32_t numbers[] = {64, 256, 1024};
    char name[64];
    c->is_map = 0;
    for (int i = 0; i < 3; i++)
        for (int has_range = 0; has_range <= 1; has_range++)
            for (int level = RUG_CPU_REF; level <= RUG_CPU_MAX; level++) {
                c->opts.n_slices = numbers[i];
                c->opts.alpha_min = has_range ? 1.5 : 0;
                c->opts.alpha_max = has_range ? 2.5 : 0;
                snprintf(name, sizeof name, "%u slices, %s range", numbers[i],
                         has_range ? "given" : "measured");
                double target = numbers[i] == 64 && level == RUG_CPU_MAX ? 1.0 / 12 : 0;
                run_case(ctx, name, c, (rug_cpu_level)level, 1, target);
                if (level == RUG_CPU_MAX)
                    run_case(ctx, name, c, (rug_cpu_level)level, 2, 0);
            }
}

int main(int argc, char **argv)
{
    n_runs = argc > 1 ? atoi(argv[1]) : n_runs;
    only = argc > 2 ? argv[2] : only;
    side = argc > 3 ? (size_t)strtoull(argv[3], NULL, 10) : side;
    rug_context *ctx;
    if (rug_context_new(&ctx) != RUG_OK)
        return 1;
    const size_t shape[2] = {side, side};
    bench_case c = {.opts = RUG_ALPHA_OPTIONS_INIT};
    uint8_t *gray = bench_allocate(side * side);
    c.alpha = bench_allocate(side * side * sizeof *c.alpha);
    draw(gray);
    check(ctx, rug_image_view(ctx, &c.gray, gray, RUG_U8, 2, shape));
    check(ctx, rug_image_view(ctx, &c.map, c.alpha, RUG_F32, 2, shape));
    check(ctx, rug_alpha_map(ctx, c.alpha, &c.gray, &c.opts));
    bench_header();
    run_maps(ctx, &c);
    c.opts.measure = RUG_ALPHA_SUM;
    check(ctx, rug_alpha_map(ctx, c.alpha, &c.gray, &c.opts));
    run_slices(ctx, &c);
    free(c.alpha);
    free(gray);
    rug_context_free(ctx);
    return 0;
}
