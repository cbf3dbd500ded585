/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Images to planes that are coded, and how far decoded planes are from the image. Colours
 * go through YCoCg-R (Malvar and Sullivan 2003), which loses nothing. */

#include "ifs_colour.h"
#include "core/context/threads.h"
#include "core/image/image_internal.h"
#include "ifs/decode/ifs_picture.h"
#include "ifs/stream/ifs_pixel.h"
#include <string.h>

static const char what[] = "image of fractal coding";

static rug_status check_one(rug_context *ctx, const rug_image *view)
{
    rug_status status = rugi_image_check(ctx, view);
    if (status != RUG_OK)
        return status;
    if (view->ndim != 2)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "a volume of %d axes is given, expected an image: code its "
            "slices one by one",
            view->ndim);
    if (view->dtype != RUG_U8 && view->dtype != RUG_U16)
        return rug_context_fail(
            ctx, RUG_E_ARG, "the pixels are %s, expected u8 or u16: convert the image",
            rug_dtype_name(view->dtype));
    if (view->shape[0] > RUG_IFS_SIDE_MAX || view->shape[1] > RUG_IFS_SIDE_MAX)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "an image of %zu x %zu pixels is given, expected sides of at "
            "most %d: code it in parts",
            view->shape[1], view->shape[0], RUG_IFS_SIDE_MAX);
    return RUG_OK;
}

rug_status rugi_ifs_check_views(rug_context *ctx, const rug_image *views, int n_planes)
{
    if (n_planes != 1 && n_planes != 3)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "%d planes are given, expected 1 (grey) or 3 (red, green "
                                "and blue)",
                                n_planes);
    if (views == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "the planes are NULL, expected %d views",
                                n_planes);
    for (int i = 0; i < n_planes; i++) {
        rug_status status = check_one(ctx, &views[i]);
        if (status != RUG_OK)
            return status;
        if (views[i].dtype != views[0].dtype)
            return rug_context_fail(ctx, RUG_E_ARG,
                                    "plane %d is of %s and the first of %s, expected the "
                                    "same",
                                    i, rug_dtype_name(views[i].dtype),
                                    rug_dtype_name(views[0].dtype));
        status = rugi_shapes_check(ctx, "colour plane", views[i].ndim, views[i].shape,
                                   views[0].ndim, views[0].shape);
        if (status != RUG_OK)
            return status;
    }
    return RUG_OK;
}

static void read_row(const rug_image *view, size_t y, int32_t *out, size_t nx)
{
    for (size_t x = 0; x < nx; x++)
        out[x] = rugi_ifs_pixel_of(view, y, x);
}

static void to_ycocg(int32_t *const row[RUG_IFS_PLANES_MAX], size_t nx, unsigned depth)
{
    for (size_t x = 0; x < nx; x++) {
        int32_t pixel[3] = {row[0][x], row[1][x], row[2][x]};
        rugi_ifs_to_ycocg(pixel, depth);
        for (int i = 0; i < 3; i++)
            row[i][x] = pixel[i];
    }
}

/* Pixels that tell whether a line is smooth, where it bends by no more than 1 / 64 of the
 * range. */
#define SMOOTH_PIXELS 8

/* The slope at the end of a smooth line, in 1/64; 0 of others. */
static int32_t slope_of(const int32_t *line, size_t n, size_t pitch, unsigned depth)
{
    if (n < SMOOTH_PIXELS)
        return 0;
    const int32_t *from = line + (n - SMOOTH_PIXELS) * pitch;
    for (size_t i = 2; i < SMOOTH_PIXELS; i++) {
        int32_t bend =
            from[i * pitch] - 2 * from[(i - 1) * pitch] + from[(i - 2) * pitch];
        if (bend > 1 << (depth - 6) || bend < -(1 << (depth - 6)))
            return 0;
    }
    return 64 * (from[(SMOOTH_PIXELS - 1) * pitch] - from[0]) / (SMOOTH_PIXELS - 1);
}

/* Values behind the end of a line: slopes of smooth ones go on, less and less, so that
 * blocks have no kink at the border; others end in their last value, which costs least. */
static void continue_line(int32_t *line, size_t n, size_t padded, size_t pitch,
                          unsigned depth)
{
    int32_t value = 64 * line[(n - 1) * pitch], slope = slope_of(line, n, pitch, depth);
    for (size_t i = n; i < padded; i++) {
        value += slope;
        slope = slope * 7 / 8;
        line[i * pitch] = value / 64;
    }
}

static void read_task(void *shared, size_t y, int thread)
{
    rugi_ifs_image *in = shared;
    int32_t *row[RUG_IFS_PLANES_MAX];
    (void)thread;
    for (int i = 0; i < in->n_planes; i++) {
        row[i] = in->planes[i].pixels + y * in->planes[i].nx;
        read_row(&in->views[i], y, row[i], in->nx);
    }
    if (in->n_planes == 3)
        to_ycocg(row, in->nx, in->depth);
    for (int i = 0; i < in->n_planes; i++)
        continue_line(row[i], in->nx, in->planes[i].nx, 1, rugi_ifs_plane_depth(in, i));
}

