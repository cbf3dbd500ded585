/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* A plot as a gnuplot script. */

#ifndef RUGOSE_PLOT_SCRIPT_H
#define RUGOSE_PLOT_SCRIPT_H

#include "plot.h"
#include <stdio.h>

/** What the script draws into. */
typedef struct cli_plot_target {
    int is_png;              /* pixels instead of SVG */
    const char *output_name; /* for "set output"; NULL = gnuplot's standard output */
} cli_plot_target;

/** Writes the script. Whether the stream took it is for the caller to ask. */
void cli_plot_script_write(FILE *stream, const cli_plot_target *target, const char *title,
                           size_t n_panels, const cli_plot_panel *panels);

#endif
