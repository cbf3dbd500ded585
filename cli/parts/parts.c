/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Measuring in parts, whoever brings them together. */

#include "parts.h"
#include "part_pass.h"
#include "part_work.h"
#include <stdlib.h>

/* ---- Values as a state ---- */

static rug_status begin_values(rug_context *ctx, void **state, const cli_image *image,
                               const void *opts)
{
    rug_values_options own = RUG_VALUES_OPTIONS_INIT;
    rug_values *values;
    own.has_mask = image->mask_path != NULL;
    own.range = opts;
    rug_status status = rug_values_new(ctx, &values, image->source.dtype,
                                       image->source.ndim, image->source.shape, &own);
    *state = values;
    return status;
}

CLI_STATE_CALLS(rug_values, rug_values_merge, rug_values_save, rug_values_load,
                rug_values_free)

const cli_state_kind cli_values_kind = {
    .name = "values", .begin = begin_values, CLI_STATE_MEMBERS};

/* ---- Values of the whole image ---- */

/* A round of counting. @param range  of the round before; NULL: the first */
static rug_status count_values(cli_part_work *work, const rug_image_range *range)
{
    cli_run *run = work->run;
    const cli_parts *parts = run->parts;
    const size_t n_layers = work->image->source.shape[0];
    cli_part_pass pass = {.image = work->image, .end = n_layers};
    const int is_alone = parts->is_alone || work->is_left;
    void *state = NULL;
    if (!is_alone)
        cli_part_layers(&pass.first, &pass.end, n_layers, parts->own, parts->n);
    rug_status status = begin_values(run->ctx, &state, work->image, range);
    pass.values = state;
    if (status == RUG_OK)
        status = cli_read_part(run->ctx, &pass);
    if (!is_alone)
        status = parts->join(run, work->image, &cli_values_kind, status, 1, &state);
    if (status == RUG_OK) {
        rug_values_free(work->values);
        work->values = state;
    } else {
        rug_values_free(state);
    }
    return status;
}

/* Tells that a part reads all of its image. Files of values know no masks.
 * @param which  files, behind their name */
static void tell_all_is_read(const cli_part_work *work, int is_rule, const char *which)
{
    int has_mask = work->image->mask_path != NULL;
    if (work->run->parts->is_alone)
        cli_warn(work->run,
                 "the values of the whole image are needed first, so this part reads all "
                 "of it%s%s%s%s%s",
                 is_rule || !has_mask ? "; avoid that with " : "",
                 has_mask ? "" : "--values FILE.rgs", has_mask ? "" : which,
                 is_rule && !has_mask ? " or " : "",
                 is_rule ? "a rule such as --foreground above=T" : "");
}

/* Finds the values of the whole image, so that the rule can be resolved.
 * @param asked  NULL: no rule is needed */
static rug_status find_values(cli_part_work *work, const rug_foreground *asked)
{
    cli_run *run = work->run;
    rug_image_range range = RUG_IMAGE_RANGE_INIT;
    int is_told = work->values != NULL;
    rug_status status = RUG_OK;
    if (work->values == NULL && run->parts->values != NULL)
        status = run->parts->values(run, work->image, &work->values);
    if (status == RUG_OK && work->values == NULL) {
        tell_all_is_read(work, asked != NULL, "");
        is_told = 1;
        status = count_values(work, NULL);
    }
    if (status != RUG_OK || asked == NULL || !rug_values_must_count(work->values, *asked))
        return status;
    if (!is_told)
        tell_all_is_read(work, 1,
                         " of a second round (rugose info --part K/N --values FILE.rgs)");
    status = rug_values_range(run->ctx, &range, work->values);
    return status == RUG_OK ? count_values(work, &range) : status;
}

static rug_status find_range(void *user, rug_image_range *out)
{
    cli_part_work *work = user;
    rug_status status = find_values(work, NULL);
    return status == RUG_OK ? rug_values_range(work->run->ctx, out, work->values)
                            : status;
}

