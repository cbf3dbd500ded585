/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The ranges and tics of a plot's axes. */

#ifndef RUGOSE_PLOT_AXES_H
#define RUGOSE_PLOT_AXES_H

#include "core/image/number.h"
#include "plot.h"
#include <math.h>
#include <stdio.h>

/** A range of positions with a margin at both ends: decimal logarithms where the axis is logarithmic. */
typedef struct cli_plot_range {
    int scale;       /**< as log_x and log_y of a panel */
    int is_labelled; /**< 0: tics without numbers */
    double low, high;
    const char *const *names; /**< of 1, 2 ...; NULL: numbers */
    size_t n_names;
    int is_turned;   /**< names are written upwards */
    int is_reversed; /**< the low end is at the top */
} cli_plot_range;

/** The axes of a panel. */
typedef struct cli_plot_axes {
    cli_plot_range x, y;
} cli_plot_axes;

/** The largest number that is drawn; it leaves a margin, as 9e307 is undefined to gnuplot. */
#define CLI_PLOT_LARGEST 1e250

/** Whether point i of a series can be drawn: finite, and positive where logarithmic. */
static inline int cli_plot_is_drawn(const cli_plot_panel *panel,
                                    const cli_plot_series *series, size_t i)
{
    double x = series->x[i], y = series->y[i];
    return fabs(x) <= CLI_PLOT_LARGEST && fabs(y) <= CLI_PLOT_LARGEST &&
           (!panel->log_x || x >= 1 / CLI_PLOT_LARGEST) &&
           (!panel->log_y || y >= 1 / CLI_PLOT_LARGEST);
}

/** Writes a number of the data as gnuplot reads it, in any locale. */
static inline void cli_plot_put_real(FILE *stream, double value)
{
    char text[RUGI_REAL_TEXT_MAX];
    rugi_format_real(text, value);
    fputs(text, stream);
}

/** Likewise a number of the layout, in six digits. */
static inline void cli_plot_put_short(FILE *stream, double value)
{
    char text[RUGI_REAL_TEXT_MAX];
    rugi_format_real_short(text, value);
    fputs(text, stream);
}

/** Writes a text as a string of gnuplot's. */
void cli_plot_put_quoted(FILE *stream, const char *text);

/** Whether panels have one x axis: its label and scale. */
int cli_plot_same_x(const cli_plot_panel *a, const cli_plot_panel *b);

/** The axes of one panel. Panels with the same x axis share its range, so that they line up.
 *  @param has_x_text  its x axis has numbers or names */
cli_plot_axes cli_plot_find_axes(size_t n_panels, const cli_plot_panel *panels,
                                 size_t which, int has_x_text);

/** Writes the commands for scale, range and tics.
 *  @param axis  'x' or 'y' */
void cli_plot_write_axis(FILE *stream, char axis, const cli_plot_range *range);

#endif
