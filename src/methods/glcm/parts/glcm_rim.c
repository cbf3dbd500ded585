/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Pairs of a part's own pixels with those around them, which are few: counted one by one. Of a whole
 * image of few levels there is a counter for each two of them, for one matrix after the other; else
 * pairs are in a table by label, matrix and levels. */

#include "core/context/context_internal.h"
#include "core/context/small.h"
#include "core/context/threads.h"
#include "glcm_contents.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Pixels of a row that are looked at together. */
#define RUN ((size_t)512)

static const char what[] = "pairs with pixels around a part";

/* A pair of levels, and how often it was seen; 0: the place is free. */
typedef struct pair {
    uint64_t label;
    int64_t i, j;
    uint32_t matrix;
    uint64_t n;
} pair;

/* Pixels of a row. */
typedef struct span {
    uint64_t loaded[RUN], labels[RUN], gathered[RUN];
    int64_t level[RUN];
    uint8_t inside[RUN];
} span;

typedef struct rim {
    rug_context *ctx;
    const rugi_glcm_part *part;
    rugi_glcm_binning bins;
    pair *pairs; /* [capacity], a power of two; open addressing */
    size_t n, capacity;
    uint64_t *counters; /* [span][span] of the matrix at hand, by i, j less the base */
    size_t span;
    int64_t base;
    rugi_glcm_found few; /* what they counted of matrices before: i, j less the base */
    size_t first[3], end[3]; /* of the own pixels, in the part */
    span from, to;
} rim;

/* ---- The table ---- */

static uint64_t mix(uint64_t h, uint64_t v)
{
    h = (h ^ v) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ h >> 29;
}

/* The place of a pair, or the free one where it goes. */
static pair *find(const rim *r, const pair *of)
{
    uint64_t h =
        mix(mix(mix(mix(0, of->label), of->matrix), (uint64_t)of->i), (uint64_t)of->j);
    for (size_t at = (size_t)h & (r->capacity - 1);; at = (at + 1) & (r->capacity - 1)) {
        pair *p = &r->pairs[at];
        if (p->n == 0 || (p->i == of->i && p->j == of->j && p->matrix == of->matrix &&
                          p->label == of->label))
            return p;
    }
}

static rug_status grow(rim *r)
{
    rim old = {.pairs = r->pairs, .capacity = r->capacity};
    r->capacity = old.capacity > 0 ? 2 * old.capacity : 1024;
    r->pairs = rugi_allocate_zeros(r->ctx, r->capacity, sizeof *r->pairs, what);
    for (size_t k = 0; k < old.capacity && r->pairs != NULL; k++)
        if (old.pairs[k].n > 0)
            *find(r, &old.pairs[k]) = old.pairs[k];
    rug_context_release(r->ctx, old.pairs);
    return r->pairs != NULL ? RUG_OK : RUG_E_NOMEM;
}

static rug_status count(rim *r, const pair *one)
{
    if (2 * (r->n + 1) > r->capacity) {
        rug_status status = grow(r);
        if (status != RUG_OK)
            return status;
    }
    pair *p = find(r, one);
    if (p->n == 0) {
        *p = *one;
        r->n++;
    }
    p->n++;
    return RUG_OK;
}

/* ---- Few levels ---- */

/* Levels for which there are counters. */
#define FEW ((size_t)256)

/* Decides whether there are counters. Matrices of slices do not come one after the other. */
static rug_status begin_few(rim *r)
{
    const rugi_glcm_plan *plan = r->part->plan;
    int is_bytes = rugi_glcm_is_exact(plan) && plan->image.dtype <= RUG_I8;
    int is_bins = plan->levels == RUG_GLCM_LEVELS_COUNT && plan->n_levels <= FEW;
    if (r->part->labels.data != NULL || r->part->parts->n_slices > 1 ||
        !(is_bytes || is_bins))
        return RUG_OK;
    r->span = is_bytes ? FEW : plan->n_levels;
    r->base = is_bins ? 1 : plan->image.dtype == RUG_I8 ? -128 : 0;
    r->counters =
        rugi_allocate_zeros(r->ctx, r->span * r->span, sizeof *r->counters, what);
    return r->counters != NULL ? RUG_OK : RUG_E_NOMEM;
}

