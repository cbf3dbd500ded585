/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Sheets of several images as one. Curves get a colour and a name each, as long as they can be told
 * apart; bars stand side by side; values of strips go to their group. */

#include "plot_join.h"
#include "core/image/number.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BARS   160 /* of a panel; more are an outline */
#define MOST_GROUPS 40  /* of strips, whose names have room */
#define BOX_VALUES  5   /* of a strip from which on it has a box */
#define BAR_SHARE   0.8 /* of the room for the bars at one x, and for strips */
#define GOLDEN      0.6180339887498949 /* whose multiples spread evenly */

/* ---- Memory ---- */

typedef struct block {
    struct block *next;
    double align;
} block;

static void *take(cli_plot_pool *pool, size_t n, size_t size)
{
    block *b = n <= (SIZE_MAX - sizeof *b) / (size > 0 ? size : 1)
                   ? calloc(1, sizeof *b + n * size)
                   : NULL;
    if (b == NULL) {
        pool->is_failed = 1;
        return NULL;
    }
    b->next = pool->blocks;
    pool->blocks = b;
    return b + 1;
}

void cli_plot_free_pool(cli_plot_pool *pool)
{
    for (block *b = pool->blocks, *next; b != NULL; b = next) {
        next = b->next;
        free(b);
    }
    pool->blocks = NULL;
}

/* Copies n bytes, also to or from those of another process. */
static void copy_bytes(cli_plot_pool *pool, void *out, const void *from, size_t n)
{
    if (pool->load != NULL)
        cli_take_bytes(pool->load, out, n);
    else if (n > 0 && out != from)
        memcpy(out, from, n);
    if (pool->save != NULL)
        fwrite(out, 1, n, pool->save);
    pool->is_failed |= pool->load != NULL && pool->load->is_short;
}

static void *copy_of(cli_plot_pool *pool, const void *from, size_t n, size_t size)
{
    char is_there = from != NULL;
    copy_bytes(pool, &is_there, &is_there, 1);
    void *out = is_there && !pool->is_failed ? take(pool, n, size) : NULL;
    if (out != NULL)
        copy_bytes(pool, out, from, n * size);
    return out;
}

static char *copy_text(cli_plot_pool *pool, const char *text)
{
    size_t n = text != NULL && pool->load == NULL ? strlen(text) + 1 : 0;
    copy_bytes(pool, &n, &n, sizeof n);
    return copy_of(pool, text, n, 1);
}

static const char *const *copy_names(cli_plot_pool *pool, const char *const *names,
                                     size_t n)
{
    const char **out = copy_of(pool, names, n, sizeof *out);
    for (size_t i = 0; out != NULL && i < n; i++)
        out[i] = copy_text(pool, out[i]);
    return out;
}

static void copy_series(cli_plot_pool *pool, cli_plot_series *s)
{
    s->title = copy_text(pool, s->title);
    s->hollow_title = copy_text(pool, s->hollow_title);
    s->x = copy_of(pool, s->x, s->n, sizeof *s->x);
    s->y = copy_of(pool, s->y, s->n, sizeof *s->y);
    s->low = copy_of(pool, s->low, s->n, sizeof *s->low);
    s->high = copy_of(pool, s->high, s->n, sizeof *s->high);
    s->is_hollow = copy_of(pool, s->is_hollow, s->n, sizeof *s->is_hollow);
}

static void copy_panel(cli_plot_pool *pool, cli_plot_panel *p)
{
    cli_plot_series *series = copy_of(pool, p->series, p->n_series, sizeof *series);
    p->x_label = copy_text(pool, p->x_label);
    p->y_label = copy_text(pool, p->y_label);
    p->x_names = copy_names(pool, p->x_names, p->n_x_names);
    p->y_names = copy_names(pool, p->y_names, p->n_y_names);
    for (size_t s = 0; series != NULL && s < p->n_series; s++)
        copy_series(pool, &series[s]);
    p->series = series;
}

