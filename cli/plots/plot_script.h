/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* A plot as a gnuplot script. */

#ifndef RUGOSE_PLOT_SCRIPT_H
#define RUGOSE_PLOT_SCRIPT_H

#include "plot.h"
#include <stdio.h>

/** What the script draws into. */
typedef enum cli_plot_form {
    CLI_PLOT_SVG,
    CLI_PLOT_PNG,
    CLI_PLOT_PDF,
    CLI_PLOT_SCRIPT /**< an SVG, when somebody runs the script */
} cli_plot_form;

/** Writes the script. Whether the stream took it is for the caller to ask.
 *  @param output  for "set output"; NULL = gnuplot's standard output */
void cli_plot_script_write(FILE *stream, cli_plot_form form, const char *output,
                           const cli_plot_sheet *sheet);

#endif
