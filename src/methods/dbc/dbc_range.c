/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The least and the largest value, exactly, also of 64 bits. */

#include "core/image/source_internal.h"
#include "dbc_kernels.h"
#include <math.h>

typedef struct extremes {
    rug_dtype dtype;
    rugi_dbc_range_fn widen;
    rugi_dbc_range range; /* floats: infinite when there are none */
} extremes;

static void see_segment(void *state, const void *pixels, size_t n)
{
    extremes *s = state;
    s->widen(&s->range, s->dtype, pixels, n);
}

rug_status rugi_dbc_find_range(rug_context *ctx, rugi_dbc_range *out,
                               const rug_source *source, const rug_source *mask)
{
    size_t n_threads = (size_t)rug_context_threads(ctx);
    extremes *states = rug_context_allocate(ctx, n_threads, sizeof *states, "range");
    if (states == NULL)
        return RUG_E_NOMEM;
    rugi_dbc_kernels kernels;
    rugi_dbc_set_kernels(&kernels, rug_context_cpu_level(ctx));
    const extremes none = {.dtype = rugi_segment_dtype(source->dtype),
                           .widen = kernels.widen_range,
                           .range = {UINT64_MAX, 0, INFINITY, -INFINITY}};
    for (size_t t = 0; t < n_threads; t++)
        states[t] = none;
    rug_status status =
        rugi_source_for_segments(ctx, source, mask, see_segment, states, sizeof *states);
    rugi_dbc_range all = none.range;
    for (size_t t = 0; t < n_threads && status == RUG_OK; t++) {
        const rugi_dbc_range *r = &states[t].range;
        all.lo = r->lo < all.lo ? r->lo : all.lo;
        all.hi = r->hi > all.hi ? r->hi : all.hi;
        all.real_lo = fmin(r->real_lo, all.real_lo);
        all.real_hi = fmax(r->real_hi, all.real_hi);
    }
    int some = all.real_lo <= all.real_hi;
    *out = (rugi_dbc_range){all.lo, all.hi, some ? all.real_lo + 0.0 : NAN,
                            some ? all.real_hi + 0.0 : NAN}; /* + 0.0 turns -0 into 0 */
    rug_context_release(ctx, states);
    return status;
}
