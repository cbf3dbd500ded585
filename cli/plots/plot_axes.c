/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The ranges and tics of a plot. gnuplot would choose some as well, but labels few powers of two, and
 * axes of panels that stand below each other would not line up. */

#include "plot_axes.h"
#include "io/base/utf8.h"
#include <stdlib.h>
#include <string.h>

#define PADDING  0.04 /* of the range, at both ends */
#define NO_RANGE 1e-4 /* less is rounding noise, or too little for six digits */
#define MAX_TICS 13

/* A range of positions with a margin at both ends: decimal logarithms where the axis is logarithmic. */
typedef struct axis_range {
    int scale;       /* as log_x and log_y of a panel */
    int is_labelled; /* 0: tics without numbers */
    double low, high;
    const char *const *names; /* of 1, 2 ...; NULL: numbers */
    size_t n_names;
    int is_turned;   /* names are written upwards */
    int is_reversed; /* the low end is at the top */
} axis_range;

/* The axes of a panel. */
typedef struct panel_axes {
    axis_range x, y;
} panel_axes;

/* ---- Ranges ---- */

static double position(const axis_range *range, double value)
{
    return range->scale ? log10(value) : value;
}

static double value_at(const axis_range *range, double at)
{
    return range->scale ? pow(10, at) : at;
}

static void extend(axis_range *range, double value)
{
    if (!(fabs(value) <= CLI_PLOT_LARGEST) ||
        (range->scale && value < 1 / CLI_PLOT_LARGEST))
        return;
    range->low = fmin(range->low, position(range, value));
    range->high = fmax(range->high, position(range, value));
}

static int are_bars(const cli_plot_series *series)
{
    return series->style == CLI_PLOT_BARS || series->style == CLI_PLOT_STEPS;
}

static void extend_y(axis_range *y, const cli_plot_series *series, size_t i)
{
    extend(y, series->y[i]);
    if (are_bars(series))
        extend(y, 0);
    if (series->low != NULL && series->high != NULL) {
        extend(y, series->low[i]);
        extend(y, series->high[i]);
    }
}

/* @param x, y  the ranges to extend; NULL leaves one out */
static void extend_by_panel(axis_range *x, axis_range *y, const cli_plot_panel *panel)
{
    for (size_t s = 0; s < panel->n_series; s++) {
        const cli_plot_series *series = &panel->series[s];

        for (size_t i = 0; i < series->n; i++) {
            if (!cli_plot_is_drawn(panel, series, i))
                continue;
            if (x != NULL)
                extend(x, series->x[i]);
            if (y != NULL)
                extend_y(y, series, i);
        }
    }
}

static void add_margin(axis_range *range)
{
    double size = range->scale ? 1 : fmax(fabs(range->low), fabs(range->high));
    double margin = PADDING * (range->high - range->low);

    if (range->names != NULL) {
        range->low = 0.5;
        range->high = (double)range->n_names + 0.5;
        return;
    }
    if (range->low > range->high) { /* no points */
        range->low = 0;
        range->high = 1;
        return;
    }
    if (range->high - range->low <= NO_RANGE * size)
        margin = range->scale ? 0.2 : fmax(0.1 * size, 0.1);
    range->low -= margin;
    range->high += margin;
}

/* Bars stand on the axis. */
static void stand(axis_range *y, const cli_plot_panel *panel)
{
    if (!panel->log_y && panel->n_series > 0 && are_bars(&panel->series[0]) &&
        y->low < 0 && y->high > 0)
        y->low = 0;
}

static panel_axes find_axes(size_t n_panels, const cli_plot_panel *panels, size_t which,
                            int has_x_text)
{
    const cli_plot_panel *panel = &panels[which];
    panel_axes axes = {{panel->log_x, has_x_text, INFINITY, -INFINITY, panel->x_names,
                        panel->n_x_names, 0, 0},
                       {panel->log_y != 0 ? CLI_PLOT_LOG : 0, 1, INFINITY, -INFINITY,
                        panel->y_names, panel->n_y_names, 0, panel->y_names != NULL}};

    for (size_t p = 0; p < n_panels; p++)
        if (cli_plot_same_x(&panels[p], panel))
            extend_by_panel(&axes.x, NULL, &panels[p]);
    extend_by_panel(NULL, &axes.y, panel);
    add_margin(&axes.x);
    add_margin(&axes.y);
    stand(&axes.y, panel);
    return axes;
}

