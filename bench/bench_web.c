/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The native side of web.mjs, which has the same picture and calls: one method of a square
 * picture on one thread, once at level ref and once at the best level of this processor. Prints
 * a row of each: its name and milliseconds. Arguments: the side, and the method's name. */

#include "bench.h"
#include <rugose/rugose.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t hash(uint32_t x, uint32_t y, uint32_t k)
{
    uint32_t h = x * 0x9e3779b1u ^ y * 0x85ebca77u ^ k * 0xc2b2ae3du;
    h = (h ^ h >> 15) * 0x2c1b3c6du;
    h = (h ^ h >> 12) * 0x297a2d39u;
    return (h ^ h >> 15) & 63;
}

/* Noise at four scales. */
static void fill(uint8_t *pixels, uint32_t n)
{
    for (uint32_t y = 0; y < n; y++)
        for (uint32_t x = 0; x < n; x++)
            for (uint32_t k = 0; k < 8; k += 2)
                pixels[(size_t)y * n + x] =
                    (uint8_t)(pixels[(size_t)y * n + x] + hash(x >> k, y >> k, k));
}

static rug_status range(rug_context *ctx, const rug_image *image)
{
    rug_image_range out = RUG_IMAGE_RANGE_INIT;
    return rug_image_measure_range(ctx, &out, image);
}

static const rug_foreground above = {RUG_FOREGROUND_ABOVE, 140, 0};

static rug_status count_boxes(rug_context *ctx, const rug_image *image,
                              rug_boxcount_grid grid)
{
    rug_boxcount_options opts = RUG_BOXCOUNT_OPTIONS_INIT;
    rug_boxcount_result *out = NULL;
    opts.foreground = above;
    opts.grid = grid;
    rug_status status = rug_boxcount(ctx, &out, image, &opts);
    rug_boxcount_free(out);
    return status;
}

static rug_status boxcount(rug_context *ctx, const rug_image *image)
{
    return count_boxes(ctx, image, RUG_BOXCOUNT_GRID_ORIGIN);
}

static rug_status boxcount_min(rug_context *ctx, const rug_image *image)
{
    return count_boxes(ctx, image, RUG_BOXCOUNT_GRID_MIN);
}

static rug_status masses(rug_context *ctx, const rug_image *image)
{
    rug_masses *out = NULL;
    rug_status status = rug_masses_measure(ctx, &out, image, NULL);
    rug_masses_free(out);
    return status;
}

static rug_status lacunarity(rug_context *ctx, const rug_image *image)
{
    rug_lacunarity_options opts = RUG_LACUNARITY_OPTIONS_INIT;
    rug_lacunarity_result *out = NULL;
    opts.foreground = above;
    rug_status status = rug_lacunarity(ctx, &out, image, &opts);
    rug_lacunarity_free(out);
    return status;
}

static rug_status lbp(rug_context *ctx, const rug_image *image)
{
    rug_lbp_result *out = NULL;
    rug_status status = rug_lbp(ctx, &out, image, NULL);
    rug_lbp_free(out);
    return status;
}

static rug_status dbc(rug_context *ctx, const rug_image *image)
{
    rug_dbc_result *out = NULL;
    rug_status status = rug_dbc(ctx, &out, image, NULL);
    rug_dbc_free(out);
    return status;
}

static rug_status ignore_row(void *user, const rug_glcm_row *row)
{
    (void)user;
    (void)row;
    return RUG_OK;
}

static rug_status glcm(rug_context *ctx, const rug_image *image)
{
    rug_glcm_options opts = RUG_GLCM_OPTIONS_INIT;
    opts.levels = RUG_GLCM_LEVELS_COUNT;
    opts.n_levels = 32;
    return rug_glcm(ctx, image, &opts, ignore_row, NULL);
}

static rug_status alpha(rug_context *ctx, const rug_image *image)
{
    float *map = rug_context_allocate(ctx, (size_t)rug_image_pixels(image), sizeof *map,
                                      "map of alpha");
    rug_status status = map != NULL ? rug_alpha_map(ctx, map, image, NULL) : RUG_E_NOMEM;
    rug_context_release(ctx, map);
    return status;
}

static const struct {
    const char *name;
    rug_status (*call)(rug_context *ctx, const rug_image *image);
} methods[] = {
    {"range", range},   {"boxcount", boxcount},     {"boxcount, grid min", boxcount_min},
    {"masses", masses}, {"lacunarity", lacunarity}, {"lbp", lbp},
    {"dbc", dbc},       {"glcm, 32 bins", glcm},    {"alpha", alpha}};

static void run(rug_context *ctx, const rug_image *image, size_t method,
                rug_cpu_level level, const char *name)
{
    rug_context_set_cpu_level(ctx, level);
    double best = 1e30;
    for (int k = 0; k < 2; k++) {
        double t = bench_now();
        if (methods[method].call(ctx, image) != RUG_OK) {
            fprintf(stderr, "bench_web: %s\n", rug_context_error(ctx));
            exit(1);
        }
        t = bench_now() - t;
        best = t < best ? t : best;
    }
    printf("%s\t%.3f\n", name, 1e3 * best);
}

int main(int argc, char **argv)
{
    size_t n = argc > 2 ? strtoul(argv[1], NULL, 10) : 0, method = 0;
    const size_t n_methods = sizeof methods / sizeof methods[0], shape[2] = {n, n};
    while (argc > 2 && method < n_methods && strcmp(argv[2], methods[method].name) != 0)
        method++;
    rug_context *ctx;
    rug_image image;
    if (n < 1 || n > 32768 || method == n_methods || rug_context_new(&ctx) != RUG_OK) {
        fputs("bench_web: a side of 1..32768 and a method of web.mjs expected\n", stderr);
        return 2;
    }
    uint8_t *pixels = bench_allocate(n * n);
    fill(pixels, (uint32_t)n);
    rug_context_set_threads(ctx, 1);
    if (rug_image_view(ctx, &image, pixels, RUG_U8, 2, shape) != RUG_OK)
        return 1;
    run(ctx, &image, method, RUG_CPU_REF, "ref");
    run(ctx, &image, method, RUG_CPU_MAX, "best");
    free(pixels);
    rug_context_free(ctx);
    return 0;
}
