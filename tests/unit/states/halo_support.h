/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Boxes of an image that are cut at random, with what surrounds them. Include it after support.h. */

#ifndef RUGOSE_HALO_SUPPORT_H
#define RUGOSE_HALO_SUPPORT_H

#include <rugose/image.h>
#include <string.h>

/* Pixels first .. end - 1 along each axis of an image. */
typedef struct box {
    size_t first[3], end[3];
} box;

static inline void must(rug_context *ctx, rug_status status)
{
    if (status != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
}

static inline void refused(rug_context *ctx, rug_status status, const char *text)
{
    assert_int_equal(status, RUG_E_ARG);
    if (strstr(rug_context_error(ctx), text) == NULL)
        fail_msg("\"%s\" is not part of the error text: %s", text,
                 rug_context_error(ctx));
}

static inline box whole_of(const rug_image *img)
{
    box b = {{0, 0, 0}, {1, 1, 1}};
    memcpy(b.end, img->shape, (size_t)img->ndim * sizeof *b.end);
    return b;
}

/* The part of an image that a box is. Bits are cut at bytes. */
static inline rug_image view_of(const rug_image *img, const box *b)
{
    rug_image v = *img;
    const char *data = img->data;
    for (int a = 0; a < img->ndim; a++) {
        int bits = img->dtype == RUG_BIT && a == img->ndim - 1;
        assert_true(!bits || b->first[a] % 8 == 0);
        v.shape[a] = b->end[a] - b->first[a];
        data +=
            bits ? (ptrdiff_t)(b->first[a] / 8) : (ptrdiff_t)b->first[a] * img->stride[a];
    }
    v.data = data;
    return v;
}

/* A box with what surrounds it, and sometimes more: as many pixels as are said for each axis, or as
 * the image has. It begins at a byte of bits. */
static inline box surrounded(uint64_t *rng, const rug_image *img, const box *own,
                             const size_t reach[3])
{
    box b = *own;
    for (int a = 0; a < img->ndim; a++) {
        size_t before = reach[a] + (test_below(rng, 4) == 0 ? test_below(rng, 3) : 0);
        size_t behind = reach[a] + (test_below(rng, 4) == 0 ? test_below(rng, 3) : 0);
        b.first[a] -= before < b.first[a] ? before : b.first[a];
        b.end[a] = img->shape[a] - b.end[a] > behind ? b.end[a] + behind : img->shape[a];
    }
    b.first[img->ndim - 1] &= ~(size_t)7;
    return b;
}

/* Cuts a box in two at random. @return 0: it has one pixel, or is to stay as it is */
static inline int halve(uint64_t *rng, int ndim, const box *b, box halves[2])
{
    int axis = (int)test_below(rng, (uint64_t)ndim);
    size_t n = b->end[axis] - b->first[axis];
    if (n < 2 || test_below(rng, 5) == 0)
        return 0;
    int turned = (int)test_below(rng, 2);
    halves[0] = halves[1] = *b;
    halves[turned].end[axis] = halves[!turned].first[axis] =
        b->first[axis] + 1 + test_below(rng, n - 1);
    return 1;
}

#endif
