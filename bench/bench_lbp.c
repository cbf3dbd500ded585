/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Local binary patterns of an image of 2048 x 2048 pixels: rules, CPU levels and threads
 * against reading the image once; the histogram and the map against the codes; several
 * operators in one call against one after the other. Arguments: the number of runs (default
 * 5) and a text that the printed cases must contain (default all). */

#include "bench.h"
#include "lbp/plan/lbp_plan.h"
#include <rugose/rugose.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIDE 2048

static volatile uint64_t keep;

static const char *only = "";
static int n_runs = 5;

static const rug_lbp_operator operators[3] = {
    {8, 1, NULL, 0}, {16, 2, NULL, 0}, {24, 3, NULL, 0}};
static const char *const rules[3] = {"skimage", "decimal", "float"};

static void check(rug_context *ctx, rug_status status)
{
    if (status != RUG_OK) {
        fprintf(stderr, "bench_lbp: %s\n", rug_context_error(ctx));
        exit(1);
    }
}

/* Hills with noise on them: neither flat nor random. */
static void draw(uint8_t *pixels)
{
    uint64_t s = 1;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            s = s * 6364136223846793005u + 1442695040888963407u;
            int hill = (x * x / 997 + y * x / 1499 + y * y / 701) % 400;
            int gray = (hill < 200 ? hill : 400 - hill) + (int)(s >> 61);
            pixels[(size_t)y * SIDE + (size_t)x] = (uint8_t)gray;
        }
}

static double time_of(rug_context *ctx, const rug_image *img, const rug_lbp_options *opts)
{
    rug_lbp_result *result;
    double t = bench_now();
    check(ctx, rug_lbp(ctx, &result, img, opts));
    t = bench_now() - t;
    keep = rug_lbp_at(result, 0)->pixels;
    rug_lbp_free(result);
    return t;
}

/* The least of two interleaved times. */
static void best_of(rug_context *ctx, const rug_image *img, const rug_lbp_options *a,
                    const rug_lbp_options *b, double best[2])
{
    best[0] = best[1] = 1e30;
    for (int k = 0; k < n_runs; k++)
        for (int i = 0; i < 2; i++) {
            double t = time_of(ctx, img, i == 0 ? a : b);
            best[i] = t < best[i] ? t : best[i];
        }
}

static rug_lbp_options options_of(const rug_lbp_operator *ops, uint32_t n,
                                  rug_lbp_exact exact)
{
    rug_lbp_options opts = RUG_LBP_OPTIONS_INIT;
    opts.operators = ops;
    opts.n_operators = n;
    opts.exact = exact;
    return opts;
}

/* One rule and operator on one and on two threads, and reading the image once. */
static void run_case(rug_context *ctx, const rug_image *img, int rule, int op,
                     rug_cpu_level level)
{
    char name[128];
    rug_lbp_options opts = options_of(&operators[op], 1, (rug_lbp_exact)rule);
    double best[2] = {1e30, 1e30}, best_read = 1e30;
    snprintf(name, sizeof name, "riu2 (%u,%g) %s, %s", operators[op].points,
             operators[op].radius, rules[rule], rug_cpu_level_name(level));
    if (!bench_wants(ctx, name, only, level))
        return;
    for (int k = 0; k < n_runs; k++) {
        double t = bench_now();
        keep = bench_read(img->data, SIDE * SIDE, 1);
        t = bench_now() - t;
        best_read = t < best_read ? t : best_read;
        for (int n = 1; n <= 2; n++) {
            check(ctx, rug_context_set_threads(ctx, n));
            t = time_of(ctx, img, &opts);
            best[n - 1] = t < best[n - 1] ? t : best[n - 1];
        }
    }
    double pixels = (double)SIDE * SIDE * 1e-6;
    snprintf(name, sizeof name, "riu2 (%u,%g) %s, %s: %.0f million codes a second",
             operators[op].points, operators[op].radius, rules[rule],
             rug_cpu_level_name(level), pixels / best[0]);
    bench_row(name, best[0], "read memory once", best_read, 0);
    snprintf(name, sizeof name, "riu2 (%u,%g) %s, %s, 2 threads", operators[op].points,
             operators[op].radius, rules[rule], rug_cpu_level_name(level));
    bench_row(name, best[1], "1 thread", best[0], 1.8);
}

/* The engine's job with codes alone, and with codes and counts: what the histogram adds. */
static void run_histogram(rug_context *ctx, const rug_image *img, int rule, int op)
{
    char name[96];
    uint64_t counts[64];
    rugi_lbp_plan plan;
    rug_lbp_options opts = options_of(&operators[op], 1, (rug_lbp_exact)rule);
    double best[2] = {1e30, 1e30};
    snprintf(name, sizeof name, "codes and histogram (%u,%g) %s", operators[op].points,
             operators[op].radius, rules[rule]);
    if (!bench_wants(ctx, name, only, RUG_CPU_MAX))
        return;
    check(ctx, rug_context_set_threads(ctx, 1));
    check(ctx, rugi_lbp_plan_make(ctx, &plan, &opts));
    check(ctx, rugi_lbp_plan_make_tables(ctx, &plan));
    rugi_lbp_job job = {.plan = &plan, .rows = *img, .ny = SIDE, .to = SIDE};
    job.codes[0] = bench_allocate(SIDE * SIDE);
    for (int k = 0; k < 2 * n_runs; k++) {
        job.counts[0] = k % 2 == 0 ? counts : NULL;
        memset(counts, 0, sizeof counts);
        double t = bench_now();
        check(ctx, rugi_lbp_cpu(ctx, &job));
        t = bench_now() - t;
        best[k % 2] = t < best[k % 2] ? t : best[k % 2];
    }
    bench_row(name, best[0], "codes alone", best[1], 0.91);
    free(job.codes[0]);
    rugi_lbp_plan_free(ctx, &plan);
}

