/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The plan of differential box counting: range of values, grey levels, heights of boxes,
 * tiles. Options that do not fit the values are refused here. */

#include "dbc_plan.h"
#include "core/context/threads.h"
#include "core/fit/scaling.h"
#include "core/image/source_internal.h"
#include "core/image/whole.h"
#include "dbc_kernels.h"
#include "dbc_keys.h"
#include <math.h>
#include <string.h>

/* Bytes of a tile's row in an image, and of each of its 64 rows in a volume: what a thread
 * keeps of all levels stays in its caches. */
#define TILE_BYTES_2D 8192
#define TILE_BYTES_3D 512

/* The most levels that integers can be given: up to here doubles hold every whole number. */
#define LEVELS_MAX 0x1p53

static int is_real(rug_dtype dtype)
{
    return dtype == RUG_F32 || dtype == RUG_F64;
}

/* ---- The range of values ---- */

/* Whether G is the range of an image of integers. */
static int takes_range(rug_dtype dtype, const rug_dbc_options *opts)
{
    return rug_dtype_size(dtype) > 1 && !(opts->levels > 0);
}

int rugi_dbc_needs_range(rug_dtype dtype, const rug_dbc_options *opts)
{
    rug_dtype values = is_real(dtype) && opts->values != RUG_BIT ? opts->values : dtype;
    return is_real(values) || takes_range(values, opts) ||
           opts->anchor == RUG_DBC_ANCHOR_MIN;
}

/* What a thread has found. */
typedef struct extremes {
    RUGI_OWN_LINES rug_dtype dtype;
    rugi_dbc_range_fn widen;
    rugi_dbc_range range; /* infinite ends where there are no floats yet */
} extremes;

static void see_segment(void *state, const void *pixels, size_t n)
{
    extremes *s = state;
    s->widen(&s->range, s->dtype, pixels, n);
}

