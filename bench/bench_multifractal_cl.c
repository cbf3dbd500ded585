/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What a device does of multifractals, and of differential box counting, whose boxes it
 * joins in the same way, beside the processor: masses of boxes of several dtypes, a
 * map of alpha, boxes of all sizes; whole calls, and what the device's clock says of kernels
 * and of the way there. Results that differ end the program. Arguments: the number
 * of interleaved runs (default 3), the device (default opencl), the pixels of a side
 * (default 4096), and a text that the printed cases must contain (default all). */

#include "bench.h"
#include <math.h>
#include <rugose/rugose.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VOLUME 256

typedef struct bench_case bench_case;

/* What a case measures. @return a digest of the result */
typedef uint64_t (*bench_fn)(rug_context *ctx, const bench_case *c);

struct bench_case {
    const char *name;
    bench_fn run;
    rug_dtype dtype;
    int ndim, is_binary;
    rug_image img;
    float *map;
};

typedef struct way {
    const char *name;
    rug_context *ctx;
    double whole, kernels, upload;
    uint64_t digest;
} way;

static void check(const rug_context *ctx, rug_status status)
{
    if (status == RUG_OK)
        return;
    fprintf(stderr, "bench_multifractal_cl: %s\n", rug_context_error(ctx));
    exit(1);
}

static uint64_t mix(uint64_t digest, uint64_t v)
{
    return (digest ^ v) * 1099511628211u;
}

static uint64_t measure_masses(rug_context *ctx, const bench_case *c)
{
    rug_masses_options opts = RUG_MASSES_OPTIONS_INIT;
    rug_masses *m;
    uint64_t digest = 0;
    opts.of = c->is_binary ? RUG_MASS_OF_FOREGROUND : RUG_MASS_OF_GRAY;
    opts.foreground = (rug_foreground){RUG_FOREGROUND_ABOVE, 140, 0};
    check(ctx, rug_masses_measure(ctx, &m, &c->img, &opts));
    rug_masses_facts facts;
    rug_masses_get_facts(m, &facts);
    for (uint32_t level = 0; level < facts.n_sizes; level++) {
        size_t n;
        const rug_mass_boxes *boxes = rug_masses_boxes(ctx, m, level, &n);
        for (size_t i = 0; i < n; i++)
            digest = mix(mix(digest, boxes[i].mass), boxes[i].boxes);
    }
    rug_masses_free(m);
    return digest;
}

static uint64_t map_alpha(rug_context *ctx, const bench_case *c)
{
    rug_alpha_options opts = RUG_ALPHA_OPTIONS_INIT;
    uint64_t digest = 0, bits = 0;
    check(ctx, rug_alpha_map(ctx, c->map, &c->img, &opts));
    for (uint64_t i = 0; i < rug_image_pixels(&c->img); i++) {
        memcpy(&bits, &c->map[i], sizeof c->map[i]);
        digest = mix(digest, bits);
    }
    return digest;
}

