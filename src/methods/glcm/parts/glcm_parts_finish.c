/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* From pairs to rows: levels get their bins and ranks, and the features are made as of matrices that
 * a device has counted. */

#include "core/context/context_internal.h"
#include "core/context/small.h"
#include "glcm_contents.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Pairs of a matrix, as rug_glcm() has them. */
#define MAX_PAIRS ((uint64_t)UINT32_MAX)

/* What finishing works in. */
typedef struct work {
    rug_context quiet; /* for loops that report no progress */
    const rug_glcm_parts *parts;
    rugi_glcm_plan plan;
    rugi_glcm_region region; /* without pixels */
    rugi_glcm_counting *counting;
    uint16_t *rank_of; /* [n_levels] of a region */
    size_t next;       /* the first pair of its next matrix */
    rugi_glcm_device_count *counts;
    rugi_glcm_measured *measured;
    rugi_glcm_row *rows;
    rugi_glcm_scratch rank_scratch, counts_scratch, measured_scratch;
} work;

static rug_status fail_state(rug_context *ctx, uint64_t label, const char *why)
{
    return rug_context_fail(
        ctx, RUG_E_ARG,
        "co-occurrence in parts: label %llu %s; the state was not made "
        "from an image",
        (unsigned long long)label, why);
}

/* ---- Levels ---- */

/* The level of a bin or value less the least one of the region; -1: it cannot be. */
static int64_t level_of(const work *w, int64_t level)
{
    const rugi_glcm_binning *b = &w->region.binning;
    const rugi_glcm_values *v = &w->region.values;
    uint16_t bin;
    if (w->parts->is_exact || w->parts->is_binned) {
        uint64_t above = (uint64_t)level - (uint64_t)b->base;
        return level >= b->base && above < b->span ? (int64_t)above : -1;
    }
    if (level < v->least || level > v->most)
        return -1;
    rugi_glcm_bin(&bin, b, &level, 1);
    return bin < b->span ? bin : -1;
}

/* Numbers the levels of a region that differ. */
static rug_status rank_levels(rug_context *ctx, work *w, const rugi_glcm_found *f)
{
    static const char what[] = "the levels of a region";
    rugi_glcm_region *r = &w->region;
    size_t n = rugi_smaller(f->n_levels, RUG_GLCM_MAX_SPAN) + RUGI_GLCM_SLACK;
    uint16_t *level = rugi_glcm_grow(ctx, &r->level_of_scratch, n, sizeof *level, what);
    uint32_t *count = rugi_glcm_grow(ctx, &r->count_scratch, n, sizeof *count, what);
    w->rank_of =
        rugi_glcm_grow(ctx, &w->rank_scratch, f->n_levels + 1, sizeof *w->rank_of, what);
    if (level == NULL || count == NULL || w->rank_of == NULL)
        return RUG_E_NOMEM;
    memset(level, 0, n * sizeof *level);
    memset(count, 0, n * sizeof *count);
    r->n_levels = 0;
    int64_t last = -1;
    for (size_t i = 0; i < f->n_levels; i++) {
        int64_t k = level_of(w, f->levels[i]);
        if (k < 0 || k < last || f->n_levels > f->values.n)
            return fail_state(ctx, f->label, "has levels that no pixel has");
        if (k > last)
            level[r->n_levels++] = (uint16_t)k;
        last = k;
        w->rank_of[i] = (uint16_t)(r->n_levels - 1);
    }
    r->tile.n_ranks = r->n_levels;
    r->tile.level_of = level;
    r->tile.count = count;
    return RUG_OK;
}

/* Scattered pixels, of which there are none. */
static const int64_t no_place[1];
static const uint16_t no_level[1];

static void place_region(work *w, const rugi_glcm_found *f)
{
    const rug_glcm_parts *p = w->parts;
    rugi_glcm_region *r = &w->region;
    rugi_box whole = {{0, 0, 0}, {p->shape[0], p->shape[1], p->shape[2]}};
    const rugi_box *box = p->opts.labels != NULL ? &f->box : &whole;
    const rugi_box *left = f->left.end[0] > 0 ? &f->left : box;
    for (int a = 0; a < 3; a++) {
        r->first[a] = left->first[a];
        r->shape[a] = left->end[a] - left->first[a];
    }
    r->tile = (rugi_glcm_tile){.nz = box->end[0] - box->first[0],
                               .ny = box->end[1] - box->first[1],
                               .nx = box->end[2] - box->first[2],
                               .pixel_row = no_place,
                               .pixel_x = no_place,
                               .rank = no_level,
                               .level = no_level,
                               .area = f->values.n};
}

