/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Reading layers of an image that is measured in parts. */

#ifndef CLI_PART_PASS_H
#define CLI_PART_PASS_H

#include "found.h"
#include <rugose/values.h>

/** What is read, and for whom. */
typedef struct cli_part_pass {
    const cli_image *image;
    size_t first, end;  /**< layers that are counted */
    size_t reach;       /**< layers around them that are read, too */
    rug_values *values; /**< get these layers; NULL: nobody does */
    cli_found *found;   /**< likewise, what is found out besides */
    const cli_state_kind
        *kind; /**< likewise, with their surroundings; NULL: nobody does */
    void *state;
} cli_part_pass;

/** Reads them slab by slab. */
rug_status cli_read_part(rug_context *ctx, const cli_part_pass *pass);

#endif
