/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Writes the gnuplot script of a plot: the numbers, then one pair of axes for each panel. All
 * text from outside goes through cli_plot_put_quoted(), and but for labels that are the program's own,
 * stays as it is (noenhanced). It does not run gnuplot.
 *
 * Title, key and panels have places of their own, so that none covers another. */

#include "plot_script.h"
#include "io/base/utf8.h"
#include "plot_axes.h"

/* ---- Layout ----
 *
 * Lengths in pixels of the SVG; PNG has twice as many, PDF 96 to an inch. */

#define WIDTH        720
#define SMALL_WIDTH  310 /* of one of several panels side by side, with its numbers */
#define LEFT         84
#define SMALL_LEFT   62
#define RIGHT        24
#define TITLE        30
#define NOTE         20
#define KEY_ROW      19
#define KEY_LEFT     16 /* names of files are long */
#define TOP          16
#define GAP          26 /* between panels that share an x axis */
#define LABEL        34 /* more where the x axis has a label */
#define FIRST_HEIGHT 380
#define NEXT_HEIGHT  220
#define SMALL_HEIGHT 170
#define TILE         72 /* of a matrix, its height at most */
#define LEAST_TILE   12
#define CHARACTER    7  /* of a name beside an axis, on average */
#define NAME_MOST    24 /* characters for which there is room beside an axis */

typedef struct layout {
    const cli_plot_sheet *sheet;
    int n_columns, width, height;
    int left;    /* of a panel, for its numbers and names */
    int names;   /* below a panel, for names that are turned */
    int key_top; /* of the key, which is above all panels */
    int top;
} layout;

/* Whether any point of a series can be drawn. */
static int has_points(const cli_plot_panel *panel, const cli_plot_series *series)
{
    for (size_t i = 0; i < series->n; i++)
        if (cli_plot_is_drawn(panel, series, i))
            return 1;
    return 0;
}

static int is_shown(const char *title)
{
    return title != NULL && title[0] != '\0';
}

/* Rows of the key: it stands above the first panel, whose series it names. */
static int count_key(const cli_plot_panel *panel)
{
    int n = 0;
    for (size_t s = 0; s < panel->n_series; s++) {
        const cli_plot_series *series = &panel->series[s];
        if (has_points(panel, series))
            n += is_shown(series->title) +
                 (series->is_hollow != NULL && is_shown(series->hollow_title));
    }
    return n;
}

/* Whether the x axis of a panel has its numbers and its label, or leaves both to the one below. */
static int has_x_text(const layout *l, size_t which)
{
    const cli_plot_panel *panels = l->sheet->panels;
    size_t below = which + (size_t)l->n_columns;
    return below >= l->sheet->n_panels ||
           !cli_plot_same_x(&panels[which], &panels[below]);
}

static int length_of_names(const char *const *names, size_t n)
{
    int most = 0;
    for (size_t i = 0; i < n; i++) {
        int length = (int)rugi_utf8_show(NULL, names[i]);
        most = length > most ? length : most;
    }
    return most < NAME_MOST ? most : NAME_MOST;
}

static int panel_width(const layout *l)
{
    return l->width / l->n_columns - l->left - (l->n_columns > 1 ? 8 : RIGHT);
}

static int are_turned(const layout *l, const cli_plot_panel *panel)
{
    return panel->n_x_names > 0 &&
           (int)panel->n_x_names * CHARACTER *
                   (length_of_names(panel->x_names, panel->n_x_names) + 1) >
               panel_width(l);
}

/* @param row  of panels */
static int panel_height(const layout *l, int row)
{
    const cli_plot_panel *first = &l->sheet->panels[0];
    if (first->y_names != NULL) {
        int tile = FIRST_HEIGHT / (int)first->n_y_names;
        tile = tile > TILE ? TILE : tile < LEAST_TILE ? LEAST_TILE : tile;
        return tile * (int)first->n_y_names;
    }
    return l->n_columns > 1 ? SMALL_HEIGHT : row == 0 ? FIRST_HEIGHT : NEXT_HEIGHT;
}