/* ---- Tics ---- */

/* @param name  what stands beside the tic, unless the axis is bare */
static void write_tic(FILE *stream, const axis_range *range, const char *name,
                      double value)
{
    fprintf(stream, "'%s' ", range->is_labelled ? name : "");
    cli_plot_put_real(stream, value);
}

static void write_plain_tic(FILE *stream, const axis_range *range, double value)
{
    char text[RUGI_REAL_TEXT_MAX];

    rugi_format_real(text, value);
    write_tic(stream, range, text, value);
}

/* 1, 2, 4 …, or every second or third of them. */
static void write_binary_tics(FILE *stream, const axis_range *range)
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
static void write_decade_tics(FILE *stream, const axis_range *range)
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
static void write_even_tics(FILE *stream, const axis_range *range)
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
static void write_coarse_tics(FILE *stream, const axis_range *range)
{
    static const int leads[] = {1, 2, 5};
    const char *separator = "";

    for (int i = 3 * (int)floor(range->low); i <= 3 * (int)ceil(range->high); i++) {
        int power = (int)floor(i / 3.0);
        char text[32];

        snprintf(text, sizeof text, "%de%d", leads[i - 3 * power], power);
        double value = strtod(text, NULL);
        if (log10(value) >= range->low && log10(value) <= range->high) {
            fputs(separator, stream);
            write_plain_tic(stream, range, value);
            separator = ", ";
        }
    }
}

static void write_log_tics(FILE *stream, char axis, const axis_range *range)
{
    double decades = range->high - range->low;

    fprintf(stream, "set %ctics norotate enhanced (", axis);
    if (decades < 0.9)
        write_even_tics(stream, range);
    else if (range->scale == CLI_PLOT_SIZES && range->low > -log10(2))
        write_binary_tics(stream, range);
    else if (decades < (axis == 'x' ? 3 : 2))
        write_coarse_tics(stream, range);
    else
        write_decade_tics(stream, range);
    fputs(")\n", stream);
}

static void write_names(FILE *stream, char axis, const axis_range *range)
{
    fprintf(stream, "set %ctics %s (", axis,
            range->is_turned ? "rotate by 45 right" : "norotate");
    for (size_t i = 0; i < range->n_names; i++) {
        fputs(i == 0 ? "" : ", ", stream);
        cli_plot_put_quoted(stream, range->is_labelled ? range->names[i] : "");
        fprintf(stream, " %zu", i + 1);
    }
    fputs(") noenhanced\n", stream);
}

/* @param axis  'x' or 'y' */
static void write_axis(FILE *stream, char axis, const axis_range *range)
{
    int is_reversed = range->is_reversed;
    fprintf(stream, "%s logscale %c\n", range->scale ? "set" : "unset", axis);
    fprintf(stream, "set %crange [", axis);
    cli_plot_put_short(stream, value_at(range, is_reversed ? range->high : range->low));
    fputs(":", stream);
    cli_plot_put_short(stream, value_at(range, is_reversed ? range->low : range->high));
    fputs("]\n", stream);
    fprintf(stream, "set format %c '%s'\n", axis, range->is_labelled ? "%h" : "");
    if (range->names != NULL)
        write_names(stream, axis, range);
    else if (range->scale)
        write_log_tics(stream, axis, range);
    else
        fprintf(stream, "set %ctics norotate autofreq enhanced\n", axis);
}

void cli_plot_write_axes(FILE *stream, size_t n_panels, const cli_plot_panel *panels,
                         size_t which, int has_x_text, int is_turned)
{
    panel_axes axes = find_axes(n_panels, panels, which, has_x_text);
    axes.x.is_turned = is_turned;
    write_axis(stream, 'x', &axes.x);
    write_axis(stream, 'y', &axes.y);
}
