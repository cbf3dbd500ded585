/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Writes the gnuplot script of a plot: the numbers, then one pair of axes for each panel. All
 * text comes from outside and goes through put_quoted(). It does not run gnuplot.
 *
 * Ranges and tics are chosen here: gnuplot would choose some as well, but labels few powers of
 * two, and axes of panels that stand below each other would not line up. */

#include "plot_script.h"
#include "core/image/number.h"
#include "io/base/utf8.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A range of positions with a margin at both ends. */
typedef struct axis_range {
    int is_log;
    int is_labelled; /* 0: tics without numbers */
    double low;
    double high;
} axis_range;

/* The axes of a panel. */
typedef struct panel_axes {
    axis_range x;
    axis_range y;
} panel_axes;

/* ---- Axes ----
 *
 * Positions on a logarithmic axis are decimal logarithms. */

#define LARGEST  1e250 /* leaves a margin; 9e307 is undefined to gnuplot */
#define PADDING  0.04  /* of the range, at both ends */
#define NO_RANGE 1e-4  /* less is rounding noise, or too little for six digits */
#define MAX_TICS 13

/* Whether point i of a series can be drawn: finite, and positive where logarithmic. */
static int is_drawn(const cli_plot_panel *panel, const cli_plot_series *series, size_t i)
{
    double x = series->x[i];
    double y = series->y[i];

    return fabs(x) <= LARGEST && fabs(y) <= LARGEST &&
           (!panel->log_x || x >= 1 / LARGEST) && (!panel->log_y || y >= 1 / LARGEST);
}

/* Whether any point of a series can be drawn. */
static int has_points(const cli_plot_panel *panel, const cli_plot_series *series)
{
    for (size_t i = 0; i < series->n; i++)
        if (is_drawn(panel, series, i))
            return 1;
    return 0;
}

static double position(const axis_range *range, double value)
{
    return range->is_log ? log10(value) : value;
}

static double value_at(const axis_range *range, double at)
{
    return range->is_log ? pow(10, at) : at;
}

/* Where a value lies in a range: 0 = low end, 1 = high end. */
static double place_in(const axis_range *range, double value)
{
    return (position(range, value) - range->low) / (range->high - range->low);
}

/* Label and scale. */
static int same_x(const cli_plot_panel *a, const cli_plot_panel *b)
{
    const char *label_a = a->x_label == NULL ? "" : a->x_label;
    const char *label_b = b->x_label == NULL ? "" : b->x_label;

    return !a->log_x == !b->log_x && strcmp(label_a, label_b) == 0;
}

/* Whether the x axis of a panel has its numbers and its label, or leaves both to the
 *  next. */
static int has_x_text(size_t n_panels, const cli_plot_panel *panels, size_t which)
{
    return which + 1 == n_panels || !same_x(&panels[which], &panels[which + 1]);
}

static void extend(axis_range *range, double value)
{
    range->low = fmin(range->low, position(range, value));
    range->high = fmax(range->high, position(range, value));
}

/* @param x, y  the ranges to extend; NULL leaves one out */
static void extend_by_panel(axis_range *x, axis_range *y, const cli_plot_panel *panel)
{
    for (size_t s = 0; s < panel->n_series; s++) {
        const cli_plot_series *series = &panel->series[s];

        for (size_t i = 0; i < series->n; i++) {
            if (!is_drawn(panel, series, i))
                continue;
            if (x != NULL)
                extend(x, series->x[i]);
            if (y != NULL)
                extend(y, series->y[i]);
        }
    }
}

static void add_margin(axis_range *range)
{
    double size = range->is_log ? 1 : fmax(fabs(range->low), fabs(range->high));
    double margin = PADDING * (range->high - range->low);

    if (range->low > range->high) { /* no points */
        range->low = 0;
        range->high = 1;
        return;
    }
    if (range->high - range->low <= NO_RANGE * size)
        margin = range->is_log ? 0.2 : fmax(0.1 * size, 0.1);
    range->low -= margin;
    range->high += margin;
}

/* The axes of one panel. Panels with the same x axis share its range, so that they line
 *  up. */
static panel_axes find_axes(size_t n_panels, const cli_plot_panel *panels, size_t which)
{
    int has_text = has_x_text(n_panels, panels, which);
    panel_axes axes = {{panels[which].log_x, has_text, INFINITY, -INFINITY},
                       {panels[which].log_y, 1, INFINITY, -INFINITY}};

    for (size_t p = 0; p < n_panels; p++)
        if (same_x(&panels[p], &panels[which]))
            extend_by_panel(&axes.x, NULL, &panels[p]);
    extend_by_panel(NULL, &axes.y, &panels[which]);
    add_margin(&axes.x);
    add_margin(&axes.y);
    return axes;
}

/* Writes a number of the data as gnuplot reads it, in any locale. */
static void put_real(FILE *stream, double value)
{
    char text[RUGI_REAL_TEXT_MAX];

    rugi_format_real(text, value);
    fputs(text, stream);
}