int cli_plot_copy(cli_plot_pool *pool, cli_plot_sheet *out, const cli_plot_sheet *sheet)
{
    copy_bytes(pool, out, sheet, sizeof *out);
    cli_plot_panel *panels = copy_of(pool, out->panels, out->n_panels, sizeof *panels);
    for (size_t p = 0; panels != NULL && p < out->n_panels; p++)
        copy_panel(pool, &panels[p]);
    out->panels = panels;
    out->title = copy_text(pool, out->title);
    out->part = copy_text(pool, out->part);
    out->group = copy_text(pool, out->group);
    out->summary = copy_text(pool, out->summary);
    out->note = copy_text(pool, out->note);
    out->mark = copy_text(pool, out->mark);
    out->unit.name = copy_text(pool, out->unit.name);
    return !pool->is_failed;
}

/* ---- What sheets have in common ---- */

typedef struct joining {
    cli_plot_pool *pool;
    size_t n;
    const cli_plot_sheet *sheets;
    cli_plot_unit unit; /* of all */
    int are_mixed;      /* they are in units that differ */
    int are_of_one;     /* there are several, all of one image */
    int are_thin;       /* there are too many to tell apart */
} joining;

static int same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* The unit that all have; else pixels, if all can be in pixels. */
static void find_unit(joining *j)
{
    int are_equal = 1, in_pixels = 1;
    j->unit = j->sheets[0].unit;
    for (size_t i = 0; i < j->n; i++) {
        const cli_plot_unit *u = &j->sheets[i].unit;
        are_equal &= same_text(u->name, j->unit.name) &&
                     (u->per_pixel > 0) == (j->unit.per_pixel > 0);
        in_pixels &= u->name == NULL || u->per_pixel > 0;
        if (u->per_pixel != j->unit.per_pixel)
            j->unit.per_pixel = are_equal ? HUGE_VAL : 0; /* each has its own */
    }
    j->are_mixed = !are_equal && !in_pixels;
    if (!are_equal)
        j->unit = (cli_plot_unit){NULL, 0};
}

static double scale_of(const joining *j, const cli_plot_sheet *sheet)
{
    return j->unit.name != NULL && sheet->unit.per_pixel > 0 ? sheet->unit.per_pixel : 1;
}

static char *format_x_label(const joining *j, const char *label)
{
    char text[200], pixel[RUGI_REAL_TEXT_MAX];
    rugi_format_real_short(pixel, j->unit.per_pixel);
    if (j->are_mixed)
        snprintf(text, sizeof text, "%s (in the unit of each)", label);
    else if (j->unit.name == NULL)
        snprintf(text, sizeof text, "%s (pixels)", label);
    else if (j->unit.per_pixel > 0 && isfinite(j->unit.per_pixel))
        snprintf(text, sizeof text, "%s (%.60s; 1 pixel = %s %.60s)", label, j->unit.name,
                 pixel, j->unit.name);
    else
        snprintf(text, sizeof text, "%s (%.60s)", label, j->unit.name);
    return copy_text(j->pool, text);
}

/* What a sheet is called among others. */
static const char *name_among(const joining *j, const cli_plot_sheet *sheet)
{
    char text[600];
    const char *title = sheet->title != NULL ? sheet->title : "";
    if (sheet->part == NULL)
        snprintf(text, sizeof text, "%s", title);
    else
        snprintf(text, sizeof text, "%s%s%s", j->are_of_one ? "" : title,
                 j->are_of_one ? "" : ", ", sheet->part);
    size_t n = strlen(text);
    if (sheet->summary != NULL)
        n += (size_t)snprintf(text + n, sizeof text - n, ": %s", sheet->summary);
    if (sheet->mark != NULL && n < sizeof text)
        snprintf(text + n, sizeof text - n, " (%s)", sheet->mark);
    return copy_text(j->pool, text);
}

/* ---- Curves and bars ---- */

static void shift_x(joining *j, cli_plot_series *s, double scale, double shift)
{
    double *x = copy_of(j->pool, s->x, s->n, sizeof *x);
    for (size_t i = 0; x != NULL && i < s->n; i++)
        x[i] = x[i] * scale + shift;
    s->x = x;
}