/* Whether the range that was given is that of the values: of the only region, or around them. */
static rug_status check_range(rug_context *ctx, const work *w)
{
    const rug_glcm_parts *p = w->parts;
    const rugi_glcm_values *v = &w->region.values;
    if (!p->has_range || v->n == 0)
        return RUG_OK;
    int is_inside = v->lo >= p->range_lo && v->hi <= p->range_hi;
    int is_same = v->lo <= p->range_lo && v->hi >= p->range_hi;
    if (is_inside && (is_same || p->opts.labels != NULL))
        return RUG_OK;
    return rug_context_fail(
        ctx, RUG_E_ARG,
        "co-occurrence in parts: range %.17g..%.17g of the image was given, "
        "but there are values from %.17g to %.17g; give the range inside the "
        "mask and after re-segmentation",
        p->range_lo, p->range_hi, v->lo, v->hi);
}

/* All of a region but its pixels. */
static rug_status make_region(rug_context *ctx, work *w, const rugi_glcm_found *f)
{
    rugi_glcm_region *r = &w->region;
    int is_shifted = w->parts->dtype == RUG_U64;
    r->label = f->label;
    r->values = f->values;
    r->whole = NULL;
    if (!w->plan.is_float && f->values.n > 0) {
        r->values.lo = rugi_glcm_to_double(f->values.least, is_shifted);
        r->values.hi = rugi_glcm_to_double(f->values.most, is_shifted);
    }
    place_region(w, f);
    rug_status status = check_range(ctx, w);
    if (status == RUG_OK)
        status =
            rugi_glcm_binning_new(ctx, &r->binning, &w->plan, &r->values, f->label, NULL);
    r->tile.span = r->binning.span;
    return status == RUG_OK ? rank_levels(ctx, w, f) : status;
}

/* ---- Matrices ---- */

static int compare_keys(const void *a, const void *b)
{
    const rugi_glcm_device_count *x = a, *y = b;
    return x->key < y->key ? -1 : x->key > y->key;
}

/* Pairs of levels that have the same bin are one entry. @return how many there are */
static size_t join_counts(rugi_glcm_device_count *counts, size_t n)
{
    size_t n_joined = 0;
    qsort(counts, n, sizeof *counts, compare_keys);
    for (size_t i = 0; i < n; i++)
        if (n_joined > 0 && counts[n_joined - 1].key == counts[i].key)
            counts[n_joined - 1].n += counts[i].n;
        else
            counts[n_joined++] = counts[i];
    return n_joined;
}

static rug_status fail_pairs(rug_context *ctx, uint64_t n)
{
    return rug_context_fail(
        ctx, RUG_E_UNSUPPORTED,
        "co-occurrence: a region with %llu pairs in a matrix, at most "
        "%llu expected; measure it by labels",
        (unsigned long long)n, (unsigned long long)MAX_PAIRS);
}

/* The pairs of one matrix, by ranks.
 * @param most  pairs that there can be */
static rug_status get_counts(rug_context *ctx, work *w, const rugi_glcm_found *f,
                             uint64_t matrix, uint64_t most, size_t *n)
{
    size_t first = w->next, end = first;
    uint64_t pairs = 0;
    while (end < f->n_cells && f->cells[end].matrix == matrix)
        end++;
    w->next = end;
    w->counts = rugi_glcm_grow(ctx, &w->counts_scratch, end - first + 1,
                               sizeof *w->counts, "pairs of levels");
    if (w->counts == NULL)
        return RUG_E_NOMEM;
    for (size_t i = first; i < end; i++) {
        const rugi_glcm_cell *cell = &f->cells[i];
        if (cell->n > most - pairs)
            return fail_state(ctx, f->label, "has more pairs than pixels");
        pairs += cell->n;
        w->counts[i - first] = (rugi_glcm_device_count){
            (uint32_t)w->rank_of[cell->i] << 16 | w->rank_of[cell->j], (uint32_t)cell->n};
    }
    if (pairs > MAX_PAIRS)
        return fail_pairs(ctx, pairs);
    *n = end - first;
    if (w->region.tile.n_ranks < f->n_levels)
        *n = join_counts(w->counts, *n);
    return RUG_OK;
}

static rug_status measure_matrix(rug_context *ctx, work *w, const rugi_glcm_found *f,
                                 uint32_t d, size_t number)
{
    rugi_glcm_place place;
    rugi_glcm_sums sums = {0};
    const rug_glcm_parts *p = w->parts;
    size_t n = 0, slice = number / p->n_directions;
    rug_status status = rugi_glcm_matrix_of(ctx, w->counting, &place, &w->plan,
                                            &w->region, p->distances[d], number);
    if (status != RUG_OK)
        return status;
    place.tile = w->region.tile; /* a slice has no pixels of its own here */
    uint64_t most = w->region.values.n * place.matrix.n_offsets;
    if (p->n_slices == 1 && most > MAX_PAIRS)
        return fail_pairs(ctx, most);
    slice += p->n_slices > 1 && p->opts.labels != NULL ? f->box.first[0] : 0;
    status = get_counts(
        ctx, w, f, (d * p->n_slices + slice) * p->n_directions + number % p->n_directions,
        most, &n);
    if (status == RUG_OK && n > 0)
        status = rugi_glcm_sum_device_counts(ctx, w->counting, &sums, &place.matrix,
                                             w->counts, n);
    if (status == RUG_OK)
        rugi_glcm_finish(&w->measured[number], &sums, &w->plan, &w->region);
    return status;
}

