/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Maps: TIFF files of a value for each pixel, which lie where their image lies. */

#include "map_file.h"
#include <math.h>

static int are_in_order(const cli_map *map, int ndim)
{
    for (int a = 0; a < ndim && map->axes != NULL; a++)
        if (map->axes[a] != a)
            return 0;
    return 1;
}

/* Tells what is known of the image: its spacing, its place unless slices are cut across it, and what
 * stands for no value. */
static rug_status tell(cli_run *run, rug_image_writer *writer, const cli_image *image,
                       const cli_map *map)
{
    const rug_image *img = image->pixels;
    double spacing[RUG_MAX_AXES];
    int is_float = map->dtype == RUG_F32 || map->dtype == RUG_F64;
    for (int a = 0; a < img->ndim; a++)
        spacing[a] = img->spacing[map->axes != NULL ? map->axes[a] : a];
    rug_status status =
        rug_image_writer_set_spacing(run->ctx, writer, spacing, img->spacing_unit);
    if (status == RUG_OK && are_in_order(map, img->ndim))
        status = rug_image_writer_set_place(run->ctx, writer, image->file, NULL, NULL);
    if (status == RUG_OK && (is_float || map->has_nodata))
        status = rug_image_writer_set_nodata(run->ctx, writer,
                                             is_float ? (double)NAN : map->nodata);
    return status;
}

rug_status cli_open_map(cli_run *run, rug_image_writer **out, cli_outputs *outputs,
                        const cli_image *image, const cli_map *map)
{
    const rug_image *img = image->pixels;
    char path[CLI_PATH_MAX];
    size_t shape[RUG_MAX_AXES];
    for (int a = 0; a < img->ndim; a++)
        shape[a] = img->shape[map->axes != NULL ? map->axes[a] : a];
    rug_status status =
        cli_claim(run, outputs, path, "map", map->name, image->name, map->suffix);
    if (status == RUG_OK)
        status = rug_image_writer_open(run->ctx, out, path, map->dtype, img->ndim, shape);
    return status == RUG_OK ? tell(run, *out, image, map) : status;
}
