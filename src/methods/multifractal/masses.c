/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Box masses of an image in parts, and of a whole image or source, whose slabs are the
 * parts: checks, every number that engines need, and the engines. */

#include "core/context/context_internal.h"
#include "core/context/engine.h"
#include "core/context/names.h"
#include "core/context/sized.h"
#include "core/context/small.h"
#include "core/fit/scaling.h"
#include "core/image/image_internal.h"
#include "core/image/source_internal.h"
#include "multifractal/masses/masses_state.h"
#include "multifractal/opencl/masses_opencl.h"
#include <string.h>

/* ---- The plan ---- */

/* Larger tables miss the caches at every step. */
#define TABLE_MAX ((size_t)1 << 20)

/* Tables of up to this many entries come four side by side. */
#define FEW_ENTRIES 4096

/* From this many pixels on, a table of pairs is worth the time to add up its entries. */
#define PAIRED_PIXELS 0x1p20

/* Bytes of a row that is worked on at once: together with the rows made from it, it
 * stays in the first-level cache. */
#define PIECE_BYTES 8192

/* Boxes of a level, with those that the edge cuts. */
static double boxes_of(const rugi_masses_plan *p, unsigned level)
{
    double n = 1;
    for (int a = 3 - p->n_axes; a < 3; a++)
        n *= (double)(((p->shape[a] - 1) >> level) + 1);
    return n;
}

/* The largest mass of a pixel that its dtype allows; 0: too large for tables. */
static size_t largest_of(const rugi_mass *mass)
{
    if (mass->is_binary)
        return 1;
    switch (mass->dtype) {
    case RUG_BIT: return 1;
    case RUG_U8: return UINT8_MAX;
    case RUG_I8: return INT8_MAX;
    case RUG_U16: return UINT16_MAX;
    case RUG_I16: return INT16_MAX;
    default: return 0;
    }
}

/* A table where few masses are possible, and there are enough boxes to fill it. */
static void plan_tables(rugi_masses_plan *p, const rugi_mass *mass)
{
    size_t largest = largest_of(mass);
    for (unsigned level = 0; level < p->block_level && level < p->n_levels; level++) {
        size_t size = (largest << (unsigned)p->n_axes * level) + 1;
        if (largest == 0 || size > TABLE_MAX ||
            (double)size > 4 * boxes_of(p, level) + 256)
            continue;
        rugi_masses_table *t = &p->tables[level];
        *t = (rugi_masses_table){
            .size = size, .at = p->n_entries, .counts_at = p->n_counts};
        t->is_paired = level == 0 && p->kind == RUGI_MASSES_U8 &&
                       boxes_of(p, level) >= PAIRED_PIXELS;
        t->step = size <= FEW_ENTRIES && !t->is_paired ? size : 0;
        p->n_entries += rugi_masses_entries(t);
        p->n_counts += size;
    }
}

static rugi_masses_kind kind_of(const rugi_mass *mass)
{
    if (mass->is_binary || mass->dtype == RUG_BIT)
        return RUGI_MASSES_FLAGS;
    return mass->dtype == RUG_U8    ? RUGI_MASSES_U8
           : mass->dtype == RUG_U16 ? RUGI_MASSES_U16
                                    : RUGI_MASSES_WIDE;
}

static rugi_masses_plan make_plan(int ndim, const size_t *shape, const rugi_mass *mass)
{
    rugi_masses_plan p = {.n_axes = ndim, .shape = {1, 1, 1}, .kind = kind_of(mass)};
    size_t longest = 1;
    p.group = ndim == 3 ? 4 : 2;
    p.block_level = ndim == 3 ? 3 : 4;
    p.piece = PIECE_BYTES / rugi_masses_kind_size(p.kind);
    for (int a = 0; a < ndim; a++) {
        p.shape[3 - ndim + a] = shape[a];
        longest = rugi_larger(shape[a], longest);
    }
    p.n_levels = rugi_scaling_n_dyadic(longest);
    for (int a = 0; a < 3; a++) {
        p.block_bits[a] = a >= 3 - ndim ? p.block_level : 0;
        p.n_blocks[a] = ((p.shape[a] - 1) >> p.block_bits[a]) + 1;
    }
    plan_tables(&p, mass);
    return p;
}

