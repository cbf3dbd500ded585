/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Where an image and its twin lie in space, if both files say so: on the same grid, as they are or turned, or
 * elsewhere. */

#include "twin.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Places that differ by less than this, in pixels, are equal. */
#define EQUAL_PIXELS 1e-3

/* Where a file lies. An image has a first axis of one pixel, as a volume has it. */
typedef struct grid {
    const rug_file_facts *facts;
    rug_image image;
    int n_added; /* 1: the first axis is not the file's */
    size_t shape[3];
    double step[3][3]; /* from one pixel to the next, for each axis, in x, y, z */
    double origin[3];  /* the first pixel's centre */
} grid;

/* How the twin's axes become those of the image, and how far it is from it then. */
typedef struct fitting {
    int axis[3], is_reversed[3];
    double pixels, distance; /* of the corner that is farthest off; below 0: not known */
} fitting;

/* ---- Grids ---- */

static grid grid_of(const rug_file *file)
{
    grid g = {.facts = rug_file_get_facts(file), .image = rug_file_plane(file, 0)};
    g.n_added = 3 - g.image.ndim;
    g.shape[0] = 1;
    for (int i = 0; i < 3; i++) {
        for (int a = g.n_added; a < 3; a++)
            g.step[a][i] = g.facts->affine[i][a - g.n_added];
        g.origin[i] = g.facts->affine[i][3];
    }
    for (int a = g.n_added; a < 3; a++)
        g.shape[a] = g.image.shape[a - g.n_added];
    return g;
}

/* Of a unit of length; 0: it is none, or not said. */
static double millimetres(const char *unit)
{
    static const struct {
        const char *name;
        double size;
    } units[] = {{"m", 1000}, {"mm", 1}, {"um", 0.001}};
    for (size_t i = 0; unit != NULL && i < sizeof units / sizeof units[0]; i++)
        if (strcmp(unit, units[i].name) == 0)
            return units[i].size;
    return 0;
}

static void scale(grid *g, double by)
{
    for (int i = 0; i < 3; i++) {
        for (int a = 0; a < 3; a++)
            g->step[a][i] *= by;
        g->origin[i] *= by;
    }
}

