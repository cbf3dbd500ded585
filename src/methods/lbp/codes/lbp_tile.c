/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* One worker: rows of a tile are made numbers one by one, all samples that they complete
 * are compared, and rows of planes that are complete become codes, bins and counts. */

#include "lbp_tile.h"
#include "core/context/small.h"
#include "core/image/image_internal.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* ---- From planes to codes, bins and counts ----
 *
 * The codes of riu2 are counted as planes; those of other methods are numbers of single
 * pixels, most of them looked up. */

/* One row of a tile of one operator. */
typedef struct finished_row {
    const rugi_lbp_kernels *kernels;
    rug_lbp_method method;
    const rugi_lbp_operator *op;
    const uint64_t (*planes)[RUGI_LBP_WORDS]; /* [points] */
    double *variances; /* [RUGI_LBP_TILE]; NULL: not requested. Changed */
    size_t n;          /* pixels */
    size_t first, end; /* those that have a code */
    void *codes;       /* [n] of the operator's code_dtype; NULL: not requested */
    uint32_t *bins;    /* [n], or NULL */
    uint64_t *counts;  /* or NULL: [n_bins][n_counters] */
    size_t n_counters; /* for each bin; see rugi_lbp_counters() */
} finished_row;

/* Cuts of the variance up to which they are compared one by one. */
#define FEW_CUTS 32

/* Bit x of the answer's word x / 64 says whether pixel x has a code. */
static void mark_valid(uint64_t *valid, size_t first, size_t end)
{
    for (size_t w = 0; w < RUGI_LBP_WORDS; w++) {
        size_t from = first > 64 * w ? first - 64 * w : 0;
        size_t to = end > 64 * w ? end - 64 * w : 0;
        uint64_t below_to = to >= 64 ? UINT64_MAX : ((uint64_t)1 << to) - 1;
        uint64_t below_from = from >= 64 ? UINT64_MAX : ((uint64_t)1 << from) - 1;
        valid[w] = below_to & ~below_from;
    }
}

/* Codes of riu2 as bytes, and their counts unless they are counted one by one. */
static void find_riu2(uint8_t *codes, const finished_row *f,
                      uint64_t (*counts)[RUGI_LBP_WORDS])
{
    uint64_t number[RUGI_LBP_NUMBER_PLANES][RUGI_LBP_WORDS];
    rugi_lbp_riu2 r = {.points = f->op->points,
                       .planes = f->planes,
                       .codes = codes != NULL ? number : NULL,
                       .counts = counts};
    mark_valid(r.valid, f->first, f->end);
    f->kernels->riu2(&r);
    if (codes != NULL)
        f->kernels->spread(codes, (const uint64_t(*)[RUGI_LBP_WORDS])number,
                           RUGI_LBP_NUMBER_PLANES);
}

static void gather_patterns(uint32_t *patterns, const finished_row *f)
{
    uint8_t bytes[RUGI_LBP_TILE];
    for (uint32_t i = 0; i < f->op->points; i += 8) {
        uint32_t left = f->op->points - i;
        f->kernels->spread(bytes, f->planes + i, left < 8 ? left : 8);
        for (size_t x = 0; x < RUGI_LBP_TILE; x++)
            patterns[x] = (i > 0 ? patterns[x] : 0) | (uint32_t)bytes[x] << i;
    }
}

/* The least rotation of each, pattern by pattern side by side. */
static void rotate_to_least(uint32_t *patterns, uint32_t points)
{
    uint32_t turned[RUGI_LBP_TILE];
    memcpy(turned, patterns, sizeof turned);
    for (uint32_t i = 1; i < points; i++)
        for (size_t x = 0; x < RUGI_LBP_TILE; x++) {
            turned[x] = turned[x] >> 1 | (turned[x] & 1) << (points - 1);
            patterns[x] = turned[x] < patterns[x] ? turned[x] : patterns[x];
        }
}

