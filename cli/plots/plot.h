/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Plots: panels with series of numbers, drawn by the program gnuplot. */

#ifndef PLOTS_PLOT_H
#define PLOTS_PLOT_H

#include "io/base/disk.h"
#include <rugose/context.h>
#include <stddef.h>

/** How a series is drawn. */
typedef enum cli_plot_style {
    CLI_PLOT_POINTS = 0,      /**< filled points */
    CLI_PLOT_OPEN_POINTS = 1, /**< hollow points: shown, but not used */
    CLI_PLOT_LINE = 2,
    CLI_PLOT_LINE_POINTS = 3
} cli_plot_style;

/** One series. Points with a NaN, an infinity or a magnitude above 1e250 are left out, as
 *  are those below 1e-250 on a logarithmic axis. */
typedef struct cli_plot_series {
    const char *title; /**< for the key; NULL = none */
    cli_plot_style style;
    size_t n;        /**< points */
    const double *x; /**< [n] */
    const double *y; /**< [n] */
} cli_plot_series;

/** One pair of axes; panels are drawn one below the other. */
typedef struct cli_plot_panel {
    const char *x_label;
    const char *y_label;
    int log_x; /**< nonzero: logarithmic */
    int log_y;
    size_t n_series;
    const cli_plot_series *series;
} cli_plot_panel;

/** Checks that a name has an ending that cli_plot_write() knows.
 *  @return RUG_OK, RUG_E_ARG */
static inline rug_status cli_plot_check_name(rug_context *ctx, const char *path)
{
    if (rugi_has_ending(path, ".svg") || rugi_has_ending(path, ".png") ||
        rugi_has_ending(path, ".gp"))
        return RUG_OK;
    return rug_context_fail(
        ctx, RUG_E_ARG,
        "the ending of \"%s\" names no plot form: expected .svg, .png "
        "or .gp",
        path == NULL ? "" : path);
}

/** Draws a plot with gnuplot.
 *  @param path   .svg or .png; .gp keeps the gnuplot script instead (and needs no
 *                gnuplot)
 *  @param title  above the first panel; borrowed, like all else
 *  @return RUG_OK, RUG_E_ARG (ending), RUG_E_NOMEM, RUG_E_IO (gnuplot is missing or
 *          failed) */
rug_status cli_plot_write(rug_context *ctx, const char *path, const char *title,
                          size_t n_panels, const cli_plot_panel *panels);

#endif
