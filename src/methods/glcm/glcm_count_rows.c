/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Any number of levels without a matrix: pairs are dealt out by one level (the larger one
 * when they have no order), and then each row of the matrix is counted by itself. Frames
 * (Gipp et al. 2009) come here too: a cell without a partner has one in the background, and
 * pairs of background alone are what is left of the box. */

#include "glcm_count.h"
#include <string.h>

/* Pairs of background alone, at most: so that all sums fit 128 bits. */
#define MAX_BULK ((uint64_t)1 << 44)

/* What is known while pairs go to their rows. */
typedef struct rows {
    uint32_t *end;   /* [n_ranks + 1] pairs of each row; then where the next one goes */
    uint16_t *value; /* the other level of each pair, row by row */
    uint64_t listed; /* pairs that are counted one by one */
    uint64_t inside; /* those with both cells in the region */
} rows;

typedef void (*pair_fn)(rows *r, uint32_t row, uint32_t value);

static void count_pair(rows *r, uint32_t row, uint32_t value)
{
    (void)value;
    r->end[row]++;
    r->listed++;
}

static void deal_pair(rows *r, uint32_t row, uint32_t value)
{
    r->value[r->end[row]++] = (uint16_t)value;
}

/* A cell and the background. */
static inline void with_background(rows *r, const rugi_glcm_matrix *m, uint32_t a,
                                   uint32_t b, pair_fn fn)
{
    int swap = m->plan->is_symmetric && a < b;
    fn(r, swap ? b : a, swap ? a : b);
}

static inline void see_lists(rugi_glcm_counting *c, const rugi_glcm_matrix *m, rows *r,
                             pair_fn fn)
{
    const rugi_glcm_lists *l = &c->lists;
    for (size_t i = 0; i < l->n_pairs; i++)
        fn(r, l->key[i] >> 16, l->key[i] & 65535);
    if (!m->plan->is_frame)
        return;
    for (size_t i = 0; i < l->n_no_next; i++)
        with_background(r, m, l->no_next[i], m->background, fn);
    for (size_t i = 0; i < l->n_no_last; i++)
        with_background(r, m, m->background, l->no_last[i], fn);
}

static void count_lists(rugi_glcm_counting *c, const rugi_glcm_matrix *m, void *user)
{
    rows *r = user;
    uint32_t *x = c->x_block.data, *y = c->y_block.data;
    const rugi_glcm_lists *l = &c->lists;
    see_lists(c, m, r, count_pair);
    r->inside += l->n_pairs;
    if (m->plan->is_frame) {
        x[m->background] += (uint32_t)l->n_no_last;
        y[m->background] += (uint32_t)l->n_no_next;
        return;
    }
    for (size_t i = 0; i < l->n_no_next; i++)
        x[l->no_next[i]]--;
    for (size_t i = 0; i < l->n_no_last; i++)
        y[l->no_last[i]]--;
}

static void deal_lists(rugi_glcm_counting *c, const rugi_glcm_matrix *m, void *user)
{
    see_lists(c, m, user, deal_pair);
}

/* All pairs at an offset in the box that is `reach` wider than the region on each side. */
static rugi_glcm_u128 pairs_of_box(const rugi_glcm_matrix *m, const int offset[3])
{
    const size_t shape[3] = {m->tile->nz, m->tile->ny, m->tile->nx};
    rugi_glcm_u128 n = 1;
    for (int a = 0; a < 3; a++) {
        size_t side = shape[a] + (a >= 3 - m->frame_axes ? 2 * (size_t)m->reach : 0);
        size_t step = (size_t)(offset[a] < 0 ? -offset[a] : offset[a]);
        n *= side > step ? side - step : 0;
    }
    return n;
}

static rug_status find_bulk(rug_context *ctx, rugi_glcm_bulk *out,
                            const rugi_glcm_matrix *m, const rows *r)
{
    rugi_glcm_u128 n = 0;
    *out = (rugi_glcm_bulk){0};
    if (!m->plan->is_frame)
        return RUG_OK;
    for (uint32_t k = 0; k < m->n_offsets; k++)
        n += pairs_of_box(m, m->offset[k]);
    n -= r->listed;
    if (n > MAX_BULK)
        return rug_context_fail(ctx, RUG_E_UNSUPPORTED,
                                "co-occurrence: a frame of more than %llu pairs; use "
                                "pairs INSIDE",
                                (unsigned long long)MAX_BULK);
    *out = (rugi_glcm_bulk){(uint64_t)n, m->tile->level_of[m->background], m->background};
    return RUG_OK;
}

/* What counting a row sees. */
typedef struct counted {
    uint64_t squares, diagonal;
    rugi_glcm_u128 t;
} counted;

static inline uint64_t step_of(const rugi_glcm_logs *logs, uint32_t c)
{
    return c < logs->n
               ? logs->step[c]
               : (uint64_t)(rugi_glcm_t_far((uint64_t)c + 1) - rugi_glcm_t_far(c));
}

/* Counts the n pairs of a row. Counters are 0 before and afterwards. */
static void count_row(rugi_glcm_counting *c, const rugi_glcm_matrix *m, counted *out,
                      uint32_t row, const uint16_t *value, size_t n)
{
    const uint16_t *level_of = m->tile->level_of;
    uint32_t *counter = c->row_block.data, *d = c->wide_difference.data;
    uint32_t *s = c->wide_sum.data;
    uint32_t level = level_of[row];
    uint64_t squares = 0;
    rugi_glcm_u128 t = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t v = value[i], other = level_of[v], count = counter[v]++;
        squares += 2 * (uint64_t)count + 1;
        t += step_of(&m->plan->logs, count);
        d[other > level ? other - level : level - other]++;
        s[other + level]++;
    }
    out->squares += squares;
    out->t += t;
}

