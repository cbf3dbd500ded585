/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The lacunarity of an image or volume, in memory or read slab by slab, and of every label of
 * one in memory. Options are checked, and it is found out how pixels become masses. The plan
 * says which sizes fit and in how many bits their sums are kept; the sums come from
 * rugi_lacunarity_cpu(), and results are quotients of whole numbers, rounded once. */

#include "core/context/context_internal.h"
#include "core/context/engine.h"
#include "core/context/names.h"
#include "core/context/sized.h"
#include "core/image/source_internal.h"
#include "lacunarity_plan.h"
#include "lacunarity_result.h"
#include <math.h>
#include <string.h>

/* Where finding the foreground and the masses ends, in shares of all work. */
#define MASS_SHARE 0.2

/* The same of what comes before the first label. */
#define PREPARE_SHARE 0.3

/* The most sizes by default, which are powers of 2. */
#define DEFAULT_SIZES 64

/* ---- Options ---- */

static rug_status check_sizes(rug_context *ctx, const rug_lacunarity_options *o)
{
    if (o->sizes == NULL && o->n_sizes == 0)
        return RUG_OK;
    if (o->sizes == NULL || o->n_sizes == 0 || o->n_sizes > RUG_LACUNARITY_MAX_SIZES)
        return rug_context_fail(
            ctx, RUG_E_ARG, "lacunarity: %u sizes given%s, 1..%d expected", o->n_sizes,
            o->sizes == NULL ? " but no list of them" : "", RUG_LACUNARITY_MAX_SIZES);
    for (uint32_t i = 0; i < o->n_sizes; i++)
        if (o->sizes[i] < 1 || (i > 0 && o->sizes[i] <= o->sizes[i - 1]))
            return rug_context_fail(ctx, RUG_E_ARG,
                                    "lacunarity: size %llu given at place %u, ascending "
                                    "sizes of at least 1 expected",
                                    (unsigned long long)o->sizes[i], i);
    return RUG_OK;
}

rug_status rugi_lacunarity_take(rug_context *ctx, rug_lacunarity_options *own,
                                const rug_lacunarity_options *given)
{
    rug_status status = RUGI_TAKE(ctx, own, given, "rug_lacunarity_options");
    if (status != RUG_OK)
        return status;
    if ((unsigned)own->boxes > RUG_LACUNARITY_FIXED)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "lacunarity: boxes of kind %d given, 0..%d expected",
                                (int)own->boxes, RUG_LACUNARITY_FIXED);
    status = check_sizes(ctx, own);
    return status == RUG_OK ? rugi_engine_cpu_only(ctx, "lacunarity") : status;
}

/* ---- The plan ---- */

/* The most bytes of rows of sums that sizes share: more of them are cheaper to make anew for
 * each size than to fetch from memory. */
#define RING_BYTES ((size_t)8 << 20)

/* The sizes of the options, or the default ones. @return how many */
static uint32_t take_sizes(uint64_t sizes[RUG_LACUNARITY_MAX_SIZES],
                           const size_t shape[3], const rug_lacunarity_options *opts)
{
    uint64_t shortest = UINT64_MAX;
    uint32_t n = 0;
    if (opts->sizes != NULL) {
        memcpy(sizes, opts->sizes, opts->n_sizes * sizeof *sizes);
        return opts->n_sizes;
    }
    for (int a = 0; a < 3; a++)
        if (shape[a] > 1 && shape[a] < shortest)
            shortest = shape[a];
    if (shortest == UINT64_MAX)
        shortest = 1;
    for (uint64_t s = 1; s <= shortest && s > 0; s *= 2)
        sizes[n++] = s;
    return n;
}

/* Whether boxes of a size fit; then sets their sides. Axes of a single pixel are no sides
 * unless there is no other. */
static int fits(rugi_lacunarity_box *box, const size_t n[3], uint64_t size)
{
    box->full = 1;
    if (size > 1 && n[0] == 1 && n[1] == 1 && n[2] == 1)
        return 0;
    for (int a = 0; a < 3; a++) {
        if (n[a] > 1 && size > n[a])
            return 0;
        box->e[a] = n[a] > 1 ? (size_t)size : 1;
        box->full *= box->e[a];
    }
    return 1;
}