static rug_status ignore_codes(void *user, const rug_lbp_rows *rows)
{
    (void)user;
    keep = ((const uint8_t *)rows->codes)[0];
    return RUG_OK;
}

/* A map with its histogram against the histogram alone; and a mask that holds all, for
 * which pixels are counted one by one. */
static void run_uses(rug_context *ctx, const rug_image *img)
{
    static const char *const names[2] = {"map and histogram (8,1)", "mask (8,1)"};
    rug_lbp_options plain = options_of(&operators[0], 1, RUG_LBP_EXACT_SKIMAGE);
    for (int i = 0; i < 2; i++) {
        double best[2];
        rug_lbp_options opts = plain;
        rug_source inside = RUG_SOURCE_INIT;
        if (i == 0)
            opts.map = ignore_codes;
        else
            opts.mask = rug_source_of_image(&inside, img);
        if (!bench_wants(ctx, names[i], only, RUG_CPU_MAX))
            continue;
        check(ctx, rug_context_set_threads(ctx, 1));
        best_of(ctx, img, &opts, &plain, best);
        bench_row(names[i], best[0], "histogram alone", best[1], 0);
    }
}

static void run_methods(rug_context *ctx, const rug_image *img)
{
    static const double cuts[] = {2, 8, 32, 128};
    rug_lbp_operator op = operators[0];
    rug_lbp_options riu2 = options_of(&operators[0], 1, RUG_LBP_EXACT_SKIMAGE);
    for (int m = RUG_LBP_DEFAULT; m <= RUG_LBP_VAR; m++) {
        double best[2];
        char name[64];
        rug_lbp_options opts = options_of(&op, 1, RUG_LBP_EXACT_SKIMAGE);
        opts.method = (rug_lbp_method)m;
        op.cuts = m == RUG_LBP_VAR ? cuts : NULL;
        op.n_cuts = m == RUG_LBP_VAR ? 4 : 0;
        snprintf(name, sizeof name, "%s (8,1)", rug_lbp_method_name(opts.method));
        if (!bench_wants(ctx, name, only, RUG_CPU_MAX))
            continue;
        check(ctx, rug_context_set_threads(ctx, 1));
        best_of(ctx, img, &opts, &riu2, best);
        bench_row(name, best[0], "riu2 (8,1)", best[1], 0);
    }
}

/* Three operators at once against the sum of three calls. */
static void run_operators(rug_context *ctx, const rug_image *img)
{
    double together = 1e30, apart[3] = {1e30, 1e30, 1e30};
    rug_lbp_options all = options_of(operators, 3, RUG_LBP_EXACT_SKIMAGE);
    const char *name = "(8,1) (16,2) (24,3) in one call";
    if (!bench_wants(ctx, name, only, RUG_CPU_MAX))
        return;
    check(ctx, rug_context_set_threads(ctx, 1));
    for (int k = 0; k < n_runs; k++) {
        double t = time_of(ctx, img, &all);
        together = t < together ? t : together;
        for (int i = 0; i < 3; i++) {
            rug_lbp_options one = options_of(&operators[i], 1, RUG_LBP_EXACT_SKIMAGE);
            t = time_of(ctx, img, &one);
            apart[i] = t < apart[i] ? t : apart[i];
        }
    }
    bench_row(name, together, "three calls", apart[0] + apart[1] + apart[2], 1);
}

int main(int argc, char **argv)
{
    const size_t shape[2] = {SIDE, SIDE};
    rug_context *ctx;
    rug_image img;
    n_runs = argc > 1 ? atoi(argv[1]) : n_runs;
    only = argc > 2 ? argv[2] : only;
    if (n_runs < 1 || rug_context_new(&ctx) != RUG_OK) {
        fprintf(stderr, "usage: bench_lbp [RUNS [CASE]]\n");
        return 2;
    }
    uint8_t *pixels = bench_allocate(SIDE * SIDE);
    draw(pixels);
    check(ctx, rug_image_view(ctx, &img, pixels, RUG_U8, 2, shape));
    bench_header();
    for (int level = RUG_CPU_MAX; level >= 0; level--)
        for (int rule = 0; rule < 3; rule++)
            for (int op = 0; op < 3; op++)
                run_case(ctx, &img, rule, op, (rug_cpu_level)level);
    for (int rule = 0; rule < 3; rule++)
        for (int op = 0; op < 3; op++)
            run_histogram(ctx, &img, rule, op);
    run_uses(ctx, &img);
    run_methods(ctx, &img);
    run_operators(ctx, &img);
    free(pixels);
    rug_context_free(ctx);
    return 0;
}