/* ---- Parts ---- */

static int is_real(rug_dtype dtype)
{
    return dtype == RUG_F32 || dtype == RUG_F64;
}

const char *rug_mass_of_name(rug_mass_of of)
{
    static const char *const names[] = {"grey values", "foreground"};
    return RUGI_NAME(names, of);
}

static rug_status take_options(rug_context *ctx, rug_masses_options *o,
                               const rug_masses_options *given)
{
    *o = (rug_masses_options)RUG_MASSES_OPTIONS_INIT;
    rug_status status = RUGI_TAKE(ctx, o, given, "rug_masses_options");
    if (status != RUG_OK)
        return status;
    if ((unsigned)o->of > RUG_MASS_OF_FOREGROUND)
        return rug_context_fail(ctx, RUG_E_ARG, "masses of kind %d given, 0..%d expected",
                                (int)o->of, RUG_MASS_OF_FOREGROUND);
    return RUG_OK;
}

static rug_status check_new(rug_context *ctx, rug_dtype dtype, int ndim,
                            const size_t *shape, int unit_exponent,
                            const rug_masses_options *o)
{
    if ((unsigned)dtype >= RUG_N_DTYPES)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "masses of dtype %d given, 0..%d expected", (int)dtype,
                                RUG_N_DTYPES - 1);
    rug_status status = rugi_shape_check(ctx, ndim, shape);
    if (status == RUG_OK && o->of == RUG_MASS_OF_FOREGROUND)
        status = rugi_parts_check_rule(ctx, o->foreground, "masses");
    if (status != RUG_OK)
        return status;
    int has_unit = is_real(dtype) && o->of == RUG_MASS_OF_GRAY;
    int least = has_unit ? RUGI_MASS_EXPONENT_MIN : 0;
    int most = has_unit ? RUGI_MASS_EXPONENT_MAX : 0;
    if (unit_exponent < least || unit_exponent > most)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "masses in units of 2^%d given, 2^%d..2^%d expected; only "
            "grey values of floats may have a unit other than 1",
            unit_exponent, least, most);
    return RUG_OK;
}

/* log2 of the blocks of a tile along an axis. */
#define TILE_BITS 4

static rug_status new_masses(rug_context *ctx, rug_masses **out, rug_dtype dtype,
                             int ndim, const size_t *shape, int unit_exponent,
                             const rug_masses_options *o)
{
    rug_masses *m = rug_context_allocate(ctx, 1, sizeof *m, "masses");
    if (m == NULL)
        return RUG_E_NOMEM;
    memset(m, 0, sizeof *m);
    m->ctx = ctx;
    m->of = o->of;
    m->engine = "cpu";
    m->foreground.kind = RUG_FOREGROUND_NONZERO;
    if (o->of == RUG_MASS_OF_FOREGROUND)
        m->foreground = o->foreground;
    m->mass = rugi_mass_make(dtype, o->of == RUG_MASS_OF_FOREGROUND, m->foreground,
                             unit_exponent);
    m->plan = make_plan(ndim, shape, &m->mass);
    const unsigned *bits = m->plan.block_bits;
    rugi_partial_blocks_begin(&m->partial, m->plan.shape, bits,
                              (size_t)1 << (bits[0] + bits[1] + bits[2]), &m->cover);
    rugi_sparse_begin(&m->blocks, m->plan.n_blocks, TILE_BITS, sizeof(uint64_t));
    m->counts =
        rugi_allocate_zeros(ctx, m->plan.n_counts, sizeof *m->counts, "tables of masses");
    rug_status status = m->counts != NULL ? RUG_OK : RUG_E_NOMEM;
    if (status == RUG_OK && o->mask != NULL) {
        rug_masses_options inside = RUG_MASSES_OPTIONS_INIT;
        inside.of = RUG_MASS_OF_FOREGROUND;
        inside.foreground.kind = RUG_FOREGROUND_NONZERO;
        /* The dtype of the mask is known once a part has come. */
        status = new_masses(ctx, &m->inside, RUG_U8, ndim, shape, 0, &inside);
        if (status == RUG_OK)
            m->inside->partial.cover = &m->cover;
    }
    if (status == RUG_OK)
        *out = m;
    else
        rug_masses_free(m);
    return status;
}

