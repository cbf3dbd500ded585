/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* One input of a run, and the rule of masks. */

#ifndef CLI_INPUT_H
#define CLI_INPUT_H

#include "tables/list.h"
#include <rugose/rugose.h>
#include <stddef.h>

/** One input. All texts are owned. */
typedef struct cli_input {
    char *path;       /**< of a file, or of a folder whose images are slices */
    char *mask;       /**< the path of its own mask, or NULL */
    char *labels;     /**< of its label image, or NULL */
    char *class_name; /**< NULL: not known, or of no use to the command */
    /** Where they begin as the list has them, without its folder; 0 of operands. */
    size_t path_at, mask_at, labels_at;
    const cli_list_row *row; /**< of the list; NULL: it is an operand */
    int is_slices; /**< the slices of the run make it; path is the first of them */
    int is_others; /**< another shard's: nothing but its name is looked at */
} cli_input;

/** Which pixels are inside a mask. */
typedef enum cli_inside_kind {
    CLI_INSIDE_NONZERO = 0, /**< those that are neither 0 nor NaN */
    CLI_INSIDE_VALUES,      /**< those of some values */
    CLI_INSIDE_ABOVE,       /**< value >= T */
    CLI_INSIDE_BELOW        /**< value < T */
} cli_inside_kind;

#define CLI_INSIDE_MAX 64

/** The rule for it. */
typedef struct cli_inside {
    cli_inside_kind kind;
    size_t n; /**< values; 1 of a threshold */
    rug_foreground values[CLI_INSIDE_MAX];
} cli_inside;

#endif
