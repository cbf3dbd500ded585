/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The ranges and tics of a plot's axes. Positions on a logarithmic axis are decimal
 * logarithms. */

#ifndef RUGOSE_PLOT_AXIS_H
#define RUGOSE_PLOT_AXIS_H

#include <rugose/io.h>
#include <stdio.h>

/** A range of positions with some room at both ends. */
typedef struct rugi_plot_range {
    int is_log;
    int is_labelled; /* 0: tics without numbers */
    double low;
    double high;
} rugi_plot_range;

/** The axes of a panel. */
typedef struct rugi_plot_axes {
    rugi_plot_range x;
    rugi_plot_range y;
} rugi_plot_axes;

/** Whether point i of a series can be drawn: finite, and positive where logarithmic. */
int rugi_plot_is_drawn(const rug_plot_panel *panel, const rug_plot_series *series,
                       size_t i);

/** Whether any point of a series can be drawn. */
int rugi_plot_has_points(const rug_plot_panel *panel, const rug_plot_series *series);

/** Where a value lies in a range: 0 = low end, 1 = high end. */
double rugi_plot_place(const rugi_plot_range *range, double value);

/** The axes of one panel. Panels with the same x axis share its range, so that they line
 *  up. */
rugi_plot_axes rugi_plot_find_axes(size_t n_panels, const rug_plot_panel *panels,
                                   size_t which);

/** Whether the x axis of a panel has its numbers and its label, or leaves both to the
 *  next. */
int rugi_plot_has_x_text(size_t n_panels, const rug_plot_panel *panels, size_t which);

/** Writes the commands for scale, range and tics.
 *  @param axis  'x' or 'y'; x counts in powers of two from 1 up, since box sizes do */
void rugi_plot_write_axis(FILE *stream, char axis, const rugi_plot_range *range);

/** Writes a number of the data as gnuplot reads it, in any locale. */
void rugi_plot_put_real(FILE *stream, double value);

/** Likewise a number of the layout, in six digits. */
void rugi_plot_put_short(FILE *stream, double value);

#endif