rug_status rug_masses_new(rug_context *ctx, rug_masses **out, rug_dtype dtype, int ndim,
                          const size_t *shape, int unit_exponent,
                          const rug_masses_options *opts)
{
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL || shape == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_masses_new: NULL given");
    rug_masses_options o;
    rug_status status = take_options(ctx, &o, opts);
    if (status == RUG_OK)
        status = check_new(ctx, dtype, ndim, shape, unit_exponent, &o);
    return status == RUG_OK ? new_masses(ctx, out, dtype, ndim, shape, unit_exponent, &o)
                            : status;
}

/* Whether pixels must be scanned before they are added: masses that may be below 0 or
 * add up to too much, and floats, whose missing ones are counted. */
static int needs_scan(const rug_masses *m)
{
    if (is_real(m->mass.dtype))
        return 1;
    if (m->mass.is_binary || m->mass.dtype <= RUG_U8 || m->mass.dtype == RUG_U16)
        return 0;
    double n_pixels = 1;
    for (int a = 0; a < 3; a++)
        n_pixels *= (double)m->plan.shape[a];
    return m->mass.dtype != RUG_U32 || n_pixels >= 0x1p31;
}

static rug_status scan(rug_context *ctx, rug_masses *m, const rug_image *part,
                       const rug_image *mask, const size_t *first)
{
    rugi_mass_facts facts;
    rug_source source = rugi_source_of_image(part), inside = {0};
    if (mask != NULL)
        inside = rugi_source_of_image(mask);
    rug_status status = rugi_mass_measure(ctx, &m->mass, &facts, &source,
                                          mask != NULL ? &inside : NULL, first);
    if (status == RUG_OK && facts.total > RUGI_MASS_MAX - m->n_measured)
        status =
            rug_context_fail(ctx, RUG_E_ARG,
                             "the masses add up to more than %llu; divide the values "
                             "first, or use a larger unit for floats",
                             (unsigned long long)RUGI_MASS_MAX);
    if (status != RUG_OK)
        return status;
    m->n_measured += facts.total;
    m->n_left_out += facts.n_left_out;
    m->n_lost += facts.n_lost;
    return RUG_OK;
}

static rug_status run_engine(rug_context *ctx, rugi_masses_job *job)
{
    /* `auto` takes no device: copying the pixels there takes longer than the work
     * here. */
    static const rugi_engine table[] = {
#ifdef RUGI_HAVE_OPENCL
        {"opencl", RUGI_DEVICE_OPENCL, rugi_masses_opencl, rugi_engine_only_by_name},
#endif
        {"cpu", RUGI_DEVICE_CPU, rugi_masses_cpu, NULL},
    };
    return rugi_engine_run(ctx, table, sizeof table / sizeof *table, job);
}

/* Adds a part that is checked, and its mask. */
static rug_status add_checked(rug_context *ctx, rug_masses *m,
                              const rugi_masses_part *part)
{
    m->is_finished = 0;
    rug_status status = rugi_masses_add_part(ctx, m, part, run_engine);
    if (status != RUG_OK || m->inside == NULL)
        return status;
    rugi_masses_part inside = {.pixels = part->mask, .place = part->place};
    m->inside->mass = rugi_mass_make(part->mask.dtype, 1, m->inside->foreground, 0);
    return add_checked(ctx, m->inside, &inside);
}

