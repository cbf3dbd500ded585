/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Co-occurrence of an image that is measured in parts. */

#include "cmd_haralick.h"
#include "parts/parts.h"
#include <math.h>

/* Whether bins begin at a value that is given, and have no end. */
static int is_open(const rug_glcm_options *o)
{
    int begins_at =
        o->origin == RUG_GLCM_ORIGIN_GIVEN ||
        (o->origin == RUG_GLCM_ORIGIN_AUTO && o->resegment && isfinite(o->resegment_lo));
    return o->levels == RUG_GLCM_LEVELS_WIDTH && begins_at;
}

/* Whether bins follow the range of the whole image, and no part can do without it. */
static int needs_range(const rug_glcm_options *o, rug_dtype dtype)
{
    int is_fixed = o->range == RUG_GLCM_RANGE_TYPE || o->range == RUG_GLCM_RANGE_GIVEN;
    if (o->levels == RUG_GLCM_LEVELS_EXACT || is_fixed)
        return 0;
    if (o->labels != NULL)
        return o->range == RUG_GLCM_RANGE_IMAGE;
    int is_wide = rug_dtype_size(dtype) > 2; /* too many levels to be kept, it may be */
    return is_wide && !is_open(o) && (dtype >= RUG_F32 || !o->resegment);
}

/* Whether bins follow the values of each region, of which no part has all, and which floats have too
 * many of to be kept. */
static int follows_regions(const rug_glcm_options *o, rug_dtype dtype)
{
    if (o->levels == RUG_GLCM_LEVELS_EXACT || dtype < RUG_F32)
        return 0;
    if (o->range == RUG_GLCM_RANGE_GIVEN)
        return o->origin == RUG_GLCM_ORIGIN_MIN;
    return o->labels != NULL && o->range != RUG_GLCM_RANGE_IMAGE && !is_open(o);
}

static rug_status begin_parts(rug_context *ctx, void **state, const cli_image *image,
                              const void *opts)
{
    const rug_glcm_options *o = opts;
    const rug_source *s = &image->source;
    const rug_image_range *range = NULL;
    rug_glcm_parts *parts = NULL;
    rug_status status = RUG_OK;
    if (needs_range(o, s->dtype) && o->resegment)
        status = rug_context_fail(
            ctx, RUG_E_ARG,
            "bins of the range of what --resegment leaves cannot be measured in parts: "
            "give --range LO..HI, or --bin-width W with --bin-origin V");
    else if (follows_regions(o, s->dtype))
        status = rug_context_fail(
            ctx, RUG_E_ARG,
            "bins of the values of each region cannot be measured in parts of %s pixels: give "
            "--range LO..HI, or --bin-width W with --bin-origin V",
            rug_dtype_name(s->dtype));
    else if (needs_range(o, s->dtype))
        range = cli_image_range(image);
    if (status == RUG_OK && range != NULL)
        status = image->watch->status;
    if (status == RUG_OK)
        status = rug_glcm_parts_new(ctx, &parts, s->dtype, s->ndim, s->shape, o, range);
    *state = parts;
    return status;
}

static rug_status add_part(rug_context *ctx, void *state, const rug_image *slab,
                           const rug_image *mask, const rug_image *labels,
                           const cli_where *where)
{
    const size_t first[RUG_MAX_AXES] = {where->own_first, 0, 0};
    const size_t shape[RUG_MAX_AXES] = {where->own_end - where->own_first, slab->shape[1],
                                        slab->shape[2]};
    return rug_glcm_parts_add(ctx, state, slab, mask, labels, where->first, first, shape);
}

CLI_STATE_CALLS(rug_glcm_parts, rug_glcm_merge, rug_glcm_parts_save, rug_glcm_parts_load,
                rug_glcm_parts_free)

const char *cli_haralick_check_parts(const cli_haralick_values *v)
{
    if (v->window != NULL)
        return "--window and --part cannot be used together";
    return v->pairs == RUG_GLCM_PAIRS_FRAME
               ? "--pairs frame and --part cannot be used together"
               : NULL;
}

rug_status cli_haralick_in_parts(cli_run *run, const cli_image *image,
                                 cli_haralick_found *found, rug_glcm_row_fn fn,
                                 void *user)
{
    static const cli_state_kind kind = {
        .name = "haralick", .begin = begin_parts, .add = add_part, CLI_STATE_MEMBERS};
    const rug_glcm_options *o = &found->opts;
    cli_image with_labels = *image;
    void *state;
    with_labels.labels = o->labels != NULL ? &found->labels : NULL;
    size_t reach = o->slices != RUG_GLCM_SLICES_NONE ? 0 : rug_glcm_reach(o);
    rug_status status = cli_measure_state(run, &with_labels, &kind, o, reach, &state);
    found->is_left = state == NULL;
    if (state != NULL)
        status = rug_glcm_parts_finish(run->ctx, state, fn, user);
    free_state(state);
    return status;
}
