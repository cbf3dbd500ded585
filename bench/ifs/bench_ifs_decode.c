/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Decoding a fractal stream: CPU levels and threads against the portable code on one
 * thread; the share of reading the syntax; larger sizes against the coded one, by pixel.
 * Arguments: the number of runs (default 5) and a stream (default: one of 512 x 512 pixels
 * that is coded here). */

#include "bench.h"
#include <rugose/rugose.h>
#include <stdio.h>
#include <stdlib.h>

#define SIDE      512
#define BYTES_MAX (1 << 26)

static int n_runs = 5;

static void check(rug_context *ctx, rug_status status)
{
    if (status != RUG_OK) {
        fprintf(stderr, "bench_ifs_decode: %s\n", rug_context_error(ctx));
        exit(1);
    }
}

/* Hills with edges and noise on them. */
static void draw(uint8_t *pixels)
{
    uint64_t s = 1;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            s = s * 6364136223846793005u + 1442695040888963407u;
            int hill = (x * x / 997 + y * x / 1499 + y * y / 701) % 400;
            int edge = (x / 37 + y / 53) % 3 == 0 ? 40 : 0;
            int gray = (hill < 200 ? hill : 400 - hill) + edge + (int)(s >> 61);
            pixels[y * SIDE + x] = (uint8_t)gray;
        }
}

static rug_ifs_stream code(rug_context *ctx)
{
    rug_ifs_stream stream;
    uint8_t *pixels = bench_allocate((size_t)SIDE * SIDE);
    draw(pixels);
    rug_image image = {.data = pixels,
                       .dtype = RUG_U8,
                       .ndim = 2,
                       .shape = {SIDE, SIDE},
                       .stride = {SIDE, 1}};
    check(ctx, rug_ifs_compress(ctx, &stream, &image, 1, NULL));
    return stream;
}

static rug_ifs_stream load(const char *path)
{
    static uint8_t bytes[BYTES_MAX];
    FILE *in = fopen(path, "rb");
    rug_ifs_stream stream = {bytes, in != NULL ? fread(bytes, 1, BYTES_MAX, in) : 0};
    if (in != NULL)
        fclose(in);
    return stream;
}

static rug_status skip(void *user, const rug_ifs_transform *transform)
{
    (void)transform;
    ++*(size_t *)user;
    return RUG_OK;
}

/* @param scale  0: the syntax alone */
static double time_of(rug_context *ctx, const rug_ifs_stream *s, double scale)
{
    double best = 1e30;
    for (int k = 0; k < n_runs; k++) {
        rug_ifs_picture picture = RUG_IFS_PICTURE_INIT;
        rug_ifs_decode_options o = RUG_IFS_DECODE_OPTIONS_INIT;
        size_t n = 0;
        o.scale = scale;
        double t = bench_now();
        if (scale > 0)
            check(ctx, rug_ifs_decompress(ctx, &picture, s->bytes, s->size, &o));
        else
            check(ctx, rug_ifs_read_transforms(ctx, s->bytes, s->size,
                                               RUG_IFS_PIXELS_DEFAULT, skip, &n));
        t = bench_now() - t;
        best = t < best ? t : best;
        rug_ifs_picture_free(ctx, &picture);
    }
    return best;
}

static void levels(rug_context *ctx, const rug_ifs_stream *s, int n_threads)
{
    char name[64];
    check(ctx, rug_context_set_threads(ctx, 1));
    check(ctx, rug_context_set_cpu_level(ctx, RUG_CPU_REF));
    double reference = time_of(ctx, s, 1);
    for (int level = RUG_CPU_REF; level <= RUG_CPU_MAX; level++)
        for (int threads = 1; threads <= n_threads; threads *= 2) {
            check(ctx, rug_context_set_cpu_level(ctx, (rug_cpu_level)level));
            check(ctx, rug_context_set_threads(ctx, threads));
            if (rug_context_cpu_level(ctx) != (rug_cpu_level)level)
                continue;
            snprintf(name, sizeof name, "decode %s, %d threads",
                     rug_cpu_level_name((rug_cpu_level)level), threads);
            bench_row(name, time_of(ctx, s, 1), "portable, 1 thread", reference, 0);
        }
}

int main(int argc, char **argv)
{
    rug_context *ctx;
    if (rug_context_new(&ctx) != RUG_OK)
        return 1;
    if (argc > 1)
        n_runs = atoi(argv[1]) > 0 ? atoi(argv[1]) : 5;
    int n_threads = rug_context_threads(ctx);
    rug_ifs_stream s = argc > 2 ? load(argv[2]) : code(ctx);
    rug_ifs_info info = RUG_IFS_INFO_INIT;
    check(ctx, rug_ifs_read_info(ctx, &info, s.bytes, s.size));
    printf("# %u x %u pixels, %d planes, %zu bytes\n", info.nx, info.ny, info.n_planes,
           s.size);
    bench_header();
    levels(ctx, &s, n_threads);
    double plain = time_of(ctx, &s, 1);
    bench_row("syntax alone", time_of(ctx, &s, 0), "decode", plain, 0);
    bench_row("scale 0.5", time_of(ctx, &s, 0.5), "decode", plain, 0);
    bench_row("scale 2, a quarter", time_of(ctx, &s, 2) / 4, "decode", plain, 0);
    bench_row("scale 4, a sixteenth", time_of(ctx, &s, 4) / 16, "decode", plain, 0);
    if (argc <= 2)
        rug_ifs_stream_free(ctx, &s);
    rug_context_free(ctx);
    return 0;
}