rug_status cli_find_unit(cli_run *run, const cli_image *image, int *unit_exponent)
{
    cli_part_work *work = cli_part_work_of(image);
    *unit_exponent = 0;
    if (image->source.dtype != RUG_F32 && image->source.dtype != RUG_F64)
        return RUG_OK;
    rug_status status = find_values(work, NULL);
    return status == RUG_OK ? rug_values_unit(run->ctx, unit_exponent, work->values)
                            : status;
}

/* ---- The rule ---- */

static int is_open(const cli_image *image, rug_foreground asked)
{
    if (asked.kind == RUG_FOREGROUND_AUTO)
        return image->source.dtype != RUG_BIT;
    return asked.kind == RUG_FOREGROUND_OTSU || asked.kind == RUG_FOREGROUND_OTSU_DARK;
}

rug_status cli_resolve_foreground(cli_run *run, const cli_image *image,
                                  rug_foreground asked, rug_foreground *out)
{
    cli_part_work *work = cli_part_work_of(image);
    const rug_source *mask = image->mask_path != NULL ? &image->mask : NULL;
    rug_status status = RUG_OK;
    if (work != NULL && work->has_rule) {
        *out = work->rule;
        return RUG_OK;
    }
    if (work != NULL && is_open(image, asked)) {
        status = find_values(work, &asked);
        if (status == RUG_OK)
            status = rug_values_resolve(run->ctx, out, work->values, asked);
    } else {
        status = rug_source_resolve_foreground(run->ctx, out, &image->source, mask,
                                               cli_range_for(image, asked), asked);
    }
    if (status == RUG_OK && work != NULL) {
        work->has_rule = 1;
        work->rule = *out;
    }
    return status;
}

/* ---- Images ---- */

static void keep_facts(rug_file_facts *own, const rug_file_facts **facts)
{
    *own = **facts;
    *facts = own;
}

rug_status cli_open_in_parts(cli_run *run, cli_image *image)
{
    cli_part_work *work = calloc(1, sizeof *work);
    image->in_parts = work;
    if (work == NULL)
        return rug_context_fail(run->ctx, RUG_E_NOMEM, "no memory to measure in parts");
    work->run = run;
    work->image = image;
    keep_facts(&work->facts, &image->facts);
    if (image->mask_path != NULL)
        keep_facts(&work->mask_facts, &image->twin->facts);
    if (image->watch != NULL)
        *image->watch =
            (cli_watch){.ctx = run->ctx,
                        .source = image->source,
                        .mask = image->mask_path != NULL ? &image->mask : NULL,
                        .find = find_range,
                        .user = work};
    return RUG_OK;
}

void cli_close_in_parts(cli_image *image)
{
    cli_part_work *work = cli_part_work_of(image);
    if (work == NULL)
        return;
    rug_values_free(work->values);
    cli_part_entry_free(&work->entry);
    free(work);
    image->in_parts = NULL;
}

static void put_file(rug_file_facts *facts, const cli_found_file *found)
{
    facts->n_nodata = found->n_nodata;
    facts->n_nan = found->n_nan;
    facts->is_counted = facts->has_nodata;
    facts->equal_channels = facts->channel < 0 && !found->is_unequal;
}

void cli_put_found(cli_part_work *work, const cli_image *image, const cli_found *found)
{
    put_file(&work->facts, &found->image);
    if (image->mask_path != NULL && !image->twin->is_known) {
        put_file(&work->mask_facts, &found->mask);
        cli_twin_set(image->twin, &found->mask_values);
    }
    if (image->labels != NULL && !image->labels->twin.is_known) {
        cli_twin *twin = &image->labels->twin;
        keep_facts(&work->labels_facts, &twin->facts);
        put_file(&work->labels_facts, &found->labels);
        cli_twin_set(twin, &found->labels_values);
    }
}

/* ---- Measuring ---- */