/* A matrix is complete: its counters become cells, and 0. */
static rug_status end_matrix(rim *r, uint32_t matrix)
{
    size_t n = 0;
    for (size_t k = 0; r->counters != NULL && k < r->span * r->span; k++)
        n += r->counters[k] > 0;
    if (n == 0)
        return RUG_OK;
    rug_status status = rugi_glcm_found_grow(r->ctx, &r->few, n);
    for (size_t k = 0; k < r->span * r->span && status == RUG_OK; k++) {
        if (r->counters[k] == 0)
            continue;
        r->few.cells[r->few.n_cells++] = (rugi_glcm_cell){
            matrix, (uint32_t)(k / r->span), (uint32_t)(k % r->span), r->counters[k]};
        r->counters[k] = 0;
    }
    return status;
}

/* Numbers the levels that occur. */
static rug_status end_few(rim *r, rugi_glcm_contents *out)
{
    rugi_glcm_found *f = &r->few;
    uint32_t number[FEW] = {0};
    for (size_t k = 0; k < f->n_cells; k++)
        number[f->cells[k].i] = number[f->cells[k].j] = 1;
    out->regions = rug_context_allocate(r->ctx, 1, sizeof *out->regions, what);
    f->levels = rug_context_allocate(r->ctx, r->span, sizeof *f->levels, what);
    if (out->regions == NULL || f->levels == NULL)
        return RUG_E_NOMEM;
    for (size_t k = 0; k < r->span; k++)
        if (number[k] > 0) {
            number[k] = (uint32_t)f->n_levels;
            f->levels[f->n_levels++] = r->base + (int64_t)k;
        }
    for (size_t k = 0; k < f->n_cells; k++) {
        f->cells[k].i = number[f->cells[k].i];
        f->cells[k].j = number[f->cells[k].j];
    }
    out->regions[0] = *f;
    out->n = 1;
    *f = rugi_glcm_nothing(0);
    return RUG_OK;
}

/* ---- Pixels ---- */

/* Bins that are the same for all regions. Without a range they begin at a given origin and never
 * end. */
static rug_status make_bins(rim *r)
{
    const rugi_glcm_plan *plan = r->part->plan;
    const rugi_glcm_values none = {.n = 0};
    rug_status status = rugi_glcm_binning_new(r->ctx, &r->bins, plan, &none, 0, NULL);
    if (plan->levels == RUG_GLCM_LEVELS_WIDTH && plan->range == RUG_GLCM_RANGE_ROI) {
        r->bins.lo = r->bins.bin_origin;
        r->bins.hi = INFINITY;
    }
    return status;
}

/* Levels farther away are refused by the part that has the pixel. */
#define FARTHEST 9e15

static void find_levels(const rim *r, span *s, size_t n)
{
    const rugi_glcm_plan *plan = r->part->plan;
    const int64_t *integers = (const int64_t *)(const void *)s->loaded;
    for (size_t i = 0; i < n; i++) {
        if (rugi_glcm_is_exact(plan) && !plan->is_float) {
            s->level[i] = integers[i];
            continue;
        }
        double v = rugi_glcm_value(plan, s->loaded, i);
        double level = rugi_glcm_is_exact(plan) ? v : rugi_glcm_bin_of(&r->bins, v);
        s->inside[i] = s->inside[i] && isfinite(v) && fabs(level) < FARTHEST &&
                       !(level > floor(level));
        s->level[i] = s->inside[i] ? (int64_t)level : 0;
    }
}

static void load(uint64_t *out, span *s, const rug_image *image, const size_t at[3],
                 size_t n, int as_integers)
{
    rugi_glcm_load(out, rugi_image_segment(image, at, n, s->gathered), n,
                   rugi_segment_dtype(image->dtype), as_integers);
}

/* Which of n pixels from `at` on are in regions, in which, and their levels. */
static void read_span(const rim *r, span *s, const size_t at[3], size_t n)
{
    const rugi_glcm_part *p = r->part;
    memset(s->inside, 1, n);
    if (p->labels.data != NULL) {
        load(s->labels, s, &p->labels, at, n, 0);
        const double *labels = (const double *)(const void *)s->labels;
        for (size_t i = 0; i < n; i++)
            s->inside[i] = labels[i] > 0;
        if (p->labels.dtype < RUG_F32)
            load(s->labels, s, &p->labels, at, n, 1);
    }
    if (p->mask.data != NULL) {
        load(s->loaded, s, &p->mask, at, n, 0);
        const double *m = (const double *)(const void *)s->loaded;
        for (size_t i = 0; i < n; i++)
            s->inside[i] = s->inside[i] && (m[i] < 0 || m[i] > 0);
    }
    load(s->loaded, s, &p->image, at, n, !p->plan->is_float);
    if (p->plan->is_resegmented)
        rugi_glcm_leave_out(s->inside, p->plan, s->loaded, n);
    find_levels(r, s, n);
}

