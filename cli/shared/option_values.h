/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Values of options that several commands have: sizes of boxes, the range of a fit, pixels
 * of points, ranges of numbers. */

#ifndef CLI_OPTION_VALUES_H
#define CLI_OPTION_VALUES_H

#include "cli.h"

/** Box sizes as asked; n = 0: the default. */
typedef struct cli_sizes {
    uint32_t n;
    uint64_t size[RUG_BOXCOUNT_MAX_SIZES];
} cli_sizes;

/** Reads "3,9,27", "A..B" or "A..B:STEP". @return an error text, or NULL */
const char *cli_parse_sizes(cli_sizes *sizes, const char *text);

/** The sizes of a fit as asked; both 0: the default. */
typedef struct cli_fit {
    int is_auto;
    uint64_t size_min, size_max;
} cli_fit;

/** Reads "auto" or "A..B". @return an error text, or NULL */
const char *cli_parse_fit(cli_fit *fit, const char *text);

/** Reads --resolution and --spacing of points; what is NULL stays 0.
 *  @return an error text, or NULL */
const char *cli_parse_pixels(uint64_t *resolution, double *spacing,
                             const char *resolution_text, const char *spacing_text);

/** Puts both into the parameters, "default" where the data decides. */
void cli_describe_pixels(rug_record *p, uint64_t resolution, double spacing);

/** Reads "LO..HI", finite numbers with LO < HI. @return nonzero when it is that */
int cli_parse_real_range(double *lo, double *hi, const char *text);

/** Sets a choice by its word. */
void cli_set_choice(rug_record *p, const char *name, const char *choices, int value);

/** Checks what commands with masks need: none of two kinds, and no output over an input.
 *  @return an error text, or NULL */
const char *cli_check_masks(const cli_run *run);

#endif