static rug_status measure(rug_context *ctx, work *w, const rugi_glcm_found *f)
{
    const rug_glcm_parts *p = w->parts;
    rug_status status = make_region(ctx, w, f);
    if (status != RUG_OK)
        return status;
    rugi_glcm_matrices all = rugi_glcm_matrices_of(&w->plan, &w->region);
    size_t n = all.n_slices * all.n_directions;
    w->measured =
        rugi_glcm_grow(ctx, &w->measured_scratch, n, sizeof *w->measured, "features");
    if (w->measured == NULL)
        return RUG_E_NOMEM;
    w->next = 0;
    for (uint32_t d = 0; d < p->n_distances && status == RUG_OK; d++) {
        for (size_t k = 0; k < n && status == RUG_OK; k++)
            status = measure_matrix(ctx, w, f, d, k);
        if (status == RUG_OK)
            rugi_glcm_rows(w->rows + d * (w->plan.n_rows / p->n_distances), w->measured,
                           &w->plan, &w->region, p->distances[d]);
    }
    return status == RUG_OK && w->next < f->n_cells
               ? fail_state(ctx, f->label, "has pairs that are nowhere")
               : status;
}

/* ---- All of it ---- */

static rug_status measure_all(rug_context *ctx, work *w, rug_glcm_row_fn fn, void *user)
{
    const rugi_glcm_contents *all = &w->parts->contents;
    rug_status status = RUG_OK;
    for (size_t i = 0; i < all->n && status == RUG_OK; i++) {
        status = measure(&w->quiet, w, &all->regions[i]);
        for (uint32_t k = 0; k < w->plan.n_rows && status == RUG_OK; k++) {
            w->rows[k].row.features = w->rows[k].features;
            status = fn(user, &w->rows[k].row);
        }
        if (status == RUG_OK)
            status = rug_context_step(ctx, (double)(i + 1) / (double)all->n);
    }
    if (w->quiet.error[0] != '\0')
        rug_context_fail(ctx, status, "%s", w->quiet.error);
    return status;
}

/* Counts that most pairs of levels have: those above are no less exact without a table. */
#define COMMON 512

static rug_status begin(rug_context *ctx, work *w)
{
    rug_status status = rugi_glcm_parts_plan(ctx, &w->plan, w->parts, NULL, NULL, NULL);
    if (status == RUG_OK)
        status = rugi_glcm_plan_tables(ctx, &w->plan, COMMON);
    if (status != RUG_OK)
        return status;
    w->counting = rugi_allocate_zeros(ctx, (size_t)rug_context_threads(ctx),
                                      sizeof *w->counting, "counters of co-occurrence");
    w->rows =
        rug_context_allocate(ctx, w->plan.n_rows, sizeof *w->rows, "rows of regions");
    return w->counting != NULL && w->rows != NULL ? RUG_OK : RUG_E_NOMEM;
}

static void end(rug_context *ctx, work *w)
{
    for (int t = 0; t < rug_context_threads(ctx) && w->counting != NULL; t++)
        rugi_glcm_counting_free(ctx, &w->counting[t]);
    rug_context_release(ctx, w->counting);
    rug_context_release(ctx, w->rows);
    rugi_glcm_scratch_free(ctx, &w->rank_scratch);
    rugi_glcm_scratch_free(ctx, &w->counts_scratch);
    rugi_glcm_scratch_free(ctx, &w->measured_scratch);
    rugi_glcm_region_free(ctx, &w->region);
    rugi_glcm_plan_free(ctx, &w->plan);
}

rug_status rug_glcm_parts_finish(rug_context *ctx, const rug_glcm_parts *p,
                                 rug_glcm_row_fn fn, void *user)
{
    if (ctx == NULL || p == NULL || fn == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_glcm_parts_finish: NULL given");
    rug_status status = rugi_cover_check_whole(ctx, &p->cover, p->shape, "co-occurrence");
    if (status != RUG_OK)
        return status;
    work w = {.quiet = rugi_context_quiet(ctx), .parts = p};
    status = begin(ctx, &w);
    if (status == RUG_OK)
        status = measure_all(ctx, &w, fn, user);
    if (status == RUG_OK)
        rugi_context_set_engine(ctx, w.plan.kernels.name);
    end(ctx, &w);
    return status;
}
