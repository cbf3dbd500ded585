/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Planes are views with other strides, coded one after the other. */

#include "lbp_planes.h"
#include "core/image/image_internal.h"

const int *rugi_lbp_axes(rug_lbp_planes which)
{
    static const int axes[][3] = {{0, 1, 2}, {0, 1, 2}, {1, 0, 2}, {2, 0, 1}};
    return axes[which];
}

rug_status rugi_lbp_check_planes(rug_context *ctx, int ndim, rug_lbp_planes which)
{
    if (ndim == 3 && which == RUG_LBP_PLANES_NONE)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "a volume given: choose the planes to be coded, XY, XZ "
                                "or YZ");
    if (ndim == 2 && which != RUG_LBP_PLANES_NONE)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "planes of a volume requested, but an image given");
    return RUG_OK;
}

/* Packed pixels as bytes. */
static rug_status unpack(rug_context *ctx, rugi_lbp_planes *p)
{
    const rug_image packed = p->volume, *v = &packed;
    uint8_t *bytes = rug_context_allocate(ctx, (size_t)rug_image_pixels(v), 1, "planes");
    if (bytes == NULL)
        return RUG_E_NOMEM;
    p->unpacked = bytes;
    for (size_t z = 0; z < v->shape[0]; z++)
        for (size_t y = 0; y < v->shape[1]; y++) {
            const uint8_t *row = rugi_image_row(v, z, y);
            for (size_t x = 0; x < v->shape[2]; x++)
                *bytes++ = row[x / 8] >> x % 8 & 1;
        }
    return rug_image_view(ctx, &p->volume, p->unpacked, RUG_U8, 3, v->shape);
}

/* Gives a view the axes `order` of another. */
static rug_image with_axes(const rug_image *v, const int order[3])
{
    rug_image out = *v;
    for (int a = 0; a < 3; a++) {
        out.shape[a] = v->shape[order[a]];
        out.stride[a] = v->stride[order[a]];
        out.spacing[a] = v->spacing[order[a]];
    }
    return out;
}

rug_status rugi_lbp_planes_make(rug_context *ctx, rugi_lbp_planes *out,
                                const rug_image *image, rug_lbp_planes which,
                                int in_bytes)
{
    *out = (rugi_lbp_planes){.volume = rugi_image_with_z(image)};
    if (image->dtype == RUG_BIT && (in_bytes || which == RUG_LBP_PLANES_YZ)) {
        rug_status status = unpack(ctx, out);
        if (status != RUG_OK)
            return status;
    }
    out->volume = with_axes(&out->volume, rugi_lbp_axes(which));
    return RUG_OK;
}

/* One plane. */
static rug_image plane_at(const rug_image *volume, size_t i)
{
    rug_image out = *volume;
    out.ndim = 2;
    out.data = (const char *)volume->data + (ptrdiff_t)i * volume->stride[0];
    for (int a = 0; a < 2; a++) {
        out.shape[a] = volume->shape[a + 1];
        out.stride[a] = volume->stride[a + 1];
        out.spacing[a] = volume->spacing[a + 1];
    }
    return out;
}

/* A plane with the axes of the image that it comes of: places in it are named so. */
static rug_image as_given(const rug_image *volume, const rug_image *given)
{
    rug_image plane = *volume;
    if (given->ndim == 3)
        return plane;
    plane.ndim = 2;
    for (int a = 0; a < 2; a++) {
        plane.shape[a] = volume->shape[a + 1];
        plane.stride[a] = volume->stride[a + 1];
        plane.spacing[a] = volume->spacing[a + 1];
    }
    return plane;
}

rug_status rugi_lbp_find_regions(rug_context *ctx, rug_regions **out,
                                 const rug_image *labels, const rug_image *given)
{
    const rug_image plane = as_given(labels, given);
    return rug_regions_find(ctx, out, &plane);
}

rug_status rugi_lbp_run_planes(rug_context *ctx, rugi_lbp_run *run,
                               const rug_image *image, const rug_image *mask,
                               const rugi_box *box)
{
    rug_status status = RUG_OK;
    size_t n = box->end[0] - box->first[0];
    for (size_t k = 0; k < n && status == RUG_OK; k++) {
        size_t i = box->first[0] + k;
        rugi_lbp_part part = {.rows = plane_at(image, i),
                              .slice = i,
                              .from = box->first[1],
                              .to = box->end[1]};
        if (run->has_mask)
            part.mask = plane_at(mask, i);
        RUGI_PHASE(ctx, (double)k / (double)n, (double)(k + 1) / (double)n, status,
                   rugi_lbp_run_part(ctx, run, &part));
    }
    return status;
}
