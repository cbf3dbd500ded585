/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Table 1 of Mukundan (2015), "Parallel implementation of the box counting algorithm in
 * OpenCL", Fractals 23(3), anew: a sequential count, his kernels 1 and 2, and the pyramid on an
 * OpenCL device and on the processor, for square images, all sizes from 1 to the side; whole calls,
 * and what the device's clock says of kernels and of the way there. All counts are compared, and the
 * program fails where they differ.
 *
 *     bench_boxcount_cl [RUNS [DEVICE [SIDE...]]]
 *
 * RUNS are interleaved (default 3), DEVICE is opencl by default, SIDE a power of two (default 2048,
 * 4096 and 8192). */

#include "bench.h"
#include <rugose/rugose.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_SIDE   32768
#define MOST_LEVELS 16

/* A way to count, with its best times. */
enum { SEQUENTIAL, KERNEL_1, KERNEL_2, ON_DEVICE, ON_PROCESSOR, N_WAYS };
typedef struct way {
    const char *name;
    rug_context *ctx; /* NULL: sequential */
    rug_boxcount_method method;
    double whole, kernels, upload;
} way;

/* An image, and its counts. */
typedef struct square {
    size_t side;
    int n_levels;
    rug_image img;
    uint8_t *pixels, *states; /* [side][side]; states: room for the sequential count */
    uint64_t counts[MOST_LEVELS][3]; /* of the way in hand, by size and state less 1 */
    uint64_t expected[MOST_LEVELS][3];
    int has_expected;
} square;

/* What has been seen of a box; both: it is gray. */
enum { SEEN_WHITE = 1, SEEN_BLACK = 2 };

