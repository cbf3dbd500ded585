/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Writes the gnuplot script of a plot: the numbers, then one pair of axes for each panel.
 * All text comes from outside and goes through put_quoted(). It does not run gnuplot. */

#include "plot_script.h"

#include "plot_axis.h"
#include "io/text/utf8.h"

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
    rugi_plot_put_short(stream, 16.0 / WIDTH);
    fputs(", screen ", stream);
    rugi_plot_put_short(stream, middle);
    fputs(" center rotate by 90 noenhanced\n", stream);
}

static int panel_height(size_t which)
{
    return which == 0 ? FIRST_HEIGHT : NEXT_HEIGHT;
}

/* From the top of the picture to the top of a panel; `which` may be n_panels. */
static int panel_top(size_t n_panels, const rug_plot_panel *panels, size_t which)
{
    int at = TOP;

    for (size_t p = 0; p < which; p++)
        at += panel_height(p) + GAP +
              (rugi_plot_has_x_text(n_panels, panels, p) ? LABEL : 0);
    return at;
}

static void write_terminal(FILE *stream, const rugi_plot_target *target, int height)
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

static void write_data(FILE *stream, size_t n_panels, const rug_plot_panel *panels)
{
    for (size_t p = 0; p < n_panels; p++) {
        for (size_t s = 0; s < panels[p].n_series; s++) {
            const rug_plot_series *series = &panels[p].series[s];

            fprintf(stream, "\n$panel%zu_series%zu << END\n", p + 1, s + 1);
            for (size_t i = 0; i < series->n; i++) {
                if (!rugi_plot_is_drawn(&panels[p], series, i))
                    continue;
                rugi_plot_put_real(stream, series->x[i]);
                fputc(' ', stream);
                rugi_plot_put_real(stream, series->y[i]);
                fputc('\n', stream);
            }
            fputs("END\n", stream);
        }
    }
}

static void write_look(FILE *stream)
{
    fputs("\nset border 3 linecolor '#808080'\n"
          "set tics nomirror out scale 0.5 textcolor '#202020'\n"
          "set grid linecolor '#e4e4e4' linewidth 1 linetype 1\n"
          "set key opaque reverse Left samplen 2 spacing 1.2 noenhanced\n"
          "set multiplot\n",
          stream);
}

/* Which quarter of the panel holds the fewest points, for the key. */
static const char *emptiest_corner(const rug_plot_panel *panel,
                                   const rugi_plot_axes *axes)
{
    static const char *const names[] = {"top right", "top left", "bottom right",
                                        "bottom left"};
    size_t n_points[4] = {0};
    int best = 0;

    for (size_t s = 0; s < panel->n_series; s++) {
        const rug_plot_series *series = &panel->series[s];

        for (size_t i = 0; i < series->n; i++) {
            if (rugi_plot_is_drawn(panel, series, i)) {
                int is_left = rugi_plot_place(&axes->x, series->x[i]) < 0.5;
                int is_low = rugi_plot_place(&axes->y, series->y[i]) < 0.5;

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
static size_t colour_of(const rug_plot_panel *panel, size_t which)
{
    size_t colour = 0;

    for (size_t s = 1; s <= which; s++)
        colour += panel->series[s].style != RUG_PLOT_OPEN_POINTS ||
                  panel->series[s - 1].style != RUG_PLOT_POINTS;
    return colour;
}

static void write_series(FILE *stream, const rug_plot_panel *panel, size_t p, size_t s)
{
    static const char *const colours[] = {"#1b6ca8", "#d1495b", "#2e8b57",
                                          "#e39b2d", "#7a4fa3", "#5c6b73"};
    static const char *const styles[] = {
        [RUG_PLOT_POINTS] = "points pointtype 7 pointsize 0.8",
        [RUG_PLOT_OPEN_POINTS] = "points pointtype 6 pointsize 0.8 linewidth 1.5",
        [RUG_PLOT_LINE] = "lines linewidth 1.75",
        [RUG_PLOT_LINE_POINTS] = "linespoints pointtype 7 pointsize 0.6 linewidth 1.5"};
    const rug_plot_series *series = &panel->series[s];
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

static void write_plot(FILE *stream, const rug_plot_panel *panel, size_t p)
{
    const char *separator = "plot ";

    for (size_t s = 0; s < panel->n_series; s++) {
        if (rugi_plot_has_points(panel, &panel->series[s])) {
            fputs(separator, stream);
            write_series(stream, panel, p, s);
            separator = ", \\\n     ";
        }
    }
    if (separator[0] == 'p') /* nothing to draw: the axes alone */
        fputs("plot NaN notitle", stream);
    fputc('\n', stream);
}

static void write_panel(FILE *stream, size_t n_panels, const rug_plot_panel *panels,
                        size_t p)
{
    const rug_plot_panel *panel = &panels[p];
    rugi_plot_axes axes = rugi_plot_find_axes(n_panels, panels, p);
    double height = panel_top(n_panels, panels, n_panels);
    int top = panel_top(n_panels, panels, p);

    fputs("\nset tmargin at screen ", stream);
    rugi_plot_put_short(stream, 1 - top / height);
    fputs("\nset bmargin at screen ", stream);
    rugi_plot_put_short(stream, 1 - (top + panel_height(p)) / height);
    fputc('\n', stream);
    write_label(stream, "xlabel",
                rugi_plot_has_x_text(n_panels, panels, p) ? panel->x_label : NULL);
    write_y_label(stream, panel->y_label, 1 - (top + panel_height(p) / 2) / height);
    rugi_plot_write_axis(stream, 'x', &axes.x);
    rugi_plot_write_axis(stream, 'y', &axes.y);
    fprintf(stream, "set key %s\n", emptiest_corner(panel, &axes));
    write_plot(stream, panel, p);
    if (p == 0)
        write_label(stream, "title", NULL);
}

void rugi_plot_script_write(FILE *stream, const rugi_plot_target *target,
                            const char *title, size_t n_panels,
                            const rug_plot_panel *panels)
{
    fputs("# A plot by rugose; gnuplot draws it.\n"
          "set encoding utf8\n",
          stream);
    write_terminal(stream, target, panel_top(n_panels, panels, n_panels));
    write_data(stream, n_panels, panels);
    write_look(stream);
    fputs("set lmargin at screen ", stream);
    rugi_plot_put_short(stream, (double)LEFT / WIDTH);
    fputs("\nset rmargin at screen ", stream);
    rugi_plot_put_short(stream, 1 - (double)RIGHT / WIDTH);
    fputc('\n', stream);
    write_label(stream, "title", title);
    for (size_t p = 0; p < n_panels; p++)
        write_panel(stream, n_panels, panels, p);
    fputs("\nunset multiplot\n", stream);
}
