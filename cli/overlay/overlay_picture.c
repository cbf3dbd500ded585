/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Painting. Whatever is drawn over a pixel keeps whether it was counted: of two shades one means that it
 * was, so that a picture can be counted again. */

#include "overlay_picture.h"
#include <math.h>
#include <rugose/picture.h>
#include <string.h>

/* ---- Planes ---- */

/* A part of a plane, of all 0. @param status  unchanged unless memory runs out */
static void *add_part(cli_run *run, const cli_plane *p, size_t size, rug_status *status)
{
    size_t n = p->n_rows * p->n_columns;
    void *part = rug_context_allocate(run->ctx, n, size, "an overlay");
    if (part == NULL)
        *status = RUG_E_NOMEM;
    else
        memset(part, 0, n * size);
    return part;
}

rug_status cli_add_plane(cli_run *run, cli_picture *picture, const cli_plane *shape,
                         unsigned parts)
{
    rug_status status = RUG_OK;
    cli_plane *p = &picture->planes[picture->n_planes++];
    *p = *shape;
    p->value = add_part(run, p, sizeof *p->value, &status);
    p->set = parts & CLI_PLANE_SET ? add_part(run, p, 1, &status) : NULL;
    p->inside = parts & CLI_PLANE_INSIDE ? add_part(run, p, 1, &status) : NULL;
    p->label =
        parts & CLI_PLANE_LABEL ? add_part(run, p, sizeof *p->label, &status) : NULL;
    return status;
}

void cli_free_picture(cli_run *run, cli_picture *picture)
{
    for (size_t i = 0; i < picture->n_planes; i++) {
        const cli_plane *p = &picture->planes[i];
        rug_context_release(run->ctx, p->value);
        rug_context_release(run->ctx, p->set);
        rug_context_release(run->ctx, p->inside);
        rug_context_release(run->ctx, p->label);
    }
}

/* ---- Grey ---- */

/* The finite values in their order as whole numbers: a larger double has a larger one. */
static uint64_t rank_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

static double value_of(uint64_t rank)
{
    double value;
    uint64_t bits = rank >> 63 ? rank & ~((uint64_t)1 << 63) : ~rank;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#define DIGIT_BITS 16
#define N_DIGITS   ((size_t)1 << DIGIT_BITS)

/* Counts, of the values whose ranks begin as `known` does, the 16 bits behind that.
 * @param shift  of these bits */
static uint64_t count_digits(const cli_picture *picture, uint64_t *counts, uint64_t known,
                             int shift)
{
    uint64_t n = 0;
    memset(counts, 0, N_DIGITS * sizeof *counts);
    for (size_t i = 0; i < picture->n_planes; i++) {
        const cli_plane *p = &picture->planes[i];
        for (size_t k = 0; k < p->n_rows * p->n_columns; k++) {
            uint64_t rank = rank_of(p->value[k]);
            if (!isfinite(p->value[k]) ||
                (shift < 48 && (rank ^ known) >> (shift + DIGIT_BITS) != 0))
                continue;
            counts[rank >> shift & (N_DIGITS - 1)]++;
            n++;
        }
    }
    return n;
}

/* The value that a share of the others is not above. @return NaN: none is finite */
static double quantile(const cli_picture *picture, uint64_t *counts, double share)
{
    uint64_t known = 0, n = count_digits(picture, counts, 0, 48);
    if (n == 0)
        return (double)NAN;
    uint64_t left = (uint64_t)(share * (double)(n - 1) + 0.5); /* values before it */
    for (int shift = 48;; shift -= DIGIT_BITS) {
        uint64_t digit = 0;
        while (left >= counts[digit])
            left -= counts[digit++];
        known |= digit << shift;
        if (shift == 0)
            return value_of(known);
        count_digits(picture, counts, known, shift - DIGIT_BITS);
    }
}

/* What becomes black and white: percentiles; where they leave nothing between them, or there are but two
 * values, all of it. */
static void find_range(double range[2], const cli_picture *picture, uint64_t *counts)
{
    double least = HUGE_VAL, most = -HUGE_VAL;
    int is_between = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < picture->n_planes; i++) {
            const cli_plane *p = &picture->planes[i];
            for (size_t k = 0; k < p->n_rows * p->n_columns; k++) {
                if (!isfinite(p->value[k]))
                    continue;
                least = fmin(least, p->value[k]);
                most = fmax(most, p->value[k]);
                is_between |= pass == 1 && p->value[k] > least && p->value[k] < most;
            }
        }
    range[0] = quantile(picture, counts, 0.01);
    range[1] = quantile(picture, counts, 0.99);
    if (is_between && range[0] < range[1])
        return;
    range[0] = least;
    range[1] = most;
}