/* Likewise a number of the layout, in six digits. */
static void put_short(FILE *stream, double value)
{
    char text[RUGI_REAL_TEXT_MAX];

    rugi_format_real_short(text, value);
    fputs(text, stream);
}

/* @param name  what stands beside the tic, unless the axis is bare */
static void write_tic(FILE *stream, const axis_range *range, const char *name,
                      double value)
{
    fprintf(stream, "'%s' ", range->is_labelled ? name : "");
    put_real(stream, value);
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
        double value = leads[i - 3 * power] * pow(10, power);

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

/* Writes the commands for scale, range and tics.
 *  @param axis  'x' or 'y'; x counts in powers of two from 1 up, since box sizes do */
static void write_axis(FILE *stream, char axis, const axis_range *range)
{
    fprintf(stream, "%s logscale %c\n", range->is_log ? "set" : "unset", axis);
    fprintf(stream, "set %crange [", axis);
    put_short(stream, value_at(range, range->low));
    fputs(":", stream);
    put_short(stream, value_at(range, range->high));
    fputs("]\n", stream);
    fprintf(stream, "set format %c '%s'\n", axis, range->is_labelled ? "%h" : "");
    if (range->is_log)
        write_log_tics(stream, axis, range);
    else
        fprintf(stream, "set %ctics autofreq\n", axis);
}

/* ---- The script ---- */

/* Lengths in pixels of the SVG; PNG has twice as many. */
#define WIDTH        720
#define LEFT         84
#define RIGHT        24
#define TOP          46
#define GAP          26 /* between panels that share an x axis */
#define LABEL        34 /* more where the x axis has a label */
#define FIRST_HEIGHT 380
#define NEXT_HEIGHT  220

/* Backquotes run commands, so they are written in octal. Single quotes would need no
 * escapes, but gnuplot 5.4 ends such a text at a doubled quote that stands first. Control
 * characters, newlines among them, become spaces. */
static void put_quoted(FILE *stream, const char *text)
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

/* NULL takes away the label of an earlier panel. */
static void write_label(FILE *stream, const char *what, const char *text)
{
    if (text == NULL || text[0] == '\0') {
        fprintf(stream, "unset %s\n", what);
        return;
    }
    fprintf(stream, "set %s ", what);
    put_quoted(stream, text);
    fputs(" noenhanced\n", stream);
}

/* At the same place for every panel; "set ylabel" keeps a distance from the numbers
 * instead. */
static void write_y_label(FILE *stream, const char *text, double middle)
{
    fputs("set label 1 ", stream);
    put_quoted(stream, text == NULL ? "" : text);
    fputs(" at screen ", stream);
    put_short(stream, 16.0 / WIDTH);
    fputs(", screen ", stream);
    put_short(stream, middle);
    fputs(" center rotate by 90 noenhanced\n", stream);
}

static int panel_height(size_t which)
{
    return which == 0 ? FIRST_HEIGHT : NEXT_HEIGHT;
}

/* From the top of the picture to the top of a panel; `which` may be n_panels. */
static int panel_top(size_t n_panels, const cli_plot_panel *panels, size_t which)
{
    int at = TOP;

    for (size_t p = 0; p < which; p++)
        at += panel_height(p) + GAP + (has_x_text(n_panels, panels, p) ? LABEL : 0);
    return at;
}

static void write_terminal(FILE *stream, const cli_plot_target *target, int height)
{
    if (target->is_png)
        fprintf(stream,
                "set terminal pngcairo size %d,%d font 'sans,9' fontscale 2 linewidth 2 "
                "pointscale 2.5 background '#ffffff'\n",
                2 * WIDTH, 2 * height);
    else
        fprintf(stream,
                "set terminal svg size %d,%d font 'sans-serif,12' background '#ffffff'\n",
                WIDTH, height);
    if (target->output_name != NULL) {
        fputs("set output ", stream);
        put_quoted(stream, target->output_name);
        fputc('\n', stream);
    }
}

static void write_data(FILE *stream, size_t n_panels, const cli_plot_panel *panels)
{
    for (size_t p = 0; p < n_panels; p++) {
        for (size_t s = 0; s < panels[p].n_series; s++) {
            const cli_plot_series *series = &panels[p].series[s];

            fprintf(stream, "\n$panel%zu_series%zu << END\n", p + 1, s + 1);
            for (size_t i = 0; i < series->n; i++) {
                if (!is_drawn(&panels[p], series, i))
                    continue;
                put_real(stream, series->x[i]);
                fputc(' ', stream);
                put_real(stream, series->y[i]);
                fputc('\n', stream);
            }
            fputs("END\n", stream);
        }
    }
}

static void write_style(FILE *stream)
{
    fputs("\nset border 3 linecolor '#808080'\n"
          "set tics nomirror out scale 0.5 textcolor '#202020'\n"
          "set grid linecolor '#e4e4e4' linewidth 1 linetype 1\n"
          "set key opaque reverse Left samplen 2 spacing 1.2 noenhanced\n"
          "set multiplot\n",
          stream);
}

/* Which quarter of the panel holds the fewest points, for the key. */
static const char *emptiest_corner(const cli_plot_panel *panel, const panel_axes *axes)
{
    static const char *const names[] = {"top right", "top left", "bottom right",
                                        "bottom left"};
    size_t n_points[4] = {0};
    int best = 0;

    for (size_t s = 0; s < panel->n_series; s++) {
        const cli_plot_series *series = &panel->series[s];

        for (size_t i = 0; i < series->n; i++) {
            if (is_drawn(panel, series, i)) {
                int is_left = place_in(&axes->x, series->x[i]) < 0.5;
                int is_low = place_in(&axes->y, series->y[i]) < 0.5;

                n_points[2 * is_low + is_left]++;
            }
        }
    }
    for (int i = 1; i < 4; i++)
        if (n_points[i] < n_points[best])
            best = i;
    return names[best];
}

/* Hollow points right after filled ones are the rest of the same data: the colour
 * stays. */
static size_t colour_of(const cli_plot_panel *panel, size_t which)
{
    size_t colour = 0;

    for (size_t s = 1; s <= which; s++)
        colour += panel->series[s].style != CLI_PLOT_OPEN_POINTS ||
                  panel->series[s - 1].style != CLI_PLOT_POINTS;
    return colour;
}

static void write_series(FILE *stream, const cli_plot_panel *panel, size_t p, size_t s)
{
    static const char *const colours[] = {"#1b6ca8", "#d1495b", "#2e8b57",
                                          "#e39b2d", "#7a4fa3", "#5c6b73"};
    static const char *const styles[] = {
        [CLI_PLOT_POINTS] = "points pointtype 7 pointsize 0.8",
        [CLI_PLOT_OPEN_POINTS] = "points pointtype 6 pointsize 0.8 linewidth 1.5",
        [CLI_PLOT_LINE] = "lines linewidth 1.75",
        [CLI_PLOT_LINE_POINTS] = "linespoints pointtype 7 pointsize 0.6 linewidth 1.5"};
    const cli_plot_series *series = &panel->series[s];
    size_t colour = colour_of(panel, s) % (sizeof colours / sizeof colours[0]);

    fprintf(stream, "$panel%zu_series%zu using 1:2 with %s linecolor '%s' ", p + 1, s + 1,
            styles[series->style], colours[colour]);
    if (series->title == NULL || series->title[0] == '\0') {
        fputs("notitle", stream);
    } else {
        fputs("title ", stream);
        put_quoted(stream, series->title);
    }
}

static void write_plot(FILE *stream, const cli_plot_panel *panel, size_t p)
{
    const char *separator = "plot ";

    for (size_t s = 0; s < panel->n_series; s++) {
        if (has_points(panel, &panel->series[s])) {
            fputs(separator, stream);
            write_series(stream, panel, p, s);
            separator = ", \\\n     ";
        }
    }
    if (separator[0] == 'p') /* nothing to draw: the axes alone */
        fputs("plot NaN notitle", stream);
    fputc('\n', stream);
}

static void write_panel(FILE *stream, size_t n_panels, const cli_plot_panel *panels,
                        size_t p)
{
    const cli_plot_panel *panel = &panels[p];
    panel_axes axes = find_axes(n_panels, panels, p);
    double height = panel_top(n_panels, panels, n_panels);
    int top = panel_top(n_panels, panels, p);

    fputs("\nset tmargin at screen ", stream);
    put_short(stream, 1 - top / height);
    fputs("\nset bmargin at screen ", stream);
    put_short(stream, 1 - (top + panel_height(p)) / height);
    fputc('\n', stream);
    write_label(stream, "xlabel",
                has_x_text(n_panels, panels, p) ? panel->x_label : NULL);
    write_y_label(stream, panel->y_label, 1 - (top + panel_height(p) / 2) / height);
    write_axis(stream, 'x', &axes.x);
    write_axis(stream, 'y', &axes.y);
    fprintf(stream, "set key %s\n", emptiest_corner(panel, &axes));
    write_plot(stream, panel, p);
    if (p == 0)
        write_label(stream, "title", NULL);
}

void cli_plot_script_write(FILE *stream, const cli_plot_target *target, const char *title,
                           size_t n_panels, const cli_plot_panel *panels)
{
    fputs("# A plot by rugose; gnuplot draws it.\n"
          "set encoding utf8\n",
          stream);
    write_terminal(stream, target, panel_top(n_panels, panels, n_panels));
    write_data(stream, n_panels, panels);
    write_style(stream);
    fputs("set lmargin at screen ", stream);
    put_short(stream, (double)LEFT / WIDTH);
    fputs("\nset rmargin at screen ", stream);
    put_short(stream, 1 - (double)RIGHT / WIDTH);
    fputc('\n', stream);
    write_label(stream, "title", title);
    for (size_t p = 0; p < n_panels; p++)
        write_panel(stream, n_panels, panels, p);
    fputs("\nunset multiplot\n", stream);
}