/* One curve of many: a line without points, and without the line that was fitted to it. */
static void make_thin(cli_plot_series *s)
{
    if (s->style == CLI_PLOT_LINE)
        s->n = 0;
    if (s->style == CLI_PLOT_POINTS || s->style == CLI_PLOT_LINE_POINTS)
        s->style = CLI_PLOT_LINE;
    if (s->style == CLI_PLOT_BARS)
        s->style = CLI_PLOT_STEPS;
    s->is_hollow = NULL;
    s->low = s->high = NULL;
    s->is_thin = 1;
}

/* The name of sheet i, in the key; many have one name. */
static const char *key_name(const joining *j, size_t i)
{
    char text[64];
    if (!j->are_thin)
        return name_among(j, &j->sheets[i]);
    if (i > 0)
        return NULL;
    snprintf(text, sizeof text, "%zu curves", j->n);
    return copy_text(j->pool, text);
}

static void place_bars(joining *j, cli_plot_series *s, size_t i)
{
    double width = BAR_SHARE / (double)j->n;
    if (s->style != CLI_PLOT_BARS)
        return;
    s->width = width;
    if (s->n * j->n > MOST_BARS)
        s->style = CLI_PLOT_STEPS;
    else if (j->n > 1)
        shift_x(j, s, 1, ((double)i - 0.5 * (double)(j->n - 1)) * width);
}

/* Series of a panel of all sheets. */
static void join_curves(joining *j, cli_plot_panel *out, size_t p)
{
    size_t n = 0, at = 0;
    for (size_t i = 0; i < j->n; i++)
        n += j->sheets[i].panels[p].n_series;
    cli_plot_series *series = take(j->pool, n, sizeof *series);
    out->n_series = series != NULL ? n : 0;
    out->series = series;
    for (size_t i = 0; series != NULL && i < j->n; i++) {
        const cli_plot_panel *panel = &j->sheets[i].panels[p];
        double scale = out->is_size ? scale_of(j, &j->sheets[i]) : 1;
        for (size_t k = 0; k < panel->n_series; k++) {
            cli_plot_series *s = &series[at++];
            *s = panel->series[k];
            if (scale != 1)
                shift_x(j, s, scale, 0);
            if (j->are_thin)
                make_thin(s);
            place_bars(j, s, i);
            if (j->n == 1)
                continue;
            s->colour = j->are_thin ? 1 : (int)i + 1;
            s->title = p == 0 && k == 0 ? key_name(j, i) : NULL;
            s->hollow_title = NULL;
        }
    }
}

/* ---- Strips ---- */

/* The groups of a panel's strips, in the order in which they come. */
typedef struct grouping {
    size_t n;
    const char **names;
    size_t *of; /* of each sheet */
} grouping;

static int find_groups(joining *j, grouping *g)
{
    g->names = take(j->pool, j->n, sizeof *g->names);
    g->of = take(j->pool, j->n, sizeof *g->of);
    for (size_t i = 0; !j->pool->is_failed && i < j->n; i++) {
        const cli_plot_sheet *sheet = &j->sheets[i];
        const char *name = sheet->group != NULL ? sheet->group : sheet->title;
        /* Images come once, but for their parts, one after the other. */
        size_t k = sheet->group == NULL && g->n > 0 ? g->n - 1 : 0;
        while (k < g->n && !same_text(g->names[k], name))
            k++;
        if (k == g->n)
            g->names[g->n++] = name;
        g->of[i] = k;
    }
    return !j->pool->is_failed;
}

/* The values of one group. */
typedef struct strip {
    double *values;
    size_t n;
} strip;

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* A quantile of sorted values, between the two next to it. */
static double quantile_of(const strip *s, double share)
{
    double at = share * (double)(s->n - 1);
    size_t below = (size_t)at;
    size_t above = below + 1 < s->n ? below + 1 : below;
    return s->values[below] +
           (at - (double)below) * (s->values[above] - s->values[below]);
}

