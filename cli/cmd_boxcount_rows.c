/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The rows of `rugose boxcount`: one of an image, and one of each of its sizes. */

#include "cmd_boxcount.h"

static rug_record *size_record(const rug_boxcount_result *counts, uint32_t i)
{
    const rug_box_count *c = &counts->counts[i];
    rug_record *r = rug_record_new();
    rug_record_set_integer(r, "size", c->size);
    rug_record_set_integer(r, "total", c->total);
    rug_record_set_integer(r, "nonempty", c->nonempty);
    rug_record_set_integer(r, "black", c->black);
    rug_record_set_integer(r, "gray", c->gray);
    rug_record_set_integer(r, "white", c->white);
    return r;
}

static void add_counts(cli_boxcount_job *job, const char *name,
                       const rug_boxcount_result *counts)
{
    for (uint32_t i = 0; job->counts != NULL && i < counts->n_sizes; i++) {
        rug_record *row = size_record(counts, i);
        rug_record_set_text(row, "image", name);
        rug_report_add(job->counts, row);
    }
}

static void add_json_details(rug_record *row, const cli_boxcount_found *found)
{
    const rug_boxcount_dimension *d = &found->dimension;
    rug_record_set_real(row, "foreground_share", found->share);
    rug_record_set_real(row, "intercept", d->intercept);
    for (uint32_t i = 0; i < found->counts.n_sizes; i++) {
        rug_record *size = size_record(&found->counts, i);
        rug_record_set_real(size, "local_slope", d->local_slope[i]);
        rug_record_set_bool(size, "used", d->used[i]);
        rug_record_append(row, "counts", size);
    }
}

void cli_boxcount_add(cli_run *run, cli_boxcount_job *job, const cli_image *image,
                      const cli_boxcount_found *found)
{
    const rug_boxcount_dimension *d = &found->dimension;
    char rule[RUG_FOREGROUND_TEXT_MAX];
    rug_record *row = rug_record_new();
    cli_describe_image(run, row, image);
    rug_foreground_format(rule, found->counts.foreground);
    rug_record_set_text(row, "foreground", rule);
    rug_record_set_real(row, "dimension", d->dimension);
    rug_record_set_real(row, "std_error", d->std_error);
    rug_record_set_real(row, "r_squared", d->r_squared);
    rug_record_set_integer(row, "size_min", d->size_min);
    rug_record_set_integer(row, "size_max", d->size_max);
    rug_record_set_integer(row, "n_sizes", d->n_sizes);
    rug_record_set_text(row, "grid", "origin");
    rug_record_set_text(row, "method", found->counts.method);
    rug_record_set_text(row, "engine", found->counts.engine);
    rug_record_set_text(row, "status", d->status);
    if (run->common.format == RUG_REPORT_JSON)
        add_json_details(row, found);
    rug_report_add(run->report, row);
    add_counts(job, image->name, &found->counts);
}
