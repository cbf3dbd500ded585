/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The lacunarity of an image or volume in memory, and of every label in it. Options are
 * checked and pixels become masses. The plan says which sizes fit and in how many bits their
 * sums are kept; the sums come from rugi_lacunarity_cpu(), and results are quotients of
 * whole numbers, rounded once. */

#include "core/context/context_internal.h"
#include "core/context/engine.h"
#include "core/image/source_internal.h"
#include "lacunarity_plan.h"
#include <math.h>
#include <string.h>

/* Where finding the foreground ends, in shares of all work, and making the masses. */
#define RULE_SHARE 0.2
#define MASS_SHARE 0.4

/* The same of what comes before the first label. */
#define PREPARE_SHARE 0.3

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

static rug_status check(rug_context *ctx, const rug_image *image,
                        const rug_lacunarity_options *o)
{
    if (!rugi_options_fit(ctx, o->struct_size, sizeof *o, "rug_lacunarity_options"))
        return RUG_E_ARG;
    if ((unsigned)o->boxes > RUG_LACUNARITY_FIXED)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "lacunarity: boxes of kind %d given, 0..%d expected",
                                (int)o->boxes, RUG_LACUNARITY_FIXED);
    rug_status status = check_sizes(ctx, o);
    if (status == RUG_OK)
        status = rugi_engine_cpu_only(ctx, "lacunarity");
    if (status == RUG_OK)
        status = rugi_image_check(ctx, image);
    if (status == RUG_OK && o->mask != NULL)
        status = rugi_image_check_twin(ctx, o->mask, "mask", image);
    return status;
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

static void choose_type(rugi_lacunarity_box *box, const rugi_lacunarity_plane *plane)
{
    rugi_lacunarity_u128 most = (rugi_lacunarity_u128)plane->largest * box->full;
    box->most = most < plane->total ? (uint64_t)most : plane->total;
    uint64_t wide = box->most;
    if (plane->inside.data != NULL && box->full > wide)
        wide = box->full;
    box->type = wide <= RUGI_LACUNARITY_MAX_16 ? 1 : wide <= UINT32_MAX ? 2 : 3;
    if (box->type < plane->masses.type)
        box->type = plane->masses.type;
}

