/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What reading some layers of an image finds out besides its values: pixels without data, the values of
 * its mask and labels, the rule in force. */

#ifndef CLI_FOUND_H
#define CLI_FOUND_H

#include "parts.h"
#include "shared/twin.h"

/** Of a file; only what is added up. */
typedef struct cli_found_file {
    uint64_t n_nodata, n_nan;
    int is_unequal; /**< channels of colour */
} cli_found_file;

/** Of some layers. All zero: of none. */
typedef struct cli_found {
    int has_rule;
    rug_foreground rule;
    cli_found_file image, mask, labels;
    cli_twin mask_values, labels_values; /**< their counts and values alone */
} cli_found;

/** The state of a cli_found, which begins with a copy of the found things that are its options. */
extern const cli_state_kind cli_found_kind;

#endif
