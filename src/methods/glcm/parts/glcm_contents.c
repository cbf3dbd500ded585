/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Two sets of regions become one: regions by label, levels by value, pairs by matrix and levels.
 * All are sorted, so each step is one walk along both. */

#include "glcm_contents.h"
#include "core/context/context_internal.h"
#include "core/context/small.h"
#include "core/context/threads.h"
#include <string.h>

static const char what[] = "what is known of regions";

void rugi_glcm_found_free(rug_context *ctx, rugi_glcm_found *f)
{
    rug_context_release(ctx, f->levels);
    rug_context_release(ctx, f->cells);
    f->levels = NULL;
    f->cells = NULL;
    f->n_levels = f->n_cells = f->capacity = 0;
}

rug_status rugi_glcm_found_grow(rug_context *ctx, rugi_glcm_found *f, size_t n)
{
    if (n <= f->capacity - f->n_cells)
        return RUG_OK;
    size_t capacity = rugi_larger(2 * f->capacity, f->n_cells + n);
    rugi_glcm_cell *cells = rug_context_allocate(ctx, capacity, sizeof *cells, what);
    if (cells == NULL)
        return RUG_E_NOMEM;
    if (f->n_cells > 0)
        memcpy(cells, f->cells, f->n_cells * sizeof *cells);
    rug_context_release(ctx, f->cells);
    f->cells = cells;
    f->capacity = capacity;
    return RUG_OK;
}

void rugi_glcm_contents_free(rug_context *ctx, rugi_glcm_contents *c)
{
    for (size_t i = 0; i < c->n; i++)
        rugi_glcm_found_free(ctx, &c->regions[i]);
    rug_context_release(ctx, c->regions);
    *c = (rugi_glcm_contents){0};
}

static void join_boxes(rugi_box *a, const rugi_box *b)
{
    if (b->end[0] == 0)
        return;
    if (a->end[0] == 0)
        *a = *b;
    for (int k = 0; k < 3; k++) {
        a->first[k] = rugi_smaller(a->first[k], b->first[k]);
        a->end[k] = rugi_larger(a->end[k], b->end[k]);
    }
}

static void join_values(rugi_glcm_values *a, const rugi_glcm_values *b)
{
    a->n += b->n;
    a->n_nan += b->n_nan;
    a->n_clamped += b->n_clamped;
    a->n_outside += b->n_outside;
    a->least = b->least < a->least ? b->least : a->least;
    a->most = b->most > a->most ? b->most : a->most;
    a->lo = b->lo < a->lo ? b->lo : a->lo;
    a->hi = b->hi > a->hi ? b->hi : a->hi;
}

/* The levels of two regions in one list.
 * @param map  where those of each are in it
 * @return how many */
static size_t join_levels(int64_t *out, uint32_t *map[2], const rugi_glcm_found *a,
                          const rugi_glcm_found *b)
{
    size_t i = 0, j = 0, n = 0;
    while (i < a->n_levels || j < b->n_levels) {
        int of_a = j == b->n_levels || (i < a->n_levels && a->levels[i] <= b->levels[j]);
        int of_b = i == a->n_levels || (j < b->n_levels && b->levels[j] <= a->levels[i]);
        out[n] = of_a ? a->levels[i] : b->levels[j];
        if (of_a)
            map[0][i++] = (uint32_t)n;
        if (of_b)
            map[1][j++] = (uint32_t)n;
        n++;
    }
    return n;
}

static inline rugi_glcm_cell mapped(const rugi_glcm_cell *cell, const uint32_t *map)
{
    return (rugi_glcm_cell){cell->matrix, map[cell->i], map[cell->j], cell->n};
}

/* Whether a is before b (below 0), at its place (0), or behind. */
static inline int compare(const rugi_glcm_cell *a, const rugi_glcm_cell *b)
{
    if (a->matrix != b->matrix)
        return a->matrix < b->matrix ? -1 : 1;
    if (a->i != b->i)
        return a->i < b->i ? -1 : 1;
    return a->j < b->j ? -1 : a->j > b->j;
}

static size_t join_cells(rugi_glcm_cell *out, uint32_t *const map[2],
                         const rugi_glcm_found *a, const rugi_glcm_found *b)
{
    size_t i = 0, j = 0, n = 0;
    for (; i < a->n_cells && j < b->n_cells; n++) {
        rugi_glcm_cell x = mapped(&a->cells[i], map[0]), y = mapped(&b->cells[j], map[1]);
        int order = compare(&x, &y);
        out[n] = order <= 0 ? x : y;
        out[n].n += order == 0 ? y.n : 0;
        i += order <= 0;
        j += order >= 0;
    }
    for (; i < a->n_cells; i++)
        out[n++] = mapped(&a->cells[i], map[0]);
    for (; j < b->n_cells; j++)
        out[n++] = mapped(&b->cells[j], map[1]);
    return n;
}

