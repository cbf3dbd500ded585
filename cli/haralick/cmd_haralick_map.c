/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The maps of `rugose haralick`: features of the window around each pixel, as TIFF files
 * of floats. */

#include "cmd_haralick.h"
#include <rugose/image_writer.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cli_haralick_maps {
    cli_run *run;
    uint32_t n;
    rug_image_writer *writer[RUG_GLCM_N_FEATURES]; /* NULL: not begun, or ended */
    float *row;
};

/* The options as maps take them: which features is a list of its own. */
static rug_glcm_options map_options(const rug_glcm_options *opts)
{
    rug_glcm_options o = *opts;
    o.features = RUG_GLCM_FEATURES_14;
    return o;
}

static rug_glcm_maps_options maps_of(const cli_haralick_job *job)
{
    rug_glcm_maps_options maps = RUG_GLCM_MAPS_OPTIONS_INIT;
    maps.window = (uint32_t)job->values.window;
    maps.features = job->feature;
    maps.n_features = job->n_features;
    return maps;
}

const char *cli_haralick_check_map(cli_run *run, const cli_haralick_job *job)
{
    const char *name = job->values.map;
    if ((name != NULL) != (job->values.window > 0))
        return "--window and --map go together: the side of the window, and the file";
    if (name == NULL)
        return NULL;
    const char *problem = cli_check_map_name(run, name, job->n_features > 1);
    if (problem != NULL)
        return problem;
    if (job->values.labels != NULL)
        return "--labels: maps have no labels; --mask leaves pixels out";
    rug_glcm_options opts = map_options(&job->opts);
    rug_glcm_maps_options maps = maps_of(job);
    if (rug_glcm_maps_check_options(run->ctx, &opts, &maps) != RUG_OK)
        return rug_context_error(run->ctx);
    return NULL;
}

static rug_status write_rows(void *user, const rug_glcm_map_rows *rows)
{
    cli_haralick_maps *m = user;
    rug_status status = RUG_OK;
    for (size_t y = 0; y < rows->n && status == RUG_OK; y++) {
        for (size_t x = 0; x < rows->nx; x++)
            m->row[x] = (float)rows->values[y * rows->nx + x];
        status = rug_image_writer_add(m->run->ctx, m->writer[rows->map], m->row, 1);
    }
    return status;
}

/* Of several features each has its name behind the image's. */
static rug_status begin_map(cli_run *run, cli_haralick_job *job, const cli_image *image,
                            uint32_t i, cli_haralick_maps *m)
{
    char suffix[80] = "", path[CLI_PATH_MAX];
    if (job->n_features > 1)
        snprintf(suffix, sizeof suffix, "-%s", cli_haralick_name(job, job->feature[i]));
    if (cli_expand_name(path, job->values.map, image->name, suffix) != 0)
        return rug_context_fail(run->ctx, RUG_E_ARG, "--map: the name is too long");
    rug_status status = cli_claim_output(run, &job->maps, "map", path);
    return status == RUG_OK ? rug_image_writer_open(run->ctx, &m->writer[i], path,
                                                    RUG_F32, 2, image->pixels->shape)
                            : status;
}

static rug_status make_maps(cli_run *run, const cli_haralick_job *job,
                            const cli_image *image, const rug_glcm_options *opts,
                            cli_haralick_maps *m)
{
    rug_glcm_options o = map_options(opts);
    rug_glcm_maps_options maps = maps_of(job);
    return rug_glcm_maps(run->ctx, image->pixels, &o, &maps, write_rows, m);
}

rug_status cli_haralick_begin_maps(cli_run *run, cli_haralick_job *job,
                                   const cli_image *image, const rug_glcm_options *opts,
                                   cli_haralick_maps **out)
{
    *out = NULL;
    if (job->values.map == NULL)
        return RUG_OK;
    cli_haralick_maps *m = calloc(1, sizeof *m);
    float *row = malloc(image->pixels->shape[1] * sizeof *row);
    if (m == NULL || row == NULL) {
        free(m);
        free(row);
        return rug_context_fail(run->ctx, RUG_E_NOMEM, "--map: memory is out");
    }
    *m = (cli_haralick_maps){.run = run, .n = job->n_features, .row = row};
    rug_status status = RUG_OK;
    for (uint32_t i = 0; i < m->n && status == RUG_OK; i++)
        status = begin_map(run, job, image, i, m);
    if (status == RUG_OK)
        status = make_maps(run, job, image, opts, m);
    *out = m;
    return status;
}

rug_status cli_haralick_end_maps(cli_run *run, cli_haralick_maps *m, rug_status status)
{
    for (uint32_t i = 0; m != NULL && i < m->n; i++)
        if (status == RUG_OK)
            status = rug_image_writer_commit(run->ctx, m->writer[i]);
        else
            rug_image_writer_discard(m->writer[i]);
    if (m != NULL)
        free(m->row);
    free(m);
    return status;
}
