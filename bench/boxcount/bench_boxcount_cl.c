/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Table 1 of Mukundan (2015), "Parallel implementation of the box counting algorithm in
 * OpenCL", Fractals 23(3), anew: his kernels 1 and 2, and the pyramid on an OpenCL device
 * and on the processor, for images of 2048, 4096 and 8192 pixels a side, all
 * sizes from 1 to the side; whole calls, and what the device's clock says of kernels and of
 * the way there. Arguments: the number of interleaved runs (default 3) and the device
 * (default opencl). */

#include "bench.h"
#include <rugose/rugose.h>
#include <stdio.h>
#include <stdlib.h>

#define N_WAYS 4

/* A way to count, with its best times. */
typedef struct way {
    const char *name;
    rug_context *ctx;
    rug_boxcount_method method;
    double whole, kernels, upload;
} way;

static volatile uint64_t keep;

static void fail(const rug_context *ctx)
{
    fprintf(stderr, "bench_boxcount_cl: %s\n", rug_context_error(ctx));
    exit(1);
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

static void time_way(way *w, const rug_image *img)
{
    static rug_boxcount_result result;
    rug_device_times device = RUG_DEVICE_TIMES_INIT;
    rug_boxcount_options opts = RUG_BOXCOUNT_OPTIONS_INIT;
    opts.foreground.kind = RUG_FOREGROUND_NONZERO;
    opts.method = w->method;
    double t = bench_now();
    if (rug_boxcount(w->ctx, &result, img, &opts) != RUG_OK)
        fail(w->ctx);
    w->whole = smaller(w->whole, bench_now() - t);
    rug_devices_take_times(w->ctx, &device);
    w->kernels = smaller(w->kernels, device.kernel_seconds);
    w->upload = smaller(w->upload, device.upload_seconds);
    if (keep == 0)
        keep = result.counts[3].gray;
    if (keep != result.counts[3].gray) {
        fprintf(stderr, "bench_boxcount_cl: %s counts otherwise\n", w->name);
        exit(1);
    }
}

/* What a part of the call takes; 0 of the processor, and of a device that shares memory. */
static void print_part(const way *w, const way *reference, size_t side, const char *part,
                       double seconds)
{
    char name[128];
    snprintf(name, sizeof name, "%zux%zu, %s, %s alone", side, side, w->name, part);
    if (seconds > 0)
        bench_row(name, seconds, reference->name, reference->whole, 0);
}

static void run(way ways[N_WAYS], size_t side, int n_runs)
{
    char name[128];
    rug_image img;
    uint8_t *pixels = bench_allocate(side * side);
    bench_fill_runs(pixels, side * side, 1);
    if (rug_image_view(ways[0].ctx, &img, pixels, RUG_U8, 2, (size_t[]){side, side}) !=
        RUG_OK)
        fail(ways[0].ctx);
    keep = 0;
    for (int i = 0; i < N_WAYS; i++) {
        time_way(&ways[i], &img); /* programs are built, and caches and clocks warm */
        ways[i].whole = ways[i].kernels = ways[i].upload = 1e30;
    }
    for (int k = 0; k < n_runs; k++)
        for (int i = 0; i < N_WAYS; i++)
            time_way(&ways[i], &img);
    for (int i = 0; i < N_WAYS; i++) {
        snprintf(name, sizeof name, "%zux%zu, %s", side, side, ways[i].name);
        bench_row(name, ways[i].whole, ways[0].name, ways[0].whole, 0);
        print_part(&ways[i], &ways[0], side, "kernels", ways[i].kernels);
        print_part(&ways[i], &ways[0], side, "upload", ways[i].upload);
    }
    free(pixels);
}

int main(int argc, char **argv)
{
    static const size_t sides[] = {2048, 4096, 8192};
    int n_runs = argc > 1 ? atoi(argv[1]) : 3;
    rug_context *cpu, *device;
    if (n_runs < 1 || rug_context_new(&cpu) != RUG_OK ||
        rug_context_new(&device) != RUG_OK) {
        fprintf(stderr, "usage: bench_boxcount_cl [RUNS [DEVICE]]\n");
        return 2;
    }
    if (rug_context_set_device(device, argc > 2 ? argv[2] : "opencl") != RUG_OK)
        fail(device);
    way ways[N_WAYS] = {
        {.name = "kernel 1 (atomic)", .ctx = device, .method = RUG_BOXCOUNT_ATOMIC},
        {.name = "kernel 2 (local)", .ctx = device, .method = RUG_BOXCOUNT_LOCAL},
        {.name = "pyramid on the device", .ctx = device, .method = RUG_BOXCOUNT_PYRAMID},
        {.name = "pyramid on the processor", .ctx = cpu, .method = RUG_BOXCOUNT_PYRAMID}};
    bench_header();
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++)
        run(ways, sides[i], n_runs);
    rug_context_free(device);
    rug_context_free(cpu);
    return 0;
}
