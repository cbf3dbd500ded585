/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The comparison of Bianda (2018) anew: histograms of local binary patterns by one thread
 * and by all of the processor, by a kernel with tiles in local memory, by one with image
 * objects, and by one whose samples the hardware interpolates, for five sizes that grow by four
 * and the operators (8, 1), (16, 2) and (24, 3); whole calls, and what the device's clock says of
 * its kernels alone. Then the kernels of (8, 1) in work groups of several shapes, and how well
 * the codes of the hardware agree with the exact ones. Ends with an error when other counts
 * differ. Arguments: the number of interleaved runs (default 3), the device (default opencl),
 * the rule of exactness (skimage, decimal or float; default skimage), a part alone (sizes,
 * shapes or agreement; default all), and the most pixels of a side (default 4096). */

#include "bench.h"
#include "lbp/opencl/lbp_opencl.h"
#include <math.h>
#include <rugose/rugose.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N_WAYS  5
#define N_OPS   3
#define MAX_BIN 26

static const rug_lbp_operator ops[N_OPS] = {
    {8, 1, NULL, 0}, {16, 2, NULL, 0}, {24, 3, NULL, 0}};

static const size_t sides[] = {256, 512, 1024, 2048, 4096};
#define N_SIDES (sizeof sides / sizeof sides[0])

static size_t most_side = 4096;

/* A way to code, with its best times. */
typedef struct way {
    const char *name;
    rug_context *ctx;
    rugi_lbp_way on; /* picture AUTO: on the processor */
    int is_filtered; /* samples by hardware, whose counts are its own */
    double whole, kernels;
} way;