/* What is measured here, and then of the whole image. */
typedef struct measured {
    const cli_state_kind *kind; /* NULL: values alone */
    void *state, *values, *found;
} measured;

static void drop(const cli_state_kind *kind, void *state)
{
    if (state != NULL)
        kind->free(state);
}

/* Whether values are counted with the rest. A team whose lines and tables do not show them spares that, as
 * one process does. */
static int counts_values(const cli_part_work *work, const measured *m)
{
    const cli_run *run = work->run;
    int are_shown = m->kind == NULL || !run->common.quiet || run->has_details;
    return run->parts->is_alone || (work->values == NULL && are_shown);
}

/* Begins what the part of this process gets; there may be none. */
static rug_status begin(cli_run *run, const cli_image *image, const void *opts,
                        measured *m)
{
    cli_part_work *work = cli_part_work_of(image);
    const cli_found found = {.has_rule = work->has_rule, .rule = work->rule};
    rug_image_range range = RUG_IMAGE_RANGE_INIT;
    const rug_image_range *known = NULL;
    rug_status status =
        m->kind != NULL ? m->kind->begin(run->ctx, &m->state, image, opts) : RUG_OK;
    if (status != RUG_OK || run->parts->own >= run->parts->n)
        return status;
    if (m->kind == NULL && run->common.values != NULL) { /* a second round */
        status = find_range(work, &range);
        known = &range;
    }
    if (status == RUG_OK && counts_values(work, m))
        status = begin_values(run->ctx, &m->values, image, known);
    return status == RUG_OK ? cli_found_kind.begin(run->ctx, &m->found, image, &found)
                            : status;
}

static rug_status read_own(cli_run *run, const cli_image *image, size_t reach,
                           measured *m)
{
    cli_found *found = m->found;
    cli_part_pass pass = {.image = image,
                          .reach = reach,
                          .values = m->values,
                          .found = found,
                          .kind = m->kind,
                          .state = m->state};
    cli_part_layers(&pass.first, &pass.end, image->source.shape[0], run->parts->own,
                    run->parts->n);
    rug_status status = cli_read_part(run->ctx, &pass);
    if (found != NULL && image->mask_path != NULL)
        cli_twin_add(&found->mask_values, image->twin);
    if (found != NULL && image->labels != NULL)
        cli_twin_add(&found->labels_values, &image->labels->twin);
    return status;
}

static rug_status join(cli_run *run, const cli_image *image, rug_status status,
                       measured *m)
{
    const cli_parts *parts = run->parts;
    cli_part_work *work = cli_part_work_of(image);
    if (m->kind != NULL)
        status = parts->join(run, image, m->kind, status, 0, &m->state);
    if (counts_values(work, m))
        status = parts->join(run, image, &cli_values_kind, status, 0, &m->values);
    status = parts->join(run, image, &cli_found_kind, status, 0, &m->found);
    work->is_left = parts->is_team;
    if (status != RUG_OK)
        return status;
    if (m->found != NULL) {
        cli_put_found(work, image, m->found);
        if (parts->is_team && image->mask_path != NULL)
            cli_say_mask(run, image);
    }
    if (m->values != NULL && work->values == NULL) {
        work->values = m->values;
        m->values = NULL;
    }
    return RUG_OK;
}

rug_status cli_measure_state(cli_run *run, const cli_image *image,
                             const cli_state_kind *kind, const void *opts, size_t reach,
                             void **state)
{
    measured m = {.kind = kind};
    *state = NULL;
    rug_status status = begin(run, image, opts, &m);
    if (status == RUG_OK)
        status = read_own(run, image, reach, &m);
    status = join(run, image, status, &m);
    if (status == RUG_OK && kind == NULL && run->parts->has_rows)
        *state = image->in_parts;
    else if (status == RUG_OK) {
        *state = m.state;
        m.state = NULL;
    }
    drop(kind, m.state);
    drop(&cli_values_kind, m.values);
    drop(&cli_found_kind, m.found);
    return status;
}
