/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Alphas outside of a mask. */

#include "alpha_plan.h"
#include <math.h>

#define DROP_OUTSIDE(type, IS_INSIDE)                   \
    for (size_t i = 0; i < n; i++) {                    \
        type m = ((const type *)mask)[i];               \
        n_outside += !(IS_INSIDE);                      \
        alpha[i] = (IS_INSIDE) ? alpha[i] : (float)NAN; \
    }                                                   \
    break

size_t rugi_alpha_drop_outside(float *alpha, const void *mask, rug_dtype dtype, size_t n)
{
    size_t n_outside = 0;
    switch (dtype) {
    case RUG_U8:
    case RUG_I8: DROP_OUTSIDE(uint8_t, m != 0);
    case RUG_U16:
    case RUG_I16: DROP_OUTSIDE(uint16_t, m != 0);
    case RUG_U32:
    case RUG_I32: DROP_OUTSIDE(uint32_t, m != 0);
    case RUG_U64:
    case RUG_I64: DROP_OUTSIDE(uint64_t, m != 0);
    case RUG_F32: DROP_OUTSIDE(float, m<0 || m> 0);
    default: DROP_OUTSIDE(double, m<0 || m> 0);
    }
    return n_outside;
}