/* 0 black, 1 white. */
static double grey_of(double value, const double range[2])
{
    if (!(range[1] > range[0])) /* a flat image */
        return value > range[1] ? 1 : value < range[0] ? 0 : 0.5;
    double g = (value / 2 - range[0] / 2) / (range[1] / 2 - range[0] / 2);
    return g > 1 ? 1 : g > 0 ? g : 0;
}

/* ---- Colours ---- */

/* Pixels, and the plane in work. */
typedef struct canvas {
    size_t height, width, n; /* n = height * width */
    uint8_t *pixels;         /* [3][height][width] */
    const cli_plane *plane;
    size_t left;   /* where the plane begins */
    int is_coarse; /* for a page */
} canvas;

typedef struct colour {
    uint8_t red, green, blue;
} colour;

/* The foreground, from dark to bright: orange, which nobody takes for grey. */
static const double dark[3] = {140, 70, 0}, bright[3] = {255, 190, 60};
/* Of pixels that are not counted, and of those that are. */
static const colour outline[2] = {{0, 90, 200}, {86, 180, 255}};
static const colour digit_ink[2] = {{255, 255, 255}, {255, 250, 215}};
static const colour digit_edge[2] = {{0, 0, 0}, {45, 20, 0}};

#define DIM     0.35 /* of grey outside the mask */
#define NO_DATA 0.4  /* the grey of pixels without a value, and that of their hatches */
#define HATCH   0.5
#define GAP_INK 64

/* Steps of a page's picture, so that a palette of 256 holds all of its colours: those of grey, those of
 * what was counted, and those of each share that was counted; such cells are not dimmed. */
#define STEPS       63
#define SHARE_STEPS 23
#define SHARES      4

static double stepwise(double value, int n)
{
    return floor(value * n + 0.5) / n;
}

/* Every share but none and all is the middle of its quarter: what is rare stays visible. */
static double coarse_share(double set)
{
    return set > 0 && set < 1 ? (floor(SHARES * set) + 0.5) / SHARES : set;
}

/* Grey, coloured by the share that was counted.
 *  @param y, x  in the plane, for the hatches */
static colour paint_cell(const canvas *c, size_t cell, const double range[2], size_t y,
                         size_t x)
{
    const cli_plane *p = c->plane;
    double g = isnan(p->value[cell]) ? ((y + x) % 8 < 2 ? HATCH : NO_DATA)
                                     : grey_of(p->value[cell], range);
    double set = p->set != NULL ? (double)p->set[cell] / 255 : 0;
    double inside = p->inside != NULL ? (double)p->inside[cell] / 255 : 1;
    double grey = 255 * g * (DIM + (1 - DIM) * inside);
    if (c->is_coarse) {
        set = coarse_share(set);
        g = stepwise(g, set > 0 && set < 1 ? SHARE_STEPS : STEPS);
        grey = 255 * (set > 0 ? g : stepwise(grey / 255, STEPS));
    }
    double of_grey = grey * (1 - set) + 0.5;
    double out[3];
    for (int i = 0; i < 3; i++)
        out[i] = of_grey + set * (dark[i] + (bright[i] - dark[i]) * g);
    return (colour){(uint8_t)out[0], (uint8_t)out[1], (uint8_t)out[2]};
}

static size_t cell_at(const cli_plane *p, size_t y, size_t x)
{
    return y * p->n_rows / p->height * p->n_columns + x * p->n_columns / p->width;
}

/* Whether a pixel is the first or last of its label in its row or column. */
static int is_outline(const cli_plane *p, size_t y, size_t x)
{
    uint64_t own = p->label[cell_at(p, y, x)];
    return own != 0 && (y == 0 || x == 0 || y + 1 == p->height || x + 1 == p->width ||
                        p->label[cell_at(p, y - 1, x)] != own ||
                        p->label[cell_at(p, y + 1, x)] != own ||
                        p->label[cell_at(p, y, x - 1)] != own ||
                        p->label[cell_at(p, y, x + 1)] != own);
}

