/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The comparison of Bianda (2018) anew: histograms of local binary patterns by one thread
 * and by all of the processor, by a kernel with tiles in local memory and by one with image
 * objects, for five sizes that grow by four and the operators (8, 1), (16, 2) and (24, 3);
 * whole calls, and what the device's clock says of its kernels alone. Ends with an error
 * when counts differ. Arguments: the number of interleaved runs (default 3), the device
 * (default opencl), and the rule of exactness (skimage, decimal or float; default
 * skimage). */

#include "bench.h"
#include "lbp/opencl/lbp_opencl.h"
#include <rugose/rugose.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N_WAYS  4
#define MAX_BIN 26

/* A way to code, with its best times. */
typedef struct way {
    const char *name;
    rug_context *ctx;
    rugi_lbp_picture picture; /* AUTO: on the processor */
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

static void time_way(way *w, const rug_image *img, const rugi_lbp_plan *plan,
                     uint64_t counts[MAX_BIN])
{
    rug_device_times device = RUG_DEVICE_TIMES_INIT;
    size_t ny = img->shape[0];
    rugi_lbp_job job = {.plan = plan, .rows = *img, .ny = ny, .to = ny};
    memset(counts, 0, MAX_BIN * sizeof *counts);
    job.counts[0] = counts;
    double t = bench_now();
    rug_status status =
        w->picture == RUGI_LBP_PICTURE_AUTO
            ? rugi_lbp_cpu(w->ctx, &job)
            : rugi_lbp_opencl_by(w->ctx, &job, w->picture, RUGI_LBP_OPENCL_BYTES);
    if (status != RUG_OK)
        fail(w->ctx);
    w->whole = smaller(w->whole, bench_now() - t);
    rug_devices_take_times(w->ctx, &device);
    w->kernels = smaller(w->kernels, device.kernel_seconds);
}

static void time_all(way ways[N_WAYS], const rug_image *img, const rugi_lbp_plan *plan)
{
    uint64_t expected[MAX_BIN], counts[MAX_BIN];
    for (int i = 0; i < N_WAYS; i++) {
        time_way(&ways[i], img, plan, i == 0 ? expected : counts);
        if (i > 0 && memcmp(counts, expected, sizeof counts) != 0) {
            fprintf(stderr, "bench_lbp_cl: %s counts otherwise\n", ways[i].name);
            exit(1);
        }
    }
}

static void run(way ways[N_WAYS], const rug_image *img, const rugi_lbp_plan *plan,
                double radius, int n_runs)
{
    char name[160];
    time_all(ways, img, plan); /* programs are built, and caches and clocks warm */
    for (int i = 0; i < N_WAYS; i++)
        ways[i].whole = ways[i].kernels = 1e30;
    for (int k = 0; k < n_runs; k++)
        time_all(ways, img, plan);
    for (int i = 0; i < N_WAYS; i++) {
        int n = snprintf(name, sizeof name, "%zux%zu (%u,%g), %s", img->shape[0],
                         img->shape[1], plan->op[0].points, radius, ways[i].name);
        bench_row(name, ways[i].whole, ways[0].name, ways[0].whole, 0);
        snprintf(name + n, sizeof name - (size_t)n, ", kernel alone");
        if (ways[i].kernels > 0)
            bench_row(name, ways[i].kernels, ways[0].name, ways[0].whole, 0);
    }
}

static void run_side(way ways[N_WAYS], size_t side, rug_lbp_exact exact, int n_runs)
{
    static const rug_lbp_operator ops[] = {
        {8, 1, NULL, 0}, {16, 2, NULL, 0}, {24, 3, NULL, 0}};
    rug_image img;
    uint8_t *pixels = bench_allocate(side * side);
    uint64_t s = 1;
    for (size_t i = 0; i < side * side; i++) {
        s = s * 6364136223846793005u + 1442695040888963407u;
        pixels[i] = (uint8_t)(s >> 56);
    }
    if (rug_image_view(ways[0].ctx, &img, pixels, RUG_U8, 2, (size_t[]){side, side}) !=
        RUG_OK)
        fail(ways[0].ctx);
    for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++) {
        rugi_lbp_plan plan;
        rug_lbp_options opts = RUG_LBP_OPTIONS_INIT;
        opts.operators = &ops[i];
        opts.n_operators = 1;
        opts.exact = exact;
        if (rugi_lbp_plan_make(ways[0].ctx, &plan, &opts) != RUG_OK)
            fail(ways[0].ctx);
        run(ways, &img, &plan, ops[i].radius, n_runs);
        rugi_lbp_plan_free(ways[0].ctx, &plan);
    }
    free(pixels);
}

static rug_lbp_exact exact_of(const char *name)
{
    static const char *const names[] = {"skimage", "decimal", "float"};
    for (int i = 0; i < 3; i++)
        if (strcmp(name, names[i]) == 0)
            return (rug_lbp_exact)i;
    fprintf(stderr, "usage: bench_lbp_cl [RUNS [DEVICE [skimage|decimal|float]]]\n");
    exit(2);
}

int main(int argc, char **argv)
{
    static const size_t sides[] = {256, 512, 1024, 2048, 4096};
    int n_runs = argc > 1 ? atoi(argv[1]) : 3;
    rug_lbp_exact exact = exact_of(argc > 3 && n_runs > 0 ? argv[3] : "skimage");
    rug_context *one, *all, *device;
    if (n_runs < 1)
        exact_of("");
    if (rug_context_new(&one) != RUG_OK || rug_context_new(&all) != RUG_OK ||
        rug_context_new(&device) != RUG_OK) {
        fprintf(stderr, "bench_lbp_cl: out of memory\n");
        return 1;
    }
    if (rug_context_set_threads(one, 1) != RUG_OK)
        fail(one);
    if (rug_context_set_device(device, argc > 2 ? argv[2] : "opencl") != RUG_OK)
        fail(device);
    way ways[N_WAYS] = {{"one thread", one, RUGI_LBP_PICTURE_AUTO, 0, 0},
                        {"all threads", all, RUGI_LBP_PICTURE_AUTO, 0, 0},
                        {"tiles in local memory", device, RUGI_LBP_PICTURE_TILE, 0, 0},
                        {"image objects", device, RUGI_LBP_PICTURE_IMAGE, 0, 0}};
    bench_header();
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++)
        run_side(ways, sides[i], exact, n_runs);
    rug_context_free(device);
    rug_context_free(all);
    rug_context_free(one);
    return 0;
}
