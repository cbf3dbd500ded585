/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* How far the transforms of a stream are from the image that was coded. */

#include "core/context/context_internal.h"
#include "core/image/image_internal.h"
#include "ifs/paper/ifs_paper_code.h"
#include "ifs/stream/ifs_container.h"
#include "ifs/stream/ifs_isometry.h"
#include "ifs/stream/ifs_pixel.h"
#include <math.h>

/* What goes with a call. */
typedef struct measuring {
    const rug_image *planes;
    rugi_ifs_header header;
    uint32_t nx, ny; /* of a padded plane */
    rug_ifs_transform_fn fn;
    void *user;
} measuring;

/* A pixel of a plane as it is coded; the image's last row and column continue it. */
static int32_t pixel_at(const measuring *m, int plane, size_t y, size_t x)
{
    int32_t pixel[RUG_IFS_PLANES_MAX];
    if (!m->header.is_ycocg)
        return rugi_ifs_continued_pixel(&m->planes[plane], y, x);
    for (int i = 0; i < 3; i++)
        pixel[i] = rugi_ifs_continued_pixel(&m->planes[i], y, x);
    rugi_ifs_to_ycocg(pixel, m->header.depth);
    return pixel[plane];
}

/* The domain of a transform, shrunk to its range.
 * @param out  [size²], row by row. @return its mean */
static double shrink(double *out, const measuring *m, const rug_ifs_transform *t)
{
    double sum = 0;
    for (uint32_t i = 0; i < t->size * t->size; i++) {
        int32_t four = 0;
        for (uint32_t k = 0; k < 4; k++)
            four += pixel_at(m, t->plane, (t->domain_y + i / t->size * 2 + k / 2) % m->ny,
                             (t->domain_x + i % t->size * 2 + k % 2) % m->nx);
        out[i] = four / 4.0;
        sum += out[i];
    }
    return sum / (t->size * t->size);
}

static double error_of(const measuring *m, const rug_ifs_transform *t)
{
    double domain[RUGI_IFS_BLOCK * RUGI_IFS_BLOCK], mean = 0, error = 0;
    int is_inside = 0;
    if (t->has_domain)
        mean = shrink(domain, m, t);
    for (uint32_t i = 0; i < t->size * t->size; i++) {
        size_t y = (t->range_y + i / t->size) % m->ny;
        size_t x = (t->range_x + i % t->size) % m->nx;
        if (y >= m->header.ny || x >= m->header.nx)
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
    const rugi_ifs_header *h = &m->header;
    const size_t shape[2] = {h->ny, h->nx};
    const rug_dtype dtype = h->depth == 16 ? RUG_U16 : RUG_U8;
    if (n_planes != h->n_planes)
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

static uint32_t padded(uint32_t n, uint32_t size)
{
    return (n + size - 1) / size * size;
}

rug_status rug_ifs_measure_transforms(rug_context *ctx, const uint8_t *bytes, size_t size,
                                      uint64_t pixels_max, const rug_image *planes,
                                      int n_planes, rug_ifs_transform_fn fn, void *user)
{
    measuring m = {.planes = planes, .fn = fn, .user = user};
    rugi_ifs_part parts[RUG_IFS_PLANES_MAX];
    if (ctx == NULL || fn == NULL || planes == NULL || (bytes == NULL && size > 0))
        return rug_context_fail(ctx, RUG_E_ARG, "rug_ifs_measure_transforms: NULL given");
    rug_status status = rugi_ifs_container_read(ctx, &m.header, parts, bytes, size);
    if (status == RUG_OK)
        status = check_planes(ctx, &m, n_planes);
    if (status != RUG_OK)
        return status;
    uint32_t block =
        m.header.partition == RUG_IFS_QUADTREE ? RUGI_IFS_BLOCK : m.header.range_size;
    m.nx = padded(m.header.nx, block);
    m.ny = padded(m.header.ny, block);
    return rug_ifs_read_transforms(ctx, bytes, size, pixels_max, measure, &m);
}