static void find_codes(uint32_t *codes, const finished_row *f)
{
    uint8_t bytes[RUGI_LBP_TILE];
    if (f->method == RUG_LBP_RIU2) {
        find_riu2(bytes, f, NULL);
        for (size_t x = 0; x < RUGI_LBP_TILE; x++)
            codes[x] = bytes[x];
        return;
    }
    gather_patterns(codes, f);
    if (f->op->table.code != NULL)
        for (size_t x = 0; x < RUGI_LBP_TILE; x++)
            codes[x] = f->op->table.code[codes[x]];
    else if (f->method == RUG_LBP_ROR)
        rotate_to_least(codes, f->op->points);
    else if (f->method == RUG_LBP_NRI_UNIFORM)
        for (size_t x = 0; x < RUGI_LBP_TILE; x++)
            codes[x] = rugi_lbp_code_of(f->method, f->op->points, codes[x]);
}

#define STORE(type, NONE)                                                              \
    do {                                                                               \
        type *out = f->codes;                                                          \
        for (size_t x = 0; x < f->n; x++)                                              \
            out[x] = x - f->first < f->end - f->first ? (type)codes[x] : (type)(NONE); \
    } while (0)

static void store_codes(const finished_row *f, const uint32_t *codes)
{
    switch (f->op->code_dtype) {
    case RUG_U8: STORE(uint8_t, f->op->no_code); break;
    case RUG_U16: STORE(uint16_t, f->op->no_code); break;
    default: STORE(uint32_t, f->op->no_code); break;
    }
}

/* A variance of 0 is NaN in maps, as in scikit-image. */
static void store_variances(const finished_row *f)
{
    double *out = f->codes;
    for (size_t x = 0; x < f->n; x++) {
        int is_valid = x - f->first < f->end - f->first;
        out[x] = is_valid && f->variances[x] != 0 ? f->variances[x] : (double)NAN;
    }
}