/* A label as rug_regions has it. */
static uint64_t label_at(const rim *r, size_t i)
{
    rug_dtype dtype = r->part->labels.dtype;
    double real;
    if (r->part->labels.data == NULL)
        return 0;
    memcpy(&real, &r->from.labels[i], sizeof real);
    if (dtype >= RUG_F32)
        return (uint64_t)real;
    return dtype == RUG_U64 ? r->from.labels[i] ^ (uint64_t)1 << 63 : r->from.labels[i];
}

/* Counts the pairs of n pixels with those at the offset. */
static rug_status count_run(rim *r, const size_t at[3], const int offset[3], size_t n,
                            uint32_t matrix)
{
    size_t to[3];
    int has_labels = r->part->labels.data != NULL;
    rug_status status = RUG_OK;
    for (int a = 0; a < 3; a++)
        to[a] = at[a] + (size_t)(ptrdiff_t)offset[a];
    read_span(r, &r->from, at, n);
    read_span(r, &r->to, to, n);
    for (size_t i = 0; i < n && status == RUG_OK; i++) {
        if (!r->from.inside[i] || !r->to.inside[i] ||
            (has_labels && r->from.labels[i] != r->to.labels[i]))
            continue;
        int64_t a = r->from.level[i], b = r->to.level[i];
        int swap = r->part->plan->is_symmetric && a < b;
        const pair one = {label_at(r, i), swap ? b : a, swap ? a : b, matrix, 0};
        if (r->counters != NULL)
            r->counters[(size_t)(one.i - r->base) * r->span +
                        (size_t)(one.j - r->base)]++;
        else
            status = count(r, &one);
    }
    return status;
}

/* ---- The rim ---- */

/* Pixels first .. end - 1 of a row of the own ones whose partner is around them: all, if its row
 * is, else those at one end; and as far as the part has partners. */
static void find_run(const rim *r, size_t *first, size_t *end, const int offset[3],
                     int is_own_row)
{
    size_t nx = r->part->image.shape[2], x = r->first[2], x_end = r->end[2];
    size_t step = (size_t)(offset[2] < 0 ? -offset[2] : offset[2]);
    *first = x;
    *end = x_end;
    if (is_own_row && offset[2] >= 0)
        *first = x_end - x > step ? x_end - step : x;
    if (is_own_row && offset[2] <= 0)
        *end = x_end - x > step ? x + step : x_end;
    if (offset[2] >= 0)
        *end = rugi_smaller(*end, nx > step ? nx - step : 0);
    else
        *first = rugi_larger(*first, step);
}

static int is_within(size_t v, int step, size_t first, size_t end)
{
    ptrdiff_t at = (ptrdiff_t)v + step;
    return at >= (ptrdiff_t)first && at < (ptrdiff_t)end;
}

static rug_status count_row(rim *r, size_t z, size_t y, const int offset[3],
                            uint32_t matrix)
{
    const size_t *shape = r->part->image.shape;
    if (!is_within(z, offset[0], 0, shape[0]) || !is_within(y, offset[1], 0, shape[1]))
        return RUG_OK;
    int is_own_row = is_within(z, offset[0], r->first[0], r->end[0]) &&
                     is_within(y, offset[1], r->first[1], r->end[1]);
    size_t first, end;
    rug_status status = RUG_OK;
    find_run(r, &first, &end, offset, is_own_row);
    for (size_t x = first; x < end && status == RUG_OK; x += RUN)
        status = count_run(r, (const size_t[]){z, y, x}, offset,
                           rugi_smaller(end - x, RUN), matrix);
    return status;
}

/* All rows, at one offset. Matrices ascend, unless there are slices. */
static rug_status count_rows(rim *r, uint32_t d, uint32_t k)
{
    const rug_glcm_parts *p = r->part->parts;
    int offset[3];
    rug_status status = RUG_OK;
    rugi_glcm_offset(r->part->plan, offset, k, p->distances[d]);
    uint32_t direction = p->n_directions > 1 ? k : 0;
    for (size_t z = r->first[0]; z < r->end[0] && status == RUG_OK; z++) {
        size_t slice = p->n_slices > 1 ? r->part->place.first[0] + z : 0;
        size_t matrix = (d * p->n_slices + slice) * p->n_directions + direction;
        for (size_t y = r->first[1]; y < r->end[1] && status == RUG_OK; y++)
            status = count_row(r, z, y, offset, (uint32_t)matrix);
        if (status == RUG_OK)
            status = rugi_look(r->ctx);
    }
    int is_last = p->n_directions > 1 || k + 1 == r->part->plan->n_directions;
    return status == RUG_OK && is_last ? end_matrix(r, d * p->n_directions + direction)
                                       : status;
}