static uint64_t count_boxes(rug_context *ctx, const bench_case *c)
{
    static rug_dbc_result result;
    uint64_t digest = 0;
    check(ctx, rug_dbc(ctx, &result, &c->img, NULL));
    for (uint32_t i = 0; i < result.n_sizes; i++)
        digest = mix(digest, result.sizes[i].boxes);
    return digest;
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

static void time_way(way *w, const bench_case *c)
{
    rug_device_times device = RUG_DEVICE_TIMES_INIT;
    double t = bench_now();
    w->digest = c->run(w->ctx, c);
    w->whole = smaller(w->whole, bench_now() - t);
    rug_devices_take_times(w->ctx, &device);
    w->kernels = smaller(w->kernels, device.kernel_seconds);
    w->upload = smaller(w->upload, device.upload_seconds);
}

/* Hills with noise on them; all values are whole, and below 256. */
static void draw(const bench_case *c, void *pixels, size_t n, size_t side)
{
    uint64_t s = 1;
    for (size_t i = 0; i < n; i++) {
        s = s * 6364136223846793005u + 1442695040888963407u;
        double v = 60 * sin((double)(i % side) * .003) +
                   60 * cos((double)(i / side) * .002) + (double)(s >> 61);
        uint8_t pixel = (uint8_t)(127 + v);
        if (c->dtype == RUG_U8)
            ((uint8_t *)pixels)[i] = pixel;
        else if (c->dtype == RUG_U16)
            ((uint16_t *)pixels)[i] = (uint16_t)(pixel * 200 + (s >> 57));
        else
            ((float *)pixels)[i] = (float)pixel + (float)(s >> 60) / 16;
    }
}

static void print_part(const char *name, const way *w, const char *part, double seconds,
                       const way *reference)
{
    char text[128];
    snprintf(text, sizeof text, "%s, %s, %s alone", name, w->name, part);
    if (seconds > 0)
        bench_row(text, seconds, reference->name, reference->whole, 0);
}

static void run_case(way ways[2], bench_case *c, size_t side, int n_runs)
{
    size_t n = c->ndim == 3 ? (size_t)VOLUME * VOLUME * VOLUME : side * side;
    size_t flat[] = {side, side}, deep[] = {VOLUME, VOLUME, VOLUME};
    void *pixels = bench_allocate(n * rug_dtype_size(c->dtype));
    draw(c, pixels, n, side);
    c->map = c->run == map_alpha ? bench_allocate(n * sizeof *c->map) : NULL;
    check(ways[0].ctx, rug_image_view(ways[0].ctx, &c->img, pixels, c->dtype, c->ndim,
                                      c->ndim == 3 ? deep : flat));
    for (int i = 0; i < 2; i++)
        c->run(ways[i].ctx, c); /* programs are built, and caches and clocks warm */
    for (int i = 0; i < 2; i++) {
        ways[i].whole = ways[i].kernels = ways[i].upload = 1e30;
        rug_devices_take_times(ways[i].ctx, &(rug_device_times)RUG_DEVICE_TIMES_INIT);
    }
    for (int k = 0; k < n_runs; k++)
        for (int i = 0; i < 2; i++)
            time_way(&ways[i], c);
    if (ways[0].digest != ways[1].digest) {
        fprintf(stderr, "bench_multifractal_cl: %s: results differ\n", c->name);
        exit(1);
    }
    char text[128];
    snprintf(text, sizeof text, "%s, %s", c->name, ways[0].name);
    bench_row(text, ways[0].whole, ways[1].name, ways[1].whole, 0);
    print_part(c->name, &ways[0], "kernels", ways[0].kernels, &ways[1]);
    print_part(c->name, &ways[0], "upload", ways[0].upload, &ways[1]);
    free(pixels);
    free(c->map);
}

int main(int argc, char **argv)
{
    bench_case cases[] = {
        {.name = "masses u8", .run = measure_masses, .dtype = RUG_U8, .ndim = 2},
        {.name = "masses foreground",
         .run = measure_masses,
         .dtype = RUG_U8,
         .ndim = 2,
         .is_binary = 1},
        {.name = "masses u16", .run = measure_masses, .dtype = RUG_U16, .ndim = 2},
        {.name = "masses f32", .run = measure_masses, .dtype = RUG_F32, .ndim = 2},
        {.name = "masses u8 volume", .run = measure_masses, .dtype = RUG_U8, .ndim = 3},
        {.name = "map of alpha", .run = map_alpha, .dtype = RUG_U8, .ndim = 2},
        {.name = "boxes of grey values", .run = count_boxes, .dtype = RUG_U8, .ndim = 2},
    };
    int n_runs = argc > 1 ? atoi(argv[1]) : 3;
    size_t side = argc > 3 ? (size_t)strtoull(argv[3], NULL, 10) : 4096;
    rug_context *cpu, *device;
    if (n_runs < 1 || side < 1 || rug_context_new(&cpu) != RUG_OK ||
        rug_context_new(&device) != RUG_OK) {
        fprintf(stderr, "usage: bench_multifractal_cl [RUNS [DEVICE [SIDE [TEXT]]]]\n");
        return 2;
    }
    check(device, rug_context_set_device(device, argc > 2 ? argv[2] : "opencl"));
    way ways[2] = {{.name = "device", .ctx = device}, {.name = "processor", .ctx = cpu}};
    bench_header();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (argc < 5 || strstr(cases[i].name, argv[4]) != NULL)
            run_case(ways, &cases[i], side, n_runs);
    rug_context_free(device);
    rug_context_free(cpu);
    return 0;
}