static int n_rows(const layout *l)
{
    return ((int)l->sheet->n_panels + l->n_columns - 1) / l->n_columns;
}

/* From the top of the picture to the top of a row of panels; that behind the last is the end. */
static int row_top(const layout *l, int row)
{
    int at = l->top;

    for (int r = 0; r < row; r++) {
        size_t first = (size_t)(r * l->n_columns);
        at += panel_height(l, r) + GAP;
        at += r + 1 == n_rows(l) || has_x_text(l, first) ? LABEL + l->names : 0;
    }
    return at;
}

static layout find_layout(const cli_plot_sheet *sheet)
{
    const cli_plot_panel *first = &sheet->panels[0];
    layout l = {.sheet = sheet,
                .n_columns = sheet->n_columns > 1 ? (int)sheet->n_columns : 1,
                .left = LEFT};
    if (l.n_columns > 1)
        l.left = SMALL_LEFT;
    if (first->y_names != NULL)
        l.left = 40 + CHARACTER * length_of_names(first->y_names, first->n_y_names);
    l.width = l.n_columns > 1 ? l.n_columns * SMALL_WIDTH : WIDTH;
    if (are_turned(&l, first))
        l.names = CHARACTER * length_of_names(first->x_names, first->n_x_names) * 3 / 4;
    l.key_top =
        TOP + (is_shown(sheet->title) ? TITLE : 0) + (is_shown(sheet->note) ? NOTE : 0);
    l.top = l.key_top + KEY_ROW * count_key(first) + 8 + (l.n_columns > 1 ? 14 : 0);
    l.height = row_top(&l, n_rows(&l));
    return l;
}

static void put_x(FILE *stream, const layout *l, double x)
{
    cli_plot_put_short(stream, x / l->width);
}

/* @param y  from the top */
static void put_y(FILE *stream, const layout *l, double y)
{
    cli_plot_put_short(stream, 1 - y / l->height);
}

/* ---- The script ---- */

/* A text at a place of the picture. @param how  such as "center" */
static void write_text(FILE *stream, const layout *l, int tag, const char *text, double x,
                       double y, const char *how)
{
    fprintf(stream, "set label %d ", tag);
    cli_plot_put_quoted(stream, text);
    fputs(" at screen ", stream);
    put_x(stream, l, x);
    fputs(", screen ", stream);
    put_y(stream, l, y);
    fprintf(stream, " %s\n", how);
}

/* NULL takes away the label of an earlier panel. */
static void write_x_label(FILE *stream, const char *text)
{
    if (!is_shown(text)) {
        fputs("unset xlabel\n", stream);
        return;
    }
    fputs("set xlabel ", stream);
    cli_plot_put_quoted(stream, text);
    fputs(" noenhanced\n", stream);
}

/* At the same place for every panel; "set ylabel" keeps a distance from the numbers
 * instead. Beside small panels there is no room: there it stands above. */
static void write_y_label(FILE *stream, const layout *l, const cli_plot_panel *panel,
                          double left, double top, double height)
{
    const char *text = panel->y_label != NULL ? panel->y_label : "";
    const char *enhanced = panel->has_subscript ? "enhanced" : "noenhanced";
    char how[64];

    snprintf(how, sizeof how, l->n_columns > 1 ? "left %s" : "center rotate by 90 %s",
             enhanced);
    if (l->n_columns > 1)
        write_text(stream, l, 1, text, left, top - 10, how);
    else
        write_text(stream, l, 1, text, 16, top + height / 2, how);
}

static void write_terminal(FILE *stream, const layout *l, cli_plot_form form,
                           const char *output)
{
    if (form == CLI_PLOT_PNG) {
        fprintf(stream,
                "set terminal pngcairo size %d,%d font 'sans,9' fontscale 2 linewidth 2 "
                "pointscale 2.5 background '#ffffff'\n",
                2 * l->width, 2 * l->height);
    } else if (form == CLI_PLOT_PDF) {
        fputs("set terminal pdfcairo size ", stream);
        cli_plot_put_short(stream, l->width / 96.0);
        fputs("in,", stream);
        cli_plot_put_short(stream, l->height / 96.0);
        fputs("in font 'sans,9' background '#ffffff'\n", stream);
    } else {
        fprintf(stream,
                "set terminal svg size %d,%d font 'sans-serif,12' background '#ffffff'\n",
                l->width, l->height);
    }
    if (output != NULL) {
        fputs("set output ", stream);
        cli_plot_put_quoted(stream, output);
        fputc('\n', stream);
    }
}

