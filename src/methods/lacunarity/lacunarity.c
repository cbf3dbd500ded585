/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The lacunarity of an image or volume in memory. */

#include "core/context/context_internal.h"
#include "core/context/engine.h"
#include "lacunarity_call.h"
#include "lacunarity_result.h"
#include <string.h>

/* Shares of the work: the rule and the masses. */
#define RULE_SHARE 0.2
#define MASS_SHARE 0.4

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

rug_status rugi_lacunarity_check(rug_context *ctx, const rug_image *img,
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
        status = rugi_image_check(ctx, img);
    if (status == RUG_OK && o->mask != NULL)
        status = rugi_image_check_twin(ctx, o->mask, "mask", img);
    return status;
}

rug_status rugi_lacunarity_masses(rug_context *ctx, rugi_mass *mass,
                                  rugi_mass_facts *facts, rug_foreground *rule,
                                  const rug_image *img,
                                  const rug_lacunarity_options *opts)
{
    rug_source source = rug_source_of_image(img), mask;
    rug_status status = RUG_OK;
    *rule = (rug_foreground){RUG_FOREGROUND_NONZERO, 0};
    if (opts->mask != NULL)
        mask = rug_source_of_image(opts->mask);
    if (!opts->is_gray)
        status = rug_source_resolve_foreground(ctx, rule, &source,
                                               opts->mask != NULL ? &mask : NULL, NULL,
                                               opts->foreground);
    return status == RUG_OK ? rugi_lacunarity_resolve(ctx, mass, facts, img, opts->mask,
                                                      opts->is_gray, *rule)
                            : status;
}

rug_status rugi_lacunarity_measure(rug_context *ctx, rug_lacunarity_result *out,
                                   rugi_lacunarity_room *room,
                                   const rugi_lacunarity_plane *plane,
                                   const rug_lacunarity_options *opts, int unit_exponent)
{
    const rugi_lacunarity_plan *plan = &room->plan;
    out->n_sizes = rugi_lacunarity_sizes(room->sizes, plane->n, opts);
    rugi_lacunarity_plan_make(&room->plan, plane, out->n_sizes, room->sizes,
                              opts->boxes == RUG_LACUNARITY_FIXED);
    rug_status status = rugi_lacunarity_run(ctx, room->sums, &out->engine, plan);
    if (status != RUG_OK)
        return status;
    size_t k = 0;
    for (uint32_t i = 0; i < out->n_sizes; i++) {
        int fits = k < plan->n_lanes && plan->lanes[k].index == i;
        rugi_lacunarity_fill(&out->sizes[i], room->sizes[i], fits ? &room->sums[k] : NULL,
                             unit_exponent);
        k += (size_t)fits;
    }
    out->n_pixels = plane->n_pixels;
    out->n_set = plane->n_set;
    out->n_left_out = plane->n_left_out;
    out->unit_exponent = unit_exponent;
    return RUG_OK;
}

static rug_status measure(rug_context *ctx, rug_lacunarity_result *out,
                          rugi_lacunarity_room *room, const rug_image *img,
                          const rug_lacunarity_options *opts)
{
    rugi_mass mass;
    rugi_mass_facts facts;
    rugi_lacunarity_plane plane = {0};
    rugi_phase outer = rugi_phase_enter(ctx, 0, RULE_SHARE);
    rug_status status =
        rugi_lacunarity_masses(ctx, &mass, &facts, &out->foreground, img, opts);
    rugi_phase_leave(ctx, outer);
    outer = rugi_phase_enter(ctx, RULE_SHARE, MASS_SHARE);
    if (status == RUG_OK)
        status = rugi_lacunarity_plane_new(ctx, &plane, &mass, &facts, img, opts->mask);
    rugi_phase_leave(ctx, outer);
    outer = rugi_phase_enter(ctx, MASS_SHARE, 1);
    if (status == RUG_OK)
        status = rugi_lacunarity_measure(ctx, out, room, &plane, opts, mass.exponent);
    rugi_phase_leave(ctx, outer);
    rugi_lacunarity_plane_free(ctx, &plane);
    out->ndim = img->ndim;
    for (int a = 0; a < img->ndim; a++)
        out->shape[a] = img->shape[a];
    return status;
}

rug_status rug_lacunarity(rug_context *ctx, rug_lacunarity_result *out,
                          const rug_image *img, const rug_lacunarity_options *opts)
{
    static const rug_lacunarity_options defaults = RUG_LACUNARITY_OPTIONS_INIT;
    if (out != NULL)
        memset(out, 0, sizeof *out);
    if (ctx == NULL || out == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_lacunarity: NULL given");
    if (opts == NULL)
        opts = &defaults;
    rug_status status = rugi_lacunarity_check(ctx, img, opts);
    if (status != RUG_OK)
        return status;
    rugi_lacunarity_room *room =
        rug_context_allocate(ctx, 1, sizeof *room, "sizes of boxes");
    if (room == NULL)
        return RUG_E_NOMEM;
    status = measure(ctx, out, room, img, opts);
    rug_context_release(ctx, room);
    if (status != RUG_OK)
        memset(out, 0, sizeof *out);
    return status;
}