static void choose_type(rugi_lacunarity_box *box, const rugi_lacunarity_plan *plan,
                        const rugi_mass_facts *facts)
{
    rugi_lacunarity_u128 most = (rugi_lacunarity_u128)facts->largest * box->full;
    box->most = most < facts->total ? (uint64_t)most : facts->total;
    uint64_t wide = box->most;
    if (plan->has_mask && box->full > wide)
        wide = box->full;
    box->type = wide <= RUGI_LACUNARITY_MAX_16 ? 1 : wide <= UINT32_MAX ? 2 : 3;
    if (box->type < plan->mass_type)
        box->type = plan->mass_type;
}

/* The narrowest type that holds a mass. */
static unsigned type_of(uint64_t largest)
{
    return largest <= UINT8_MAX    ? 0
           : largest <= UINT16_MAX ? 1
           : largest <= UINT32_MAX ? 2
                                   : 3;
}

/* Which boxes fit.
 *  @param plan  with n, is_fixed, is_binary and has_mask */
static void make_plan(rugi_lacunarity_plan *plan, const rugi_mass_facts *facts,
                      uint32_t n_sizes, const uint64_t *sizes)
{
    plan->n_boxes = 0;
    plan->mass_type = type_of(facts->largest);
    memset(plan->ring_rows, 0, sizeof plan->ring_rows);
    memset(plan->ring_columns, 0, sizeof plan->ring_columns);
    for (uint32_t i = 0; i < n_sizes; i++) {
        rugi_lacunarity_box *box = &plan->boxes[plan->n_boxes];
        if (!fits(box, plan->n, sizes[i]))
            continue;
        box->index = i;
        choose_type(box, plan, facts);
        size_t row_bytes = rugi_lacunarity_row_bytes(plan->n[2], box->type);
        box->is_ring = !plan->is_fixed && !plan->has_mask && plan->n[0] == 1 &&
                       box->e[1] < RING_BYTES / row_bytes;
        if (box->is_ring) { /* sizes ascend */
            plan->ring_rows[box->type] = box->e[1] + 1;
            plan->ring_columns[box->type] = box->e[2];
        }
        plan->n_boxes++;
    }
}

/* ---- How pixels become masses ---- */

/* The largest mass of a dtype where it is known without reading the pixels; else 0. */
static uint64_t largest_of(rug_dtype dtype, int is_binary)
{
    if (is_binary || dtype == RUG_BIT)
        return 1;
    return dtype == RUG_U8 ? UINT8_MAX : dtype == RUG_U16 ? UINT16_MAX : 0;
}

/* What masses are made of, as found for the whole source. */
typedef struct subject {
    const rug_lacunarity_options *opts;
    const rug_source *source, *mask; /* mask NULL: there is none */
    rug_foreground rule;             /* resolved; NONZERO where opts->is_gray */
    rugi_mass mass;
    rugi_mass_facts facts; /* the total and the largest are bounds */
} subject;

/* @return RUG_OK, or what reading the source returns */
static rug_status find_masses(rug_context *ctx, subject *s)
{
    const rug_source *source = s->source;
    int is_gray = s->opts->is_gray;
    rug_status status = RUG_OK;
    uint64_t pixels = 1, largest = largest_of(source->dtype, !is_gray);
    for (int a = 0; a < source->ndim; a++)
        pixels *= source->shape[a];
    s->rule = (rug_foreground){RUG_FOREGROUND_NONZERO, 0, 0};
    if (!is_gray)
        status = rug_source_resolve_foreground(ctx, &s->rule, source, s->mask, NULL,
                                               s->opts->foreground);
    if (status != RUG_OK)
        return status;
    if (largest == 0 || pixels > RUGI_MASS_MAX / largest)
        return rugi_mass_resolve(ctx, &s->mass, &s->facts, source, s->mask, !is_gray,
                                 s->rule);
    s->mass = rugi_mass_make(source->dtype, !is_gray, s->rule, 0);
    s->facts = (rugi_mass_facts){.total = pixels * largest, .largest = largest};
    return RUG_OK;
}

/* ---- Quotients of large whole numbers ---- */

/* Whole numbers below 2^512. With P positions, sums S1 of M and S2 of M^2: P < 2^63, S1 <
 * 2^126 and S2 < 2^190, so that what is divided stays below 2^256, and 2^384 shifted. */
#define LIMBS 8

typedef struct large {
    uint64_t limb[LIMBS]; /* the lowest first */
} large;

typedef rugi_lacunarity_u128 u128;

static large large_of(u128 low, uint64_t high)
{
    return (large){{(uint64_t)low, (uint64_t)(low >> 64), high}};
}

