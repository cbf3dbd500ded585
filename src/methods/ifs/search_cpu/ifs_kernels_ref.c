/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The portable kernel of the exact search: vectors of four, which compilers have for
 * every processor. */

#include <stdint.h>
#include <string.h>

#define VEC_LANES         4
#define vec_add(a, b)     ((a) + (b))
#define vec_sub(a, b)     ((a) - (b))
#define vec_mul(a, b)     ((a) * (b))
#define vec_madd(a, b, c) ((a) * (b) + (c))
typedef float vec __attribute__((vector_size(16)));
typedef int32_t vec_bits __attribute__((vector_size(16)));

static inline vec vec_load(const float *at)
{
    vec v;
    memcpy(&v, at, sizeof v);
    return v;
}

static inline void vec_store(float *at, vec v)
{
    memcpy(at, &v, sizeof v);
}

static inline vec vec_splat(float x)
{
    return (vec){x, x, x, x};
}

static inline vec vec_abs(vec a)
{
    return (vec)((vec_bits)a & INT32_MAX);
}

static inline vec choose(vec_bits mask, vec a, vec b)
{
    return (vec)((mask & (vec_bits)a) | (~mask & (vec_bits)b));
}

static inline vec vec_max(vec a, vec b)
{
    return choose((vec_bits)(a > b), a, b);
}

static inline vec vec_min(vec a, vec b)
{
    return choose((vec_bits)(a < b), a, b);
}

static inline int vec_any_reaches(vec a, vec b)
{
    const vec_bits m = (vec_bits)(a >= b);
    return (m[0] | m[1] | m[2] | m[3]) != 0;
}

#include "ifs_kernels_tmpl.h"
#include "ifs_shrink_tmpl.h"

void rugi_ifs_set_kernels_ref(rugi_ifs_kernels *kernels)
{
    *kernels = (rugi_ifs_kernels){"cpu-ref", screen, shrink};
}
