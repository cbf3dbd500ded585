/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The decoder's side of the filters: their syntax, and root by root what they make of a
 * plane. Wiener filters for classes of squares (Tsai et al. 2013, "Adaptive Loop Filtering
 * for Video Coding"), with pairs whose differences are limited (Taquet et al. 2019,
 * "Non-Linear Adaptive Loop Filter"). */

#include "ifs_filter.h"
#include <assert.h>

#define CLASSES RUGI_IFS_FILTER_CLASSES
#define BLOCK   RUGI_IFS_BLOCK
#define EDGE    RUGI_IFS_FILTER_EDGE
#define ROWS    RUGI_IFS_FILTER_ROWS
#define PITCH   RUGI_IFS_FILTER_PITCH
#define SQUARES RUGI_IFS_FILTER_SQUARES
#define TAPS    RUGI_IFS_FILTER_TAPS

/* ---- Parameters ---- */

/* 2^15 times the square root of 2, rounded down. */
#define ROOT_OF_2 46340

int32_t rugi_ifs_filter_limit(unsigned limit)
{
    unsigned power = limit / 2;
    return limit % 2 == 0 ? (int32_t)1 << power : ROOT_OF_2 >> (15 - power);
}

/* Taps 0, 1, 4, ... lie along rows and columns, 2, 3, 10, 11 on diagonals. */
unsigned rugi_ifs_filter_tap(unsigned tap, unsigned orientation)
{
    int is_diagonal = tap / 2 == 1 || tap / 2 == 5;
    return tap ^ (is_diagonal ? orientation >> 1 : orientation & 1);
}

void rugi_ifs_filter_table_of(rugi_ifs_filter_table table,
                              const rugi_ifs_filters *filters)
{
    for (unsigned kind = 0; kind < RUGI_IFS_FILTER_KINDS; kind++) {
        unsigned filter = filters->of_class[kind / RUGI_IFS_FILTER_ORIENTATIONS];
        unsigned orientation = kind % RUGI_IFS_FILTER_ORIENTATIONS;
        for (unsigned t = 0; t < TAPS; t++)
            table[kind][t] =
                filter == 0
                    ? 0
                    : filters->taps[filter - 1][rugi_ifs_filter_tap(t, orientation)];
    }
}

/* ---- Syntax ---- */

/* Of the size of a tap. */
#define TAP_UNARY 1

typedef struct filter_model {
    rugi_ifs_bit is_filtered, all_on, on[3];
    rugi_ifs_bit as_calmer[3], as_other[3];
    rugi_ifs_bit size[TAP_UNARY + RUGI_IFS_GOLOMB];
    rugi_ifs_bit is_negative[TAPS];
} filter_model;

/* The filter of a class is often that of the same direction with less activity, or that of
 * the direction before. */
static void code_class(rugi_ifs_coder *coder, filter_model *model,
                       rugi_ifs_filters *filters, unsigned at, unsigned *context)
{
    const unsigned n_directions = RUGI_IFS_FILTER_DIRECTIONS;
    uint8_t *filter = &filters->of_class[at];
    unsigned calmer = at >= n_directions ? filters->of_class[at - n_directions] : 0;
    unsigned other = at % n_directions > 0 ? filters->of_class[at - 1] : calmer;
    if (rugi_ifs_code_bit(coder, &model->as_calmer[*context], *filter == calmer)) {
        *filter = (uint8_t)calmer;
        *context = 0;
    } else if (other != calmer &&
               rugi_ifs_code_bit(coder, &model->as_other[*context], *filter == other)) {
        *filter = (uint8_t)other;
        *context = 1;
    } else {
        *filter = (uint8_t)rugi_ifs_code_uniform(coder, filters->n_filters + 1u, *filter);
        *context = 2;
    }
}

static int8_t code_tap(rugi_ifs_coder *coder, filter_model *model, unsigned tap,
                       int8_t value)
{
    uint32_t size = (uint32_t)(value < 0 ? -value : value);
    size = rugi_ifs_code_number(coder, model->size, TAP_UNARY, size);
    if (size > RUGI_IFS_FILTER_TAP_MAX) {
        coder->failed = 1;
        size = 0;
    }
    int is_negative =
        size != 0 && rugi_ifs_code_bit(coder, &model->is_negative[tap], value < 0);
    return (int8_t)(is_negative ? -(int)size : (int)size);
}

