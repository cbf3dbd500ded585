/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Chooses ranges and tics. gnuplot would choose some as well, but labels few powers of
 * two, and axes of panels that stand below each other would not line up. It draws
 * nothing. */

#include "plot_axis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST  1e250 /* with room around it; 9e307 is undefined to gnuplot */
#define PADDING  0.04  /* of the range, at both ends */
#define NO_RANGE 1e-4  /* less is rounding noise, or too little for six digits */
#define MAX_TICS 13

int rugi_plot_is_drawn(const rug_plot_panel *panel, const rug_plot_series *series,
                       size_t i)
{
    double x = series->x[i];
    double y = series->y[i];

    return fabs(x) <= LARGEST && fabs(y) <= LARGEST &&
           (!panel->log_x || x >= 1 / LARGEST) && (!panel->log_y || y >= 1 / LARGEST);
}

int rugi_plot_has_points(const rug_plot_panel *panel, const rug_plot_series *series)
{
    for (size_t i = 0; i < series->n; i++)
        if (rugi_plot_is_drawn(panel, series, i))
            return 1;
    return 0;
}

static double position(const rugi_plot_range *range, double value)
{
    return range->is_log ? log10(value) : value;
}

static double value_at(const rugi_plot_range *range, double at)
{
    return range->is_log ? pow(10, at) : at;
}

double rugi_plot_place(const rugi_plot_range *range, double value)
{
    return (position(range, value) - range->low) / (range->high - range->low);
}

/* Label and scale. */
static int same_x(const rug_plot_panel *a, const rug_plot_panel *b)
{
    const char *label_a = a->x_label == NULL ? "" : a->x_label;
    const char *label_b = b->x_label == NULL ? "" : b->x_label;

    return !a->log_x == !b->log_x && strcmp(label_a, label_b) == 0;
}

int rugi_plot_has_x_text(size_t n_panels, const rug_plot_panel *panels, size_t which)
{
    return which + 1 == n_panels || !same_x(&panels[which], &panels[which + 1]);
}

static void extend(rugi_plot_range *range, double value)
{
    range->low = fmin(range->low, position(range, value));
    range->high = fmax(range->high, position(range, value));
}

/* @param x, y  the ranges to extend; NULL leaves one out */
static void extend_by_panel(rugi_plot_range *x, rugi_plot_range *y,
                            const rug_plot_panel *panel)
{
    for (size_t s = 0; s < panel->n_series; s++) {
        const rug_plot_series *series = &panel->series[s];

        for (size_t i = 0; i < series->n; i++) {
            if (!rugi_plot_is_drawn(panel, series, i))
                continue;
            if (x != NULL)
                extend(x, series->x[i]);
            if (y != NULL)
                extend(y, series->y[i]);
        }
    }
}

static void add_room(rugi_plot_range *range)
{
    double size = range->is_log ? 1 : fmax(fabs(range->low), fabs(range->high));
    double room = PADDING * (range->high - range->low);

    if (range->low > range->high) { /* no points */
        range->low = 0;
        range->high = 1;
        return;
    }
    if (range->high - range->low <= NO_RANGE * size)
        room = range->is_log ? 0.2 : fmax(0.1 * size, 0.1);
    range->low -= room;
    range->high += room;
}

rugi_plot_axes rugi_plot_find_axes(size_t n_panels, const rug_plot_panel *panels,
                                   size_t which)
{
    int has_x_text = rugi_plot_has_x_text(n_panels, panels, which);
    rugi_plot_axes axes = {{panels[which].log_x, has_x_text, INFINITY, -INFINITY},
                           {panels[which].log_y, 1, INFINITY, -INFINITY}};

    for (size_t p = 0; p < n_panels; p++)
        if (same_x(&panels[p], &panels[which]))
            extend_by_panel(&axes.x, NULL, &panels[p]);
    extend_by_panel(NULL, &axes.y, &panels[which]);
    add_room(&axes.x);
    add_room(&axes.y);
    return axes;
}

void rugi_plot_put_real(FILE *stream, double value)
{
    char text[RUG_REAL_TEXT_MAX];

    rug_format_real(text, value);
    fputs(text, stream);
}

void rugi_plot_put_short(FILE *stream, double value)
{
    char text[RUG_REAL_TEXT_MAX];

    rug_format_real_short(text, value);
    fputs(text, stream);
}