static large product(const large *a, const large *b)
{
    large out = {{0}};
    for (int i = 0; i < LIMBS; i++) {
        u128 carry = 0;
        for (int j = 0; i + j < LIMBS; j++) {
            carry += (u128)a->limb[i] * b->limb[j] + out.limb[i + j];
            out.limb[i + j] = (uint64_t)carry;
            carry >>= 64;
        }
    }
    return out;
}

/* Subtracts b from a. @return whether b was larger, and a has wrapped around */
static int subtract(large *a, const large *b)
{
    uint64_t borrow = 0;
    for (int i = 0; i < LIMBS; i++) {
        u128 d = (u128)a->limb[i] - b->limb[i] - borrow;
        a->limb[i] = (uint64_t)d;
        borrow = (uint64_t)(d >> 64) & 1;
    }
    return borrow > 0;
}

static int bits_of(const large *a)
{
    for (int i = LIMBS - 1; i >= 0; i--)
        for (int b = 63; b >= 0; b--)
            if (a->limb[i] >> b & 1)
                return 64 * i + b + 1;
    return 0;
}

static large shifted(const large *a, int left)
{
    large out = {{0}};
    int limbs = left / 64, bits = left % 64;
    for (int i = LIMBS - 1; i >= limbs; i--) {
        out.limb[i] = a->limb[i - limbs] << bits;
        if (bits > 0 && i > limbs)
            out.limb[i] |= a->limb[i - limbs - 1] >> (64 - bits);
    }
    return out;
}

/* a / b, rounded to the nearest double: 64 or 65 bits of the quotient by long division, and
 * one more that says whether anything is left. */
static double quotient(large a, large b)
{
    int scale = 64 - bits_of(&a) + bits_of(&b);
    if (bits_of(&a) == 0)
        return 0;
    if (scale > 0)
        a = shifted(&a, scale);
    else
        b = shifted(&b, -scale);
    u128 q = 0;
    for (int k = 65; k >= 0; k--) {
        large step = shifted(&b, k), rest = a;
        if (subtract(&rest, &step))
            continue;
        a = rest;
        q |= (u128)1 << k;
    }
    q |= bits_of(&a) > 0;
    return ldexp((double)q, -scale);
}

/* ---- Results ---- */

static rug_lacunarity_result *new_result(rug_context *ctx,
                                         const rug_lacunarity_options *o)
{
    size_t n_sizes = o->n_sizes > 0 ? o->n_sizes : DEFAULT_SIZES;
    rug_lacunarity_result *result = rugi_allocate_zeros(
        ctx, 1, sizeof *result + n_sizes * sizeof result->sizes[0], "result");
    if (result != NULL)
        result->ctx = ctx;
    return result;
}

/* Lacunarity, mean and variance of a size, each exact until it is rounded once.
 * @param sums           NULL: no box fits
 * @param unit_exponent  a mass of 1 is 2^unit_exponent */
static void fill(rug_lacunarity_size *out, uint64_t size,
                 const rugi_lacunarity_sums *sums, int unit_exponent)
{
    *out = (rug_lacunarity_size){size, NAN, NAN, NAN, 0, RUG_LACUNARITY_NO_BOXES};
    if (sums == NULL || sums->positions == 0)
        return;
    large p = large_of(sums->positions, 0), s1 = large_of(sums->mass, 0);
    large s2 = large_of(sums->square, sums->square_high);
    large p_s2 = product(&p, &s2), s1_s1 = product(&s1, &s1), p_p = product(&p, &p);
    large spread = p_s2;
    subtract(&spread, &s1_s1); /* never negative: Cauchy and Schwarz */
    out->positions = sums->positions;
    out->mean = ldexp(quotient(s1, p), unit_exponent);
    out->variance = ldexp(quotient(spread, p_p), 2 * unit_exponent);
    out->status = sums->mass > 0 ? RUG_LACUNARITY_OK : RUG_LACUNARITY_EMPTY;
    if (sums->mass > 0)
        out->lacunarity = quotient(p_s2, s1_s1);
}

void rug_lacunarity_free(rug_lacunarity_result *result)
{
    if (result != NULL)
        rug_context_release(result->ctx, result);
}

const rug_lacunarity_facts *rug_lacunarity_get_facts(const rug_lacunarity_result *result)
{
    return result != NULL ? &result->facts : NULL;
}

