/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Pictures for the page of a run: whole ones, reduced, and the same part of two, pixel by pixel. */

#include "pictures.h"
#include <rugose/picture.h>
#include <string.h>

/* Sides of a part, from the one that is tried first to the smallest that shows anything. */
#define PART_SIDE     256
#define PART_SIDE_MIN 64

/* Pixels that may be read some times. */
#define CHEAP_PIXELS ((uint64_t)1 << 24)

/* A part of planes, and the values that become black and white. */
typedef struct part {
    const rug_image *planes;
    int n_planes;
    size_t y, x, height, width;
    unsigned black, white;
} part;

static unsigned value_at(const rug_image *plane, size_t y, size_t x)
{
    const char *at = (const char *)plane->data + (ptrdiff_t)y * plane->stride[0] +
                     (ptrdiff_t)x * plane->stride[1];
    uint16_t value = (unsigned char)*at;
    if (plane->dtype == RUG_U16)
        memcpy(&value, at, sizeof value);
    return value;
}

static int can_show(const cli_run *run, const rug_image *planes)
{
    return run->html != NULL && planes->data != NULL && planes->ndim == 2 &&
           (planes->dtype == RUG_U8 || planes->dtype == RUG_U16);
}

/* Pixels of 16 bits need not use all of them. */
static void set_range(part *p)
{
    p->black = 0;
    p->white = 255;
    if (p->planes->dtype != RUG_U16)
        return;
    p->black = UINT16_MAX;
    p->white = 0;
    for (int i = 0; i < p->n_planes; i++)
        for (size_t y = p->y; y < p->y + p->height; y++)
            for (size_t x = p->x; x < p->x + p->width; x++) {
                unsigned value = value_at(&p->planes[i], y, x);
                p->black = value < p->black ? value : p->black;
                p->white = value > p->white ? value : p->white;
            }
    p->white += p->white == p->black;
}

/* The mean of a cell's pixels as a value of 8 bits. @param end  behind its last pixel */
static uint8_t shade_of(const part *p, int plane, const size_t first[2],
                        const size_t end[2])
{
    double sum = 0, n = (double)(end[0] - first[0]) * (double)(end[1] - first[1]);
    for (size_t y = first[0]; y < end[0]; y++)
        for (size_t x = first[1]; x < end[1]; x++)
            sum += value_at(&p->planes[plane], y, x);
    double shade = 255 * (sum / n - p->black) / (p->white - p->black);
    return shade <= 0 ? 0 : shade >= 255 ? 255 : (uint8_t)(shade + 0.5);
}

/* A part as a PNG of height x width pixels, not more than it has. */
static rug_status encode(cli_run *run, const part *p, size_t height, size_t width,
                         uint8_t **png, size_t *n)
{
    const size_t shape[2] = {height, width};
    rug_image planes[RUG_IFS_PLANES_MAX];
    uint8_t *pixels =
        rug_context_allocate(run->ctx, height * width, (size_t)p->n_planes, "a picture");
    rug_status status = pixels != NULL ? RUG_OK : RUG_E_NOMEM;
    for (int i = 0; i < p->n_planes && status == RUG_OK; i++) {
        uint8_t *out = pixels + (size_t)i * height * width;
        status = rug_image_view(run->ctx, &planes[i], out, RUG_U8, 2, shape);
        for (size_t y = 0; y < height; y++)
            for (size_t x = 0; x < width; x++) {
                const size_t first[2] = {p->y + y * p->height / height,
                                         p->x + x * p->width / width};
                const size_t end[2] = {p->y + (y + 1) * p->height / height,
                                       p->x + (x + 1) * p->width / width};
                out[y * width + x] = shade_of(p, i, first, end);
            }
    }
    if (status == RUG_OK)
        status = rug_picture_encode_png(run->ctx, png, n, planes, p->n_planes);
    rug_context_release(run->ctx, pixels);
    return status;
}

static size_t reduced(size_t side, size_t longest, size_t limit)
{
    size_t n = longest <= limit ? side : side * limit / longest;
    return n > 0 ? n : 1;
}