static void fail(const rug_context *ctx)
{
    fprintf(stderr, "bench_boxcount_cl: %s\n", rug_context_error(ctx));
    exit(1);
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

/* The definition, on one thread: the state of a box of size 2s is what has been seen of its four
 * boxes of size s. */
static void count_sequentially(square *q)
{
    uint8_t *states = q->states;
    memset(q->counts, 0, sizeof q->counts);
    for (size_t i = 0; i < q->side * q->side; i++) {
        states[i] = q->pixels[i] != 0 ? SEEN_BLACK : SEEN_WHITE;
        q->counts[0][states[i] - 1]++;
    }
    size_t n = q->side / 2; /* boxes along a side */
    for (int level = 1; level < q->n_levels; level++, n /= 2)
        for (size_t y = 0; y < n; y++)
            for (size_t x = 0; x < n; x++) {
                const uint8_t *above = states + 4 * n * y + 2 * x, *below = above + 2 * n;
                uint8_t seen = above[0] | above[1] | below[0] | below[1];
                states[n * y + x] = seen;
                q->counts[level][seen - 1]++;
            }
}

static void count_by_call(way *w, square *q)
{
    rug_boxcount_result *result;
    rug_boxcount_options opts = RUG_BOXCOUNT_OPTIONS_INIT;
    opts.foreground.kind = RUG_FOREGROUND_NONZERO;
    opts.method = w->method;
    if (rug_boxcount(w->ctx, &result, &q->img, &opts) != RUG_OK)
        fail(w->ctx);
    for (int i = 0; i < q->n_levels; i++) {
        const rug_box_count *c = rug_boxcount_at(result, (uint32_t)i);
        q->counts[i][SEEN_WHITE - 1] = c->white;
        q->counts[i][SEEN_BLACK - 1] = c->black;
        q->counts[i][(SEEN_WHITE | SEEN_BLACK) - 1] = c->gray;
    }
    rug_boxcount_free(result);
}

static void time_way(way *w, square *q)
{
    rug_device_times device = RUG_DEVICE_TIMES_INIT;
    double t = bench_now();
    if (w->ctx == NULL)
        count_sequentially(q);
    else
        count_by_call(w, q);
    w->whole = smaller(w->whole, bench_now() - t);
    if (w->ctx != NULL)
        rug_devices_take_times(w->ctx, &device);
    w->kernels = smaller(w->kernels, device.kernel_seconds);
    w->upload = smaller(w->upload, device.upload_seconds);
    if (!q->has_expected)
        memcpy(q->expected, q->counts, sizeof q->counts);
    q->has_expected = 1;
    if (memcmp(q->expected, q->counts, sizeof q->counts) != 0) {
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

static void print_ways(const way ways[N_WAYS], size_t side)
{
    char name[128];
    const way *reference = &ways[SEQUENTIAL];
    for (int i = 0; i < N_WAYS; i++) {
        snprintf(name, sizeof name, "%zux%zu, %s", side, side, ways[i].name);
        bench_row(name, ways[i].whole, reference->name, reference->whole, 0);
        print_part(&ways[i], reference, side, "kernels", ways[i].kernels);
        print_part(&ways[i], reference, side, "upload", ways[i].upload);
    }
    snprintf(name, sizeof name, "%zux%zu, kernel 2 beside kernel 1", side, side);
    bench_row(name, ways[KERNEL_2].whole, ways[KERNEL_1].name, ways[KERNEL_1].whole, 0);
}

static void run(way ways[N_WAYS], size_t side, int n_runs)
{
    square q = {.side = side,
                .pixels = bench_allocate(side * side),
                .states = bench_allocate(side * side)};
    for (size_t s = side; s > 0; s /= 2)
        q.n_levels++;
    bench_fill_runs(q.pixels, side * side, 1);
    if (rug_image_view(ways[KERNEL_1].ctx, &q.img, q.pixels, RUG_U8, 2,
                       (size_t[]){side, side}) != RUG_OK)
        fail(ways[KERNEL_1].ctx);
    for (int i = 0; i < N_WAYS; i++) {
        time_way(&ways[i], &q); /* programs are built, and caches and clocks warm */
        ways[i].whole = ways[i].kernels = ways[i].upload = 1e30;
    }
    for (int k = 0; k < n_runs; k++)
        for (int i = 0; i < N_WAYS; i++)
            time_way(&ways[i], &q);
    print_ways(ways, side);
    free(q.pixels);
    free(q.states);
}

/* A power of two in range, else 0. */
static size_t side_of(const char *text)
{
    char *end;
    unsigned long side = strtoul(text, &end, 10);
    int is_good = *text >= '0' && *text <= '9' && *end == '\0' && side >= 2 &&
                  side <= MOST_SIDE && (side & (side - 1)) == 0;
    return is_good ? side : 0;
}

static int usage(void)
{
    fprintf(stderr,
            "usage: bench_boxcount_cl [RUNS [DEVICE [SIDE...]]]\n"
            "RUNS is 1 or more, SIDE a power of two, 2 to %d\n",
            MOST_SIDE);
    return 2;
}

int main(int argc, char **argv)
{
    static const size_t sides[] = {2048, 4096, 8192};
    int n_runs = argc > 1 ? atoi(argv[1]) : 3;
    rug_context *cpu, *device;
    for (int i = 3; i < argc; i++)
        if (side_of(argv[i]) == 0)
            return usage();
    if (n_runs < 1 || rug_context_new(&cpu) != RUG_OK ||
        rug_context_new(&device) != RUG_OK)
        return usage();
    if (rug_context_set_device(device, argc > 2 ? argv[2] : "opencl") != RUG_OK)
        fail(device);
    way ways[N_WAYS] = {
        {.name = "sequential"},
        {.name = "kernel 1 (atomic)", .ctx = device, .method = RUG_BOXCOUNT_ATOMIC},
        {.name = "kernel 2 (local)", .ctx = device, .method = RUG_BOXCOUNT_LOCAL},
        {.name = "pyramid on the device", .ctx = device, .method = RUG_BOXCOUNT_PYRAMID},
        {.name = "pyramid on the processor", .ctx = cpu, .method = RUG_BOXCOUNT_PYRAMID}};
    bench_header();
    for (size_t i = 0; argc <= 3 && i < sizeof sides / sizeof sides[0]; i++)
        run(ways, sides[i], n_runs);
    for (int i = 3; i < argc; i++)
        run(ways, side_of(argv[i]), n_runs);
    rug_context_free(device);
    rug_context_free(cpu);
    return 0;
}