/* Columns go on, and the range of values is found. */
static void complete(rugi_ifs_pixels *plane, unsigned depth)
{
    size_t nx = plane->nx;
    for (size_t x = 0; x < nx; x++)
        continue_line(plane->pixels + x, plane->used_y, plane->ny, nx, depth);
    int32_t min = plane->pixels[0], max = min;
    for (size_t at = 0; at < nx * plane->ny; at++) {
        min = plane->pixels[at] < min ? plane->pixels[at] : min;
        max = plane->pixels[at] > max ? plane->pixels[at] : max;
    }
    plane->min = min;
    plane->max = max;
}

static uint32_t padded(uint32_t n)
{
    return (n + RUGI_IFS_BLOCK - 1) / RUGI_IFS_BLOCK * RUGI_IFS_BLOCK;
}

static unsigned bits_of(const rugi_ifs_image *in)
{
    unsigned bits = 1;
    int32_t max = in->planes[0].max;
    if (in->n_planes > 1)
        return in->depth;
    while (max >> bits != 0)
        bits++;
    return bits;
}

rug_status rugi_ifs_image_read(rug_context *ctx, rugi_ifs_image *in,
                               const rug_image *views, int n_planes)
{
    memset(in, 0, sizeof *in);
    rug_status status = RUG_OK;
    *in = (rugi_ifs_image){.views = views,
                           .n_planes = n_planes,
                           .depth = views[0].dtype == RUG_U8 ? 8 : 16,
                           .nx = (uint32_t)views[0].shape[1],
                           .ny = (uint32_t)views[0].shape[0]};
    for (int i = 0; i < n_planes; i++) {
        rugi_ifs_pixels *plane = &in->planes[i];
        plane->used_x = in->nx;
        plane->used_y = in->ny;
        plane->nx = padded(in->nx);
        plane->ny = padded(in->ny);
        plane->pixels = rug_context_allocate(ctx, (size_t)plane->nx * plane->ny,
                                             sizeof(int32_t), what);
        if (plane->pixels == NULL)
            return RUG_E_NOMEM;
    }
    status = rugi_parallel_for(ctx, in->ny, read_task, in);
    for (int i = 0; i < n_planes && status == RUG_OK; i++)
        complete(&in->planes[i], rugi_ifs_plane_depth(in, i));
    if (status == RUG_OK)
        in->bits = bits_of(in);
    return status;
}

void rugi_ifs_image_free(rug_context *ctx, rugi_ifs_image *in)
{
    for (int i = 0; i < RUG_IFS_PLANES_MAX; i++)
        rug_context_release(ctx, in->planes[i].pixels);
    memset(in, 0, sizeof *in);
}

/* Decoded planes beside the image. */
typedef struct comparison {
    const rugi_ifs_image *image;
    int32_t *const *decoded;
    double *of_row;
} comparison;

static void compare_task(void *shared, size_t y, int thread)
{
    const comparison *c = shared;
    const rugi_ifs_image *image = c->image;
    double sum = 0;
    (void)thread;
    for (size_t x = 0; x < image->nx; x++) {
        int32_t pixels[RUG_IFS_PLANES_MAX];
        for (int i = 0; i < image->n_planes; i++)
            pixels[i] = rugi_ifs_gray(c->decoded[i][y * image->planes[i].nx + x],
                                      rugi_ifs_plane_depth(image, i));
        if (image->n_planes == 3)
            rugi_ifs_from_ycocg(pixels, image->depth);
        for (int i = 0; i < image->n_planes; i++) {
            int32_t top = (1 << image->depth) - 1;
            int32_t pixel = pixels[i] < 0 ? 0 : pixels[i] > top ? top : pixels[i];
            double error = pixel - rugi_ifs_pixel_of(&image->views[i], y, x);
            sum += error * error;
        }
    }
    c->of_row[y] = sum;
}

rug_status rugi_ifs_squared_error(rug_context *ctx, double *out,
                                  const rugi_ifs_image *image,
                                  int32_t *const decoded[RUG_IFS_PLANES_MAX])
{
    comparison c = {.image = image, .decoded = decoded};
    c.of_row = rug_context_allocate(ctx, image->ny, sizeof *c.of_row, what);
    if (c.of_row == NULL)
        return RUG_E_NOMEM;
    rug_status status = rugi_parallel_for(ctx, image->ny, compare_task, &c);
    *out = 0;
    for (size_t y = 0; y < image->ny && status == RUG_OK; y++)
        *out += c.of_row[y];
    rug_context_release(ctx, c.of_row);
    return status;
}