/* Shades of one blue, light to dark, and white letters on the dark ones. */
static void put_tile(FILE *stream, double shade)
{
    static const double dark[] = {0, 90, 150};
    unsigned colour = 0;
    for (int i = 0; i < 3; i++)
        colour = colour << 8 | (unsigned)(255 - (255 - dark[i]) * shade + 0.5);
    fprintf(stream, " %u %u", colour, shade > 0.5 ? 0xffffffu : 0x202020u);
}

static void write_point(FILE *stream, const cli_plot_series *series, size_t i)
{
    cli_plot_put_real(stream, series->x[i]);
    fputc(' ', stream);
    cli_plot_put_real(stream, series->y[i]);
    if (series->low != NULL && series->high != NULL) {
        fputc(' ', stream);
        cli_plot_put_real(stream, series->low[i]);
        fputc(' ', stream);
        cli_plot_put_real(stream, series->high[i]);
    }
    if (series->style == CLI_PLOT_TILES)
        put_tile(stream, series->high[i]);
    fputc('\n', stream);
}

/* The points of a series that are hollow, or those that are not, with a gap in their line where one of
 * the other kind stands. */
static void write_points(FILE *stream, const cli_plot_panel *panel, size_t p, size_t s,
                         int are_hollow)
{
    const cli_plot_series *series = &panel->series[s];
    int is_open = 0; /* a line may go on */

    fprintf(stream, "\n$panel%zu_series%zu%s << END\n", p + 1, s + 1,
            are_hollow ? "_hollow" : "");
    for (size_t i = 0; i < series->n; i++) {
        int is_hollow = series->is_hollow != NULL && series->is_hollow[i];
        int is_drawn = cli_plot_is_drawn(panel, series, i);
        if (is_drawn && is_hollow == are_hollow)
            write_point(stream, series, i);
        else if (is_drawn && is_open)
            fputc('\n', stream);
        is_open = is_drawn ? is_hollow == are_hollow : is_open;
    }
    fputs("END\n", stream);
}

static void write_data(FILE *stream, const cli_plot_sheet *sheet)
{
    for (size_t p = 0; p < sheet->n_panels; p++) {
        const cli_plot_panel *panel = &sheet->panels[p];
        for (size_t s = 0; s < panel->n_series; s++) {
            write_points(stream, panel, p, s, 0);
            if (panel->series[s].is_hollow != NULL)
                write_points(stream, panel, p, s, 1);
        }
    }
}

static void write_style(FILE *stream)
{
    fputs("\nset border 3 linecolor '#808080'\n"
          "set tics nomirror out scale 0.5 textcolor '#202020'\n"
          "set grid linecolor '#e4e4e4' linewidth 1 linetype 1\n"
          "set bars 0.6\n"
          "set multiplot\n",
          stream);
}

/* ---- Series ---- */

/* Colours that are told apart by all eyes (Okabe and Ito), and shapes of points, filled ones; the hollow
 * ones are those before them. There are as many pairs as the product of both. */
static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                      "#e69f00", "#56b4e9", "#000000"};
static const int shapes[] = {7, 5, 9, 13, 11, 15};
#define N_COLOURS ((int)(sizeof colours / sizeof colours[0]))
#define N_SHAPES  ((int)(sizeof shapes / sizeof shapes[0]))

static int colour_of(const cli_plot_panel *panel, size_t which)
{
    const cli_plot_series *series = &panel->series[which];
    return series->colour > 0 ? series->colour - 1 : (int)which;
}

typedef struct drawing {
    FILE *stream;
    const cli_plot_panel *panel;
    size_t p, s;
    const char *separator;
} drawing;

/* @param columns  of the data
 *  @param title   NULL: none */
