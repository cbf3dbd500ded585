/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Measuring one image for `rugose lacunarity`. Its rows go into the report when all of them
 * are there, so that an image that fails leaves none. */

#include "cmd_lacunarity.h"
#include <stdio.h>
#include <stdlib.h>

#define LABEL_NAME_MAX 4300

/* What the rows of labels are made from. */
typedef struct labelling {
    cli_run *run;
    cli_lacunarity_job *job;
    const cli_image *image;
    cli_lacunarity_found *found;
} labelling;

/* The options of an image, with the rule found in the range that is known already. */
static rug_status choose(cli_run *run, const cli_lacunarity_job *job,
                         const cli_image *image, cli_lacunarity_found *found)
{
    rug_lacunarity_options *o = &found->opts;
    double start = cli_now();
    *o = (rug_lacunarity_options)RUG_LACUNARITY_OPTIONS_INIT;
    o->boxes = (rug_lacunarity_boxes)job->values.boxes;
    o->is_gray = job->values.gray;
    o->sizes = job->sizes.n > 0 ? job->sizes.size : NULL;
    o->n_sizes = job->sizes.n;
    if (image->mask_path != NULL)
        o->mask = rug_file_image(image->mask_file);
    rug_status status = RUG_OK;
    if (!o->is_gray)
        status =
            rug_source_resolve_foreground(run->ctx, &o->foreground, &image->source,
                                          image->mask_path != NULL ? &image->mask : NULL,
                                          &image->range, job->foreground);
    found->threshold_seconds = cli_now() - start;
    return status;
}

static rug_status add_label(void *user, const rug_region *region,
                            const rug_lacunarity_result *result)
{
    labelling *l = user;
    char name[LABEL_NAME_MAX];
    l->found->n_labels++;
    l->found->n_left_out += result->n_left_out;
    l->found->whole = *result;
    rug_status status =
        cli_lacunarity_add(l->run, l->job, l->image, l->found, region, result);
    if (status != RUG_OK)
        return status;
    snprintf(name, sizeof name, "%s[label=%llu]", l->image->name,
             (unsigned long long)region->label);
    return cli_lacunarity_plot(l->run, l->job, name, result);
}

static rug_status measure_labels(labelling *l)
{
    const char *path = l->job->values.labels;
    rug_file *labels = NULL;
    rug_status status = cli_read_labels(l->run, &labels, path, l->image->facts->page);
    cli_digest(l->run, l->found->labels_digest, path);
    double start = cli_now();
    if (status == RUG_OK)
        status =
            rug_lacunarity_labels(l->run->ctx, l->image->pixels, rug_file_image(labels),
                                  &l->found->opts, add_label, l);
    l->found->measure_seconds = cli_now() - start;
    rug_file_free(labels);
    return status;
}

static rug_status measure_whole(labelling *l)
{
    cli_lacunarity_found *found = l->found;
    double start = cli_now();
    rug_status status =
        rug_lacunarity(l->run->ctx, &found->whole, l->image->pixels, &found->opts);
    found->measure_seconds = cli_now() - start;
    found->n_left_out = found->whole.n_left_out;
    if (status == RUG_OK)
        status = cli_lacunarity_add(l->run, l->job, l->image, found, NULL, &found->whole);
    return status != RUG_OK
               ? status
               : cli_lacunarity_plot(l->run, l->job, l->image->name, &found->whole);
}

/* Puts the rows into the report, or drops them. */
static void end_rows(cli_run *run, cli_lacunarity_found *found, int keep)
{
    for (size_t i = 0; i < found->n_rows; i++)
        if (keep)
            rug_report_add(run->report, found->rows[i]);
        else
            rug_record_free(found->rows[i]);
    free(found->rows);
}

rug_status cli_lacunarity_image(cli_run *run, const cli_image *image, void *user)
{
    cli_lacunarity_job *job = user;
    cli_lacunarity_found *found = calloc(1, sizeof *found);
    labelling l = {run, job, image, found};
    if (found == NULL)
        return rug_context_fail(run->ctx, RUG_E_NOMEM, "memory is out");
    rug_status status = choose(run, job, image, found);
    if (status == RUG_OK)
        status = job->values.labels != NULL ? measure_labels(&l) : measure_whole(&l);
    if (status == RUG_OK)
        cli_lacunarity_tell(run, job, image, found);
    end_rows(run, found, status == RUG_OK);
    free(found);
    return status;
}