/* Puts the points of all groups behind each other, and makes their boxes. */
typedef struct spread {
    double *x, *y;
    double *box_x, *middle, *low, *high;
    size_t n, n_boxes;
} spread;

static void spread_strip(spread *out, strip *s, double middle, double width)
{
    for (size_t i = 0; i < s->n; i++) {
        double part = fmod((double)i * GOLDEN + 0.5, 1) - 0.5;
        out->x[out->n] = middle + (s->n > 1 ? 0.8 * width * part : 0);
        out->y[out->n++] = s->values[i];
    }
    if (s->n < BOX_VALUES)
        return;
    qsort(s->values, s->n, sizeof *s->values, by_value);
    out->box_x[out->n_boxes] = middle;
    out->low[out->n_boxes] = quantile_of(s, 0.25);
    out->middle[out->n_boxes] = quantile_of(s, 0.5);
    out->high[out->n_boxes++] = quantile_of(s, 0.75);
}

static int begin_spread(joining *j, spread *out, size_t n, size_t n_groups)
{
    *out = (spread){.x = take(j->pool, n, sizeof(double)),
                    .y = take(j->pool, n, sizeof(double)),
                    .box_x = take(j->pool, n_groups, sizeof(double)),
                    .middle = take(j->pool, n_groups, sizeof(double)),
                    .low = take(j->pool, n_groups, sizeof(double)),
                    .high = take(j->pool, n_groups, sizeof(double))};
    return !j->pool->is_failed;
}

/* The finite values of series k of a panel, by group. @return how many */
static size_t collect(joining *j, const grouping *g, strip *strips, size_t p, size_t k)
{
    size_t n = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < g->n && pass == 1; i++) {
            strips[i].values = take(j->pool, strips[i].n, sizeof(double));
            strips[i].n = 0;
        }
        for (size_t i = 0; i < j->n && !j->pool->is_failed; i++) {
            const cli_plot_panel *panel = &j->sheets[i].panels[p];
            const cli_plot_series *s = k < panel->n_series ? &panel->series[k] : NULL;
            strip *to = &strips[g->of[i]];
            for (size_t v = 0; s != NULL && v < s->n; v++) {
                if (!isfinite(s->y[v]))
                    continue;
                if (pass == 1)
                    to->values[to->n] = s->y[v];
                to->n++;
                n += (size_t)pass;
            }
        }
    }
    return n;
}

/* The boxes behind, and the points of one of the series. */
static void join_strip(joining *j, const grouping *g, cli_plot_series out[2], size_t p,
                       size_t k, size_t n_series)
{
    double width = BAR_SHARE / (double)n_series;
    double shift = ((double)k - 0.5 * (double)(n_series - 1)) * width;
    strip *strips = take(j->pool, g->n, sizeof *strips);
    spread s;
    size_t n = strips != NULL ? collect(j, g, strips, p, k) : 0;
    if (j->pool->is_failed || !begin_spread(j, &s, n, g->n))
        return;
    for (size_t i = 0; i < g->n; i++)
        spread_strip(&s, &strips[i], (double)i + 1 + shift, width);
    out[0] = (cli_plot_series){.style = CLI_PLOT_BOX,
                               .n = s.n_boxes,
                               .x = s.box_x,
                               .y = s.middle,
                               .low = s.low,
                               .high = s.high};
    out[1] = (cli_plot_series){.style = CLI_PLOT_STRIP, .n = s.n, .x = s.x, .y = s.y};
    out[0].width = out[1].width = width;
    out[0].colour = out[1].colour = (int)k + 1;
    for (size_t i = 0; p == 0 && i < j->n && out[1].title == NULL; i++)
        if (k < j->sheets[i].panels[p].n_series)
            out[1].title = j->sheets[i].panels[p].series[k].title;
}