static void write_part(drawing *d, int are_hollow, const char *columns, const char *how,
                       const char *title)
{
    fprintf(d->stream, "%s$panel%zu_series%zu%s using %s with %s ", d->separator,
            d->p + 1, d->s + 1, are_hollow ? "_hollow" : "", columns, how);
    d->separator = ", \\\n     ";
    if (!is_shown(title)) {
        fputs("notitle", d->stream);
        return;
    }
    fputs("title ", d->stream);
    cli_plot_put_quoted(d->stream, title);
}

static void write_bars_of_errors(drawing *d, int are_hollow, const char *colour)
{
    char how[96];
    snprintf(how, sizeof how, "yerrorbars pointtype 0 linewidth 1 linecolor '%s'",
             colour);
    write_part(d, are_hollow, "1:2:3:4", how, NULL);
}

/* Whether there are points of a kind. */
static int has_kind(const cli_plot_panel *panel, const cli_plot_series *s, int are_hollow)
{
    for (size_t i = 0; i < s->n; i++)
        if ((s->is_hollow != NULL && s->is_hollow[i]) == are_hollow &&
            cli_plot_is_drawn(panel, s, i))
            return 1;
    return 0;
}

static void write_curve(drawing *d, const cli_plot_series *s, int number)
{
    const char *colour = colours[number % N_COLOURS];
    int shape = shapes[number % N_SHAPES];
    char how[128];
    for (int hollow = 0; hollow < 2; hollow++) {
        if (!has_kind(d->panel, s, hollow))
            continue;
        if (s->low != NULL && s->high != NULL)
            write_bars_of_errors(d, hollow, colour);
        if (s->style == CLI_PLOT_LINE)
            snprintf(how, sizeof how, "lines linewidth %s linecolor '%s'",
                     s->is_thin ? "0.5" : "1.75", colour);
        else
            snprintf(how, sizeof how, "%s pointtype %d pointsize 0.7%s linecolor '%s'",
                     s->style == CLI_PLOT_LINE_POINTS && !hollow ? "linespoints"
                                                                 : "points",
                     shape - hollow, hollow ? " linewidth 1.5" : "", colour);
        write_part(d, hollow, "1:2", how, hollow ? s->hollow_title : s->title);
    }
}

static void write_width(FILE *stream, double width)
{
    fputs("set boxwidth ", stream);
    cli_plot_put_short(stream, width);
    fputs(" absolute\n", stream);
}

static void write_box(drawing *d, const cli_plot_series *s, const char *colour)
{
    char columns[200], how[160], half[RUGI_REAL_TEXT_MAX];
    rugi_format_real_short(half, 0.46 * s->width);
    snprintf(columns, sizeof columns, "1:2:($1-%s):($1+%s):3:4", half, half);
    snprintf(
        how, sizeof how,
        "boxxyerror fillstyle transparent solid 0.18 border linewidth 1 linecolor '%s'",
        colour);
    write_part(d, 0, columns, how, NULL);
    snprintf(columns, sizeof columns, "1:2:(%s)", half);
    snprintf(how, sizeof how, "xerrorbars pointtype 0 linewidth 2.5 linecolor '%s'",
             colour);
    write_part(d, 0, columns, how, NULL);
}

static void write_tiles(drawing *d, const cli_plot_series *s)
{
    write_part(
        d, 0, "1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):5",
        "boxxyerror fillstyle solid 1 border linecolor '#ffffff' linecolor rgb variable",
        NULL);
    if (d->panel->n_x_names <= 30)
        write_part(d, 0, "1:2:(sprintf('%.0f',$3)):6",
                   "labels noenhanced textcolor rgb variable", s->title);
}

