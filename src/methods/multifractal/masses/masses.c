/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Box masses that come in parts: checks, what is kept, and their merge. */

#include "core/context/context_internal.h"
#include "core/image/image_internal.h"
#include "core/image/source_internal.h"
#include "masses_state.h"
#include <math.h>
#include <string.h>

static int is_real(rug_dtype dtype)
{
    return dtype == RUG_F32 || dtype == RUG_F64;
}

static rug_status check_rule(rug_context *ctx, rug_foreground rule)
{
    if (rugi_rule_is_open(rule) || (unsigned)rule.kind > RUG_FOREGROUND_LABEL)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "masses: foreground kind %d given; a part does not know "
                                "the whole, so nonzero, above, below or label expected "
                                "(rug_foreground_resolve() finds it)",
                                (int)rule.kind);
    if (rule.kind >= RUG_FOREGROUND_ABOVE && isnan(rule.value))
        return rug_context_fail(ctx, RUG_E_ARG, "foreground: threshold NaN given");
    return RUG_OK;
}

static rug_status check_new(rug_context *ctx, rug_dtype dtype, int ndim,
                            const size_t *shape, int unit_exponent,
                            const rug_masses_options *o)
{
    if (!rugi_options_fit(ctx, o->struct_size, sizeof *o, "rug_masses_options"))
        return RUG_E_ARG;
    if ((unsigned)o->of > RUG_MASS_OF_FOREGROUND)
        return rug_context_fail(ctx, RUG_E_ARG, "masses of kind %d given, 0..%d expected",
                                (int)o->of, RUG_MASS_OF_FOREGROUND);
    if ((unsigned)dtype >= RUG_N_DTYPES)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "masses of dtype %d given, 0..%d expected", (int)dtype,
                                RUG_N_DTYPES - 1);
    rug_status status = rugi_shape_check(ctx, ndim, shape);
    if (status == RUG_OK && o->of == RUG_MASS_OF_FOREGROUND)
        status = check_rule(ctx, o->foreground);
    if (status != RUG_OK)
        return status;
    int has_unit = is_real(dtype) && o->of == RUG_MASS_OF_GRAY;
    int least = has_unit ? RUGI_MASS_EXPONENT_MIN : 0;
    int most = has_unit ? RUGI_MASS_EXPONENT_MAX : 0;
    if (unit_exponent < least || unit_exponent > most)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "masses in units of 2^%d given, 2^%d..2^%d expected; only "
            "grey values of floats have another unit than 1",
            unit_exponent, least, most);
    return RUG_OK;
}

/* Memory for the masses of blocks. */
static rug_status make_state(rug_context *ctx, rug_masses *m)
{
    size_t n_blocks = rugi_masses_blocks(&m->plan), n = m->plan.n_counts;
    m->blocks =
        rug_context_allocate(ctx, n_blocks, sizeof *m->blocks, "masses of blocks");
    if (m->blocks != NULL)
        m->counts = rug_context_allocate(ctx, n, sizeof *m->counts, "tables of masses");
    if (m->counts == NULL)
        return RUG_E_NOMEM;
    memset(m->blocks, 0, n_blocks * sizeof *m->blocks);
    memset(m->counts, 0, n * sizeof *m->counts);
    return RUG_OK;
}

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
    m->plan = rugi_masses_plan_make(ndim, shape, &m->mass);
    rug_status status = make_state(ctx, m);
    if (status == RUG_OK && o->mask != NULL) {
        rug_masses_options inside = RUG_MASSES_OPTIONS_INIT;
        inside.of = RUG_MASS_OF_FOREGROUND;
        inside.foreground.kind = RUG_FOREGROUND_NONZERO;
        /* The dtype of masks is known when they come. */
        status = new_masses(ctx, &m->inside, RUG_U8, ndim, shape, 0, &inside);
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
    static const rug_masses_options defaults = RUG_MASSES_OPTIONS_INIT;
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL || shape == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_masses_new: NULL given");
    if (opts == NULL)
        opts = &defaults;
    rug_status status = check_new(ctx, dtype, ndim, shape, unit_exponent, opts);
    return status == RUG_OK
               ? new_masses(ctx, out, dtype, ndim, shape, unit_exponent, opts)
               : status;
}