const rug_lacunarity_size *rug_lacunarity_at(const rug_lacunarity_result *result,
                                             size_t i)
{
    return result != NULL && i < result->facts.n_sizes ? &result->sizes[i] : NULL;
}

const char *rug_lacunarity_boxes_name(rug_lacunarity_boxes boxes)
{
    static const char *const names[] = {"gliding", "fixed"};
    return RUGI_NAME(names, boxes);
}

const char *rug_lacunarity_status_name(rug_lacunarity_status status)
{
    static const char *const names[] = {"ok", "empty", "no boxes"};
    return RUGI_NAME(names, status);
}

/* ---- An image ---- */

/* Memory that measurements share. */
typedef struct scratch {
    rugi_lacunarity_plan plan;
    rugi_lacunarity_found found;
    uint64_t sizes[RUG_LACUNARITY_MAX_SIZES];
} scratch;

/* Measures a source, or a label of one in memory.
 *  @param shape    of what is measured, z y x
 *  @param regions  NULL: the whole source */
static rug_status measure(rug_context *ctx, rug_lacunarity_result *out, scratch *s,
                          const subject *from, const size_t shape[3],
                          const rug_regions *regions, size_t label)
{
    rugi_lacunarity_plan *plan = &s->plan;
    rug_lacunarity_facts *f = &out->facts;
    const rugi_lacunarity_input input = {&from->mass, from->source, from->mask, regions,
                                         label};
    memcpy(plan->n, shape, sizeof plan->n);
    plan->is_fixed = from->opts->boxes == RUG_LACUNARITY_FIXED;
    plan->is_binary = from->mass.is_binary;
    plan->has_mask = from->mask != NULL;
    f->is_gray = from->opts->is_gray != 0;
    f->n_sizes = take_sizes(s->sizes, shape, from->opts);
    make_plan(plan, &from->facts, f->n_sizes, s->sizes);
    rug_status status = rugi_lacunarity_cpu(ctx, &s->found, plan, &input);
    if (status != RUG_OK)
        return status;
    size_t k = 0;
    for (uint32_t i = 0; i < f->n_sizes; i++) {
        int fits = k < plan->n_boxes && plan->boxes[k].index == i;
        fill(&out->sizes[i], s->sizes[i], fits ? &s->found.sums[k] : NULL,
             from->mass.exponent);
        k += (size_t)fits;
    }
    f->ndim = from->source->ndim;
    for (int a = 0; a < f->ndim; a++)
        f->shape[a] = shape[3 - f->ndim + a];
    f->n_pixels = s->found.n_pixels;
    f->n_set = s->found.n_set;
    f->n_left_out = s->found.n_left_out;
    f->unit_exponent = from->mass.exponent;
    f->foreground = from->rule;
    f->engine = s->found.engine;
    return RUG_OK;
}

static rug_status measure_source(rug_context *ctx, rug_lacunarity_result *out,
                                 subject *from)
{
    const rug_source *source = from->source;
    rug_status status = RUG_OK;
    size_t shape[3] = {1, 1, 1};
    for (int a = 0; a < source->ndim; a++)
        shape[3 - source->ndim + a] = source->shape[a];
    scratch *s = rug_context_allocate(ctx, 1, sizeof *s, "sizes of boxes");
    if (s == NULL)
        return RUG_E_NOMEM;
    RUGI_PHASE(ctx, 0, MASS_SHARE, status, find_masses(ctx, from));
    RUGI_PHASE(ctx, MASS_SHARE, 1, status, measure(ctx, out, s, from, shape, NULL, 0));
    rug_context_release(ctx, s);
    return status;
}

rug_status rug_lacunarity_source(rug_context *ctx, rug_lacunarity_result **out,
                                 const rug_source *source,
                                 const rug_lacunarity_options *opts)
{
    rug_lacunarity_options o = RUG_LACUNARITY_OPTIONS_INIT;
    rug_source own, inside;
    subject from = {.opts = &o, .source = &own};
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "lacunarity: NULL given");
    rug_status status = rugi_lacunarity_take(ctx, &o, opts);
    if (status == RUG_OK)
        status = rugi_source_take(ctx, &own, source, "source");
    if (status == RUG_OK)
        status = rugi_twin_source_take(ctx, &inside, &from.mask, o.mask, "mask", &own);
    if (status != RUG_OK)
        return status;
    rug_lacunarity_result *result = new_result(ctx, &o);
    if (result == NULL)
        return RUG_E_NOMEM;
    status = measure_source(ctx, result, &from);
    if (status != RUG_OK) {
        rug_lacunarity_free(result);
        return status;
    }
    rugi_context_set_engine(ctx, result->facts.engine);
    *out = result;
    return RUG_OK;
}

