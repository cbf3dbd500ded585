/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Runs one of the examples in the public headers: examples NAME PATH OUT_PATH */

#include "examples.h"
#include "examples.inc"

#define SIDE       256
#define GREY_SIDE  64
#define DEEP_SIDE  16
#define N_POINTS   1000
#define N_EXAMPLES (sizeof examples / sizeof examples[0])

rug_context *ctx;
rug_image image, grey, labels, mask, volume;
rug_points points;
const char *path, *out_path;

static unsigned char image_pixels[SIDE][SIDE], grey_pixels[GREY_SIDE][GREY_SIDE];
static unsigned char labels_pixels[SIDE][SIDE], mask_pixels[SIDE][SIDE];
static unsigned char volume_pixels[DEEP_SIDE][DEEP_SIDE][DEEP_SIDE];
static double coordinates[N_POINTS][2];

static void fill(void)
{
    for (unsigned y = 0; y < SIDE; y++)
        for (unsigned x = 0; x < SIDE; x++) {
            image_pixels[y][x] = (x & y) == 0 ? 255 : 0;
            labels_pixels[y][x] =
                (unsigned char)(1 + 2 * (y >= SIDE / 2) + (x >= SIDE / 2));
            mask_pixels[y][x] = x < SIDE / 2;
        }
    for (unsigned y = 0; y < GREY_SIDE; y++)
        for (unsigned x = 0; x < GREY_SIDE; x++)
            grey_pixels[y][x] = (unsigned char)((x * x + 3 * y * y + x * y) % 251);
    for (unsigned z = 0; z < DEEP_SIDE; z++)
        for (unsigned y = 0; y < DEEP_SIDE; y++)
            for (unsigned x = 0; x < DEEP_SIDE; x++)
                volume_pixels[z][y][x] = (x & y & z) == 0;
    for (unsigned i = 0; i < N_POINTS; i++) {
        coordinates[i][0] = i * 37 % N_POINTS;
        coordinates[i][1] = i * i % N_POINTS;
    }
}

static int view(void)
{
    const size_t shape[2] = {SIDE, SIDE}, grey_shape[2] = {GREY_SIDE, GREY_SIDE};
    const size_t volume_shape[3] = {DEEP_SIDE, DEEP_SIDE, DEEP_SIDE};
    points = (rug_points){.data = coordinates,
                          .dtype = RUG_F64,
                          .n = N_POINTS,
                          .ndim = 2,
                          .stride = {sizeof coordinates[0], sizeof coordinates[0][0]}};
    return rug_image_view(ctx, &image, image_pixels, RUG_U8, 2, shape) == RUG_OK &&
           rug_image_view(ctx, &grey, grey_pixels, RUG_U8, 2, grey_shape) == RUG_OK &&
           rug_image_view(ctx, &labels, labels_pixels, RUG_U8, 2, shape) == RUG_OK &&
           rug_image_view(ctx, &mask, mask_pixels, RUG_U8, 2, shape) == RUG_OK &&
           rug_image_view(ctx, &volume, volume_pixels, RUG_U8, 3, volume_shape) == RUG_OK;
}

int main(int argc, char **argv)
{
    if (argc != 4 || rug_context_new(&ctx) != RUG_OK)
        return 2;
    path = argv[2];
    out_path = argv[3];
    fill();
    rug_status status = view() ? RUG_E_ARG : RUG_E_NOMEM;
    for (size_t i = 0; i < N_EXAMPLES; i++)
        if (strcmp(examples[i].name, argv[1]) == 0)
            status = examples[i].run();
    if (status != RUG_OK)
        fprintf(stderr, "%s: %s\n", rug_status_name(status), rug_context_error(ctx));
    rug_context_free(ctx);
    return status == RUG_OK ? 0 : 1;
}