static void write_series(drawing *d)
{
    const cli_plot_series *s = &d->panel->series[d->s];
    int number = colour_of(d->panel, d->s);
    const char *colour = colours[number % N_COLOURS];
    char how[128];
    if (s->style == CLI_PLOT_TILES) {
        write_tiles(d, s);
    } else if (s->style == CLI_PLOT_BOX) {
        write_box(d, s, colour);
    } else if (s->style == CLI_PLOT_BARS || s->style == CLI_PLOT_STEPS) {
        snprintf(how, sizeof how,
                 s->style == CLI_PLOT_BARS
                     ? "boxes fillstyle solid 0.75 noborder linecolor '%s'"
                     : "histeps linewidth 1.25 linecolor '%s'",
                 colour);
        write_part(d, 0, "1:2", how, s->title);
    } else if (s->style == CLI_PLOT_STRIP) {
        snprintf(how, sizeof how, "points pointtype %d pointsize 0.4 linecolor '%s'",
                 shapes[number % N_SHAPES], colour);
        write_part(d, 0, "1:2", how, s->title);
    } else {
        write_curve(d, s, number);
    }
}

static void write_plot(FILE *stream, const cli_plot_panel *panel, size_t p)
{
    drawing d = {stream, panel, p, 0, "plot "};

    for (; d.s < panel->n_series; d.s++)
        if (has_points(panel, &panel->series[d.s]))
            write_series(&d);
    if (d.separator[0] == 'p') /* nothing to draw: the axes alone */
        fputs("plot NaN notitle", stream);
    fputc('\n', stream);
}

/* ---- Panels ---- */

static void write_key(FILE *stream, const layout *l, size_t p)
{
    if (p > 0) {
        fputs("unset key\n", stream);
        return;
    }
    fputs("set key at screen ", stream);
    put_x(stream, l, KEY_LEFT);
    fputs(", screen ", stream);
    put_y(stream, l, l->key_top);
    fputs(" left top vertical maxrows 99 reverse Left samplen 2 spacing 1.2 noenhanced\n",
          stream);
}

static void write_margins(FILE *stream, const layout *l, double left, double top,
                          double height)
{
    fputs("\nset lmargin at screen ", stream);
    put_x(stream, l, left);
    fputs("\nset rmargin at screen ", stream);
    put_x(stream, l, left + panel_width(l));
    fputs("\nset tmargin at screen ", stream);
    put_y(stream, l, top);
    fputs("\nset bmargin at screen ", stream);
    put_y(stream, l, top + height);
    fputc('\n', stream);
}

static void write_panel(FILE *stream, const layout *l, size_t p)
{
    const cli_plot_sheet *sheet = l->sheet;
    const cli_plot_panel *panel = &sheet->panels[p];
    int row = (int)p / l->n_columns, column = (int)p % l->n_columns;
    int has_text = has_x_text(l, p);
    double left = (double)column * l->width / l->n_columns + l->left;
    double top = row_top(l, row), height = panel_height(l, row);

    write_margins(stream, l, left, top, height);
    write_x_label(stream, has_text ? panel->x_label : NULL);
    write_y_label(stream, l, panel, left, top, height);
    cli_plot_write_axes(stream, sheet->n_panels, sheet->panels, p, has_text,
                        are_turned(l, panel));
    if (panel->n_series > 0 && panel->series[0].width > 0)
        write_width(stream, panel->series[0].width);
    write_key(stream, l, p);
    write_plot(stream, panel, p);
    if (p == 0)
        fputs("unset label 2\nunset label 3\n", stream);
}

static void write_title(FILE *stream, const layout *l)
{
    const cli_plot_sheet *sheet = l->sheet;
    int at = TOP;
    if (is_shown(sheet->title)) {
        write_text(stream, l, 2, sheet->title, l->width / 2.0, at + TITLE / 3.0,
                   "center noenhanced");
        at += TITLE;
    }
    if (is_shown(sheet->note))
        write_text(stream, l, 3, sheet->note, l->left, at,
                   "left noenhanced textcolor rgb '#b00020'");
}

void cli_plot_script_write(FILE *stream, cli_plot_form form, const char *output,
                           const cli_plot_sheet *sheet)
{
    layout l = find_layout(sheet);
    fputs("# A plot by rugose; gnuplot draws it.\n"
          "set encoding utf8\n",
          stream);
    write_terminal(stream, &l, form, output);
    write_data(stream, sheet);
    write_style(stream);
    write_title(stream, &l);
    for (size_t p = 0; p < sheet->n_panels; p++)
        write_panel(stream, &l, p);
    fputs("\nunset multiplot\n", stream);
}
