/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The maps of `rugose lbp`: the code of each pixel, as TIFF files. */

#include "cmd_lbp.h"
#include <rugose/image_writer.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cli_lbp_maps {
    cli_run *run;
    uint32_t n;
    rug_image_writer *writer[RUG_LBP_MAX_OPERATORS]; /* NULL: not begun, or ended */
};

const char *cli_lbp_check_map(cli_run *run, const cli_lbp_job *job)
{
    const char *name = job->values.map;
    const rug_lbp_options *opts = &job->plan.options;
    if (name == NULL)
        return NULL;
    int is_several = opts->n_operators > 1 || job->planes == CLI_LBP_PLANES_ALL;
    const char *problem = cli_check_map_name(run, name, is_several);
    if (problem != NULL)
        return problem;
    for (uint32_t i = 0; i < opts->n_operators; i++) {
        rug_dtype dtype;
        if (rug_lbp_map_dtype(run->ctx, &dtype, opts, i) != RUG_OK)
            return rug_context_error(run->ctx);
    }
    return NULL;
}

static rug_status write_rows(void *user, const rug_lbp_rows *rows)
{
    cli_lbp_maps *m = user;
    return rug_image_writer_add(m->run->ctx, m->writer[rows->op], rows->codes, rows->n);
}

/* What stands behind the image's name: the plane, and of several operators which. */
static void format_suffix(char text[64], const cli_lbp_job *job, int plane, uint32_t i)
{
    const rug_lbp_operator *op = &job->plan.op[i];
    int n = plane > 0 ? snprintf(text, 64, "-%s", cli_lbp_plane_name(plane)) : 0;
    char radius[RUG_REAL_TEXT_MAX]; /* all digits, or two may become one name */
    rug_format_real(radius, op->radius);
    text[n] = '\0';
    if (job->plan.options.n_operators > 1)
        snprintf(text + n, 64 - (size_t)n, "-%u-%s", op->points, radius);
}

/* The shape of a map: that of the image, or the slices of a plane as pages. */
static int set_shape(size_t shape[3], const rug_image *img, int plane)
{
    static const int axes[][3] = {{0, 1, 2}, {0, 1, 2}, {1, 0, 2}, {2, 0, 1}};
    for (int a = 0; a < img->ndim; a++)
        shape[a] = img->shape[axes[plane][a]];
    return img->ndim;
}

static rug_status begin_map(cli_run *run, cli_lbp_job *job, const cli_image *image,
                            int plane, uint32_t i, cli_lbp_maps *m)
{
    char suffix[64], path[CLI_PATH_MAX];
    size_t shape[3];
    rug_dtype dtype = RUG_U8;
    format_suffix(suffix, job, plane, i);
    if (cli_expand_name(path, job->values.map, image->name, suffix) != 0)
        return rug_context_fail(run->ctx, RUG_E_ARG, "--map: the name is too long");
    rug_status status = cli_claim_output(run, &job->maps, "map", path);
    if (status == RUG_OK)
        status = rug_lbp_map_dtype(run->ctx, &dtype, &job->plan.options, i);
    if (status != RUG_OK)
        return status;
    int ndim = set_shape(shape, image->pixels, plane);
    return rug_image_writer_open(run->ctx, &m->writer[i], path, dtype, ndim, shape);
}

rug_status cli_lbp_begin_maps(cli_run *run, cli_lbp_job *job, const cli_image *image,
                              int plane, rug_lbp_options *opts, cli_lbp_maps **out)
{
    *out = NULL;
    if (job->values.map == NULL)
        return RUG_OK;
    cli_lbp_maps *m = calloc(1, sizeof *m);
    if (m == NULL)
        return rug_context_fail(run->ctx, RUG_E_NOMEM, "--map: memory is out");
    m->run = run;
    m->n = opts->n_operators;
    rug_status status = RUG_OK;
    for (uint32_t i = 0; i < m->n && status == RUG_OK; i++)
        status = begin_map(run, job, image, plane, i, m);
    if (status != RUG_OK)
        return cli_lbp_end_maps(run, m, status);
    opts->map = write_rows;
    opts->map_user = m;
    *out = m;
    return RUG_OK;
}

rug_status cli_lbp_end_maps(cli_run *run, cli_lbp_maps *m, rug_status status)
{
    if (m == NULL)
        return status;
    for (uint32_t i = 0; i < m->n; i++)
        if (status == RUG_OK)
            status = rug_image_writer_commit(run->ctx, m->writer[i]);
        else
            rug_image_writer_discard(m->writer[i]);
    free(m);
    return status;
}