static rug_status encode_whole(cli_run *run, const void *of, size_t limit, uint8_t **png,
                               size_t *n)
{
    const part *p = of;
    size_t longest = p->height > p->width ? p->height : p->width;
    return encode(run, p, reduced(p->height, longest, limit),
                  reduced(p->width, longest, limit), png, n);
}

rug_status cli_show_picture(cli_run *run, const char *image, const rug_image *planes,
                            int n_planes, const char *alt, int has_pair)
{
    part p = {planes, n_planes, 0, 0, planes->shape[0], planes->shape[1], 0, 255};
    const cli_making page = {
        image,    alt,     encode_whole, &p, rug_image_pixels(planes) > CHEAP_PIXELS,
        has_pair, n_planes};
    if (!can_show(run, planes))
        return RUG_OK;
    set_range(&p);
    return cli_fit_picture(run, &page);
}

/* ---- Two pictures ---- */

/* How much neighbours differ in a part, every other one. */
static double activity_of(const rug_image *plane, size_t y, size_t x, size_t side)
{
    double sum = 0;
    for (size_t i = y; i + 1 < y + side; i += 2)
        for (size_t k = x; k + 1 < x + side; k += 2) {
            double here = value_at(plane, i, k);
            double right = value_at(plane, i, k + 1) - here;
            double below = value_at(plane, i + 1, k) - here;
            sum += right * right + below * below;
        }
    return sum;
}

/* Finds the part of a side where there is most to see. */
static void choose_part(part *p, size_t side)
{
    const rug_image *plane = &p->planes[0];
    size_t ny = plane->shape[0], nx = plane->shape[1];
    double most = -1;
    side = side < ny ? side : ny;
    side = side < nx ? side : nx;
    p->height = p->width = side;
    for (size_t y = 0; y + side <= ny; y += (side + 1) / 2)
        for (size_t x = 0; x + side <= nx; x += (side + 1) / 2) {
            double activity = activity_of(plane, y, x, side);
            if (activity > most) {
                most = activity;
                p->y = y;
                p->x = x;
            }
        }
}

static void add_half(cli_run *run, const char *image, const part *p, const char *kind,
                     const uint8_t *png, size_t n)
{
    char alt[120];
    snprintf(alt, sizeof alt, "%s: %zux%zu pixels from row %zu, column %zu", kind,
             p->height, p->width, p->y, p->x);
    cli_add_picture(run, &(cli_page_picture){image, kind, alt, png, n});
}

/* @param n  bytes of both */
static rug_status encode_pair(cli_run *run, const part p[2], uint8_t *png[2], size_t n[2])
{
    rug_status status = RUG_OK;
    for (int i = 0; i < 2 && status == RUG_OK; i++)
        status = encode(run, &p[i], p[i].height, p[i].width, &png[i], &n[i]);
    return status;
}

rug_status cli_show_pair(cli_run *run, const char *image, const rug_image *original,
                         const rug_image *decoded, int n_planes)
{
    size_t room = cli_picture_bytes(run) / 2, n[2] = {0, 0};
    rug_status status = RUG_OK;
    int is_shown = 0;
    if (!can_show(run, original) || !can_show(run, decoded))
        return RUG_OK;
    for (size_t side = PART_SIDE; side >= PART_SIDE_MIN && !is_shown && status == RUG_OK;
         side /= 2) {
        part p[2] = {{.planes = original, .n_planes = n_planes}};
        uint8_t *png[2] = {NULL, NULL};
        choose_part(&p[0], side);
        set_range(&p[0]);
        p[1] = p[0];
        p[1].planes = decoded;
        status = encode_pair(run, p, png, n);
        is_shown = status == RUG_OK && n[0] + n[1] <= room;
        if (is_shown) {
            add_half(run, image, &p[0], "original", png[0], n[0]);
            add_half(run, image, &p[1], "decoded", png[1], n[1]);
        }
        rug_context_release(run->ctx, png[0]);
        rug_context_release(run->ctx, png[1]);
    }
    return status != RUG_E_UNSUPPORTED ? status : RUG_OK; /* without libpng */
}