void rug_masses_free(rug_masses *m)
{
    if (m == NULL)
        return;
    rug_masses_free(m->inside);
    rugi_masses_forget(m);
    rugi_cover_free(m->ctx, &m->cover);
    for (unsigned level = 0; level < RUGI_MASSES_FINE; level++)
        rugi_mass_list_free(m->ctx, &m->lists[level]);
    for (size_t i = 0; m->open != NULL && i < rugi_masses_blocks(&m->plan); i++)
        rug_context_release(m->ctx, m->open[i]);
    rug_context_release(m->ctx, m->open);
    rug_context_release(m->ctx, m->tables);
    rug_context_release(m->ctx, m->counts);
    rug_context_release(m->ctx, m->blocks);
    rug_context_release(m->ctx, m);
}

/* Where a part lies, checked against the whole. */
static rug_status place_part(rug_context *ctx, const rug_masses *m, rugi_box *box,
                             const rug_image *part, const size_t *first)
{
    int added = 3 - m->plan.n_axes;
    if (part->dtype != m->mass.dtype)
        return rug_context_fail(ctx, RUG_E_ARG, "part of dtype %s given, %s expected",
                                rug_dtype_name(part->dtype),
                                rug_dtype_name(m->mass.dtype));
    if (part->ndim != m->plan.n_axes)
        return rug_context_fail(ctx, RUG_E_ARG, "part of %d axes given, %d expected",
                                part->ndim, m->plan.n_axes);
    for (int a = 0; a < 3; a++) {
        size_t n = a >= added ? part->shape[a - added] : 1;
        box->first[a] = a >= added ? first[a - added] : 0;
        if (box->first[a] > m->plan.shape[a] || n > m->plan.shape[a] - box->first[a])
            return rug_context_fail(ctx, RUG_E_ARG,
                                    "part of %zu pixels from pixel %zu on along axis %d "
                                    "given, but the image has %zu",
                                    n, box->first[a], a - added, m->plan.shape[a]);
        box->end[a] = box->first[a] + n;
    }
    return RUG_OK;
}

/* Whether pixels must be looked at before they are added: masses that may be below 0 or
 * add up to too much, and floats, whose missing ones are told. */
static int needs_look(const rug_masses *m)
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

static rug_status look(rug_context *ctx, rug_masses *m, const rug_image *part,
                       const rug_image *mask, const size_t *first)
{
    rugi_mass_facts facts;
    rug_source source = rug_source_of_image(part), inside = {0};
    if (mask != NULL)
        inside = rug_source_of_image(mask);
    rug_status status = rugi_mass_measure(ctx, &m->mass, &facts, &source,
                                          mask != NULL ? &inside : NULL, first);
    if (status == RUG_OK && facts.total > RUGI_MASS_MAX - m->n_measured)
        status =
            rug_context_fail(ctx, RUG_E_ARG,
                             "the masses add up to more than %llu; divide the values "
                             "first, or take a larger unit for floats",
                             (unsigned long long)RUGI_MASS_MAX);
    if (status != RUG_OK)
        return status;
    m->n_measured += facts.total;
    m->n_left_out += facts.n_left_out;
    m->n_lost += facts.n_lost;
    return RUG_OK;
}

/* The blocks that a part holds whole. @return 0 when there are none */
static int whole_blocks(const rugi_masses_plan *p, const rugi_box *place, rugi_box *out)
{
    int some = 1;
    for (int a = 0; a < 3; a++) {
        size_t block = (size_t)1 << p->block_bits[a];
        out->first[a] = (place->first[a] + block - 1) / block;
        out->end[a] =
            place->end[a] == p->shape[a] ? p->n_blocks[a] : place->end[a] / block;
        some &= out->first[a] < out->end[a];
    }
    return some;
}

static int reaches_beyond(const rugi_masses_plan *p, const rugi_box *place,
                          const rugi_box *blocks)
{
    for (int a = 0; a < 3; a++)
        if (blocks->first[a] << p->block_bits[a] != place->first[a] ||
            (blocks->end[a] << p->block_bits[a] != place->end[a] &&
             place->end[a] != p->shape[a]))
            return 1;
    return 0;
}

rug_status rugi_masses_add_checked(rug_context *ctx, rug_masses *m,
                                   const rugi_masses_part *part)
{
    static const rugi_box none;
    rugi_masses_job job = {.masses = m, .part = part};
    rug_status status = RUG_OK;
    rugi_masses_forget(m);
    int some = whole_blocks(&m->plan, &part->place, &job.blocks);
    if (some)
        status = rugi_masses_run(ctx, &job);
    if (status == RUG_OK &&
        (!some || reaches_beyond(&m->plan, &part->place, &job.blocks)))
        status = rugi_masses_add_rim(ctx, m, part, some ? &job.blocks : &none);
    if (status != RUG_OK || m->inside == NULL)
        return status;
    rugi_masses_part inside = {.pixels = part->mask, .place = part->place};
    m->inside->mass = rugi_mass_make(part->mask.dtype, 1, m->inside->foreground, 0);
    return rugi_masses_add_checked(ctx, m->inside, &inside);
}

