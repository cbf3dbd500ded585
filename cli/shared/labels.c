/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Label images: reading, and what seems to be none. */

#include "twin.h"
#include "workers.h"
#include <stdio.h>
#include <string.h>

/* An image of grey values has many labels, and most of them have few pixels, or they are strewn: their
 * runs in rows are short, and one follows on another. Fewer labels are never doubted. */
#define MANY_LABELS 100
#define SHORT_RUN   4

static int are_strewn(const cli_twin *t)
{
    return t->n_set < SHORT_RUN * t->n_runs && t->n_touching > t->n_runs / 2;
}

/* Labels with luma would be others; and a file that fails is left to the whole run. */
static rug_status check_channels(cli_run *run, const rug_file *file)
{
    const rug_file_facts *f = rug_file_get_facts(file);
    if (f->n_channels == 1 || f->equal_channels)
        return RUG_OK;
    return rug_context_fail(run->ctx, RUG_E_ARG,
                            "the label image has %d channels that differ; labels are "
                            "numbers in one channel",
                            f->n_channels);
}

rug_status cli_read_labels(cli_run *run, cli_labels *labels, const cli_image *image)
{
    labels->path = run->inputs[run->input].labels;
    if (labels->path == NULL)
        return RUG_OK;
    if (cli_same_path(image->path, labels->path) &&
        !cli_is_given(&run->words, "foreground"))
        cli_warn(run, "image and label image are the same file");
    rug_status status = cli_open_twin(run, &labels->twin, labels->path, image->file,
                                      image->facts->page, -1);
    if (status == RUG_OK)
        cli_tell_twin(run, &labels->twin);
    else
        cli_leave(run);
    if (status == RUG_OK)
        status = cli_digest(run, labels->digest, labels->path);
    return status == RUG_OK ? check_channels(run, labels->twin.file) : status;
}

/* Names the file in the text about a pixel that is no label. */
static void name_file(cli_run *run, const cli_labels *labels, rug_status status)
{
    char text[1100];
    snprintf(text, sizeof text, "%s", rug_context_error(run->ctx));
    if (strncmp(text, "label image: ", 13) == 0)
        rug_context_fail(run->ctx, status, "label image %s: %s",
                         cli_as_listed(run, labels->path), text + 13);
}

rug_status cli_end_labels(cli_run *run, cli_labels *labels, rug_status status)
{
    if (status == RUG_E_ARG && labels->path != NULL)
        name_file(run, labels, status);
    cli_free_twin(&labels->twin);
    return status;
}

void cli_warn_of_labels(cli_run *run, const cli_labels *labels, size_t n_labels)
{
    const cli_twin *t = &labels->twin;
    if (labels->path == NULL)
        return;
    if (n_labels == 0)
        cli_warn(run, "the label image %s has no label other than 0",
                 cli_as_listed(run, labels->path));
    size_t n = t->n_distinct - (t->n_set + t->n_nan < t->n_pixels ? 1 : 0);
    if (!t->is_known || n < MANY_LABELS || (t->n_small <= n / 2 && !are_strewn(t)))
        return;
    cli_warn(
        run,
        "the label image %s has %s%zu labels, %.1f %% of them with fewer than %d pixels, "
        "in runs of %.2f pixels on average: is it an image of grey values?",
        cli_as_listed(run, labels->path), t->is_more ? "more than " : "", n,
        100 * (double)t->n_small / (double)n, CLI_SMALL_LABEL,
        (double)t->n_set / (double)t->n_runs);
}