/* Whether a pixel counts as counted, for the shades of what is drawn over it; all grey values do. */
static int is_counted(const cli_plane *p, size_t cell)
{
    return p->set == NULL || p->set[cell] >= 128;
}

/* ---- The picture ---- */

static void put(const canvas *c, size_t y, size_t x, colour ink)
{
    uint8_t *at = c->pixels + y * c->width + c->left + x;
    at[0] = ink.red;
    at[c->n] = ink.green;
    at[2 * c->n] = ink.blue;
}

static rug_status paint_plane(cli_run *run, const canvas *c, const double range[2])
{
    const cli_plane *p = c->plane;
    for (size_t y = 0; y < p->height; y++)
        for (size_t x = 0; x < p->width; x++) {
            size_t cell = cell_at(p, y, x);
            put(c, y, x,
                p->label != NULL && is_outline(p, y, x)
                    ? outline[is_counted(p, cell)]
                    : paint_cell(c, cell, range, y, x));
        }
    return rug_context_step(run->ctx, 1);
}

/* ---- Numbers of labels ---- */

#define DIGIT_ROWS    5
#define DIGIT_COLUMNS 3
#define MOST_SCALE    3
#define ROOM          2 /* sides of a number that the box of its label must have */

/* Rows of three bits, the upper row in the highest bits. */
static const uint16_t digit_shapes[] = {075557, 026227, 071747, 071717, 055711,
                                        074717, 074757, 071111, 075757, 075717};

/* A number that is written. */
typedef struct number {
    char text[24];
    size_t n, scale;
    size_t height, width; /* in dots, without its edge */
} number;

/* Whether a dot of a number is ink. */
static int is_ink(const number *label, ptrdiff_t y, ptrdiff_t x)
{
    if (y < 0 || x < 0 || y >= (ptrdiff_t)label->height || x >= (ptrdiff_t)label->width ||
        x % (DIGIT_COLUMNS + 1) == DIGIT_COLUMNS)
        return 0;
    uint16_t shape = digit_shapes[label->text[x / (DIGIT_COLUMNS + 1)] - '0'];
    ptrdiff_t column = x % (DIGIT_COLUMNS + 1);
    return shape >> ((DIGIT_ROWS - 1 - y) * DIGIT_COLUMNS + DIGIT_COLUMNS - 1 - column) &
           1;
}

static int is_edge(const number *label, ptrdiff_t y, ptrdiff_t x)
{
    for (ptrdiff_t dy = -1; dy <= 1; dy++)
        for (ptrdiff_t dx = -1; dx <= 1; dx++)
            if (is_ink(label, y + dy, x + dx))
                return 1;
    return 0;
}

/* @param top, left  of its edge, in the plane */
static void write_number(const canvas *c, const number *label, size_t top, size_t left)
{
    const cli_plane *p = c->plane;
    for (size_t y = 0; y < (label->height + 2) * label->scale; y++)
        for (size_t x = 0; x < (label->width + 2) * label->scale; x++) {
            ptrdiff_t row = (ptrdiff_t)(y / label->scale) - 1;
            ptrdiff_t column = (ptrdiff_t)(x / label->scale) - 1;
            int counted = is_counted(p, cell_at(p, top + y, left + x));
            if (is_ink(label, row, column))
                put(c, top + y, left + x, digit_ink[counted]);
            else if (is_edge(label, row, column))
                put(c, top + y, left + x, digit_edge[counted]);
        }
}