rug_status rug_masses_add(rug_context *ctx, rug_masses *m, const rug_image *part,
                          const rug_image *mask, const size_t *first)
{
    if (ctx == NULL || m == NULL || first == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_masses_add: NULL given");
    if (m->is_points)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "rug_masses_add: masses of points given, masses of an "
                                "image in parts expected");
    rugi_masses_part p = {0};
    rug_status status = rugi_part_check(ctx, &p.place, m->plan.n_axes, m->plan.shape,
                                        part, mask, m->inside != NULL, first);
    if (status == RUG_OK && part->dtype != m->mass.dtype)
        status =
            rug_context_fail(ctx, RUG_E_ARG, "part of dtype %s given, %s expected",
                             rug_dtype_name(part->dtype), rug_dtype_name(m->mass.dtype));
    if (status == RUG_OK)
        status = rugi_cover_add(ctx, &m->cover, p.place);
    int scans = needs_scan(m);
    if (scans)
        RUGI_PHASE(ctx, 0, 0.3, status, scan(ctx, m, part, mask, first));
    if (status != RUG_OK)
        return status;
    p.pixels = rugi_image_with_z(part);
    if (mask != NULL)
        p.mask = rugi_image_with_z(mask);
    RUGI_PHASE(ctx, scans ? 0.3 : 0, 1, status, add_checked(ctx, m, &p));
    if (status == RUG_OK)
        rugi_context_set_engine(ctx, m->engine);
    return status;
}

static rugi_parts_whole whole_of(const rug_masses *m)
{
    return (rugi_parts_whole){m->plan.n_axes, m->plan.shape, m->inside != NULL,
                              m->foreground};
}

/* Whether both are of the same image, measured in the same way. */
static rug_status check_match(rug_context *ctx, const rug_masses *m,
                              const rug_masses *other)
{
    rugi_parts_whole given = whole_of(other), expected = whole_of(m);
    if (m->is_points || other->is_points)
        return rugi_parts_differ(ctx, "masses of",
                                 other->is_points ? "points" : "an image",
                                 "an image in parts");
    rug_status status = rugi_parts_check_same(ctx, &given, &expected);
    if (status == RUG_OK && m->of != other->of)
        status = rugi_parts_differ(ctx, "masses of", rug_mass_of_name(other->of),
                                   rug_mass_of_name(m->of));
    if (status == RUG_OK && m->mass.dtype != other->mass.dtype)
        status = rugi_parts_differ(ctx, "dtype", rug_dtype_name(other->mass.dtype),
                                   rug_dtype_name(m->mass.dtype));
    return status == RUG_OK
               ? rugi_parts_check_number(ctx, "exponent of the unit",
                                         other->mass.exponent, m->mass.exponent)
               : status;
}

static rug_status merge(rug_context *ctx, rug_masses *m, const rug_masses *other)
{
    rug_status status = RUG_OK;
    m->is_finished = 0;
    for (unsigned level = 0; level < RUGI_MASSES_FINE && status == RUG_OK; level++)
        status = rugi_mass_list_add(ctx, &m->lists[level], &other->lists[level]);
    if (status != RUG_OK)
        return status;
    for (size_t i = 0; i < m->plan.n_counts; i++)
        m->counts[i] += other->counts[i];
    rugi_masses_add_tables(m, other);
    status = rugi_sparse_merge(ctx, &m->blocks, &other->blocks);
    if (status != RUG_OK)
        return status;
    m->n_left_out += other->n_left_out;
    m->n_lost += other->n_lost;
    m->n_measured += other->n_measured;
    status = rugi_masses_merge_partial(ctx, m, other);
    return status == RUG_OK && m->inside != NULL ? merge(ctx, m->inside, other->inside)
                                                 : status;
}

rug_status rug_masses_merge(rug_context *ctx, rug_masses *masses, const rug_masses *other)
{
    if (ctx == NULL || masses == NULL || other == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_masses_merge: NULL given");
    rug_status status = check_match(ctx, masses, other);
    if (status != RUG_OK)
        return status;
    if (other->n_measured > RUGI_MASS_MAX - masses->n_measured)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "merge: the masses add up to more than %llu",
                                (unsigned long long)RUGI_MASS_MAX);
    status = rugi_cover_merge(ctx, &masses->cover, &other->cover);
    return status == RUG_OK ? merge(ctx, masses, other) : status;
}

/* ---- Whole images and sources ---- */

/* The share of the work that finds the unit and the rule. */
#define PLAN_SHARE 0.5