/* Finds the least and the largest value of a source, exactly, also of 64 bits. */
static rug_status read_range(rug_context *ctx, rugi_dbc_range *out,
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

/* The range of floats that stand for integers. */
static void take_whole_range(rugi_dbc_plan *plan)
{
    rugi_dbc_range *r = &plan->range;
    if (!rugi_dbc_whole_key(&r->lo, plan->dtype, r->real_lo) ||
        !rugi_dbc_whole_key(&r->hi, plan->dtype, r->real_hi))
        *r = (rugi_dbc_range){UINT64_MAX, 0, (double)NAN, (double)NAN};
}

/* The same from what the caller knows. */
static rug_status take_range(rug_context *ctx, rugi_dbc_range *out, rug_dtype dtype,
                             const rug_image_range *known)
{
    const unsigned sign_bit = 8 * (unsigned)rug_dtype_size(rugi_segment_dtype(dtype)) - 1;
    const uint64_t flip = rugi_dbc_is_signed(dtype) ? (uint64_t)1 << sign_bit : 0;
    const uint64_t last = UINT64_MAX >> (63 - sign_bit);
    rugi_whole lo, hi;
    *out = (rugi_dbc_range){UINT64_MAX, 0, (double)NAN, (double)NAN};
    if (isnan(known->min) && isnan(known->max)) /* no pixel counts */
        return RUG_OK;
    int is_none = !(known->min <= known->max) ||
                  !rugi_whole_of(&lo, known->min, known->min_rest) ||
                  !rugi_whole_of(&hi, known->max, known->max_rest);
    if (is_real(dtype)) {
        *out = (rugi_dbc_range){UINT64_MAX, 0, known->min + 0.0, known->max + 0.0};
        is_none = !(known->min <= known->max) || isinf(known->min) || isinf(known->max);
    } else if (!is_none) {
        out->lo = (lo.bits ^ flip) & last;
        out->hi = (hi.bits ^ flip) & last;
        is_none = out->lo > out->hi || rugi_dbc_value(dtype, out->lo) != known->min ||
                  rugi_dbc_value(dtype, out->hi) != known->max;
    }
    return is_none ? rug_context_fail(ctx, RUG_E_ARG,
                                      "grey values: range %.17g..%.17g given, that of "
                                      "pixels of %s expected",
                                      known->min, known->max, rug_dtype_name(dtype))
                   : RUG_OK;
}

/* ---- floor(v / h) without a division ---- */

/* A fraction. */
typedef struct fraction {
    uint64_t p, q;
} fraction;

/* The largest fraction <= a / b < 1 with a denominator of at most n, by the tree of Stern
 * and Brocot. */
static fraction best_below(uint64_t a, rugi_dbc_u128 b, uint64_t n)
{
    fraction lo = {0, 1}, hi = {1, 1};
    while (lo.q + hi.q <= n) {
        rugi_dbc_u128 under = (rugi_dbc_u128)a * lo.q - b * lo.p;
        rugi_dbc_u128 over = b * hi.p - (rugi_dbc_u128)a * hi.q;
        if (under == 0)
            break;
        rugi_dbc_u128 k = under / over, most = (n - lo.q) / hi.q;
        k = k < most ? k : most;
        lo.p += (uint64_t)k * hi.p;
        lo.q += (uint64_t)k * hi.q;
        under -= k * over;
        if (under == 0 || lo.q + hi.q > n)
            break;
        k = (over - 1) / under;
        most = (n - hi.q) / lo.q;
        k = k < most ? k : most;
        hi.p += (uint64_t)k * lo.p;
        hi.q += (uint64_t)k * lo.q;
    }
    return lo;
}

/* floor(v a / b) for all v < n = 2^bits as one multiplication: it does not change while a / b
 * moves between neighbours of the Farey sequence of order n - 1, which lie further apart
 * than 1 / n^2, so a multiple of 1 / n^2 lies there: the first above the lower one. */
static uint64_t factor_of(uint64_t a, rugi_dbc_u128 b, unsigned bits)
{
    fraction f = best_below(a, b, ((uint64_t)1 << bits) - 1);
    return ((f.p << 2 * bits) + f.q - 1) / f.q;
}

/* ---- Levels, heights and tiles ---- */

static void set_heights(rugi_dbc_plan *plan)
{
    for (uint32_t m = 0; m < sizeof plan->height / sizeof plan->height[0]; m++) {
        rugi_dbc_height *h = &plan->height[m];
        h->is_unit = 1;
        h->height = 1;
        if (m == 0 || m > plan->n_levels)
            continue;
        double share = ldexp(1.0, (int)m) / (double)plan->longest; /* s / M */
        h->height = plan->is_real ? plan->real_levels * share / plan->scale
                                  : plan->shown_levels * share;
        h->is_unit = !plan->is_real && plan->levels << m <= plan->longest;
        if (h->is_unit)
            h->height = 1;
        else if (!plan->is_real && plan->key_bytes <= 2)
            h->factor = factor_of(plan->longest, plan->levels << m, 8 * plan->key_bytes);
    }
}

static rug_status plan_integers(rug_context *ctx, rugi_dbc_plan *plan,
                                const rug_dbc_options *opts)
{
    const rugi_dbc_range *range = &plan->range;
    size_t size = rug_dtype_size(plan->dtype);
    uint64_t last = size > 0 ? UINT64_MAX >> (64 - 8 * size) : 1;
    plan->key_bytes = size > 0 ? (unsigned)size : 1;
    plan->levels = (rugi_dbc_u128)last + 1;
    if (opts->levels > LEVELS_MAX || opts->levels != floor(opts->levels))
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "grey levels: %g given for integers, a whole number of 1 .. "
            "2^53 expected",
            opts->levels);
    if (plan->has_range) {
        int some = range->lo <= range->hi;
        plan->base = some ? range->lo : 0;
        last = some ? range->hi : 0;
    }
    if (opts->levels > 0)
        plan->levels = (uint64_t)opts->levels;
    else if (takes_range(plan->dtype, opts))
        plan->levels = (rugi_dbc_u128)(last - plan->base) + 1;
    plan->is_short = (rugi_dbc_u128)(last - plan->base) * plan->longest >> 64 == 0;
    plan->shown_levels = (double)plan->levels;
    plan->shown_base = rugi_dbc_value(plan->dtype, plan->base);
    return RUG_OK;
}

static rug_status plan_reals(rug_context *ctx, rugi_dbc_plan *plan,
                             const rug_dbc_options *opts)
{
    const rugi_dbc_range *range = &plan->range;
    int some = range->real_lo <= range->real_hi;
    double lo = some ? range->real_lo : 0, hi = some ? range->real_hi : 0;
    plan->scale = isinf(hi - lo) ? 0.5 : 1;
    double extent = plan->scale * hi - plan->scale * lo;
    double levels = opts->levels > 0 ? plan->scale * opts->levels : extent;
    double most = levels > 0 ? extent / levels * (double)plan->longest : 0;
    if (!(most < 0x1p63))
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "grey levels: %g given for values from %g to %g: the boxes are "
            "more than 63 bits can count; give more levels",
            opts->levels, lo, hi);
    plan->key_bytes = most < 0x1p32 ? 4 : 8;
    plan->real_base = plan->scale * lo;
    plan->real_levels = levels;
    plan->shown_levels = levels / plan->scale;
    plan->shown_base = some ? lo : NAN;
    return RUG_OK;
}

