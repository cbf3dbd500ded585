/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What is known of an image while it is measured in parts. */

#ifndef CLI_PART_WORK_H
#define CLI_PART_WORK_H

#include "found.h"
#include "tables/part_file.h"
#include <rugose/values.h>

/** image->in_parts */
typedef struct cli_part_work {
    cli_run *run;
    cli_image *image;
    rug_file_facts facts, mask_facts,
        labels_facts;   /**< of the files, with what was found */
    rug_values *values; /**< of the whole image; NULL: not known yet */
    int is_left; /**< by the other processes of a team: values that are needed yet are counted here */
    int has_rule;
    rug_foreground rule;  /**< in force */
    cli_part_entry entry; /**< what a file gets */
} cli_part_work;

static inline cli_part_work *cli_part_work_of(const cli_image *image)
{
    return image->in_parts;
}

/** Puts what was found of the whole image where lines and warnings look for it. */
void cli_put_found(cli_part_work *work, const cli_image *image, const cli_found *found);

/** How rug_values is used. */
extern const cli_state_kind cli_values_kind;

#endif
