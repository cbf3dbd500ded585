/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Measuring one image for `rugose haralick`. Its rows go into the report when all of them
 * are there, so that an image that fails leaves none. */

#include "cmd_haralick.h"
#include <stdlib.h>

/* What the rows are made from. */
typedef struct measuring {
    cli_run *run;
    const cli_haralick_job *job;
    const cli_image *image;
    cli_haralick_found *found;
} measuring;

static rug_status make_room(cli_run *run, cli_haralick_found *found)
{
    if (found->n_rows < found->room)
        return RUG_OK;
    size_t room = found->room > 0 ? 2 * found->room : 64;
    rug_record **more = realloc(found->rows, room * sizeof *more);
    if (more == NULL)
        return rug_context_fail(run->ctx, RUG_E_NOMEM, "no memory for %zu rows", room);
    found->rows = more;
    found->room = room;
    return RUG_OK;
}

static rug_status add_row(void *user, const rug_glcm_row *row)
{
    measuring *m = user;
    cli_haralick_found *found = m->found;
    rug_status status = make_room(m->run, found);
    if (status != RUG_OK)
        return status;
    found->rows[found->n_rows++] = cli_haralick_row(m->run, m->job, m->image, found, row);
    cli_haralick_count(&found->tally, row);
    return RUG_OK;
}

/* What the command line asks for and this image cannot have. */
static rug_status check_image(cli_run *run, const cli_haralick_job *job,
                              const rug_image *img)
{
    const rug_glcm_options *o = &job->opts;
    int is_float = img->dtype == RUG_F32 || img->dtype == RUG_F64;
    if (img->ndim != 2 && job->values.window > 0)
        return rug_context_fail(run->ctx, RUG_E_ARG,
                                "--window is for images, and this is a volume");
    if (img->ndim == 2 && o->slices != RUG_GLCM_SLICES_NONE)
        return rug_context_fail(run->ctx, RUG_E_ARG,
                                "--slices is for volumes, and this is an image");
    if (img->ndim == 2 && o->directions >> RUG_GLCM_DIRECTIONS_2D != 0)
        return rug_context_fail(run->ctx, RUG_E_ARG,
                                "--angles: an image has the directions 0, 45, 90 and "
                                "135 only");
    if (is_float && o->levels == RUG_GLCM_LEVELS_EXACT)
        return rug_context_fail(run->ctx, RUG_E_ARG,
                                "--levels exact is for integers, and the pixels are %s: "
                                "give --levels N or --bin-width W",
                                rug_dtype_name(img->dtype));
    if (o->range == RUG_GLCM_RANGE_TYPE && (is_float || img->dtype >= RUG_U32))
        return rug_context_fail(run->ctx, RUG_E_ARG,
                                "--range type is for integers of up to 16 bits, and the "
                                "pixels are %s: give --range image, roi or LO..HI",
                                rug_dtype_name(img->dtype));
    return RUG_OK;
}

/* What is left to the image: its mask, and what the defaults are for its type. */
static void choose(cli_haralick_found *found, const cli_haralick_job *job,
                   const cli_image *image)
{
    rug_glcm_options *o = &found->opts;
    rug_dtype dtype = image->pixels->dtype;
    *o = job->opts;
    if (image->mask_path != NULL)
        o->mask = rug_file_image(image->mask_file);
    if (o->levels == RUG_GLCM_LEVELS_AUTO && (dtype == RUG_F32 || dtype == RUG_F64)) {
        o->levels = RUG_GLCM_LEVELS_COUNT;
        o->n_levels = CLI_HARALICK_FLOAT_LEVELS;
    } else if (o->levels == RUG_GLCM_LEVELS_AUTO) {
        o->levels = RUG_GLCM_LEVELS_EXACT;
    }
    if (o->levels == RUG_GLCM_LEVELS_COUNT && o->range == RUG_GLCM_RANGE_AUTO)
        o->range = RUG_GLCM_RANGE_IMAGE;
}

static rug_status read_labels(cli_run *run, const cli_haralick_job *job,
                              const cli_image *image, cli_haralick_found *found,
                              rug_file **labels)
{
    const char *path = job->values.labels;
    double start = cli_now();
    if (path == NULL)
        return RUG_OK;
    rug_status status = cli_read_labels(run, labels, path, image->facts->page);
    if (status == RUG_OK)
        found->opts.labels = rug_file_image(*labels);
    found->labels_seconds = cli_now() - start;
    cli_digest(run, found->labels_digest, path);
    return status;
}

static rug_status measure(measuring *m)
{
    cli_haralick_found *found = m->found;
    double start = cli_now();
    rug_status status = rug_glcm(m->run->ctx, m->image->pixels, &found->opts, add_row, m);
    found->measure_seconds = cli_now() - start;
    cli_haralick_end_count(&found->tally);
    return status;
}

/* Puts the rows into the report, or drops them. */
static void end_rows(cli_run *run, cli_haralick_found *found, int keep)
{
    for (size_t i = 0; i < found->n_rows; i++)
        if (keep)
            rug_report_add(run->report, found->rows[i]);
        else
            rug_record_free(found->rows[i]);
    free(found->rows);
}

rug_status cli_haralick_image(cli_run *run, const cli_image *image, void *user)
{
    cli_haralick_job *job = user;
    cli_haralick_maps *maps = NULL;
    cli_haralick_found found = {.rows = NULL};
    measuring m = {run, job, image, &found};
    rug_file *labels = NULL;
    choose(&found, job, image);
    rug_status status = check_image(run, job, image->pixels);
    if (status == RUG_OK)
        status = read_labels(run, job, image, &found, &labels);
    double start = cli_now();
    if (status == RUG_OK)
        status = cli_haralick_begin_maps(run, job, image, &found.opts, &maps);
    found.map_seconds = maps != NULL ? cli_now() - start : 0;
    if (status == RUG_OK)
        status = measure(&m);
    status = cli_haralick_end_maps(run, maps, status);
    if (status == RUG_OK)
        cli_haralick_tell(run, job, image, &found);
    end_rows(run, &found, status == RUG_OK);
    rug_file_free(labels);
    return status;
}