/* @param name  what stands beside the tic, unless the axis is bare */
static void write_tic(FILE *stream, const rugi_plot_range *range, const char *name,
                      double value)
{
    fprintf(stream, "'%s' ", range->is_labelled ? name : "");
    rugi_plot_put_real(stream, value);
}

static void write_plain_tic(FILE *stream, const rugi_plot_range *range, double value)
{
    char text[RUG_REAL_TEXT_MAX];

    rug_format_real(text, value);
    write_tic(stream, range, text, value);
}

/* 1, 2, 4 …, or every second or third of them. */
static void write_binary_tics(FILE *stream, const rugi_plot_range *range)
{
    const double log_2 = log10(2);
    int first = (int)ceil(range->low / log_2);
    int last = (int)floor(range->high / log_2);
    int step = 1 + (last - first) / MAX_TICS;

    for (int k = first; k <= last; k += step) {
        fputs(k == first ? "" : ", ", stream);
        write_plain_tic(stream, range, ldexp(1, k));
    }
}

/* Powers of ten, written as such. */
static void write_decade_tics(FILE *stream, const rugi_plot_range *range)
{
    int first = (int)ceil(range->low);
    int last = (int)floor(range->high);
    int step = 1 + (last - first) / MAX_TICS;

    for (int k = first; k <= last; k += step) {
        char name[32];

        snprintf(name, sizeof name, "10^{%d}", k);
        fputs(k == first ? "" : ", ", stream);
        write_tic(stream, range, name, pow(10, k));
    }
}

/* The multiples of a step between two values. The step is 1, 2 or 5 times a power of ten,
 * so that about four fit: a range that is short even where it is logarithmic. */
static void write_even_tics(FILE *stream, const rugi_plot_range *range)
{
    double low = value_at(range, range->low);
    double high = value_at(range, range->high);
    int power = (int)floor(log10((high - low) / 4));
    double lead = (high - low) / 4 / pow(10, power);
    int unit = lead < 2 ? 1 : lead < 5 ? 2 : 5;
    double first = ceil(low / (unit * pow(10, power)));

    for (int i = 0; i <= MAX_TICS && (first + i) * unit * pow(10, power) <= high; i++) {
        char text[64];

        /* Whole steps with an exponent: 3e-1 is 0.3, which 3 * 0.1 is not. */
        snprintf(text, sizeof text, "%.0fe%d", (first + i) * unit, power);
        fputs(i == 0 ? "" : ", ", stream);
        write_plain_tic(stream, range, strtod(text, NULL));
    }
}

/* 1, 2, 5, 10 … */
static void write_coarse_tics(FILE *stream, const rugi_plot_range *range)
{
    static const int leads[] = {1, 2, 5};
    const char *separator = "";

    for (int i = 3 * (int)floor(range->low); i <= 3 * (int)ceil(range->high); i++) {
        int power = (int)floor(i / 3.0);
        double value = leads[i - 3 * power] * pow(10, power);

        if (log10(value) >= range->low && log10(value) <= range->high) {
            fputs(separator, stream);
            write_plain_tic(stream, range, value);
            separator = ", ";
        }
    }
}

static void write_log_tics(FILE *stream, char axis, const rugi_plot_range *range)
{
    double decades = range->high - range->low;

    fprintf(stream, "set %ctics (", axis);
    if (decades < 0.9)
        write_even_tics(stream, range);
    else if (axis == 'x' && range->low > -log10(2))
        write_binary_tics(stream, range);
    else if (decades < 2)
        write_coarse_tics(stream, range);
    else
        write_decade_tics(stream, range);
    fputs(")\n", stream);
}

void rugi_plot_write_axis(FILE *stream, char axis, const rugi_plot_range *range)
{
    fprintf(stream, "%s logscale %c\n", range->is_log ? "set" : "unset", axis);
    fprintf(stream, "set %crange [", axis);
    rugi_plot_put_short(stream, value_at(range, range->low));
    fputs(":", stream);
    rugi_plot_put_short(stream, value_at(range, range->high));
    fputs("]\n", stream);
    fprintf(stream, "set format %c '%s'\n", axis, range->is_labelled ? "%h" : "");
    if (range->is_log)
        write_log_tics(stream, axis, range);
    else
        fprintf(stream, "set %ctics autofreq\n", axis);
}
