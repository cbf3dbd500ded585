/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* c ln c in whole numbers: tables and what follows from them. */

#include "glcm_logs.h"
#include <math.h>

rugi_glcm_u128 rugi_glcm_t_far(uint64_t c)
{
    if (c < 2)
        return 0;
    long double t = (long double)c * logl((long double)c);
    return (rugi_glcm_u128)(ldexpl(t, RUGI_GLCM_T_BITS) + 0.5L);
}

/* The same where it fits 64 bits, below RUGI_GLCM_TABLE_MAX. */
static uint64_t t_near(uint64_t c)
{
    if (c < 2)
        return 0;
    long double unit = (long double)((uint64_t)1 << RUGI_GLCM_T_BITS);
    return (uint64_t)((long double)c * logl((long double)c) * unit + 0.5L);
}

rug_status rugi_glcm_logs_new(rug_context *ctx, rugi_glcm_logs *out, uint64_t largest)
{
    size_t n =
        largest < RUGI_GLCM_TABLE_MAX - 1 ? (size_t)largest + 1 : RUGI_GLCM_TABLE_MAX;
    n = n < 256 ? 256 : n;
    *out = (rugi_glcm_logs){.n = n};
    out->t = rug_context_allocate(ctx, n, sizeof *out->t, "a table of logarithms");
    out->step = rug_context_allocate(ctx, n, sizeof *out->step, "a table of logarithms");
    if (out->t == NULL || out->step == NULL)
        return RUG_E_NOMEM;
    uint64_t last = 0;
    for (size_t c = 0; c < n; c++) {
        uint64_t next = t_near(c + 1);
        out->t[c] = last;
        out->step[c] = next - last;
        last = next;
    }
    return RUG_OK;
}

void rugi_glcm_logs_free(rug_context *ctx, rugi_glcm_logs *logs)
{
    rug_context_release(ctx, logs->step);
    rug_context_release(ctx, logs->t);
}

/* t of one count n is larger than that of any others that sum up to n. */
double rugi_glcm_entropy(const rugi_glcm_logs *logs, uint64_t n, rugi_glcm_u128 t)
{
    if (n == 0 || t == rugi_glcm_t(logs, n))
        return 0;
    long double sum = ldexpl((long double)t, -RUGI_GLCM_T_BITS);
    double entropy = (double)(logl((long double)n) - sum / (long double)n);
    return entropy > 0 ? entropy : 0;
}