static void code_parameters(rugi_ifs_coder *coder, filter_model *model,
                            rugi_ifs_filters *filters)
{
    unsigned context = 0;
    filters->n_filters = (uint8_t)(1 + rugi_ifs_code_uniform(coder, RUGI_IFS_FILTERS_MAX,
                                                             filters->n_filters - 1u));
    filters->limit =
        (uint8_t)rugi_ifs_code_uniform(coder, RUGI_IFS_FILTER_LIMITS, filters->limit);
    for (unsigned at = 0; at < CLASSES; at++)
        code_class(coder, model, filters, at, &context);
    for (unsigned f = 0; f < filters->n_filters; f++)
        for (unsigned t = 0; t < TAPS; t++)
            filters->taps[f][t] = code_tap(coder, model, t, filters->taps[f][t]);
}

static void code_on(rugi_ifs_coder *coder, filter_model *model, uint8_t *on, size_t n_x,
                    size_t n_y)
{
    int all = 1;
    for (size_t i = 0; i < n_x * n_y; i++)
        all &= on[i] != 0;
    all = rugi_ifs_code_bit(coder, &model->all_on, all);
    for (size_t y = 0; y < n_y; y++)
        for (size_t x = 0; x < n_x; x++) {
            uint8_t *here = on + y * n_x + x;
            unsigned left = x > 0 ? here[-1] : 1, above = y > 0 ? *(here - n_x) : 1;
            *here = (uint8_t)(all ||
                              rugi_ifs_code_bit(coder, &model->on[left + above], *here));
        }
}

void rugi_ifs_code_filters(rugi_ifs_coder *coder, rugi_ifs_filters *filters, uint8_t *on,
                           size_t n_x, size_t n_y)
{
    filter_model model;
    rugi_ifs_bits_begin((rugi_ifs_bit *)(void *)&model,
                        sizeof model / sizeof(rugi_ifs_bit));
    if (coder->coding == RUGI_IFS_READ) {
        memset(filters, 0, sizeof *filters);
        memset(on, 0, n_x * n_y);
    }
    if (rugi_ifs_code_bit(coder, &model.is_filtered, filters->n_filters > 0)) {
        code_parameters(coder, &model, filters);
        code_on(coder, &model, on, n_x, n_y);
    }
}

/* ---- Windows ---- */

/* Place `at` + `offset` of n along one axis, or the nearest one. */
static uint32_t place(uint32_t at, int32_t offset, uint32_t n)
{
    int64_t p = (int64_t)at + offset;
    return p < 0 ? 0 : p >= n ? n - 1 : (uint32_t)p;
}

/* Every 2^octave-th pixel, from (y, x) on. */
static void sample(rugi_ifs_filter_window out, const rugi_ifs_unfiltered *plane,
                   uint32_t x, uint32_t y)
{
    const int32_t apart = 1 << plane->octave;
    uint32_t columns[PITCH];
    for (int32_t i = 0; i < PITCH; i++)
        columns[i] = place(x, (i - EDGE) * apart, plane->nx);
    int is_run = columns[PITCH - 1] - columns[0] == PITCH - 1;
    for (int32_t j = 0; j < ROWS; j++) {
        const int16_t *row =
            plane->pixels + place(y, (j - EDGE) * apart, plane->ny) * plane->pitch;
        const int16_t *run = row + columns[0];
        if (is_run)
            for (int32_t i = 0; i < PITCH; i++)
                out[j][i] = run[i];
        else
            for (int32_t i = 0; i < PITCH; i++)
                out[j][i] = row[columns[i]];
    }
}

/* The mean of the 2^octave x 2^octave pixels from (y, x) on. */
static int32_t mean_of(const rugi_ifs_unfiltered *plane, uint32_t x, uint32_t y)
{
    const unsigned octave = plane->octave;
    const int16_t *row = plane->pixels + y * plane->pitch + x;
    int32_t sum = (1 << 2 * octave) >> 1;
    for (uint32_t j = 0; j < 1u << octave; j++, row += plane->pitch)
        for (uint32_t i = 0; i < 1u << octave; i++)
            sum += row[i];
    return sum >> 2 * octave;
}

