/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Images cut at random places. Include it after support.h. */

#ifndef RUGOSE_PARTS_SUPPORT_H
#define RUGOSE_PARTS_SUPPORT_H

#include <string.h>

/* The pixels first .. end - 1 of an image; those of bits are not cut along the last axis. */
static inline rug_image cut_image(const rug_image *img, const size_t *first,
                                  const size_t *end)
{
    rug_image v = *img;
    const char *data = img->data;
    for (int a = 0; a < img->ndim; a++) {
        v.shape[a] = end[a] - first[a];
        if (img->dtype != RUG_BIT || a < img->ndim - 1)
            data += (ptrdiff_t)first[a] * img->stride[a];
    }
    v.data = data;
    return v;
}

typedef void part_fn(void *user, const size_t *first, const size_t *end);

/* Cuts a box at random places, and calls a function with all pieces in any order. */
static inline void cut_at_random(uint64_t *rng, const rug_image *img, const size_t *first,
                                 const size_t *end, part_fn *fn, void *user)
{
    int axis = (int)test_below(rng, (uint64_t)img->ndim);
    size_t middle[3], later[3];
    if (img->dtype == RUG_BIT && axis == img->ndim - 1)
        axis--;
    size_t n = end[axis] - first[axis];
    if (n < 2 || test_below(rng, 6) == 0) {
        fn(user, first, end);
        return;
    }
    memcpy(middle, end, sizeof middle);
    memcpy(later, first, sizeof later);
    later[axis] = middle[axis] = first[axis] + 1 + test_below(rng, n - 1);
    int turned = (int)test_below(rng, 2);
    cut_at_random(rng, img, turned ? later : first, turned ? end : middle, fn, user);
    cut_at_random(rng, img, turned ? first : later, turned ? middle : end, fn, user);
}

#endif