/* Writes the number of a label into the middle of its box, as large as it leaves its outline free. */
static void number_label(const canvas *c, const rug_region *region)
{
    const cli_plane *p = c->plane;
    number label = {.height = DIGIT_ROWS};
    size_t begin[2] = {cli_first_pixel(region->first[1], p->n_rows, p->height),
                       cli_first_pixel(region->first[2], p->n_columns, p->width)};
    size_t side[2] = {
        cli_first_pixel(region->first[1] + region->shape[1], p->n_rows, p->height) -
            begin[0],
        cli_first_pixel(region->first[2] + region->shape[2], p->n_columns, p->width) -
            begin[1]};
    label.n = (size_t)snprintf(label.text, sizeof label.text, "%llu",
                               (unsigned long long)region->label);
    label.width = label.n * (DIGIT_COLUMNS + 1) - 1;
    for (size_t s = 1; s <= MOST_SCALE && (label.height + 2) * s * ROOM <= side[0] &&
                       (label.width + 2) * s * ROOM <= side[1];
         s++)
        label.scale = s;
    size_t height = (label.height + 2) * label.scale,
           width = (label.width + 2) * label.scale;
    if (label.scale > 0)
        write_number(c, &label, begin[0] + (side[0] - height) / 2,
                     begin[1] + (side[1] - width) / 2);
}

static rug_status number_labels(cli_run *run, const canvas *c)
{
    const cli_plane *p = c->plane;
    const size_t shape[2] = {p->n_rows, p->n_columns};
    rug_image labels;
    rug_regions *regions = NULL;
    rug_status status = rug_image_view(run->ctx, &labels, p->label, RUG_U64, 2, shape);
    if (status == RUG_OK)
        status = rug_regions_find(run->ctx, &regions, &labels);
    for (size_t i = 0; status == RUG_OK && i < rug_regions_count(regions); i++)
        number_label(c, rug_regions_at(regions, i));
    rug_regions_free(regions);
    return status;
}

/* ---- The end ---- */

static rug_status paint(cli_run *run, canvas *c, const cli_picture *picture)
{
    rug_status status = RUG_OK;
    double range[2] = {picture->black, picture->white};
    if (!picture->has_range) {
        uint64_t *counts =
            rug_context_allocate(run->ctx, N_DIGITS, sizeof *counts, "an overlay");
        if (counts == NULL)
            return RUG_E_NOMEM;
        find_range(range, picture, counts);
        rug_context_release(run->ctx, counts);
    }
    for (size_t i = 0; i < picture->n_planes && status == RUG_OK; i++) {
        c->plane = &picture->planes[i];
        status = paint_plane(run, c, range);
        if (status == RUG_OK && c->plane->label != NULL)
            status = number_labels(run, c);
        c->left += c->plane->width + CLI_PLANE_GAP;
    }
    return status;
}

static int is_grey(const canvas *c)
{
    return memcmp(c->pixels, c->pixels + c->n, c->n) == 0 &&
           memcmp(c->pixels, c->pixels + 2 * c->n, c->n) == 0;
}

static rug_status write_canvas(cli_run *run, const canvas *c, const cli_picture_end *end)
{
    char path[CLI_PATH_MAX];
    const size_t shape[2] = {c->height, c->width};
    rug_image planes[3];
    rug_status status = RUG_OK;
    for (size_t i = 0; i < 3 && status == RUG_OK; i++)
        status =
            rug_image_view(run->ctx, &planes[i], c->pixels + i * c->n, RUG_U8, 2, shape);
    if (status == RUG_OK && end->name == NULL)
        return rug_picture_encode_png(run->ctx, end->png, end->n, planes,
                                      is_grey(c) ? 1 : 3);
    if (status == RUG_OK)
        status = cli_claim(run, run->overlays, path, "overlay", run->common.overlay,
                           end->name, "");
    return status == RUG_OK ? rug_picture_write(run->ctx, path, planes, 3) : status;
}

rug_status cli_end_picture(cli_run *run, const cli_picture *picture,
                           const cli_picture_end *end)
{
    canvas c = {.height = 1, .is_coarse = end->name == NULL};
    for (size_t i = 0; i < picture->n_planes; i++) {
        const cli_plane *p = &picture->planes[i];
        c.width += p->width + (i > 0 ? CLI_PLANE_GAP : 0);
        c.height = p->height > c.height ? p->height : c.height;
    }
    c.n = c.height * c.width;
    c.pixels = rug_context_allocate(run->ctx, c.n, 3, "an overlay");
    if (c.pixels == NULL)
        return RUG_E_NOMEM;
    memset(c.pixels, GAP_INK, 3 * c.n);
    rug_status status = paint(run, &c, picture);
    if (status == RUG_OK)
        status = write_canvas(run, &c, end);
    rug_context_release(run->ctx, c.pixels);
    return status;
}
