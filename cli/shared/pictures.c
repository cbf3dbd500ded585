/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Images as planes, and files that are written for each input. */

#include "pictures.h"
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

rug_status cli_image_planes(cli_run *run, rug_image planes[RUG_IFS_PLANES_MAX],
                            int *n_planes, const cli_image *image)
{
    *n_planes = image->facts->n_planes;
    for (int i = 0; i < *n_planes; i++)
        planes[i] = rug_file_plane(image->file, i);
    if (planes[0].ndim == 2)
        return RUG_OK;
    return rug_context_fail(run->ctx, RUG_E_ARG,
                            "a volume of %zux%zux%zu pixels; an image expected: save its "
                            "slices as images",
                            planes[0].shape[0], planes[0].shape[1], planes[0].shape[2]);
}

rug_status cli_picture_planes(cli_run *run, rug_image planes[RUG_IFS_PLANES_MAX],
                              const rug_ifs_picture *picture)
{
    const size_t shape[2] = {picture->ny, picture->nx};
    size_t bytes = shape[0] * shape[1] * rug_dtype_size(picture->dtype);
    rug_status status = RUG_OK;
    for (int i = 0; i < picture->n_planes && status == RUG_OK; i++)
        status = rug_image_view(run->ctx, &planes[i],
                                (const char *)picture->pixels + (size_t)i * bytes,
                                picture->dtype, 2, shape);
    return status;
}

const char *cli_keep_colours(cli_run *run, int channel)
{
    run->reading.channel = channel;
    run->keeps_colours = channel < 0;
    run->needs_pixels = 1;
    run->read_share = 0.05;
    return run->reading.volume
               ? "--volume: pictures are done one by one; --page all takes every page"
               : NULL;
}

static const char *refuse(cli_run *run, const char *option, const char *why)
{
    rug_context_fail(run->ctx, RUG_E_ARG, "--%s%s", option, why);
    return rug_context_error(run->ctx);
}

const char *cli_check_result_name(cli_run *run, const char *option, const char *name)
{
    const char *page = run->reading.page;
    int is_several = run->n_inputs > 1 || (page != NULL && strcmp(page, "all") == 0);
    if (name[0] == '\0' || strcmp(name, "-") == 0)
        return refuse(run, option, ": a file expected; standard output is for the table");
    if (is_several && strstr(name, "{}") == NULL)
        return refuse(run, option, ": several images need '{}' in the name");
    return cli_is_input(run, name) ? refuse(run, option, ": the file is an input") : NULL;
}

rug_status cli_claim_result(cli_run *run, cli_outputs *outputs, char path[CLI_PATH_MAX],
                            const char *option, const char *asked, const char *image)
{
    if (cli_expand_name(path, asked, image, "") != 0)
        return rug_context_fail(run->ctx, RUG_E_ARG, "--%s: the name is too long",
                                option);
    return cli_claim_output(run, outputs, option, path);
}

uint64_t cli_file_bytes(const char *path)
{
    struct stat facts;
    return stat(path, &facts) == 0 && facts.st_size > 0 ? (uint64_t)facts.st_size : 0;
}

double cli_bits_per_pixel(uint64_t bytes, uint64_t ny, uint64_t nx)
{
    return 8 * (double)bytes / ((double)ny * (double)nx);
}

void cli_set_shape(rug_record *row, const char *name, uint64_t ny, uint64_t nx)
{
    const uint64_t shape[2] = {ny, nx};
    char text[CLI_SHAPE_MAX];
    cli_format_shape(text, 2, shape);
    rug_record_set_text(row, name, text);
}