/* How many cuts are at most the variance, by halving. */
static uint32_t search_cuts(const rugi_lbp_operator *op, double variance)
{
    uint32_t from = 0, to = op->n_cuts;
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        if (op->cuts[middle] <= variance)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* Bins of variances. A few cuts are faster compared one by one, with many pixels side by
 * side, than searched, which no branch foresees. */
static void find_variance_bins(uint32_t *bins, const finished_row *f)
{
    const rugi_lbp_operator *op = f->op;
    const double *variances = f->variances;
    memset(bins, 0, f->n * sizeof *bins);
    for (uint32_t k = 0; k < op->n_cuts && op->n_cuts <= FEW_CUTS; k++) {
        const double cut = op->cuts[k];
        for (size_t x = 0; x < f->n; x++)
            bins[x] += cut <= variances[x];
    }
    for (size_t x = 0; x < f->n && op->n_cuts > FEW_CUTS; x++)
        bins[x] = search_cuts(op, variances[x]);
    for (size_t x = 0; x < f->n; x++)
        bins[x] = isnan(variances[x]) ? RUGI_LBP_NO_BIN : bins[x];
}

/* Turns codes to bins, in place. */
static void find_bins(uint32_t *bins, const finished_row *f)
{
    if (f->op->table.rank != NULL)
        for (size_t x = 0; x < f->n; x++)
            bins[x] = f->op->table.rank[bins[x]];
    if (f->variances == NULL)
        return;
    uint32_t n = f->op->n_cuts + 1, own[RUGI_LBP_TILE];
    find_variance_bins(own, f);
    for (size_t x = 0; x < f->n; x++)
        bins[x] = own[x] != RUGI_LBP_NO_BIN ? bins[x] * n + own[x] : own[x];
}

static void hand_out_bins(const finished_row *f, const uint32_t *bins)
{
    if (f->counts != NULL)
        for (size_t x = f->first; x < f->end; x++)
            if (bins[x] != RUGI_LBP_NO_BIN)
                f->counts[bins[x]]++;
    if (f->bins == NULL)
        return;
    for (size_t x = 0; x < f->n; x++)
        f->bins[x] = x - f->first < f->end - f->first ? bins[x] : RUGI_LBP_NO_BIN;
}

/* Bytes are all that maps and counts of riu2 need. */
static void finish_riu2(const finished_row *f)
{
    uint8_t bytes[RUGI_LBP_TILE];
    find_riu2(f->codes != NULL ? bytes : NULL, f, (uint64_t(*)[RUGI_LBP_WORDS])f->counts);
    if (f->codes == NULL)
        return;
    uint8_t *out = f->codes, none = (uint8_t)f->op->no_code;
    memset(out, none, f->first);
    memcpy(out + f->first, bytes + f->first, f->end - f->first);
    memset(out + f->end, none, f->n - f->end);
}

/* Finishes a row: writes all that is requested. */
static void lbp_finish_row(const finished_row *f)
{
    uint32_t codes[RUGI_LBP_TILE] = {0};
    int is_var = f->method == RUG_LBP_VAR;
    if (f->n_counters > 1) {
        finish_riu2(f);
        return;
    }
    if (!is_var)
        find_codes(codes, f);
    if (f->codes != NULL && is_var)
        store_variances(f);
    if (f->codes != NULL && !is_var)
        store_codes(f, codes);
    if (f->counts == NULL && f->bins == NULL)
        return;
    find_bins(codes, f);
    hand_out_bins(f, codes);
}

/* ---- Rows of a tile ---- */

/* ---- Rows of pixels ---- */

/* Row y of the image from column x on, as numbers. */
static void load(rugi_lbp_worker *w, void *out, size_t y, size_t x, size_t n)
{
    const rugi_lbp_work *work = w->work;
    const size_t at[3] = {0, y - work->job->first_row, x};
    const void *pixels = rugi_image_segment(&work->volume, at, n, w->scratch);
    rug_dtype dtype = rugi_segment_dtype(work->volume.dtype);
    if (work->is_float)
        work->kernels.to_float(out, pixels, dtype, n);
    else
        work->kernels.to_double(out, pixels, dtype, n);
}

/* Which of the rows that are kept is row y; it is negative above of the image. */
static size_t slot_of(const rugi_lbp_worker *w, ptrdiff_t y)
{
    size_t back = (size_t)(w->newest_y - y);
    return w->newest >= back ? w->newest - back : w->newest + w->work->n_kept_rows - back;
}

static char *place_of_row(const rugi_lbp_worker *w, ptrdiff_t y)
{
    return w->rows +
           slot_of(w, y) * rugi_lbp_row_width(w->work) * rugi_lbp_pixel_size(w->work);
}

static char *place_of_centre(const rugi_lbp_worker *w, ptrdiff_t y)
{
    size_t size = rugi_lbp_pixel_size(w->work);
    if (!w->work->has_centres)
        return place_of_row(w, y) + w->work->before * size;
    return w->centres + slot_of(w, y) * RUGI_LBP_TILE * size;
}

/* Pixels outside the image are 0. */
static void load_pixels(rugi_lbp_worker *w, ptrdiff_t y)
{
    const rugi_lbp_work *work = w->work;
    size_t size = rugi_lbp_pixel_size(work), nx = work->volume.shape[2];
    char *row = place_of_row(w, y);
    if (y < 0 || (size_t)y >= work->job->ny) {
        memset(row, 0, rugi_lbp_row_width(work) * size);
        return;
    }
    size_t missing = w->x0 < work->before ? work->before - w->x0 : 0;
    size_t first = w->x0 + missing - work->before;
    size_t end = w->x0 + rugi_smaller(nx - w->x0, RUGI_LBP_TILE + work->behind);
    size_t n = end - first;
    memset(row, 0, missing * size);
    load(w, row + missing * size, (size_t)y, first, n);
    memset(row + (missing + n) * size, 0,
           (rugi_lbp_row_width(work) - missing - n) * size);
}

/* scikit-image looks at the sign of sample - centre, which is NaN between infinities of one
 * sign: no sample reaches a centre of infinity, and only finite ones that of its negative. */
static void tame_infinities(double *centre, size_t n)
{
    for (size_t x = 0; x < n; x++)
        if (isinf(centre[x]))
            centre[x] = centre[x] > 0 ? (double)NAN : -DBL_MAX;
}

static void scale(double *centre, size_t n)
{
    for (size_t x = 0; x < n; x++)
        centre[x] = RUGI_LBP_DECIMAL * (RUGI_LBP_DECIMAL * centre[x]);
}

static void make_centres(rugi_lbp_worker *w, ptrdiff_t y)
{
    const rugi_lbp_work *work = w->work;
    const double *row = (const double *)(const void *)place_of_row(w, y) + work->before;
    double *centre = (double *)(void *)place_of_centre(w, y);
    memcpy(centre, row, w->n * sizeof *centre);
    if (work->rule == RUG_LBP_EXACT_DECIMAL)
        scale(centre, w->n);
    else
        tame_infinities(centre, w->n);
}

static void load_row(rugi_lbp_worker *w, ptrdiff_t y)
{
    w->newest = w->newest + 1 < w->work->n_kept_rows ? w->newest + 1 : 0;
    w->newest_y = y;
    load_pixels(w, y);
    if (w->work->has_centres)
        make_centres(w, y);
}

/* ---- Samples against centres ---- */

/* The rule SKIMAGE takes weights of the absolute coordinate, rounded as it is. */
static void weigh_column(rugi_lbp_worker *w, uint32_t i, uint32_t k)
{
    const rugi_lbp_operator *op = &w->work->job->plan->op[i];
    double *weights = w->state[i].weights + (size_t)k * RUGI_LBP_TILE;
    double offset = op->column[k], left = op->column_left[k];
    double x0 = (double)(w->x0 + w->work->job->plan->origin[1]);
    int is_uniform = 1;
    if (w->work->rule != RUG_LBP_EXACT_SKIMAGE) {
        weights[0] = rugi_lbp_weight(w->work->rule, op->column_weight[k]);
        w->state[i].is_uniform[k] = 1;
        return;
    }
    for (int x = 0; x < RUGI_LBP_TILE; x++)
        weights[x] = (x0 + x + offset) - (x0 + x + left);
    for (int x = 1; x < RUGI_LBP_TILE; x++)
        is_uniform &= weights[x] == weights[0];
    w->state[i].is_uniform[k] = is_uniform;
}

static double weight_of_row(const rugi_lbp_worker *w, uint32_t i, uint32_t point,
                            size_t y)
{
    const rugi_lbp_point *p = &w->work->job->plan->op[i].point[point];
    if (w->work->rule != RUG_LBP_EXACT_SKIMAGE)
        return w->work->row_weight[i][point];
    double at = (double)(y + w->work->job->plan->origin[0]);
    return (at + p->row) - (at + p->top);
}

static uint64_t (*place_of_planes(const rugi_lbp_worker *w, uint32_t i,
                                  size_t y))[RUGI_LBP_WORDS]
{
    const rugi_lbp_state *state = &w->state[i];
    return state->planes + (y & state->row_mask) * w->work->job->plan->op[i].points;
}

/* Rows of the band that have codes. */
static rugi_lbp_span rows_of_band(const rugi_lbp_worker *w, uint32_t i)
{
    const rugi_lbp_job *job = w->work->job;
    rugi_lbp_span rows = rugi_lbp_coded_rows(job->plan, i, job->ny);
    rows.first = rugi_larger(rows.first, w->y0);
    rows.end = rugi_smaller(rows.end, w->y1);
    return rows;
}

static void add_test(const rugi_lbp_worker *w, rugi_lbp_column *c, uint32_t i,
                     uint32_t point, size_t y)
{
    const rugi_lbp_point *p = &w->work->job->plan->op[i].point[point];
    rugi_lbp_test *t = &c->test[c->n_tests++];
    t->rows = RUGI_LBP_TWO_ROWS;
    if (p->top == p->bottom)
        t->rows = w->work->is_strict ? RUGI_LBP_SAME_ROW : RUGI_LBP_ROW;
    t->weight = weight_of_row(w, i, point, y);
    t->centre = place_of_centre(w, (ptrdiff_t)y);
    t->plane = place_of_planes(w, i, y)[point];
}

/* All samples of one column offset that row n completes. */
static void compare_column(rugi_lbp_worker *w, uint32_t i, uint32_t k, ptrdiff_t n)
{
    const rugi_lbp_work *work = w->work;
    const rugi_lbp_operator *op = &work->job->plan->op[i];
    const rugi_lbp_group *group = &work->group[i][k];
    const rugi_lbp_state *state = &w->state[i];
    const rugi_lbp_span rows = state->rows;
    const size_t size = rugi_lbp_pixel_size(work), first = (size_t)k * RUGI_LBP_TILE;
    const int is_whole = op->column_weight[k] == 0;
    rugi_lbp_column c; /* large: only what is used is filled */
    c.is_whole = is_whole && !work->is_strict;
    c.n_words = (w->n + 63) / 64;
    c.is_kept = group->n_two_rows > 0;
    c.n_tests = c.n_two_rows = 0;
    memset(c.test, 0, 2 * sizeof *c.test);
    c.left = place_of_row(w, n) +
             ((ptrdiff_t)work->before + op->column_left[k]) * (ptrdiff_t)size;
    c.right = (const char *)c.left + (is_whole ? 0 : size);
    const int is_over =
        group->n_two_rows <= 2; /* values of this row go over the last's */
    c.kept = state->kept[is_over ? 0 : n & 1] + first * size;
    c.here = state->kept[is_over ? 0 : ~n & 1] + first * size;
    c.weight = state->weights[first];
    c.weights = state->is_uniform[k] ? NULL : state->weights + first;
    for (int g = 0; g < group->n; g++) {
        ptrdiff_t y = n - op->point[group->point[g]].bottom;
        if (y >= (ptrdiff_t)rows.first && y < (ptrdiff_t)rows.end)
            add_test(w, &c, i, group->point[g], (size_t)y);
        if (g < group->n_two_rows)
            c.n_two_rows = c.n_tests;
    }
    work->kernels.column[work->rule](&c);
}

/* Sample i of all pixels of row y, for the variance. */
static void point_to_pixels(const rugi_lbp_worker *w, rugi_lbp_variance *v, uint32_t i,
                            uint32_t point, size_t y)
{
    const rugi_lbp_operator *op = &w->work->job->plan->op[i];
    const rugi_lbp_point *p = &op->point[point];
    const ptrdiff_t left = (ptrdiff_t)w->work->before + p->left;
    const ptrdiff_t right = (ptrdiff_t)w->work->before + p->right;
    const double *top =
        (const double *)(const void *)place_of_row(w, (ptrdiff_t)y + p->top);
    const double *bottom =
        (const double *)(const void *)place_of_row(w, (ptrdiff_t)y + p->bottom);
    v->is_whole[point] =
        p->left == p->right && p->top == p->bottom && !w->work->is_strict;
    v->pixel[point][0] = top + left;
    v->pixel[point][1] = top + right;
    v->pixel[point][2] = bottom + left;
    v->pixel[point][3] = bottom + right;
    v->col_weights[point] = w->state[i].weights + (size_t)p->column * RUGI_LBP_TILE;
    v->row_weight[point] = weight_of_row(w, i, point, y);
}

static void find_variances(const rugi_lbp_worker *w, double *out, uint32_t i, size_t y)
{
    rugi_lbp_variance v = {.points = w->work->job->plan->op[i].points, .n = w->n};
    for (uint32_t point = 0; point < v.points; point++)
        point_to_pixels(w, &v, i, point, y);
    w->work->kernels.variance(out, &v);
}

/* ---- Rows to codes ---- */

/* Columns of the tile that have codes, from its first one on. */
static rugi_lbp_span columns_of_tile(const rugi_lbp_worker *w, uint32_t i)
{
    const rugi_lbp_work *work = w->work;
    rugi_lbp_span all = rugi_lbp_coded_columns(work->job->plan, i, work->volume.shape[2]);
    size_t first = all.first > w->x0 ? all.first - w->x0 : 0;
    size_t end = all.end > w->x0 ? all.end - w->x0 : 0;
    end = rugi_smaller(end, w->n);
    return first < end ? (rugi_lbp_span){first, end} : (rugi_lbp_span){0, 0};
}

static void finish_row(rugi_lbp_worker *w, uint32_t i, size_t y)
{
    const rugi_lbp_job *job = w->work->job;
    const rugi_lbp_operator *op = &job->plan->op[i];
    const rugi_lbp_span rows = w->state[i].rows, columns = w->state[i].columns;
    int is_coded = y >= rows.first && y < rows.end;
    double variances[RUGI_LBP_TILE];
    size_t at = (y - job->from) * w->work->volume.shape[2] + w->x0;
    finished_row f = {.kernels = &w->work->kernels,
                      .method = job->plan->method,
                      .op = op,
                      .planes =
                          (const uint64_t(*)[RUGI_LBP_WORDS])place_of_planes(w, i, y),
                      .n = w->n,
                      .first = is_coded ? columns.first : 0,
                      .end = is_coded ? columns.end : 0,
                      .bins = job->bins[i] != NULL ? job->bins[i] + at : NULL,
                      .counts = w->state[i].counts,
                      .n_counters = w->state[i].n_counters};
    if (job->codes[i] != NULL)
        f.codes = (char *)job->codes[i] + at * rug_dtype_size(op->code_dtype);
    if (job->plan->method == RUG_LBP_VAR || op->n_cuts > 0) {
        f.variances = variances;
        if (is_coded)
            find_variances(w, variances, i, y);
        else
            memset(variances, 0, sizeof variances);
    }
    lbp_finish_row(&f);
}

/* All that one operator does when row n is there. */
static void step(rugi_lbp_worker *w, uint32_t i, ptrdiff_t n)
{
    const rugi_lbp_plan *plan = w->work->job->plan;
    const rugi_lbp_operator *op = &plan->op[i];
    ptrdiff_t y = n - (ptrdiff_t)op->below;
    if (n < (ptrdiff_t)w->y0 - (ptrdiff_t)op->above || y >= (ptrdiff_t)w->y1)
        return;
    if (plan->method != RUG_LBP_VAR)
        for (uint32_t k = 0; k < op->n_columns; k++)
            compare_column(w, i, k, n);
    if (y >= (ptrdiff_t)w->y0)
        finish_row(w, i, (size_t)y);
}

/* Rows are made `above` rows before samples in them are: centres lie up to there. */
static void code_band(rugi_lbp_worker *w)
{
    const rugi_lbp_plan *plan = w->work->job->plan;
    const ptrdiff_t above = (ptrdiff_t)plan->above, below = (ptrdiff_t)plan->below;
    const ptrdiff_t y0 = (ptrdiff_t)w->y0, y1 = (ptrdiff_t)w->y1;
    for (ptrdiff_t y = y0 - above; y < y0; y++)
        load_row(w, y);
    for (ptrdiff_t n = y0 - above; n < y1 + below; n++) {
        if (n + above < y1 + below)
            load_row(w, n + above);
        for (uint32_t i = 0; i < plan->n_operators; i++)
            step(w, i, n);
    }
}

static void begin_operator(rugi_lbp_worker *w, uint32_t i)
{
    const rugi_lbp_work *work = w->work;
    const rugi_lbp_operator *op = &work->job->plan->op[i];
    rugi_lbp_state *state = &w->state[i];
    state->rows = rows_of_band(w, i);
    state->columns = columns_of_tile(w, i);
    for (uint32_t k = 0; k < op->n_columns; k++)
        weigh_column(w, i, k);
}

void rugi_lbp_code_tile(rugi_lbp_worker *w, size_t task)
{
    const rugi_lbp_work *work = w->work;
    const rugi_lbp_job *job = work->job;
    const size_t nx = work->volume.shape[2];
    w->x0 = task % work->n_tiles * RUGI_LBP_TILE;
    w->n = rugi_smaller(nx - w->x0, RUGI_LBP_TILE);
    w->y0 = job->from + task / work->n_tiles * work->band;
    w->y1 = w->y0 + rugi_smaller(job->to - w->y0, work->band);
    for (uint32_t i = 0; i < job->plan->n_operators; i++)
        begin_operator(w, i);
    code_band(w);
}
