/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Fractal coding of an image: how long coding and decoding take by effort, by search (version 1 of the
 * stream), partition and number of threads, how many bits a pixel takes, and the PSNR. Arguments: an
 * image of 8 or 16 bits (default tests/data/camera.png), a quality (default 50), the number of runs
 * (default 3). Then the default for sides of 512, 1024 and 2048 pixels, where the image is
 * mirrored again and again, and how much longer each takes than the one before. */

#include "bench.h"
#include <math.h>
#include <rugose/io.h>
#include <rugose/rugose.h>
#include <stdio.h>
#include <stdlib.h>

/* One way to code. */
typedef struct way {
    const char *name;
    rug_ifs_partition partition;
    rug_ifs_search search;
    int without_residual;
    uint32_t version, effort;
    double target_seconds; /* of 512 x 512 pixels on two cores; 0: none */
} way;

#define TREE RUG_IFS_QUADTREE
#define AUTO RUG_IFS_SEARCH_AUTO
static const way ways[] = {
    {"effort 1", TREE, AUTO, 0, 0, 1, 0},
    {"default", TREE, AUTO, 0, 0, 0, 0},
    {"effort 7", TREE, AUTO, 0, 0, 7, 0},
    {"version 1, fast", TREE, RUG_IFS_SEARCH_FAST, 0, 1, 0, 0.2},
    {"version 1", TREE, AUTO, 0, 1, 0, 0.6},
    {"version 1, exhaustive", TREE, RUG_IFS_SEARCH_EXHAUSTIVE, 0, 1, 0, 0},
    {"without residual", TREE, AUTO, 1, 0, 0, 0},
    {"fixed", RUG_IFS_FIXED, AUTO, 0, 0, 0, 0},
    {"overlap", RUG_IFS_OVERLAP, AUTO, 0, 0, 0, 0},
};

static void check(rug_context *ctx, rug_status status)
{
    if (status != RUG_OK) {
        fprintf(stderr, "bench_ifs: %s\n", rug_context_error(ctx));
        exit(1);
    }
}

static double pixel_of(const rug_image *image, size_t y, size_t x)
{
    const char *at = (const char *)image->data + (ptrdiff_t)y * image->stride[0] +
                     (ptrdiff_t)x * image->stride[1];
    return image->dtype == RUG_U8 ? *(const uint8_t *)at
                                  : *(const uint16_t *)(const void *)at;
}

static double psnr_of(rug_context *ctx, const rug_image *image,
                      const rug_ifs_picture *picture)
{
    rug_image decoded;
    double sum = 0, peak = picture->dtype == RUG_U8 ? 255 : 65535;
    check(ctx, rug_image_view(ctx, &decoded, picture->pixels, picture->dtype, 2,
                              image->shape));
    for (size_t y = 0; y < image->shape[0]; y++)
        for (size_t x = 0; x < image->shape[1]; x++) {
            double d = pixel_of(image, y, x) - pixel_of(&decoded, y, x);
            sum += d * d;
        }
    return 10 * log10(peak * peak * (double)rug_image_pixels(image) / sum);
}

/* What one way takes and gives: the best of several runs. */
typedef struct taken {
    double encode, decode, bits, psnr;
} taken;

static taken run(rug_context *ctx, const rug_image *image, const way *w, double quality,
                 int n_runs)
{
    taken t = {HUGE_VAL, HUGE_VAL, 0, 0};
    rug_ifs_options opts = RUG_IFS_OPTIONS_INIT;
    opts.partition = w->partition;
    opts.search = w->search;
    opts.without_residual = w->without_residual;
    opts.version = w->version;
    opts.effort = w->effort;
    opts.target_value = quality;
    for (int i = 0; i < n_runs; i++) {
        rug_ifs_stream stream;
        rug_ifs_picture picture = RUG_IFS_PICTURE_INIT;
        double from = bench_now();
        check(ctx, rug_ifs_compress(ctx, &stream, image, 1, &opts));
        double middle = bench_now();
        check(ctx, rug_ifs_decompress(ctx, &picture, stream.bytes, stream.size, NULL));
        double to = bench_now();
        t.encode = fmin(t.encode, middle - from);
        t.decode = fmin(t.decode, to - middle);
        t.bits = 8 * (double)stream.size / (double)rug_image_pixels(image);
        if (i == 0)
            t.psnr = psnr_of(ctx, image, &picture);
        rug_ifs_picture_free(ctx, &picture);
        rug_ifs_stream_free(ctx, &stream);
    }
    return t;
}

/* ---- Larger images ---- */

/* The image and its mirror images side by side. */
static void mirror(uint8_t *out, size_t side, const rug_image *image)
{
    size_t ny = image->shape[0], nx = image->shape[1];
    for (size_t y = 0; y < side; y++)
        for (size_t x = 0; x < side; x++) {
            size_t j = y % (2 * ny), i = x % (2 * nx);
            out[y * side + x] = (uint8_t)pixel_of(image, j < ny ? j : 2 * ny - 1 - j,
                                                  i < nx ? i : 2 * nx - 1 - i);
        }
}

static void run_doublings(rug_context *ctx, const rug_image *image, double quality,
                          int n_runs)
{
    double before = 0;
    printf("side\tthreads\tencode_s\tdecode_ms\ttimes_the_half\n");
    for (size_t side = 512; side <= 2048; side *= 2) {
        const size_t shape[2] = {side, side};
        uint8_t *pixels = malloc(side * side);
        rug_image large;
        if (pixels == NULL)
            exit(1);
        mirror(pixels, side, image);
        check(ctx, rug_image_view(ctx, &large, pixels, RUG_U8, 2, shape));
        taken t = run(ctx, &large, &ways[1], quality, n_runs);
        printf("%zu\t%d\t%.3f\t%.2f\t%.2f\n", side, rug_context_threads(ctx), t.encode,
               1e3 * t.decode, before > 0 ? t.encode / before : 0);
        before = t.encode;
        free(pixels);
    }
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "tests/data/camera.png";
    double quality = argc > 2 ? atof(argv[2]) : 50;
    int n_runs = argc > 3 && atoi(argv[3]) > 0 ? atoi(argv[3]) : 3;
    rug_context *ctx;
    rug_file *file;
    if (rug_context_new(&ctx) != RUG_OK)
        return 1;
    check(ctx, rug_file_read(ctx, &file, path, NULL));
    const rug_image *image = rug_file_image(file);
    int all = rug_context_threads(ctx);
    printf("way\tthreads\tencode_s\tdecode_ms\tbpp\tpsnr_db\tpixels_per_us\ttarget_s\n");
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
        for (int threads = 1; threads <= all; threads = threads < all ? all : all + 1) {
            check(ctx, rug_context_set_threads(ctx, threads));
            taken t = run(ctx, image, &ways[i], quality, n_runs);
            printf("%s\t%d\t%.3f\t%.2f\t%.4f\t%.3f\t%.3f\t", ways[i].name, threads,
                   t.encode, 1e3 * t.decode, t.bits, t.psnr,
                   1e-6 * (double)rug_image_pixels(image) / t.encode);
            if (ways[i].target_seconds > 0)
                printf("%g\n", ways[i].target_seconds);
            else
                printf("-\n");
        }
    if (image->dtype == RUG_U8)
        run_doublings(ctx, image, quality, n_runs);
    rug_file_free(file);
    rug_context_free(ctx);
    return 0;
}