static void make_plan(rugi_lacunarity_plan *plan, const rugi_lacunarity_plane *plane,
                      uint32_t n_sizes, const uint64_t *sizes, int is_fixed)
{
    plan->plane = plane;
    plan->is_fixed = is_fixed;
    plan->n_boxes = 0;
    memset(plan->ring_rows, 0, sizeof plan->ring_rows);
    for (uint32_t i = 0; i < n_sizes; i++) {
        rugi_lacunarity_box *box = &plan->boxes[plan->n_boxes];
        if (!fits(box, plane->n, sizes[i]))
            continue;
        box->index = i;
        choose_type(box, plane);
        size_t most = RING_BYTES / rugi_lacunarity_row_bytes(plane->n[2], box->type);
        box->is_ring = !is_fixed && plane->inside.data == NULL && plane->n[0] == 1 &&
                       box->e[1] < most;
        if (box->is_ring)
            plan->ring_rows[box->type] = box->e[1] + 1; /* sizes ascend */
        plan->n_boxes++;
    }
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

/* Lacunarity, mean and variance of a size, each exact until it is rounded once.
 * @param sums           NULL: no box fits
 * @param unit_exponent  a mass of 1 is 2^unit_exponent */
static void fill(rug_lacunarity_size *out, uint64_t size,
                 const rugi_lacunarity_sums *sums, int unit_exponent)
{
    *out = (rug_lacunarity_size){size, NAN, NAN, NAN, 0, "no boxes"};
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
    out->status = sums->mass > 0 ? "ok" : "empty";
    if (sums->mass > 0)
        out->lacunarity = quotient(p_s2, s1_s1);
}

/* Memory that measurements share. */
typedef struct scratch {
    rugi_lacunarity_plan plan;
    rugi_lacunarity_sums sums[RUG_LACUNARITY_MAX_SIZES];
    uint64_t sizes[RUG_LACUNARITY_MAX_SIZES];
} scratch;

/* Measures a plane: sets everything of the result but ndim, shape and foreground.
 * @param unit_exponent  a mass of 1 is 2^unit_exponent */
static rug_status measure_plane(rug_context *ctx, rug_lacunarity_result *out, scratch *s,
                                const rugi_lacunarity_plane *plane,
                                const rug_lacunarity_options *opts, int unit_exponent)
{
    const rugi_lacunarity_plan *plan = &s->plan;
    out->n_sizes = take_sizes(s->sizes, plane->n, opts);
    make_plan(&s->plan, plane, out->n_sizes, s->sizes,
              opts->boxes == RUG_LACUNARITY_FIXED);
    rug_status status = rugi_lacunarity_cpu(ctx, s->sums, &out->engine, plan);
    if (status != RUG_OK)
        return status;
    size_t k = 0;
    for (uint32_t i = 0; i < out->n_sizes; i++) {
        int fits = k < plan->n_boxes && plan->boxes[k].index == i;
        fill(&out->sizes[i], s->sizes[i], fits ? &s->sums[k] : NULL, unit_exponent);
        k += (size_t)fits;
    }
    out->n_pixels = plane->n_pixels;
    out->n_set = plane->n_set;
    out->n_left_out = plane->n_left_out;
    out->unit_exponent = unit_exponent;
    return RUG_OK;
}

/* ---- An image ---- */

/* The largest mass of a dtype where it is known without reading the pixels; else 0. */
static uint64_t largest_of(rug_dtype dtype, int is_binary)
{
    if (is_binary || dtype == RUG_BIT)
        return 1;
    return dtype == RUG_U8 ? UINT8_MAX : dtype == RUG_U16 ? UINT16_MAX : 0;
}

/* How pixels become masses, and what is known of these without making them. */
static rug_status resolve(rug_context *ctx, rugi_mass *mass, rugi_mass_facts *facts,
                          const rug_image *image, const rug_source *source,
                          const rug_source *mask, int is_gray, rug_foreground rule)
{
    uint64_t pixels = rug_image_pixels(image),
             largest = largest_of(image->dtype, !is_gray);
    if (largest > 0 && pixels <= RUGI_MASS_MAX / largest) {
        *mass = rugi_mass_make(image->dtype, !is_gray, rule, 0);
        *facts = (rugi_mass_facts){.total = pixels * largest, .largest = largest};
        return RUG_OK;
    }
    return rugi_mass_resolve(ctx, mass, facts, source, mask, !is_gray, rule);
}

/* How the pixels of an image become masses, and what is known of these before they are made.
 *  @param rule  the foreground in force, resolved; NONZERO where opts->is_gray
 *  @return RUG_OK, or what reading the image returns */
static rug_status lacunarity_masses(rug_context *ctx, rugi_mass *mass,
                                    rugi_mass_facts *facts, rug_foreground *rule,
                                    const rug_image *image,
                                    const rug_lacunarity_options *opts)
{
    rug_source source = rugi_source_of_image(image), inside, *mask = NULL;
    rug_status status = RUG_OK;
    *rule = (rug_foreground){RUG_FOREGROUND_NONZERO, 0, 0};
    if (opts->mask != NULL) {
        inside = rugi_source_of_image(opts->mask);
        mask = &inside;
    }
    if (!opts->is_gray)
        status = rug_source_resolve_foreground(ctx, rule, &source, mask, NULL,
                                               opts->foreground);
    return status == RUG_OK
               ? resolve(ctx, mass, facts, image, &source, mask, opts->is_gray, *rule)
               : status;
}

static rug_status measure(rug_context *ctx, rug_lacunarity_result *out, scratch *s,
                          const rug_image *image, const rug_lacunarity_options *opts)
{
    rugi_mass mass;
    rugi_mass_facts facts;
    rugi_lacunarity_plane plane = {0};
    rug_status status = RUG_OK;
    RUGI_PHASE(ctx, 0, RULE_SHARE, status,
               lacunarity_masses(ctx, &mass, &facts, &out->foreground, image, opts));
    RUGI_PHASE(ctx, RULE_SHARE, MASS_SHARE, status,
               rugi_lacunarity_plane_new(ctx, &plane, &mass, &facts, image, opts->mask,
                                         NULL, 0));
    RUGI_PHASE(ctx, MASS_SHARE, 1, status,
               measure_plane(ctx, out, s, &plane, opts, mass.exponent));
    rugi_lacunarity_plane_free(ctx, &plane);
    out->ndim = image->ndim;
    for (int a = 0; a < image->ndim; a++)
        out->shape[a] = image->shape[a];
    return status;
}

rug_status rug_lacunarity(rug_context *ctx, rug_lacunarity_result *out,
                          const rug_image *image, const rug_lacunarity_options *opts)
{
    static const rug_lacunarity_options defaults = RUG_LACUNARITY_OPTIONS_INIT;
    if (out != NULL)
        memset(out, 0, sizeof *out);
    if (ctx == NULL || out == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_lacunarity: NULL given");
    if (opts == NULL)
        opts = &defaults;
    rug_status status = check(ctx, image, opts);
    if (status != RUG_OK)
        return status;
    scratch *s = rug_context_allocate(ctx, 1, sizeof *s, "sizes of boxes");
    if (s == NULL)
        return RUG_E_NOMEM;
    status = measure(ctx, out, s, image, opts);
    rug_context_release(ctx, s);
    if (status != RUG_OK)
        memset(out, 0, sizeof *out);
    return status;
}

/* ---- Labels ---- */

typedef struct labelling {
    const rug_image *image;
    const rug_lacunarity_options *opts;
    rugi_mass mass;
    rugi_mass_facts facts;
    rug_foreground rule;
    rug_regions *regions;
    scratch *scratch;
    rug_lacunarity_result *result;
} labelling;

static rug_status measure_label(rug_context *ctx, labelling *l, int ndim, size_t i,
                                rug_lacunarity_label_fn fn, void *user)
{
    const rug_region *region = rug_regions_at(l->regions, i);
    rug_lacunarity_result *out = l->result;
    rugi_lacunarity_plane plane;
    rug_status status = rugi_lacunarity_plane_new(ctx, &plane, &l->mass, &l->facts,
                                                  l->image, l->opts->mask, l->regions, i);
    out->ndim = ndim;
    out->foreground = l->rule;
    for (int a = 0; a < ndim; a++)
        out->shape[a] = region->shape[3 - ndim + a];
    if (status == RUG_OK)
        status = measure_plane(ctx, out, l->scratch, &plane, l->opts, l->mass.exponent);
    rugi_lacunarity_plane_free(ctx, &plane);
    if (status == RUG_OK)
        status = fn(user, region, out);
    memset(out->sizes, 0, out->n_sizes * sizeof out->sizes[0]);
    return status;
}

static rug_status measure_labels(rug_context *ctx, labelling *l, int ndim,
                                 rug_lacunarity_label_fn fn, void *user)
{
    size_t n = rug_regions_count(l->regions);
    rug_status status = RUG_OK;
    for (size_t i = 0; i < n && status == RUG_OK; i++) {
        RUGI_PHASE(ctx, (double)i / (double)n, (double)(i + 1) / (double)n, status,
                   measure_label(ctx, l, ndim, i, fn, user));
    }
    return status;
}

/* All that is done once for the whole image. */
static rug_status prepare(rug_context *ctx, labelling *l, const rug_image *labels)
{
    rug_status status = RUG_OK;
    RUGI_PHASE(ctx, 0, 0.5, status,
               lacunarity_masses(ctx, &l->mass, &l->facts, &l->rule, l->image, l->opts));
    RUGI_PHASE(ctx, 0.5, 1, status, rug_regions_find(ctx, &l->regions, labels));
    if (status != RUG_OK)
        return status;
    l->scratch = rug_context_allocate(ctx, 1, sizeof *l->scratch, "sizes of boxes");
    l->result = rug_context_allocate(ctx, 1, sizeof *l->result, "result of a label");
    if (l->scratch == NULL || l->result == NULL)
        return RUG_E_NOMEM;
    memset(l->result, 0, sizeof *l->result);
    return RUG_OK;
}

rug_status rug_lacunarity_labels(rug_context *ctx, const rug_image *image,
                                 const rug_image *labels,
                                 const rug_lacunarity_options *opts,
                                 rug_lacunarity_label_fn fn, void *user)
{
    static const rug_lacunarity_options defaults = RUG_LACUNARITY_OPTIONS_INIT;
    if (ctx == NULL || fn == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_lacunarity_labels: NULL given");
    labelling l = {.image = image, .opts = opts != NULL ? opts : &defaults};
    rug_status status = check(ctx, image, l.opts);
    if (status == RUG_OK)
        status = rugi_image_check_twin(ctx, labels, "label image", image);
    if (status != RUG_OK)
        return status;
    RUGI_PHASE(ctx, 0, PREPARE_SHARE, status, prepare(ctx, &l, labels));
    RUGI_PHASE(ctx, PREPARE_SHARE, 1, status,
               measure_labels(ctx, &l, image->ndim, fn, user));
    rug_context_release(ctx, l.result);
    rug_context_release(ctx, l.scratch);
    rug_regions_free(l.regions);
    return status;
}
