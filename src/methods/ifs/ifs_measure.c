/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* How far the transforms of a stream are from the image that was coded. */

#include "core/context/context_internal.h"
#include "core/image/image_internal.h"
#include "ifs/paper/ifs_paper_code.h"
#include "ifs/patches/ifs_tiles.h"
#include "ifs/stream/ifs_isometry.h"
#include "ifs/stream/ifs_pixel.h"
#include <math.h>

/* What goes with a call. */
typedef struct measuring {
    const rug_image *planes;
    rugi_ifs_size image;
    int n_colours;   /* planes that have transforms */
    unsigned bits;   /* of values */
    int32_t minimum; /* of values */
    int is_ycocg;
    unsigned halved; /* 1: planes of colour have half as many samples a side */
    uint32_t unit;   /* planes are padded to whole numbers of it */
    rug_ifs_transform_fn fn;
    void *user;
} measuring;

/* A pixel of a plane as it is coded at the image's size; its last row and column continue it. */
static int32_t value_at(const measuring *m, int plane, size_t y, size_t x)
{
    int32_t pixel[RUG_IFS_PLANES_MAX];
    if (!m->is_ycocg)
        return rugi_ifs_continued_pixel(&m->planes[plane], y, x);
    for (int i = 0; i < 3; i++)
        pixel[i] = rugi_ifs_continued_pixel(&m->planes[i], y, x) - m->minimum;
    rugi_ifs_to_ycocg(pixel, m->bits);
    return plane == 0 ? pixel[0] + m->minimum : pixel[plane];
}

/* The same of a plane that may have half as many samples. */
static double pixel_at(const measuring *m, int plane, size_t y, size_t x)
{
    double sum = 0;
    if (plane == 0 || !m->halved)
        return value_at(m, plane, y, x);
    for (size_t i = 0; i < 4; i++)
        sum += value_at(m, plane, 2 * y + i / 2, 2 * x + i % 2);
    return sum / 4;
}

/* Samples of a plane, without padding and with it. */
static uint32_t samples_of(const measuring *m, int plane, uint32_t n)
{
    unsigned halved = plane > 0 ? m->halved : 0;
    return (n + halved) >> halved;
}
static uint32_t padded(const measuring *m, int plane, uint32_t n)
{
    return (samples_of(m, plane, n) + m->unit - 1) / m->unit * m->unit;
}

/* The domain of a transform, shrunk to its range.
 * @param out  [size²], row by row. @return its mean */
static double shrink(double *out, const measuring *m, const rug_ifs_transform *t)
{
    double sum = 0;
    uint32_t nx = padded(m, t->plane, m->image.nx), ny = padded(m, t->plane, m->image.ny);
    for (uint32_t i = 0; i < t->size * t->size; i++) {
        double four = 0;
        for (uint32_t k = 0; k < 4; k++)
            four += pixel_at(m, t->plane, (t->domain_y + i / t->size * 2 + k / 2) % ny,
                             (t->domain_x + i % t->size * 2 + k % 2) % nx);
        out[i] = four / 4.0;
        sum += out[i];
    }
    return sum / (t->size * t->size);
}

static double error_of(const measuring *m, const rug_ifs_transform *t)
{
    double domain[RUGI_IFS_BLOCK * RUGI_IFS_BLOCK], mean = 0, error = 0;
    int is_inside = 0;
    uint32_t nx = padded(m, t->plane, m->image.nx), ny = padded(m, t->plane, m->image.ny);
    if (t->has_domain)
        mean = shrink(domain, m, t);
    for (uint32_t i = 0; i < t->size * t->size; i++) {
        size_t y = (t->range_y + i / t->size) % ny;
        size_t x = (t->range_x + i % t->size) % nx;
        if (y >= samples_of(m, t->plane, m->image.ny) ||
            x >= samples_of(m, t->plane, m->image.nx))
            continue;
        double made = t->mean;
        if (t->has_domain)
            made += t->s * (domain[rugi_ifs_isometry_place(t->symmetry, t->size,
                                                           i / t->size, i % t->size)] -
                            mean);
        double difference = pixel_at(m, t->plane, y, x) - made;
        error += difference * difference;
        is_inside = 1;
    }
    return is_inside ? error : (double)NAN;
}

