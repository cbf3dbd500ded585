/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Alphas outside of a mask. */

#include "alpha_plan.h"
#include "core/image/predicate.h"
#include <math.h>

/* Pixels of the mask that are looked at together. */
#define PIECE 1024

size_t rugi_alpha_drop_outside(float *alpha, const void *mask, rug_dtype dtype, size_t n)
{
    static const rug_foreground nonzero = {RUG_FOREGROUND_NONZERO, 0};
    const rugi_predicate is_inside = rugi_predicate_make(dtype, nonzero);
    const char *pixels = mask;
    uint8_t inside[PIECE];
    size_t n_outside = 0;
    for (size_t x = 0; x < n; x += PIECE) {
        size_t m = n - x < PIECE ? n - x : PIECE;
        rugi_predicate_flags(&is_inside, dtype, inside,
                             pixels + x * rug_dtype_size(dtype), m);
        for (size_t i = 0; i < m; i++) {
            alpha[x + i] = inside[i] ? alpha[x + i] : (float)NAN;
            n_outside += !inside[i];
        }
    }
    return n_outside;
}