/* ---- Pairs to regions ---- */

static int compare_pairs(const void *a, const void *b)
{
    const pair *x = a, *y = b;
    if (x->label != y->label)
        return x->label < y->label ? -1 : 1;
    if (x->matrix != y->matrix)
        return x->matrix < y->matrix ? -1 : 1;
    if (x->i != y->i)
        return x->i < y->i ? -1 : 1;
    return x->j < y->j ? -1 : x->j > y->j;
}

static int compare_levels(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* The number of a level. */
static uint32_t number_of(const rugi_glcm_found *f, int64_t level)
{
    const int64_t *at =
        bsearch(&level, f->levels, f->n_levels, sizeof level, compare_levels);
    return (uint32_t)(at - f->levels);
}

/* A region from its n pairs, sorted. */
static rug_status make_region(rug_context *ctx, rugi_glcm_found *f, const pair *pairs,
                              size_t n)
{
    *f = rugi_glcm_nothing(pairs->label);
    f->levels = rug_context_allocate(ctx, 2 * n, sizeof *f->levels, what);
    f->cells = rug_context_allocate(ctx, n, sizeof *f->cells, what);
    if (f->levels == NULL || f->cells == NULL)
        return RUG_E_NOMEM;
    size_t n_all = 0;
    for (size_t k = 0; k < n; k++) {
        if (k == 0 || pairs[k].i != pairs[k - 1].i)
            f->levels[n_all++] = pairs[k].i;
        f->levels[n_all++] = pairs[k].j;
    }
    qsort(f->levels, n_all, sizeof *f->levels, compare_levels);
    for (size_t k = 0; k < n_all; k++)
        if (k == 0 || f->levels[k] != f->levels[f->n_levels - 1])
            f->levels[f->n_levels++] = f->levels[k];
    for (size_t k = 0; k < n; k++)
        f->cells[f->n_cells++] =
            (rugi_glcm_cell){pairs[k].matrix, number_of(f, pairs[k].i),
                             number_of(f, pairs[k].j), pairs[k].n};
    return RUG_OK;
}

static rug_status make_regions(rim *r, rugi_glcm_contents *out)
{
    size_t n = 0, n_regions = 0;
    rug_status status = RUG_OK;
    for (size_t k = 0; k < r->capacity; k++)
        if (r->pairs[k].n > 0)
            r->pairs[n++] = r->pairs[k];
    if (n == 0)
        return RUG_OK;
    qsort(r->pairs, n, sizeof *r->pairs, compare_pairs);
    for (size_t k = 0; k < n; k++)
        n_regions += k == 0 || r->pairs[k].label != r->pairs[k - 1].label;
    out->regions = rug_context_allocate(r->ctx, n_regions, sizeof *out->regions, what);
    if (out->regions == NULL)
        return RUG_E_NOMEM;
    for (size_t k = 0, end; k < n && status == RUG_OK; k = end) {
        for (end = k + 1; end < n && r->pairs[end].label == r->pairs[k].label;)
            end++;
        status = make_region(r->ctx, &out->regions[out->n++], r->pairs + k, end - k);
    }
    return status;
}

rug_status rugi_glcm_count_rim(rug_context *ctx, rugi_glcm_contents *out,
                               const rugi_glcm_part *part)
{
    rim *r = rugi_allocate_zeros(ctx, 1, sizeof *r, what);
    if (r == NULL)
        return RUG_E_NOMEM;
    r->ctx = ctx;
    r->part = part;
    for (int a = 0; a < 3; a++) {
        r->first[a] = part->own.first[a] - part->place.first[a];
        r->end[a] = part->own.end[a] - part->place.first[a];
    }
    r->few = rugi_glcm_nothing(0);
    rug_status status = make_bins(r);
    if (status == RUG_OK)
        status = begin_few(r);
    for (uint32_t d = 0; d < part->plan->n_distances && status == RUG_OK; d++)
        for (uint32_t k = 0; k < part->plan->n_directions && status == RUG_OK; k++)
            status = count_rows(r, d, k);
    if (status == RUG_OK)
        status = r->few.n_cells > 0 ? end_few(r, out) : make_regions(r, out);
    rugi_glcm_found_free(ctx, &r->few);
    rug_context_release(ctx, r->counters);
    rug_context_release(ctx, r->pairs);
    rug_context_release(ctx, r);
    return status;
}