rug_status rug_masses_add(rug_context *ctx, rug_masses *m, const rug_image *part,
                          const rug_image *mask, const size_t *first)
{
    if (ctx == NULL || m == NULL || first == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_masses_add: NULL given");
    if (m->is_points)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "rug_masses_add: masses of points given, "
                                "of an image in parts expected");
    rugi_masses_part p = {0};
    rug_status status = rugi_image_check(ctx, part);
    if (status == RUG_OK && (mask != NULL) != (m->inside != NULL))
        status = rug_context_fail(ctx, RUG_E_ARG, "part %s a mask given, %s expected",
                                  mask != NULL ? "with" : "without",
                                  m->inside != NULL ? "one" : "none");
    if (status == RUG_OK && mask != NULL)
        status = rugi_image_check_twin(ctx, mask, "mask", part);
    if (status == RUG_OK)
        status = place_part(ctx, m, &p.place, part, first);
    if (status == RUG_OK)
        status = rugi_cover_add(ctx, &m->cover, p.place);
    int looks = needs_look(m);
    rugi_phase outer = rugi_phase_enter(ctx, 0, looks ? 0.3 : 0);
    if (status == RUG_OK && looks)
        status = look(ctx, m, part, mask, first);
    rugi_phase_leave(ctx, outer);
    if (status != RUG_OK)
        return status;
    p.pixels = rugi_image_with_z(part);
    if (mask != NULL)
        p.mask = rugi_image_with_z(mask);
    outer = rugi_phase_enter(ctx, looks ? 0.3 : 0, 1);
    status = rugi_masses_add_checked(ctx, m, &p);
    rugi_phase_leave(ctx, outer);
    return status;
}

/* Whether two are of one image in one way. */
static int match(const rug_masses *a, const rug_masses *b)
{
    int same = !a->is_points && !b->is_points && a->of == b->of &&
               a->mass.dtype == b->mass.dtype && a->mass.exponent == b->mass.exponent &&
               (a->inside == NULL) == (b->inside == NULL) &&
               a->plan.n_axes == b->plan.n_axes &&
               a->foreground.kind == b->foreground.kind &&
               memcmp(a->plan.shape, b->plan.shape, sizeof a->plan.shape) == 0;
    if (same && a->foreground.kind >= RUG_FOREGROUND_ABOVE)
        same = a->foreground.value <= b->foreground.value &&
               a->foreground.value >= b->foreground.value;
    return same;
}

static rug_status merge(rug_context *ctx, rug_masses *m, const rug_masses *other)
{
    rug_status status = RUG_OK;
    rugi_masses_forget(m);
    for (unsigned level = 0; level < RUGI_MASSES_FINE && status == RUG_OK; level++)
        status = rugi_mass_list_add(ctx, &m->lists[level], &other->lists[level]);
    if (status != RUG_OK)
        return status;
    for (size_t i = 0; i < m->plan.n_counts; i++)
        m->counts[i] += other->counts[i];
    rugi_masses_add_tables(m, other);
    for (size_t i = 0; i < rugi_masses_blocks(&m->plan); i++)
        m->blocks[i] += other->blocks[i];
    m->n_left_out += other->n_left_out;
    m->n_lost += other->n_lost;
    m->n_measured += other->n_measured;
    status = rugi_masses_merge_rim(ctx, m, other);
    return status == RUG_OK && m->inside != NULL ? merge(ctx, m->inside, other->inside)
                                                 : status;
}

rug_status rug_masses_merge(rug_context *ctx, rug_masses *masses, const rug_masses *other)
{
    if (ctx == NULL || masses == NULL || other == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_masses_merge: NULL given");
    if (!match(masses, other))
        return rug_context_fail(ctx, RUG_E_ARG,
                                "merge: masses of another shape, dtype, rule or unit "
                                "given; begin both with the same ones");
    if (other->n_measured > RUGI_MASS_MAX - masses->n_measured)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "merge: the masses add up to more than %llu",
                                (unsigned long long)RUGI_MASS_MAX);
    rug_status status = rugi_cover_merge(ctx, &masses->cover, &other->cover);
    return status == RUG_OK ? merge(ctx, masses, other) : status;
}
