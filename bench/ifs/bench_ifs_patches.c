/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Patches, on one thread: decoding by quality, the best CPU level against the portable code; coding by
 * effort. Argument: the number of runs (default 5). */

#include "bench.h"
#include <rugose/rugose.h>
#include <stdio.h>
#include <stdlib.h>

#define SIDE 512

static int n_runs = 5;

static void check(rug_context *ctx, rug_status status)
{
    if (status != RUG_OK) {
        fprintf(stderr, "bench_ifs_patches: %s\n", rug_context_error(ctx));
        exit(1);
    }
}

/* Hills with edges and noise on them, in three colours. */
static void draw(uint8_t *pixels)
{
    uint64_t s = 1;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            for (int c = 0; c < 3; c++) {
                s = s * 6364136223846793005u + 1442695040888963407u;
                int hill = (x * x / 997 + y * x / (1499 - 200 * c) + y * y / 701) % 400;
                int edge = (x / 37 + y / 53) % 3 == 0 ? 40 : 0;
                int level = (hill < 200 ? hill : 400 - hill) + edge + (int)(s >> 61);
                pixels[(y * SIDE + x) * 3 + c] = (uint8_t)level;
            }
}

static double code(rug_context *ctx, rug_ifs_stream *stream, const rug_image *planes,
                   int n_planes, const rug_ifs_options *options)
{
    double best = 1e30;
    for (int k = 0; k < n_runs; k++) {
        rug_ifs_stream_free(ctx, stream);
        double t = bench_now();
        check(ctx, rug_ifs_compress(ctx, stream, planes, n_planes, options));
        t = bench_now() - t;
        best = t < best ? t : best;
    }
    return best;
}

static double decode(rug_context *ctx, const rug_ifs_stream *stream)
{
    double best = 1e30;
    for (int k = 0; k < n_runs; k++) {
        rug_ifs_picture picture = RUG_IFS_PICTURE_INIT;
        double t = bench_now();
        check(ctx, rug_ifs_decompress(ctx, &picture, stream->bytes, stream->size, NULL));
        t = bench_now() - t;
        best = t < best ? t : best;
        rug_ifs_picture_free(ctx, &picture);
    }
    return best;
}

/* Each quality decoded by the portable code and by the best. */
static void qualities(rug_context *ctx, const rug_image *planes, int n_planes)
{
    static const int values[] = {20, 50, 80};
    const rug_cpu_level best_level = rug_context_cpu_level(ctx);
    char name[64];
    for (int i = 0; i < 3; i++) {
        rug_ifs_stream stream = {NULL, 0};
        rug_ifs_options o = RUG_IFS_OPTIONS_INIT;
        o.target_value = values[i];
        code(ctx, &stream, planes, n_planes, &o);
        check(ctx, rug_context_set_cpu_level(ctx, RUG_CPU_REF));
        double portable = decode(ctx, &stream);
        check(ctx, rug_context_set_cpu_level(ctx, best_level));
        snprintf(name, sizeof name, "decode %d planes, quality %d, %.2f bits a pixel",
                 n_planes, values[i], 8.0 * (double)stream.size / (SIDE * SIDE));
        bench_row(name, decode(ctx, &stream), "portable", portable, 0);
        rug_ifs_stream_free(ctx, &stream);
    }
}

static void efforts(rug_context *ctx, const rug_image *planes, int n_planes)
{
    static const uint32_t values[] = {1, 5, 9};
    char name[64];
    double least = 0;
    for (int i = 0; i < 3; i++) {
        rug_ifs_stream stream = {NULL, 0};
        rug_ifs_options o = RUG_IFS_OPTIONS_INIT;
        o.effort = values[i];
        double t = code(ctx, &stream, planes, n_planes, &o);
        least = i == 0 ? t : least;
        snprintf(name, sizeof name, "code %d planes, effort %u, %zu bytes", n_planes,
                 values[i], stream.size);
        bench_row(name, t, "effort 1", least, 0);
        rug_ifs_stream_free(ctx, &stream);
    }
}

int main(int argc, char **argv)
{
    rug_context *ctx;
    rug_image planes[3];
    if (rug_context_new(&ctx) != RUG_OK)
        return 1;
    if (argc > 1)
        n_runs = atoi(argv[1]) > 0 ? atoi(argv[1]) : 5;
    check(ctx, rug_context_set_threads(ctx, 1));
    uint8_t *pixels = bench_allocate((size_t)SIDE * SIDE * 3);
    draw(pixels);
    for (int c = 0; c < 3; c++)
        planes[c] = (rug_image){.data = pixels + c,
                                .dtype = RUG_U8,
                                .ndim = 2,
                                .shape = {SIDE, SIDE},
                                .stride = {3 * SIDE, 3}};
    printf("# %d x %d pixels\n", SIDE, SIDE);
    bench_header();
    for (int n_planes = 1; n_planes <= 3; n_planes += 2) {
        qualities(ctx, planes, n_planes);
        efforts(ctx, planes, n_planes);
    }
    rug_context_free(ctx);
    return 0;
}
