/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Box masses of an image or of a source: its slabs are the parts. */

#include "core/context/context_internal.h"
#include "core/image/image_internal.h"
#include "core/image/source_internal.h"
#include "masses_state.h"
#include <string.h>

/* The share of the work of a unit or a rule that has yet to be found. */
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
    return status == RUG_OK ? rugi_masses_add_checked(ctx, m, &part) : status;
}

/* Whether the pixels have to be seen before they are added. */
static int needs_pass(const rug_source *source, const rug_masses_options *o)
{
    int is_real = source->dtype == RUG_F32 || source->dtype == RUG_F64;
    if (o->of == RUG_MASS_OF_FOREGROUND)
        return is_real;
    return source->dtype > RUG_U8 && source->dtype != RUG_U16;
}

/* The unit, and what is known of the pixels. */
static rug_status plan_masses(rug_context *ctx, rugi_mass_facts *facts, int *exponent,
                              const rug_source *source, const rug_source *mask,
                              rug_masses_options *o)
{
    rugi_mass mass = {.exponent = 0};
    rug_status status = RUG_OK;
    rugi_phase outer = rugi_phase_enter(ctx, 0, 0.6);
    if (o->of == RUG_MASS_OF_FOREGROUND)
        status = rug_source_resolve_foreground(ctx, &o->foreground, source, mask, NULL,
                                               o->foreground);
    rugi_phase_leave(ctx, outer);
    outer = rugi_phase_enter(ctx, 0.6, 1);
    if (status == RUG_OK && needs_pass(source, o))
        status = rugi_mass_resolve(ctx, &mass, facts, source, mask,
                                   o->of == RUG_MASS_OF_FOREGROUND, o->foreground);
    rugi_phase_leave(ctx, outer);
    *exponent = mass.exponent;
    return status;
}

static rug_status measure(rug_context *ctx, rug_masses **out, const rug_source *source,
                          const rug_source *mask, const rug_masses_options *opts)
{
    static const rug_image some_mask;
    rug_masses_options o = *opts;
    rugi_mass_facts facts = {0};
    int exponent = 0;
    rugi_phase outer = rugi_phase_enter(ctx, 0, PLAN_SHARE);
    rug_status status = plan_masses(ctx, &facts, &exponent, source, mask, &o);
    rugi_phase_leave(ctx, outer);
    o.mask = mask != NULL ? &some_mask : NULL;
    if (status == RUG_OK)
        status = rug_masses_new(ctx, out, source->dtype, source->ndim, source->shape,
                                exponent, &o);
    if (status != RUG_OK)
        return status;
    (*out)->n_left_out = facts.n_left_out;
    (*out)->n_lost = facts.n_lost;
    (*out)->n_measured = facts.total;
    outer = rugi_phase_enter(ctx, PLAN_SHARE, 1);
    status = rugi_source_for_slabs(ctx, source, mask, add_slab, *out);
    rugi_phase_leave(ctx, outer);
    if (status == RUG_OK)
        status = rugi_masses_finish(ctx, *out);
    return status;
}

rug_status rug_masses_measure_source(rug_context *ctx, rug_masses **out,
                                     const rug_source *source, const rug_source *mask,
                                     const rug_masses_options *opts)
{
    static const rug_masses_options defaults = RUG_MASSES_OPTIONS_INIT;
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_masses_measure: NULL given");
    if (opts == NULL)
        opts = &defaults;
    if (!rugi_options_fit(ctx, opts->struct_size, sizeof *opts, "rug_masses_options"))
        return RUG_E_ARG;
    if ((unsigned)opts->of > RUG_MASS_OF_FOREGROUND)
        return rug_context_fail(ctx, RUG_E_ARG, "masses of kind %d given, 0..%d expected",
                                (int)opts->of, RUG_MASS_OF_FOREGROUND);
    rug_status status = rugi_source_check(ctx, source, mask);
    if (status == RUG_OK)
        status = measure(ctx, out, source, mask, opts);
    if (status != RUG_OK) {
        rug_masses_free(*out);
        *out = NULL;
    }
    return status;
}

rug_status rug_masses_measure(rug_context *ctx, rug_masses **out, const rug_image *img,
                              const rug_masses_options *opts)
{
    if (out != NULL)
        *out = NULL;
    rug_status status = rugi_image_check(ctx, img);
    if (status != RUG_OK)
        return status;
    rug_source source = rug_source_of_image(img), mask = {0};
    const rug_image *given =
        opts != NULL && opts->struct_size >= sizeof *opts ? opts->mask : NULL;
    if (given != NULL)
        mask = rug_source_of_image(given);
    return rug_masses_measure_source(ctx, out, &source, given != NULL ? &mask : NULL,
                                     opts);
}
