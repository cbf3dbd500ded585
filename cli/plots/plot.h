/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Plots: sheets of panels with series of numbers, drawn by the program gnuplot. */

#ifndef PLOTS_PLOT_H
#define PLOTS_PLOT_H

#include "io/base/disk.h"
#include <rugose/context.h>
#include <stddef.h>
#include <stdint.h>

/** How a series is drawn. */
typedef enum cli_plot_style {
    CLI_PLOT_POINTS = 0,
    CLI_PLOT_LINE = 1,
    CLI_PLOT_LINE_POINTS = 2,
    CLI_PLOT_BARS = 3, /**< from 0 up; those of several sheets stand side by side */
    CLI_PLOT_STRIP =
        4, /**< a group of values side by side, with the box of their quartiles
                             where they are five or more; x counts for nothing */
    CLI_PLOT_TILES =
        5, /**< one for each pair of names of the panel: x and y are those, from 0
                             on, low their number, and high, 0 to 1, their shade */
    CLI_PLOT_STEPS = 6, /**< the outline of bars */
    CLI_PLOT_BOX = 7    /**< from low to high, with a line at y */
} cli_plot_style;

/** One series. Points with a NaN, an infinity or a magnitude above 1e250 are left out, as
 *  are those below 1e-250 on a logarithmic axis. */
typedef struct cli_plot_series {
    const char *title; /**< for the key; NULL = none */
    cli_plot_style style;
    size_t n;                 /**< points */
    const double *x;          /**< [n] */
    const double *y;          /**< [n] */
    const double *low;        /**< [n]: ends of the bars of errors; NULL = none */
    const double *high;       /**< [n] */
    const uint8_t *is_hollow; /**< [n], nonzero: shown, but not used; NULL = none is */
    const char *hollow_title; /**< for the key; NULL = none */
    int colour;   /**< a number from 1 on, which also chooses the shape of points;
                                   0: the next one */
    int is_thin;  /**< one line of many */
    double width; /**< of bars and boxes */
} cli_plot_series;

/** Scales of x. */
enum {
    CLI_PLOT_SIZES = 1, /**< logarithmic, with powers of two from 1 on */
    CLI_PLOT_LOG = 2
};

/** One pair of axes; panels are drawn one below the other. */
typedef struct cli_plot_panel {
    const char *x_label;
    const char *y_label;
    int log_x; /**< nonzero: logarithmic */
    int log_y;
    size_t n_series;
    const cli_plot_series *series;
    int has_subscript; /**< of y_label what follows _ stands lower */
    int is_size;       /**< x is a size in pixels, which the unit of the sheet is for */
    const char *const *x_names; /**< instead of numbers, of 1, 2 ...; NULL = none */
    const char *const *y_names; /**< likewise, from the top */
    size_t n_x_names, n_y_names;
} cli_plot_panel;

/** What x of sizes is measured in. */
typedef struct cli_plot_unit {
    const char *name; /**< NULL: pixels */
    double per_pixel; /**< sizes are given in pixels, of this side; 0: in the unit */
} cli_plot_unit;

/** What is drawn of one image, label or set of points. */
typedef struct cli_plot_sheet {
    const char *title;   /**< above the first panel */
    const char *part;    /**< of the title's image, such as "label 3"; NULL = all of it */
    const char *group;   /**< of strips, where it is not the title */
    const char *summary; /**< beside the name among others; NULL = none */
    const char *note;    /**< what is wrong with it, below the title; NULL = nothing */
    const char *mark;    /**< a word for it behind its name among others; NULL = none */
    size_t n_panels;
    const cli_plot_panel *panels;
    size_t n_columns; /**< of panels side by side; 0: 1 */
    cli_plot_unit unit;
} cli_plot_sheet;

/** So many sheets in one plot have colours and names; more are thin lines. */
#define CLI_PLOT_NAMED 12

/** Checks that a name has an ending that cli_plot_write() knows.
 *  @return RUG_OK, RUG_E_ARG */
static inline rug_status cli_plot_check_name(rug_context *ctx, const char *path)
{
    if (rugi_has_ending(path, ".svg") || rugi_has_ending(path, ".png") ||
        rugi_has_ending(path, ".pdf") || rugi_has_ending(path, ".gp"))
        return RUG_OK;
    return rug_context_fail(
        ctx, RUG_E_ARG,
        "the ending of \"%s\" names no plot form: expected .svg, .png, "
        ".pdf or .gp",
        path == NULL ? "" : path);
}

/** Draws a plot with gnuplot.
 *  @param path    .svg, .png or .pdf; .gp keeps the gnuplot script instead (and needs no
 *                 gnuplot)
 *  @param sheets  what is drawn into it, all with the same panels; borrowed
 *  @return RUG_OK, RUG_E_ARG (ending, panels), RUG_E_NOMEM, RUG_E_IO (gnuplot is missing or
 *          failed) */
rug_status cli_plot_write(rug_context *ctx, const char *path, size_t n_sheets,
                          const cli_plot_sheet *sheets);

#endif
