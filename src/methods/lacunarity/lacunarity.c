/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The lacunarity of an image or volume in memory, and of every label in it: options are checked,
 * pixels become masses, and these are measured. */

#include "core/context/context_internal.h"
#include "core/context/engine.h"
#include "lacunarity_plan.h"
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

static rug_status check(rug_context *ctx, const rug_image *img,
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

/* ---- An image ---- */

static rug_status measure(rug_context *ctx, rug_lacunarity_result *out,
                          rugi_lacunarity_scratch *scratch, const rug_image *img,
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
        status = rugi_lacunarity_measure(ctx, out, scratch, &plane, opts, mass.exponent);
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
    rug_status status = check(ctx, img, opts);
    if (status != RUG_OK)
        return status;
    rugi_lacunarity_scratch *scratch =
        rug_context_allocate(ctx, 1, sizeof *scratch, "sizes of boxes");
    if (scratch == NULL)
        return RUG_E_NOMEM;
    status = measure(ctx, out, scratch, img, opts);
    rug_context_release(ctx, scratch);
    if (status != RUG_OK)
        memset(out, 0, sizeof *out);
    return status;
}

/* ---- Labels ---- */

typedef struct labelling {
    const rug_image *img;
    const rug_lacunarity_options *opts;
    rugi_mass mass;
    rugi_mass_facts facts;
    rug_foreground rule;
    rug_regions *regions;
    rugi_lacunarity_scratch *scratch;
    rug_lacunarity_result *result;
} labelling;

static rug_status measure_label(rug_context *ctx, labelling *l, int ndim, size_t i,
                                rug_lacunarity_label_fn fn, void *user)
{
    const rug_region *region = rug_regions_at(l->regions, i);
    rug_lacunarity_result *out = l->result;
    rugi_lacunarity_plane plane;
    rug_status status = rugi_lacunarity_plane_of_label(
        ctx, &plane, &l->mass, &l->facts, l->img, l->opts->mask, l->regions, i);
    out->ndim = ndim;
    out->foreground = l->rule;
    for (int a = 0; a < ndim; a++)
        out->shape[a] = region->shape[3 - ndim + a];
    if (status == RUG_OK)
        status = rugi_lacunarity_measure(ctx, out, l->scratch, &plane, l->opts,
                                         l->mass.exponent);
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
        rugi_phase outer =
            rugi_phase_enter(ctx, (double)i / (double)n, (double)(i + 1) / (double)n);
        status = measure_label(ctx, l, ndim, i, fn, user);
        rugi_phase_leave(ctx, outer);
    }
    return status;
}

/* All that is done once for the whole image. */
static rug_status prepare(rug_context *ctx, labelling *l, const rug_image *labels)
{
    rugi_phase outer = rugi_phase_enter(ctx, 0, 0.5);
    rug_status status =
        rugi_lacunarity_masses(ctx, &l->mass, &l->facts, &l->rule, l->img, l->opts);
    rugi_phase_leave(ctx, outer);
    outer = rugi_phase_enter(ctx, 0.5, 1);
    if (status == RUG_OK)
        status = rug_regions_find(ctx, &l->regions, labels);
    rugi_phase_leave(ctx, outer);
    if (status != RUG_OK)
        return status;
    l->scratch = rug_context_allocate(ctx, 1, sizeof *l->scratch, "sizes of boxes");
    l->result = rug_context_allocate(ctx, 1, sizeof *l->result, "result of a label");
    if (l->scratch == NULL || l->result == NULL)
        return RUG_E_NOMEM;
    memset(l->result, 0, sizeof *l->result);
    return RUG_OK;
}

rug_status rug_lacunarity_labels(rug_context *ctx, const rug_image *img,
                                 const rug_image *labels,
                                 const rug_lacunarity_options *opts,
                                 rug_lacunarity_label_fn fn, void *user)
{
    static const rug_lacunarity_options defaults = RUG_LACUNARITY_OPTIONS_INIT;
    if (ctx == NULL || fn == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_lacunarity_labels: NULL given");
    labelling l = {.img = img, .opts = opts != NULL ? opts : &defaults};
    rug_status status = check(ctx, img, l.opts);
    if (status == RUG_OK)
        status = rugi_image_check_twin(ctx, labels, "label image", img);
    if (status != RUG_OK)
        return status;
    rugi_phase outer = rugi_phase_enter(ctx, 0, PREPARE_SHARE);
    status = prepare(ctx, &l, labels);
    rugi_phase_leave(ctx, outer);
    outer = rugi_phase_enter(ctx, PREPARE_SHARE, 1);
    if (status == RUG_OK)
        status = measure_labels(ctx, &l, img->ndim, fn, user);
    rugi_phase_leave(ctx, outer);
    rug_context_release(ctx, l.result);
    rug_context_release(ctx, l.scratch);
    rug_regions_free(l.regions);
    return status;
}
