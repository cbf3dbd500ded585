/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Maps: TIFF files of a value for each pixel. */

#ifndef CLI_MAP_FILE_H
#define CLI_MAP_FILE_H

#include "shared/cli.h"
#include <rugose/image_writer.h>

/** A map that is to be written. */
typedef struct cli_map {
    const char *name;   /**< as asked, see cli_claim() */
    const char *suffix; /**< likewise */
    rug_dtype dtype;
    const int *axes; /**< the image's axes in the order of the map's; NULL: as they are */
    int has_nodata;  /**< of integers: a value stands for none; floats have NaN */
    double nodata;   /**< that value */
} cli_map;

/** Claims the name of a map and begins it, with the spacing and the place of its image.
 *  @param out  to be ended also after a failure, unless it is NULL */
rug_status cli_open_map(cli_run *run, rug_image_writer **out, cli_outputs *outputs,
                        const cli_image *image, const cli_map *map);

#endif