static void fail(const rug_context *ctx)
{
    fprintf(stderr, "bench_lbp_cl: %s\n", rug_context_error(ctx));
    exit(1);
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

static void make_plan(rug_context *ctx, rugi_lbp_plan *plan, const rug_lbp_operator *op,
                      rug_lbp_exact exact, int is_filtered)
{
    rug_lbp_options opts = RUG_LBP_OPTIONS_INIT;
    opts.operators = op;
    opts.n_operators = 1;
    opts.exact = is_filtered ? RUG_LBP_EXACT_SKIMAGE : exact;
    opts.interpolation = is_filtered ? RUG_LBP_HARDWARE : RUG_LBP_BILINEAR;
    if (rugi_lbp_plan_make(ctx, plan, &opts) != RUG_OK)
        fail(ctx);
}

static rug_status run_job(way *w, rugi_lbp_job *job)
{
    if (w->on.picture == RUGI_LBP_PICTURE_AUTO)
        return rugi_lbp_cpu(w->ctx, job);
    return rugi_lbp_opencl_by(w->ctx, job, &w->on);
}

static rugi_lbp_job job_of(const rugi_lbp_plan *plan, const rug_image *img)
{
    return (rugi_lbp_job){
        .plan = plan, .rows = *img, .ny = img->shape[0], .to = img->shape[0]};
}

/* @param plans  exact, and by hardware */
static void time_way(way *w, const rug_image *img, const rugi_lbp_plan plans[2],
                     uint64_t counts[MAX_BIN])
{
    rug_device_times device = RUG_DEVICE_TIMES_INIT;
    rugi_lbp_job job = job_of(&plans[w->is_filtered], img);
    memset(counts, 0, MAX_BIN * sizeof *counts);
    job.counts[0] = counts;
    double t = bench_now();
    if (run_job(w, &job) != RUG_OK)
        fail(w->ctx);
    w->whole = smaller(w->whole, bench_now() - t);
    rug_devices_take_times(w->ctx, &device);
    w->kernels = smaller(w->kernels, device.kernel_seconds);
}

static void time_all(way *ways, int n, const rug_image *img, const rugi_lbp_plan plans[2])
{
    uint64_t expected[MAX_BIN], counts[MAX_BIN];
    for (int i = 0; i < n; i++) {
        time_way(&ways[i], img, plans, i == 0 ? expected : counts);
        if (i > 0 && !ways[i].is_filtered &&
            memcmp(counts, expected, sizeof counts) != 0) {
            fprintf(stderr, "bench_lbp_cl: %s counts otherwise\n", ways[i].name);
            exit(1);
        }
    }
}

/* Times each way, in turns. The first one is what the others are compared with. */
static void run(way *ways, int n, const rug_image *img, const rug_lbp_operator *op,
                rug_lbp_exact exact, int n_runs)
{
    char name[160];
    rugi_lbp_plan plans[2];
    for (int i = 0; i < 2; i++)
        make_plan(ways[0].ctx, &plans[i], op, exact, i);
    time_all(ways, n, img, plans); /* programs are built, and caches and clocks warm */
    for (int i = 0; i < n; i++)
        ways[i].whole = ways[i].kernels = 1e30;
    for (int k = 0; k < n_runs; k++)
        time_all(ways, n, img, plans);
    for (int i = 0; i < n; i++) {
        int end = snprintf(name, sizeof name, "%zux%zu (%u,%g), %s", img->shape[0],
                           img->shape[1], op->points, op->radius, ways[i].name);
        if (ways[i].on.group[0] > 0)
            end += snprintf(name + end, sizeof name - (size_t)end, ", groups of %zux%zu",
                            ways[i].on.group[0], ways[i].on.group[1]);
        bench_row(name, ways[i].whole, ways[0].name, ways[0].whole, 0);
        snprintf(name + end, sizeof name - (size_t)end, ", kernel alone");
        if (ways[i].kernels > 0)
            bench_row(name, ways[i].kernels, ways[0].name, ways[0].whole, 0);
    }
    for (int i = 0; i < 2; i++)
        rugi_lbp_plan_free(ways[0].ctx, &plans[i]);
}

static rug_image view(rug_context *ctx, const uint8_t *pixels, size_t side)
{
    rug_image img;
    if (rug_image_view(ctx, &img, pixels, RUG_U8, 2, (size_t[]){side, side}) != RUG_OK)
        fail(ctx);
    return img;
}

static uint8_t *make_noise(size_t side)
{
    uint8_t *pixels = bench_allocate(side * side);
    uint64_t s = 1;
    for (size_t i = 0; i < side * side; i++) {
        s = s * 6364136223846793005u + 1442695040888963407u;
        pixels[i] = (uint8_t)(s >> 56);
    }
    return pixels;
}

/* Waves with a little noise, as a photograph that is slightly out of focus has them: many
 * samples nearly equal their centre. */
static uint8_t *make_waves(size_t side)
{
    uint8_t *pixels = make_noise(side);
    for (size_t i = 0; i < side * side; i++) {
        double y = (double)(i / side), x = (double)(i % side);
        double wave = sin(0.11 * x + 0.03 * y) + sin(0.05 * x - 0.07 * y);
        pixels[i] = (uint8_t)(128 + 50 * wave + pixels[i] / 64.0);
    }
    return pixels;
}

static void run_sizes(way ways[N_WAYS], rug_lbp_exact exact, int n_runs)
{
    for (size_t i = 0; i < N_SIDES && sides[i] <= most_side; i++) {
        uint8_t *pixels = make_noise(sides[i]);
        rug_image img = view(ways[0].ctx, pixels, sides[i]);
        for (size_t k = 0; k < N_OPS; k++)
            run(ways, N_WAYS, &img, &ops[k], exact, n_runs);
        free(pixels);
    }
}

/* The kernels of a device in groups of several shapes, after the group of its choice. */
static void run_shapes(const way ways[N_WAYS], rug_lbp_exact exact, int n_runs)
{
    static const size_t groups[][2] = {{8, 8}, {16, 16}, {32, 8}, {64, 4}, {128, 2}};
    enum { N = 1 + sizeof groups / sizeof groups[0] };
    for (size_t i = 0; i < N_SIDES && sides[i] <= most_side; i++) {
        uint8_t *pixels = make_noise(sides[i]);
        rug_image img = view(ways[0].ctx, pixels, sides[i]);
        for (int k = 2; k < N_WAYS; k++) {
            way shapes[N];
            for (int g = 0; g < N; g++) {
                shapes[g] = ways[k];
                if (g > 0)
                    memcpy(shapes[g].on.group, groups[g - 1], sizeof groups[0]);
            }
            run(shapes, N, &img, &ops[0], exact, n_runs);
        }
        free(pixels);
    }
}

/* ---- What the hardware's codes are worth ---- */

static void code(way *w, const rug_image *img, const rugi_lbp_plan *plan, uint8_t *codes,
                 uint64_t counts[MAX_BIN])
{
    rugi_lbp_job job = job_of(plan, img);
    memset(counts, 0, MAX_BIN * sizeof *counts);
    job.codes[0] = codes;
    job.counts[0] = counts;
    if (run_job(w, &job) != RUG_OK)
        fail(w->ctx);
}

/* Shares of pixels with the exact code, and of the histogram that stays in its bin. */
static void compare(way *exactly, way *hardware, const rug_image *img, const char *what,
                    const rug_lbp_operator *op, rug_lbp_exact exact)
{
    size_t n = img->shape[0] * img->shape[1];
    uint8_t *codes[2] = {bench_allocate(n), bench_allocate(n)};
    uint64_t counts[2][MAX_BIN];
    double same = 0, mass = 0;
    char name[160];
    for (int i = 0; i < 2; i++) {
        rugi_lbp_plan plan;
        make_plan(exactly->ctx, &plan, op, exact, i);
        code(i ? hardware : exactly, img, &plan, codes[i], counts[i]);
        rugi_lbp_plan_free(exactly->ctx, &plan);
    }
    for (size_t i = 0; i < n; i++)
        same += codes[0][i] == codes[1][i];
    for (int b = 0; b < MAX_BIN; b++)
        mass += smaller((double)counts[0][b], (double)counts[1][b]);
    snprintf(name, sizeof name, "%s (%u,%g), hardware, equal codes", what, op->points,
             op->radius);
    bench_rate_row(name, 100 * same / (double)n, "%", "exact codes", 100, 0);
    snprintf(name, sizeof name, "%s (%u,%g), hardware, equal mass of the histogram", what,
             op->points, op->radius);
    bench_rate_row(name, 100 * mass / (double)n, "%", "exact codes", 100, 0);
    for (int i = 0; i < 2; i++)
        free(codes[i]);
}

static void run_agreement(way ways[N_WAYS], rug_lbp_exact exact)
{
    const size_t side = 1024;
    static const char *const names[] = {"noise", "waves", "flat"};
    uint8_t *pixels[] = {make_noise(side), make_waves(side), bench_allocate(side * side)};
    memset(pixels[2], 100, side * side);
    for (int i = 0; i < 3; i++) {
        rug_image img = view(ways[0].ctx, pixels[i], side);
        for (size_t k = 0; k < N_OPS; k++)
            compare(&ways[0], &ways[N_WAYS - 1], &img, names[i], &ops[k], exact);
        free(pixels[i]);
    }
}

/* ---- The command line ---- */

static int find(const char *word, const char *const *names, int n)
{
    for (int i = 0; i < n; i++)
        if (strcmp(word, names[i]) == 0)
            return i;
    fprintf(stderr, "usage: bench_lbp_cl [RUNS [DEVICE [skimage|decimal|float "
                    "[all|sizes|shapes|agreement [SIDE]]]]]\n");
    exit(2);
}

int main(int argc, char **argv)
{
    static const char *const rules[] = {"skimage", "decimal", "float"};
    static const char *const parts[] = {"all", "sizes", "shapes", "agreement"};
    int n_runs = argc > 1 ? atoi(argv[1]) : 3;
    rug_lbp_exact exact = (rug_lbp_exact)find(argc > 3 ? argv[3] : "skimage", rules, 3);
    int part = find(n_runs < 1 ? "" : argc > 4 ? argv[4] : "all", parts, 4);
    most_side = argc > 5 ? strtoul(argv[5], NULL, 10) : most_side;
    rug_context *one, *all, *device;
    if (rug_context_new(&one) != RUG_OK || rug_context_new(&all) != RUG_OK ||
        rug_context_new(&device) != RUG_OK) {
        fprintf(stderr, "bench_lbp_cl: out of memory\n");
        return 1;
    }
    if (rug_context_set_threads(one, 1) != RUG_OK)
        fail(one);
    if (rug_context_set_device(device, argc > 2 ? argv[2] : "opencl") != RUG_OK)
        fail(device);
#define ON(PICTURE)                                        \
    {                                                      \
        RUGI_LBP_PICTURE_##PICTURE, RUGI_LBP_OPENCL_BYTES, \
        {                                                  \
            0, 0                                           \
        }                                                  \
    }
    way ways[N_WAYS] = {{"one thread", one, ON(AUTO), 0, 0, 0},
                        {"all threads", all, ON(AUTO), 0, 0, 0},
                        {"tiles in local memory", device, ON(TILE), 0, 0, 0},
                        {"image objects", device, ON(IMAGE), 0, 0, 0},
                        {"hardware", device, ON(IMAGE), 1, 0, 0}};
    bench_header();
    if (part <= 1)
        run_sizes(ways, exact, n_runs);
    if (part == 0 || part == 2)
        run_shapes(ways, exact, n_runs);
    if (part == 0 || part == 3)
        run_agreement(ways, exact);
    rug_context_free(device);
    rug_context_free(all);
    rug_context_free(one);
    return 0;
}