/* Where both units are known, both grids become millimetres. @return whether they are */
static int to_millimetres(grid *a, grid *b)
{
    double in_a = millimetres(a->facts->affine_unit);
    double in_b = millimetres(b->facts->affine_unit);
    if (!(in_a > 0) || !(in_b > 0))
        return 0;
    scale(a, in_a);
    scale(b, in_b);
    return 1;
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(double out[3], const double a[3], const double b[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* The rows that turn a difference in space into one in pixels. An axis that was added goes straight up
 * from the image, with the smaller of both spacings. */
static void invert(double rows[3][3], const grid *g)
{
    double step[3][3];
    memcpy(step, g->step, sizeof step);
    if (g->n_added) {
        cross(step[0], step[1], step[2]);
        double length = sqrt(dot(step[0], step[0]));
        double least = sqrt(fmin(dot(step[1], step[1]), dot(step[2], step[2])));
        for (int i = 0; i < 3; i++)
            step[0][i] *= least / length;
    }
    for (int a = 0; a < 3; a++) {
        cross(rows[a], step[(a + 1) % 3], step[(a + 2) % 3]);
        double volume = dot(rows[a], step[a]);
        for (int i = 0; i < 3; i++)
            rows[a][i] /= volume;
    }
}

/* ---- Fitting ---- */

/* The twin with its axes as they are to be taken. @return 0: its shape is not the image's */
static int take_axes(grid *out, const grid *twin, const grid *image, const fitting *f)
{
    *out = *twin;
    for (int a = 0; a < 3; a++) {
        int k = f->axis[a];
        double last = (double)twin->shape[k] - 1;
        if (twin->shape[k] != image->shape[a] ||
            (f->is_reversed[a] && twin->shape[k] == 1))
            return 0;
        for (int i = 0; i < 3; i++) {
            double step = twin->step[k][i];
            out->step[a][i] = f->is_reversed[a] ? -step : step;
            out->origin[i] += f->is_reversed[a] ? step * last : 0;
        }
    }
    return 1;
}

/* Keeps the largest; NaN is kept, too. */
static void keep_largest(double *most, double value)
{
    if (!(value <= *most))
        *most = value;
}

/* How far the corners of two grids of one shape are from each other. */
static void compare_corners(fitting *f, const grid *image, const grid *twin)
{
    double rows[3][3];
    invert(rows, image);
    f->pixels = f->distance = 0;
    for (int corner = 0; corner < 8; corner++) {
        double difference[3];
        for (int i = 0; i < 3; i++) {
            difference[i] = twin->origin[i] - image->origin[i];
            for (int a = 0; a < 3; a++)
                if (corner >> a & 1)
                    difference[i] += (double)(image->shape[a] - 1) *
                                     (twin->step[a][i] - image->step[a][i]);
        }
        keep_largest(&f->distance, sqrt(dot(difference, difference)));
        for (int a = 0; a < 3; a++)
            keep_largest(&f->pixels, fabs(dot(rows[a], difference)));
    }
}

/* The way to take the twin's axes by which it comes closest to the image; of equals the one that changes
 * least. */
static fitting find_fitting(const grid *image, const grid *twin)
{
    static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                     {2, 1, 0}, {1, 2, 0}, {2, 0, 1}};
    fitting best = {.pixels = -1, .distance = -1};
    for (int o = 0; o < 6; o++)
        for (int flips = 0; flips < 8; flips++) {
            fitting f;
            grid turned;
            memcpy(f.axis, orders[o], sizeof f.axis);
            for (int a = 0; a < 3; a++)
                f.is_reversed[a] = flips >> (2 - a) & 1;
            if (!take_axes(&turned, twin, image, &f))
                continue;
            compare_corners(&f, image, &turned);
            if (f.pixels < EQUAL_PIXELS)
                return f;
            if (best.pixels < 0 || f.pixels < best.pixels)
                best = f;
        }
    return best;
}

/* ---- Texts ---- */

/* "(-90 126 0.5)", rounded so that floats show as they were meant. */
static void put_triple(FILE *out, const double v[3])
{
    for (int i = 0; i < 3; i++) {
        char text[RUGI_REAL_TEXT_MAX];
        rugi_format_real(text, round(v[i] * 1e6) / 1e6);
        fprintf(out, "%s%s", i == 0 ? "(" : " ", text);
    }
    fputc(')', out);
}

/* "+x" for a step along an axis of space, else its direction. */
static void put_direction(FILE *out, const double step[3])
{
    double length = sqrt(dot(step, step)), unit[3];
    for (int i = 0; i < 3; i++)
        unit[i] = step[i] / length;
    for (int i = 0; i < 3; i++)
        if (fabs(unit[i]) > 1 - 1e-9) {
            fprintf(out, "%c%c", unit[i] < 0 ? '-' : '+', "xyz"[i]);
            return;
        }
    put_triple(out, unit);
}

/* " 20x64x64, origin (0 0 0), spacing 5x2x2 mm, directions +z +y +x (sform)" */
static void put_grid(FILE *out, const rug_file *file)
{
    const grid g = grid_of(file);
    for (int a = g.n_added; a < 3; a++)
        fprintf(out, "%s%zu", a == g.n_added ? " " : "x", g.shape[a]);
    fputs(", origin ", out);
    put_triple(out, g.origin);
    fputs(", spacing", out);
    for (int a = g.n_added; a < 3; a++) {
        char text[RUGI_REAL_TEXT_MAX];
        rugi_format_real_short(text, sqrt(dot(g.step[a], g.step[a])));
        fprintf(out, "%s%s", a == g.n_added ? " " : "x", text);
    }
    if (g.facts->affine_unit != NULL)
        fprintf(out, " %s", g.facts->affine_unit);
    fputs(", directions", out);
    for (int a = g.n_added; a < 3; a++) {
        fputc(' ', out);
        put_direction(out, g.step[a]);
    }
    fprintf(out, " (%s)", g.facts->located_by);
}

static void put_distance(FILE *out, const fitting *f, int are_millimetres)
{
    char distance[RUGI_REAL_TEXT_MAX], pixels[RUGI_REAL_TEXT_MAX];
    rugi_format_real_short(distance, f->distance);
    rugi_format_real_short(pixels, f->pixels);
    fprintf(out, ", up to %s%s (%s pixel%s) from the image", distance,
            are_millimetres ? " mm" : "", pixels, strcmp(pixels, "1") == 0 ? "" : "s");
}

/* @param f  whose pixels are below 0 where the shapes differ */
static rug_status refuse(cli_run *run, const rug_file *image, const rug_file *twin,
                         const char *what, const fitting *f, int are_millimetres)
{
    char *text = NULL;
    size_t n;
    FILE *out = open_memstream(&text, &n);
    if (out == NULL)
        return rug_context_fail(run->ctx, RUG_E_NOMEM, "out of memory");
    fprintf(out, "the %s %s lies elsewhere", what, rug_file_get_facts(twin)->path);
    if (f->pixels < 0)
        fputs(" than the image, and has another shape", out);
    else
        put_distance(out, f, are_millimetres);
    fputs("; the image:", out);
    put_grid(out, image);
    fprintf(out, "; the %s:", what);
    put_grid(out, twin);
    fputs("; --ignore-geometry compares shapes alone", out);
    int failed = !rugi_close_text(out, &text);
    rug_status status = failed ? rug_context_fail(run->ctx, RUG_E_NOMEM, "out of memory")
                               : rug_context_fail(run->ctx, RUG_E_ARG, "%s", text);
    free(text);
    return status;
}

/* "turned: y and x exchanged, z flipped" */
static void name_turn(char text[CLI_TURN_MAX], const fitting *f)
{
    static const char *const names[] = {"z", "y", "x"};
    const char *moved[3], *flipped[3];
    int n_moved = 0, n_flipped = 0;
    for (int a = 0; a < 3; a++) {
        if (f->axis[a] != a)
            moved[n_moved++] = names[a];
        if (f->is_reversed[a])
            flipped[n_flipped++] = names[a];
    }
    int n = snprintf(text, CLI_TURN_MAX, "turned: ");
    if (n_moved == 2)
        n += snprintf(text + n, CLI_TURN_MAX - (size_t)n, "%s and %s exchanged", moved[0],
                      moved[1]);
    else if (n_moved == 3)
        n += snprintf(text + n, CLI_TURN_MAX - (size_t)n, "axes %s %s %s taken as z y x",
                      names[f->axis[0]], names[f->axis[1]], names[f->axis[2]]);
    for (int i = 0; i < n_flipped; i++)
        n += snprintf(text + n, CLI_TURN_MAX - (size_t)n, "%s%s",
                      i == 0              ? n_moved > 0 ? ", " : ""
                      : i + 1 < n_flipped ? ", "
                                          : " and ",
                      flipped[i]);
    if (n_flipped > 0)
        snprintf(text + n, CLI_TURN_MAX - (size_t)n, " flipped");
}

/* ---- The twin ---- */

static void set_turn(cli_turn *turn, const fitting *f, const grid *image,
                     const grid *twin)
{
    int is_moved = 0, is_reversed = 0, ndim = image->image.ndim;
    for (int a = image->n_added; a < 3; a++) {
        int to = a - image->n_added;
        turn->axis[to] = f->axis[a] - twin->n_added;
        turn->is_reversed[to] = f->is_reversed[a];
        is_moved |= turn->axis[to] != to;
        is_reversed |= f->is_reversed[a];
    }
    turn->ndim = ndim;
    turn->is_needed = is_moved || is_reversed || twin->image.ndim != ndim;
    turn->keeps_layers =
        twin->image.ndim == ndim && turn->axis[0] == 0 && !turn->is_reversed[0];
    if (is_moved || is_reversed)
        name_turn(turn->text, f);
}

rug_status cli_find_turn(cli_run *run, cli_turn *turn, const rug_file *image,
                         const rug_file *twin, const char *what)
{
    *turn = (cli_turn){.is_needed = 0};
    if (run->reading.ignore_geometry || rug_file_get_facts(image)->located_by == NULL ||
        rug_file_get_facts(twin)->located_by == NULL)
        return RUG_OK;
    grid here = grid_of(image), there = grid_of(twin);
    int are_millimetres = to_millimetres(&here, &there);
    const fitting f = find_fitting(&here, &there);
    if (!(f.pixels >= 0 && f.pixels < EQUAL_PIXELS))
        return refuse(run, image, twin, what, &f, are_millimetres);
    set_turn(turn, &f, &here, &there);
    return RUG_OK;
}