static void plan_tiles(rugi_dbc_plan *plan)
{
    int is_image = plan->shape[1] == 1;
    size_t widest = (is_image ? TILE_BYTES_2D : TILE_BYTES_3D) / plan->key_bytes;
    plan->n_blocks = 1;
    for (int a = 0; a < 3; a++) {
        plan->blocks[a] = (plan->shape[a] - 1) / RUGI_DBC_BLOCK + 1;
        plan->n_blocks *= plan->blocks[a];
    }
    plan->tile[0] = RUGI_DBC_BLOCK;
    plan->tile[1] = widest;
    for (int a = 0; a < 2; a++)
        plan->tiles[a] = (plan->shape[a + 1] - 1) / plan->tile[a] + 1;
}

/* Sizes and shapes. */
static void plan_sizes(rugi_dbc_plan *plan, const rug_source *source)
{
    plan->longest = 1;
    for (int a = 0; a < source->ndim; a++)
        if (source->shape[a] > plan->longest)
            plan->longest = source->shape[a];
    uint32_t n = rugi_scaling_n_dyadic(plan->longest); /* 1 … the first >= M */
    plan->n_levels = n > 2 ? n - 2 : 0;                /* without both */
    plan->shape[0] = source->shape[0];
    plan->shape[1] = source->ndim == 3 ? source->shape[1] : 1;
    plan->shape[2] = source->shape[source->ndim - 1];
    for (int a = 0; a < 3; a++)
        plan->edge[a] = a == 1 && source->ndim == 2 ? 0 : plan->shape[a];
}

rug_status rugi_dbc_plan_make(rug_context *ctx, rugi_dbc_plan *plan,
                              const rug_source *source, const rug_source *mask,
                              const rug_dbc_options *opts, const rug_image_range *known)
{
    rug_status status = RUG_OK;
    memset(plan, 0, sizeof *plan);
    plan->is_whole = is_real(source->dtype) && opts->values != RUG_BIT;
    plan->is_single = source->dtype == RUG_F32;
    plan->dtype = plan->is_whole ? opts->values : source->dtype;
    plan->is_real = is_real(plan->dtype);
    plan->may_be_empty = mask != NULL || is_real(source->dtype);
    plan->has_range = rugi_dbc_needs_range(source->dtype, opts);
    if (plan->has_range)
        status = known != NULL ? take_range(ctx, &plan->range, source->dtype, known)
                               : read_range(ctx, &plan->range, source, mask);
    if (status != RUG_OK)
        return status;
    if (plan->is_whole && plan->has_range)
        take_whole_range(plan);
    plan_sizes(plan, source);
    status = plan->is_real ? plan_reals(ctx, plan, opts) : plan_integers(ctx, plan, opts);
    if (status != RUG_OK)
        return status;
    set_heights(plan);
    plan_tiles(plan);
    return RUG_OK;
}

rug_status rugi_dbc_check_range(rug_context *ctx, const rugi_dbc_plan *plan,
                                const rug_source *source, const rug_source *mask)
{
    rugi_dbc_range part;
    const rugi_dbc_range *r = &part, *all = &plan->range;
    if (!plan->has_range)
        return RUG_OK;
    rug_status status = read_range(ctx, &part, source, mask);
    if (status != RUG_OK)
        return status;
    if (plan->is_whole &&
        all->lo > all->hi) /* that of floats that are none of the dtype */
        return RUG_OK;
    int is_float = plan->is_real || plan->is_whole;
    int is_beyond = is_float ? r->real_lo <= r->real_hi && !(r->real_lo >= all->real_lo &&
                                                             r->real_hi <= all->real_hi)
                             : r->lo <= r->hi && (r->lo < all->lo || r->hi > all->hi);
    if (!is_beyond)
        return RUG_OK;
    return rug_context_fail(
        ctx, RUG_E_ARG,
        "grey values: a part of %.17g..%.17g given, but the range of the whole image is "
        "%.17g..%.17g",
        is_float ? r->real_lo : rugi_dbc_value(plan->dtype, r->lo),
        is_float ? r->real_hi : rugi_dbc_value(plan->dtype, r->hi),
        is_float ? all->real_lo : rugi_dbc_value(plan->dtype, all->lo),
        is_float ? all->real_hi : rugi_dbc_value(plan->dtype, all->hi));
}

rugi_dbc_plan rugi_dbc_plan_of_blocks(const rugi_dbc_plan *whole, const size_t shape[3])
{
    rugi_dbc_plan plan = *whole;
    for (int a = 0; a < 3; a++) {
        plan.shape[a] = shape[a];
        plan.edge[a] = whole->edge[a] > 0 ? shape[a] : 0;
    }
    plan_tiles(&plan);
    return plan;
}
