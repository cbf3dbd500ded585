/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Overlays: pictures of what was measured. docs/look.md says what is to be seen on them. */

#ifndef CLI_OVERLAY_H
#define CLI_OVERLAY_H

#include "shared/cli.h"

/** What a command counted of an image, beside its mask. */
typedef struct cli_shown {
    const rug_foreground
        *foreground;          /**< the rule in force; NULL: grey values are measured */
    const rug_source *labels; /**< NULL: there are none */
} cli_shown;

/** Writes the picture of an image where it is asked for, and adds it to the page of the run; to be called
 *  when it has been measured, before its rows are added.
 *  @return RUG_OK, also where nothing is asked */
rug_status cli_show_image(cli_run *run, const cli_image *image, const cli_shown *shown);

/** Likewise of a set of points. */
rug_status cli_show_points(cli_run *run, const cli_points *points);

/** Pixels of the longest side of a picture: what is larger is reduced. */
#define CLI_OVERLAY_LIMIT 2000

#endif