/* @param title  of the plot, which a group alone need not repeat */
static void join_strips(joining *j, const grouping *g, cli_plot_panel *out, size_t p,
                        const char *title)
{
    static const char *const nameless[] = {""};
    size_t n_series = 1;
    for (size_t i = 0; i < j->n; i++)
        if (j->sheets[i].panels[p].n_series > n_series)
            n_series = j->sheets[i].panels[p].n_series;
    cli_plot_series *series = take(j->pool, 2 * n_series, sizeof *series);
    for (size_t k = 0; series != NULL && k < n_series; k++)
        join_strip(j, g, &series[2 * k], p, k, n_series);
    out->series = series;
    out->n_series = series != NULL ? 2 * n_series : 0;
    out->x_label = g->n > MOST_GROUPS ? "group, in the order of the inputs" : NULL;
    out->x_names = g->n > MOST_GROUPS ? NULL : g->names;
    out->n_x_names = g->n > MOST_GROUPS ? 0 : g->n;
    if (g->n == 1 && same_text(g->names[0], title))
        out->x_names = nameless;
}

/* ---- All of it ---- */

static int are_strips(const cli_plot_sheet *sheet)
{
    return sheet->panels[0].n_series > 0 &&
           sheet->panels[0].series[0].style == CLI_PLOT_STRIP;
}

/* A sheet alone has its title and its note; one of several says how many notes there are. */
static void join_texts(joining *j, cli_plot_sheet *out)
{
    char text[128];
    size_t n_notes = 0;
    for (size_t i = 0; i < j->n; i++)
        n_notes += j->sheets[i].note != NULL;
    if (j->n == 1) {
        const cli_plot_sheet *s = &j->sheets[0];
        if (s->part != NULL && s->title != NULL)
            out->title =
                name_among(j, &(cli_plot_sheet){.title = s->title, .part = s->part});
        return;
    }
    if (!j->are_of_one)
        out->title = NULL;
    out->part = out->note = NULL;
    if (n_notes == 0)
        return;
    snprintf(text, sizeof text, "%zu of %zu say little or nothing: see the warnings",
             n_notes, j->n);
    out->note = copy_text(j->pool, text);
}

static rug_status check_equal(rug_context *ctx, const joining *j)
{
    for (size_t i = 1; i < j->n; i++)
        if (j->sheets[i].n_panels != j->sheets[0].n_panels)
            return rug_context_fail(
                ctx, RUG_E_ARG,
                "sheets of one plot have the same panels, but there are "
                "%zu and %zu",
                j->sheets[0].n_panels, j->sheets[i].n_panels);
    return RUG_OK;
}

rug_status cli_plot_join(rug_context *ctx, cli_plot_pool *pool, cli_plot_sheet *out,
                         size_t n, const cli_plot_sheet *sheets)
{
    joining j = {.pool = pool, .n = n, .sheets = sheets, .are_of_one = n > 1};
    grouping g = {0, NULL, NULL};
    rug_status status = check_equal(ctx, &j);
    if (status != RUG_OK)
        return status;
    *out = sheets[0];
    for (size_t i = 0; i < n; i++)
        j.are_of_one &= same_text(sheets[i].title, sheets[0].title);
    j.are_thin = n > CLI_PLOT_NAMED;
    find_unit(&j);
    join_texts(&j, out);
    cli_plot_panel *panels =
        copy_of(pool, sheets[0].panels, out->n_panels, sizeof *panels);
    int is_grouped = are_strips(out) && find_groups(&j, &g);
    for (size_t p = 0; panels != NULL && p < out->n_panels; p++) {
        if (is_grouped)
            join_strips(&j, &g, &panels[p], p, out->title);
        else
            join_curves(&j, &panels[p], p);
        if (panels[p].is_size)
            panels[p].x_label = format_x_label(&j, panels[p].x_label);
        if (panels[p].is_size && (j.unit.name != NULL || j.are_mixed))
            panels[p].log_x = CLI_PLOT_LOG;
    }
    out->panels = panels;
    return pool->is_failed
               ? rug_context_fail(ctx, RUG_E_NOMEM, "out of memory for a plot")
               : RUG_OK;
}