/* Adds b to a, whose levels and cells are replaced. */
static rug_status join(rug_context *ctx, rugi_glcm_found *a, const rugi_glcm_found *b)
{
    size_t n_levels = a->n_levels + b->n_levels, n_cells = a->n_cells + b->n_cells;
    join_boxes(&a->box, &b->box);
    join_boxes(&a->left, &b->left);
    join_values(&a->values, &b->values);
    if (n_levels == 0)
        return RUG_OK;
    int64_t *levels = rug_context_allocate(ctx, n_levels, sizeof *levels, what);
    uint32_t *all = rug_context_allocate(ctx, n_levels, sizeof *all, what);
    rugi_glcm_cell *cells = rug_context_allocate(ctx, n_cells + 1, sizeof *cells, what);
    if (levels != NULL && all != NULL && cells != NULL) {
        uint32_t *map[2] = {all, all + a->n_levels};
        n_levels = join_levels(levels, map, a, b);
        n_cells = join_cells(cells, map, a, b);
        rugi_glcm_found_free(ctx, a);
        a->levels = levels;
        a->n_levels = n_levels;
        a->cells = cells;
        a->n_cells = a->capacity = n_cells;
        rug_context_release(ctx, all);
        return RUG_OK;
    }
    rug_context_release(ctx, levels);
    rug_context_release(ctx, all);
    rug_context_release(ctx, cells);
    return RUG_E_NOMEM;
}

/* Levels and pairs go from b to a, which has none. */
static void move(rugi_glcm_found *a, rugi_glcm_found *b)
{
    join_boxes(&a->box, &b->box);
    join_boxes(&a->left, &b->left);
    join_values(&a->values, &b->values);
    a->n_levels = b->n_levels;
    a->levels = b->levels;
    a->n_cells = b->n_cells;
    a->capacity = b->capacity;
    a->cells = b->cells;
    b->levels = NULL;
    b->cells = NULL;
}

static size_t count_new(const rugi_glcm_contents *a, const rugi_glcm_contents *b)
{
    size_t n = 0;
    for (size_t i = 0, j = 0; j < b->n; j++) {
        while (i < a->n && a->regions[i].label < b->regions[j].label)
            i++;
        n += i == a->n || a->regions[i].label != b->regions[j].label;
    }
    return n;
}

/* Makes place for the labels that b alone has: regions without pixels. */
static rug_status open_regions(rug_context *ctx, rugi_glcm_contents *a,
                               const rugi_glcm_contents *b)
{
    size_t n_new = count_new(a, b), i = 0;
    if (n_new == 0)
        return RUG_OK;
    rugi_glcm_found *all = rug_context_allocate(ctx, a->n + n_new, sizeof *all, what);
    if (all == NULL)
        return RUG_E_NOMEM;
    size_t n = 0;
    for (size_t j = 0; j < b->n; j++) {
        uint64_t label = b->regions[j].label;
        while (i < a->n && a->regions[i].label < label)
            all[n++] = a->regions[i++];
        if (i == a->n || a->regions[i].label != label)
            all[n++] = rugi_glcm_nothing(label);
    }
    while (i < a->n)
        all[n++] = a->regions[i++];
    rug_context_release(ctx, a->regions);
    a->regions = all;
    a->n = n;
    return RUG_OK;
}

/* Adds b to a.
 * @param own  b, which may lose what it has; NULL: it stays */
static rug_status join_all(rug_context *ctx, rugi_glcm_contents *a,
                           const rugi_glcm_contents *b, rugi_glcm_contents *own)
{
    rug_status status = open_regions(ctx, a, b);
    for (size_t i = 0, j = 0; j < b->n && status == RUG_OK; j++) {
        while (a->regions[i].label < b->regions[j].label)
            i++;
        if (own != NULL && a->regions[i].levels == NULL && a->regions[i].cells == NULL)
            move(&a->regions[i], &own->regions[j]);
        else
            status = join(ctx, &a->regions[i], &b->regions[j]);
        if (status == RUG_OK)
            status = rugi_look(ctx);
    }
    return status;
}

rug_status rugi_glcm_contents_merge(rug_context *ctx, rugi_glcm_contents *a,
                                    const rugi_glcm_contents *b)
{
    return join_all(ctx, a, b, NULL);
}

rug_status rugi_glcm_contents_move(rug_context *ctx, rugi_glcm_contents *a,
                                   rugi_glcm_contents *b)
{
    rug_status status = join_all(ctx, a, b, b);
    rugi_glcm_contents_free(ctx, b);
    return status;
}
