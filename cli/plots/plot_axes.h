/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The ranges and tics of a plot's axes. */

#ifndef RUGOSE_PLOT_AXES_H
#define RUGOSE_PLOT_AXES_H

#include "core/image/number.h"
#include "io/base/utf8.h"
#include "plot.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

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

/** Writes a text as a string of gnuplot's. Backquotes run commands, so they are written in octal. Single
 *  quotes would need no escapes, but gnuplot 5.4 ends such a text at a doubled quote that stands first.
 *  Control characters, newlines among them, become spaces. */
static inline void cli_plot_put_quoted(FILE *stream, const char *text)
{
    uint32_t code;

    fputc('"', stream);
    while (*text != '\0') {
        text += rugi_utf8_next(&code, text);
        if (code == '`')
            fputs("\\140", stream);
        else if (code == '"' || code == '\\')
            fprintf(stream, "\\%c", (int)code);
        else
            rugi_utf8_put(stream, rugi_utf8_is_control(code) ? ' ' : code);
    }
    fputc('"', stream);
}

/** Whether panels have one x axis: its label and scale. */
static inline int cli_plot_same_x(const cli_plot_panel *a, const cli_plot_panel *b)
{
    const char *label_a = a->x_label == NULL ? "" : a->x_label;
    const char *label_b = b->x_label == NULL ? "" : b->x_label;

    return a->log_x == b->log_x && a->n_x_names == b->n_x_names &&
           strcmp(label_a, label_b) == 0;
}

/** Writes the commands for scale, range and tics of one panel. Panels with the same x axis share its
 *  range, so that they line up.
 *  @param has_x_text  its x axis has numbers or names
 *  @param is_turned   names of x are written upwards */
void cli_plot_write_axes(FILE *stream, size_t n_panels, const cli_plot_panel *panels,
                         size_t which, int has_x_text, int is_turned);

#endif