/* The plane at the coded size, of such means. */
static void shrink(rugi_ifs_filter_window out, const rugi_ifs_unfiltered *plane,
                   uint32_t x, uint32_t y)
{
    const unsigned octave = plane->octave;
    for (int32_t j = 0; j < ROWS; j++) {
        uint32_t row = place(y >> octave, j - EDGE, plane->ny >> octave) << octave;
        for (int32_t i = 0; i < PITCH; i++) {
            uint32_t column = place(x >> octave, i - EDGE, plane->nx >> octave) << octave;
            out[j][i] = mean_of(plane, column, row);
        }
    }
}

void rugi_ifs_filter_window_of(rugi_ifs_filter_window out,
                               const rugi_ifs_unfiltered *plane, uint32_t x, uint32_t y)
{
    assert(plane->octave == 0);
    sample(out, plane, x, y);
}

/* ---- Filtering ---- */

/* What is the same for all roots. */
typedef struct filtering {
    const rugi_ifs_filter_kernels *kernels;
    const rugi_ifs_unfiltered *plane;
    int16_t *out;
    int32_t limit;
    rugi_ifs_filter_table table;
} filtering;

static void put_root(const filtering *f, rugi_ifs_filter_root root, uint32_t x,
                     uint32_t y)
{
    const rugi_ifs_unfiltered *plane = f->plane;
    for (uint32_t j = 0; j < BLOCK; j++) {
        int16_t *row = f->out + (y + ((size_t)j << plane->octave)) * plane->pitch + x;
        if (plane->octave == 0)
            for (int i = 0; i < BLOCK; i++)
                row[i] = (int16_t)root[j][i];
        else
            for (size_t i = 0; i < BLOCK; i++)
                row[i << plane->octave] = (int16_t)root[j][i];
    }
}

/* Pixels that lie 2^octave apart are filtered as a plane of their own, all of them with the
 * classes of the plane at the coded size. */
static void filter_root(filtering *f, uint32_t x, uint32_t y)
{
    rugi_ifs_filter_window window;
    rugi_ifs_filter_root root;
    uint8_t kinds[SQUARES];
    const uint32_t n = 1u << f->plane->octave;
    if (n > 1)
        shrink(window, f->plane, x, y);
    else
        sample(window, f->plane, x, y);
    f->kernels->classify(kinds, window, f->limit);
    for (uint32_t j = 0; j < n; j++)
        for (uint32_t i = 0; i < n; i++) {
            if (n > 1)
                sample(window, f->plane, x + i, y + j);
            f->kernels->apply(root, window, kinds, f->table, f->limit, f->plane->least,
                              f->plane->most);
            put_root(f, root, x + i, y + j);
        }
}

static void copy_root(const filtering *f, uint32_t x, uint32_t y)
{
    const rugi_ifs_unfiltered *plane = f->plane;
    const size_t n = (size_t)BLOCK << plane->octave;
    for (size_t j = 0; j < n; j++) {
        size_t at = (y + j) * plane->pitch + x;
        memcpy(f->out + at, plane->pixels + at, n * sizeof *f->out);
    }
}

void rugi_ifs_filter_rows(const rugi_ifs_filter_kernels *kernels, int16_t *out,
                          const rugi_ifs_unfiltered *plane, uint32_t from, uint32_t to,
                          const rugi_ifs_filters *filters, const uint8_t *on)
{
    const uint32_t side = (uint32_t)BLOCK << plane->octave;
    assert(from % side == 0 && to % side == 0 && to <= plane->ny);
    filtering f = {.kernels = kernels,
                   .plane = plane,
                   .out = out,
                   .limit = rugi_ifs_filter_limit(filters->limit)};
    rugi_ifs_filter_table_of(f.table, filters);
    for (uint32_t y = from; y < to; y += side)
        for (uint32_t x = 0; x < plane->nx; x += side)
            if (filters->n_filters > 0 &&
                on[(size_t)(y / side) * (plane->nx / side) + x / side])
                filter_root(&f, x, y);
            else
                copy_root(&f, x, y);
}