static rug_status add_slab(rug_context *ctx, void *user, const rug_image *slab,
                           const rug_image *mask, size_t first)
{
    rug_masses *m = user;
    rugi_masses_part part = {.pixels = rugi_image_with_z(slab)};
    if (mask != NULL)
        part.mask = rugi_image_with_z(mask);
    for (int a = 0; a < 3; a++)
        part.place.end[a] = part.pixels.shape[a];
    int slowest = 3 - slab->ndim;
    part.place.first[slowest] += first;
    part.place.end[slowest] += first;
    rug_status status = rugi_cover_add(ctx, &m->cover, part.place);
    return status == RUG_OK ? add_checked(ctx, m, &part) : status;
}

/* Whether the pixels must be read once before they are added. */
static int needs_pass(const rug_source *source, const rug_masses_options *o)
{
    if (o->of == RUG_MASS_OF_FOREGROUND)
        return is_real(source->dtype);
    return source->dtype > RUG_U8 && source->dtype != RUG_U16;
}

/* Finds the rule, the unit, and what is known about the pixels. */
static rug_status plan_masses(rug_context *ctx, rugi_mass_facts *facts, int *exponent,
                              const rug_source *source, const rug_source *mask,
                              rug_masses_options *o)
{
    rugi_mass mass = {.exponent = 0};
    rug_status status = RUG_OK;
    if (o->of == RUG_MASS_OF_FOREGROUND)
        RUGI_PHASE(ctx, 0, 0.6, status,
                   rug_source_resolve_foreground(ctx, &o->foreground, source, mask, NULL,
                                                 o->foreground));
    if (status == RUG_OK && needs_pass(source, o))
        RUGI_PHASE(ctx, 0.6, 1, status,
                   rugi_mass_resolve(ctx, &mass, facts, source, mask,
                                     o->of == RUG_MASS_OF_FOREGROUND, o->foreground));
    *exponent = mass.exponent;
    return status;
}

static rug_status measure(rug_context *ctx, rug_masses **out, const rug_source *source,
                          const rug_source *mask, rug_masses_options *o)
{
    rugi_mass_facts facts = {0};
    int exponent = 0;
    rug_status status = RUG_OK;
    RUGI_PHASE(ctx, 0, PLAN_SHARE, status,
               plan_masses(ctx, &facts, &exponent, source, mask, o));
    if (status == RUG_OK)
        status = rug_masses_new(ctx, out, source->dtype, source->ndim, source->shape,
                                exponent, o);
    if (status != RUG_OK)
        return status;
    (*out)->n_left_out = facts.n_left_out;
    (*out)->n_lost = facts.n_lost;
    (*out)->n_measured = facts.total;
    RUGI_PHASE(ctx, PLAN_SHARE, 1, status,
               rugi_source_for_slabs(ctx, source, mask, add_slab, *out));
    if (status == RUG_OK)
        status = rugi_masses_finish(ctx, *out);
    if (status == RUG_OK)
        rugi_context_set_engine(ctx, (*out)->engine);
    return status;
}

rug_status rug_masses_measure_source(rug_context *ctx, rug_masses **out,
                                     const rug_source *source,
                                     const rug_masses_options *opts)
{
    rug_masses_options o;
    rug_source own, own_mask;
    const rug_source *mask = NULL;
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_masses_measure: NULL given");
    rug_status status = take_options(ctx, &o, opts);
    if (status == RUG_OK)
        status = rugi_source_take(ctx, &own, source, "source");
    if (status == RUG_OK)
        status = rugi_twin_source_take(ctx, &own_mask, &mask, o.mask, "mask", &own);
    if (status == RUG_OK)
        status = measure(ctx, out, &own, mask, &o);
    if (status != RUG_OK) {
        rug_masses_free(*out);
        *out = NULL;
    }
    return status;
}

rug_status rug_masses_measure(rug_context *ctx, rug_masses **out, const rug_image *image,
                              const rug_masses_options *opts)
{
    if (out != NULL)
        *out = NULL;
    rug_status status = rugi_image_check(ctx, image);
    if (status != RUG_OK)
        return status;
    rug_source source = rugi_source_of_image(image);
    return rug_masses_measure_source(ctx, out, &source, opts);
}
