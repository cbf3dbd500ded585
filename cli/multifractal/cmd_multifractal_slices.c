/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Measuring for `rugose multifractal --method alpha`: the map of alpha of one image, its
 * file, and the slices. */

#include "cmd_multifractal.h"
#include <inttypes.h>
#include <rugose/image_writer.h>
#include <stdlib.h>

/* Room for the map and the slices. */
static rug_status allocate(cli_run *run, const cli_multifractal_job *job,
                           const rug_image *img, float **map, rug_alpha_slice **slices)
{
    uint64_t n = rug_image_pixels(img);
    *map = n <= SIZE_MAX / sizeof **map ? malloc((size_t)n * sizeof **map) : NULL;
    *slices = calloc(job->alpha.n_slices, sizeof **slices);
    if (*map == NULL || *slices == NULL)
        return rug_context_fail(run->ctx, RUG_E_NOMEM,
                                "no memory for the alpha of %" PRIu64 " pixels", n);
    return RUG_OK;
}

static rug_status write_map(cli_run *run, cli_multifractal_job *job,
                            const cli_image *image, const float *map)
{
    const rug_image *img = image->pixels;
    char path[CLI_PATH_MAX];
    rug_image_writer *writer = NULL;
    if (job->values.map == NULL)
        return RUG_OK;
    if (cli_expand_name(path, job->values.map, image->name, "") != 0)
        return rug_context_fail(run->ctx, RUG_E_ARG, "--map: the name is too long");
    rug_status status = cli_claim_output(run, &job->maps, "map", path);
    if (status == RUG_OK)
        status = rug_image_writer_open(run->ctx, &writer, path, RUG_F32, img->ndim,
                                       img->shape);
    if (status == RUG_OK)
        status = rug_image_writer_add(run->ctx, writer, map,
                                      (size_t)rug_image_pixels(img) /
                                          img->shape[img->ndim - 1]);
    if (status == RUG_OK)
        return rug_image_writer_commit(run->ctx, writer);
    rug_image_writer_discard(writer);
    return status;
}

static rug_status slice(cli_run *run, const cli_multifractal_job *job,
                        const rug_image *img, const float *map,
                        const rug_alpha_options *opts, rug_alpha_slice *slices,
                        rug_alpha_result *result)
{
    rug_image view;
    rug_status status =
        rug_image_view(run->ctx, &view, map, RUG_F32, img->ndim, img->shape);
    return status != RUG_OK ? status
                            : rug_alpha_slices(run->ctx, result, slices, &view, opts,
                                               job->fit.size_min, job->fit.size_max);
}

static rug_status measure(cli_run *run, cli_multifractal_job *job, const cli_image *image,
                          float *map, rug_alpha_slice *slices,
                          cli_multifractal_sliced *found)
{
    rug_alpha_options opts = job->alpha;
    double start = cli_now();
    opts.engine = &found->engine;
    if (image->mask_path != NULL)
        opts.mask = rug_file_image(image->mask_file);
    rug_status status = rug_alpha_map(run->ctx, map, image->pixels, &opts);
    double mapped = cli_now();
    found->map_seconds = mapped - start;
    if (status == RUG_OK)
        status = write_map(run, job, image, map);
    double written = cli_now();
    found->write_seconds = written - mapped;
    if (status == RUG_OK)
        status = slice(run, job, image->pixels, map, &opts, slices, &found->result);
    found->slice_seconds = cli_now() - written;
    found->slices = slices;
    return status;
}

rug_status cli_multifractal_alpha(cli_run *run, const cli_image *image, void *user)
{
    cli_multifractal_job *job = user;
    cli_multifractal_sliced found = {.is_written = job->values.map != NULL};
    float *map = NULL;
    rug_alpha_slice *slices = NULL;
    rug_status status = allocate(run, job, image->pixels, &map, &slices);
    if (status == RUG_OK)
        status = measure(run, job, image, map, slices, &found);
    if (status == RUG_OK) {
        cli_multifractal_tell_slices(run, image, &found);
        cli_multifractal_add_slices(run, image, &found);
        status = cli_multifractal_plot_slices(run, job, image->name, &found);
    }
    free(map);
    free(slices);
    return status;
}