/* The background's pairs with itself, many at once. */
static void add_bulk(counted *out, const rugi_glcm_matrix *m, uint64_t before,
                     uint64_t bulk)
{
    const rugi_glcm_logs *logs = &m->plan->logs;
    uint64_t n = before + bulk;
    out->t += rugi_glcm_t(logs, n) - rugi_glcm_t(logs, before);
}

static void clear_row(rugi_glcm_counting *c, const rugi_glcm_matrix *m, uint32_t row,
                      const uint16_t *value, size_t n)
{
    uint32_t *counter = c->row_block.data;
    for (size_t i = 0; i < n; i++) {
        uint32_t count = counter[value[i]];
        counter[value[i]] = 0;
        if (count > 0 && m->plan->with_entries)
            c->entry[c->n_entries++] =
                (rugi_glcm_entry){.i = (uint16_t)row, .j = value[i], .n = count};
    }
}

static void count_rows(rugi_glcm_counting *c, rugi_glcm_sums *out,
                       const rugi_glcm_matrix *m, const rows *r, rugi_glcm_bulk bulk)
{
    const uint32_t *counter = c->row_block.data;
    rugi_glcm_u128 squares = 0, diagonal = 0;
    counted all = {0};
    uint32_t first = 0;
    for (uint32_t row = 0; row < m->tile->n_ranks; row++) {
        uint32_t end = r->end[row], n = end - first;
        counted here = {0};
        count_row(c, m, &here, row, r->value + first, n);
        uint64_t equal = counter[row];
        squares += here.squares;
        all.t += here.t;
        clear_row(c, m, row, r->value + first, n);
        if (bulk.n > 0 && row == bulk.rank) {
            rugi_glcm_u128 sum = (rugi_glcm_u128)equal + bulk.n;
            squares += sum * sum - (rugi_glcm_u128)equal * equal;
            add_bulk(&all, m, equal, bulk.n);
            if (m->plan->with_entries)
                c->entry[c->n_entries++] = (rugi_glcm_entry){
                    .i = (uint16_t)row, .j = (uint16_t)row, .n = bulk.n};
            equal += bulk.n;
        }
        diagonal += (rugi_glcm_u128)equal * equal;
        first = end;
    }
    out->t = all.t;
    out->squares = out->is_symmetric ? 2 * (squares + diagonal) : squares;
}

static rug_status make_room(rug_context *ctx, rugi_glcm_counting *c, rows *r,
                            const rugi_glcm_matrix *m)
{
    size_t n = m->tile->n_ranks;
    r->end = rugi_glcm_room(ctx, &c->bucket_block, n, sizeof *r->end, "rows of a matrix");
    uint32_t *row =
        rugi_glcm_room(ctx, &c->row_block, n, sizeof *row, "a row of a matrix");
    if (r->end == NULL || row == NULL)
        return RUG_E_NOMEM;
    memset(r->end, 0, n * sizeof *r->end);
    memset(row, 0, n * sizeof *row);
    return rugi_glcm_wide_room(ctx, c, m);
}

static rug_status make_pairs_room(rug_context *ctx, rugi_glcm_counting *c, rows *r,
                                  const rugi_glcm_matrix *m)
{
    r->value = rugi_glcm_room(ctx, &c->value_block, r->listed + 1, sizeof *r->value,
                              "pairs of cells");
    c->n_entries = 0;
    if (m->plan->with_entries)
        c->entry = rugi_glcm_room(ctx, &c->entry_block, r->listed + 2, sizeof *c->entry,
                                  "entries of a matrix");
    int failed = r->value == NULL || (m->plan->with_entries && c->entry == NULL);
    uint32_t first = 0;
    for (size_t i = 0; i < m->tile->n_ranks; i++) {
        uint32_t n = r->end[i];
        r->end[i] = first;
        first += n;
    }
    return failed ? RUG_E_NOMEM : RUG_OK;
}

rug_status rugi_glcm_count_rows(rug_context *ctx, rugi_glcm_counting *c,
                                rugi_glcm_sums *out, const rugi_glcm_matrix *m)
{
    rows r = {0};
    rugi_glcm_bulk bulk;
    rugi_glcm_keys keys = out->is_symmetric ? RUGI_GLCM_SORTED : RUGI_GLCM_ORDERED;
    rug_status status = make_room(ctx, c, &r, m);
    if (status == RUG_OK)
        status = rugi_glcm_for_lists(ctx, c, m, keys, 1, count_lists, &r);
    if (status == RUG_OK)
        status = find_bulk(ctx, &bulk, m, &r);
    if (status != RUG_OK)
        return status;
    out->pairs = r.listed + bulk.n;
    if (out->pairs == 0)
        return RUG_OK;
    status = make_pairs_room(ctx, c, &r, m);
    if (status == RUG_OK)
        status = rugi_glcm_for_lists(ctx, c, m, keys, m->plan->is_frame, deal_lists, &r);
    if (status != RUG_OK)
        return status;
    count_rows(c, out, m, &r, bulk);
    rugi_glcm_wide_sums(out, c, m, bulk);
    return m->plan->with_entries ? rugi_glcm_entry_sums(ctx, c, out, m) : RUG_OK;
}