static rug_status measure(void *user, const rug_ifs_transform *transform)
{
    const measuring *m = user;
    rug_ifs_transform t = *transform;
    t.error = error_of(m, &t);
    return m->fn(m->user, &t);
}

/* The image must be such as the stream was made of. */
static rug_status check_planes(rug_context *ctx, const measuring *m, int n_planes)
{
    const rugi_ifs_size *h = &m->image;
    const size_t shape[2] = {h->ny, h->nx};
    const rug_dtype dtype = h->depth == 16 ? RUG_U16 : RUG_U8;
    if (n_planes != h->n_planes && n_planes != m->n_colours)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "the original has %d plane%s, the stream %d: the image that was coded is expected",
            n_planes, n_planes == 1 ? "" : "s", h->n_planes);
    for (int i = 0; i < n_planes; i++) {
        rug_status status = rugi_ifs_check_plane(ctx, &m->planes[i]);
        if (status == RUG_OK && m->planes[i].dtype != dtype)
            status = rug_context_fail(
                ctx, RUG_E_ARG,
                "the original is of %s, the stream of %s: the image "
                "that was coded is expected",
                rug_dtype_name(m->planes[i].dtype), rug_dtype_name(dtype));
        if (status == RUG_OK)
            status = rugi_shapes_check(ctx, "original", m->planes[i].ndim,
                                       m->planes[i].shape, 2, shape);
        if (status != RUG_OK)
            return status;
    }
    return RUG_OK;
}

static rug_status read_untiled(rug_context *ctx, measuring *m, const uint8_t *bytes,
                               size_t size)
{
    rugi_ifs_header h;
    rugi_ifs_part parts[RUG_IFS_PLANES_MAX];
    rug_status status = rugi_ifs_container_read(ctx, &h, parts, bytes, size);
    if (status != RUG_OK)
        return status;
    m->image = rugi_ifs_size_of(&h);
    m->n_colours = h.n_planes;
    m->bits = h.depth;
    m->is_ycocg = h.is_ycocg;
    m->unit = h.partition == RUG_IFS_QUADTREE ? RUGI_IFS_BLOCK : h.range_size;
    return RUG_OK;
}

static rug_status read_tiled(rug_context *ctx, measuring *m, const uint8_t *bytes,
                             size_t size)
{
    rugi_ifs_tiled t;
    rug_status status = rugi_ifs_tiled_read(ctx, &t, bytes, size, 0);
    if (status != RUG_OK)
        return status;
    m->image = (rugi_ifs_size){t.nx, t.ny, rugi_ifs_picture_planes(&t), t.is_16 ? 16 : 8};
    m->n_colours = t.is_colour ? 3 : 1;
    m->bits = t.depth;
    m->minimum = (int32_t)t.minimum;
    m->is_ycocg = t.is_colour;
    m->halved = t.halved;
    m->unit = RUGI_IFS_BLOCK;
    rugi_ifs_tiled_free(ctx, &t);
    return RUG_OK;
}

rug_status rug_ifs_measure_transforms(rug_context *ctx, const uint8_t *bytes, size_t size,
                                      uint64_t pixels_max, const rug_image *planes,
                                      int n_planes, rug_ifs_transform_fn fn, void *user)
{
    measuring m = {.planes = planes, .fn = fn, .user = user};
    if (ctx == NULL || fn == NULL || planes == NULL || (bytes == NULL && size > 0))
        return rug_context_fail(ctx, RUG_E_ARG, "rug_ifs_measure_transforms: NULL given");
    rug_status status = rugi_ifs_is_tiled(bytes, size)
                            ? read_tiled(ctx, &m, bytes, size)
                            : read_untiled(ctx, &m, bytes, size);
    if (status == RUG_OK)
        status = check_planes(ctx, &m, n_planes);
    return status == RUG_OK
               ? rug_ifs_read_transforms(ctx, bytes, size, pixels_max, measure, &m)
               : status;
}