rug_status rug_lacunarity(rug_context *ctx, rug_lacunarity_result **out,
                          const rug_image *image, const rug_lacunarity_options *opts)
{
    rug_source source = RUG_SOURCE_INIT;
    return rug_lacunarity_source(ctx, out, rug_source_of_image(&source, image), opts);
}

/* ---- Labels ---- */

typedef struct labelling {
    subject from;
    rug_source source, inside;
    rugi_twin mask;
    rug_source labels;
    rug_regions *regions;
    scratch *scratch;
    rug_lacunarity_result *result;
} labelling;

static rug_status measure_label(rug_context *ctx, labelling *l, size_t i,
                                rug_lacunarity_label_fn fn, void *user)
{
    const rug_region *region = rug_regions_at(l->regions, i);
    rug_status status =
        measure(ctx, l->result, l->scratch, &l->from, region->shape, l->regions, i);
    if (status != RUG_OK)
        return status;
    rugi_context_set_engine(ctx, l->result->facts.engine);
    return fn(user, region, l->result);
}

static rug_status measure_labels(rug_context *ctx, labelling *l,
                                 rug_lacunarity_label_fn fn, void *user)
{
    size_t n = rug_regions_count(l->regions);
    rug_status status = RUG_OK;
    for (size_t i = 0; i < n && status == RUG_OK; i++) {
        RUGI_PHASE(ctx, (double)i / (double)n, (double)(i + 1) / (double)n, status,
                   measure_label(ctx, l, i, fn, user));
    }
    return status;
}

/* All that is done once for the whole image. */
static rug_status prepare(rug_context *ctx, labelling *l)
{
    rug_status status = RUG_OK;
    RUGI_PHASE(ctx, 0, 0.5, status, find_masses(ctx, &l->from));
    RUGI_PHASE(ctx, 0.5, 1, status,
               rug_regions_find_source(ctx, &l->regions, &l->labels));
    if (status != RUG_OK)
        return status;
    l->scratch = rug_context_allocate(ctx, 1, sizeof *l->scratch, "sizes of boxes");
    l->result = new_result(ctx, l->from.opts);
    return l->scratch != NULL && l->result != NULL ? RUG_OK : RUG_E_NOMEM;
}

/* Brings the image, its mask and its labels to where they are read. */
static rug_status open_labels(rug_context *ctx, labelling *l, const rug_image *image,
                              const rug_source *labels)
{
    rug_status status = rugi_image_check(ctx, image);
    if (status == RUG_OK)
        status = rugi_twin_open(ctx, &l->mask, l->from.opts->mask, "mask", image);
    if (status == RUG_OK)
        status = rugi_source_take(ctx, &l->labels, labels, "label image");
    if (status == RUG_OK)
        status = rugi_shapes_check(ctx, "label image", l->labels.ndim, l->labels.shape,
                                   image->ndim, image->shape);
    if (status != RUG_OK)
        return status;
    l->source = rugi_source_of_image(image);
    l->from.source = &l->source;
    if (l->mask.image != NULL) {
        l->inside = rugi_source_of_image(l->mask.image);
        l->from.mask = &l->inside;
    }
    return RUG_OK;
}

rug_status rug_lacunarity_labels(rug_context *ctx, const rug_image *image,
                                 const rug_source *labels,
                                 const rug_lacunarity_options *opts,
                                 rug_lacunarity_label_fn fn, void *user)
{
    rug_lacunarity_options o = RUG_LACUNARITY_OPTIONS_INIT;
    labelling l = {.from.opts = &o};
    if (ctx == NULL || fn == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_lacunarity_labels: NULL given");
    rug_status status = rugi_lacunarity_take(ctx, &o, opts);
    if (status == RUG_OK)
        status = open_labels(ctx, &l, image, labels);
    RUGI_PHASE(ctx, 0, PREPARE_SHARE, status, prepare(ctx, &l));
    RUGI_PHASE(ctx, PREPARE_SHARE, 1, status, measure_labels(ctx, &l, fn, user));
    rug_lacunarity_free(l.result);
    rug_context_release(ctx, l.scratch);
    rug_regions_free(l.regions);
    rugi_twin_close(ctx, &l.mask);
    return status;
}
