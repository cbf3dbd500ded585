/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Any number of levels without a matrix: pairs are dealt out by one level (the larger one
 * when they have no order), and then each row of the matrix is counted by itself. Frames
 * (Gipp et al. 2009) come here too: a pixel without a partner has one in the background,
 * and pairs of background alone are what is left of the box. */

#include "core/context/context_internal.h"
#include "core/context/threads.h"
#include "glcm_count.h"
#include <string.h>

/* Pairs that make another thread worthwhile. */
#define PAIRS_PER_THREAD 65536

/* Counts below FEW are in the tables, and SOME of their squares and t fit 64 bits. */
#define FEW  256
#define SOME ((size_t)1 << 10)

/* What counting rows adds up. */
typedef struct counted {
    RUGI_OWN_LINES rugi_glcm_u128 squares, diagonal, t;
} counted;

/* A thread's places: how many pairs it has for each row, and then where its next one
 * goes. */
static uint32_t *places_of(rugi_glcm_counting *c)
{
    return c->place_scratch.data;
}

static void count_lists(rugi_glcm_counting *c, const rugi_glcm_matrix *m)
{
    const rugi_glcm_lists *l = &c->lists;
    uint32_t *place = places_of(c), *x = c->x_scratch.data, *y = c->y_scratch.data;
    uint32_t background = m->background;
    int is_frame = m->plan->is_frame;
    for (size_t i = 0; i < l->n_pairs; i++)
        place[l->key[i] >> 16]++;
    for (size_t i = 0; i < l->n_no_next; i++)
        if (is_frame)
            place[rugi_glcm_frame_key(m, l->no_next[i], background) >> 16]++;
        else
            x[l->no_next[i]]--;
    for (size_t i = 0; i < l->n_no_last; i++)
        if (is_frame)
            place[rugi_glcm_frame_key(m, background, l->no_last[i]) >> 16]++;
        else
            y[l->no_last[i]]--;
    if (is_frame) {
        x[background] += (uint32_t)l->n_no_last;
        y[background] += (uint32_t)l->n_no_next;
        c->pairs += l->n_no_next + l->n_no_last;
    }
}

static void deal_lists(rugi_glcm_counting *c, const rugi_glcm_matrix *m)
{
    const rugi_glcm_lists *l = &c->lists;
    uint32_t *place = places_of(c), background = m->background;
    uint16_t *value = c->dealt;
    for (size_t i = 0; i < l->n_pairs; i++)
        value[place[l->key[i] >> 16]++] = (uint16_t)l->key[i];
    for (size_t i = 0; m->plan->is_frame && i < l->n_no_next; i++) {
        uint32_t key = rugi_glcm_frame_key(m, l->no_next[i], background);
        value[place[key >> 16]++] = (uint16_t)key;
    }
    for (size_t i = 0; m->plan->is_frame && i < l->n_no_last; i++) {
        uint32_t key = rugi_glcm_frame_key(m, background, l->no_last[i]);
        value[place[key >> 16]++] = (uint16_t)key;
    }
}

/* Rows of the matrix, dealt out to threads by equal numbers of pairs. */
typedef struct counting_rows {
    rugi_glcm_counting *c;
    size_t n_threads;
    const rugi_glcm_matrix *m;
    uint64_t listed;
    const uint32_t *end; /* of the pairs of each row */
    counted *counted;    /* of each thread */
} counting_rows;

/* The entries of a row, whose pairs are counted; counters become 0 again. A value that
 * comes once more has 0 pairs left, which changes nothing: no branch asks for it. Fewer
 * than 2^16 values. */
static size_t take_some(rugi_glcm_counting *c, const rugi_glcm_matrix *m, counted *out,
                        uint32_t row, const uint16_t *value, size_t n,
                        rugi_glcm_entry *entry)
{
    const uint16_t *level_of = m->tile->level_of;
    const rugi_glcm_logs *logs = &m->plan->logs;
    uint32_t *counter = c->row_scratch.data, *d = c->wide_difference.data;
    uint32_t *s = c->wide_sum.data, level = level_of[row];
    uint64_t squares = 0, t = 0;
    size_t n_entries = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t v = value[i], other = level_of[v], count = counter[v];
        counter[v] = 0;
        d[other > level ? other - level : level - other] += count;
        s[other + level] += count;
        if (count >= FEW) {
            out->squares += (uint64_t)count * count;
            out->t += rugi_glcm_t(logs, count);
        } else {
            squares += count * count;
            t += logs->t[count];
        }
        if (entry == NULL)
            continue;
        entry[n_entries] =
            (rugi_glcm_entry){.i = (uint16_t)row, .j = (uint16_t)v, .n = count};
        n_entries += count > 0;
    }
    out->squares += squares;
    out->t += t;
    return n_entries;
}

/* The background's pairs with itself, in one. */
static uint64_t add_bulk(counted *out, const rugi_glcm_matrix *m, uint64_t before,
                         uint64_t bulk)
{
    const rugi_glcm_logs *logs = &m->plan->logs;
    uint64_t n = before + bulk;
    out->t += rugi_glcm_t(logs, n) - rugi_glcm_t(logs, before);
    out->squares += (rugi_glcm_u128)n * n - (rugi_glcm_u128)before * before;
    return n;
}

static size_t count_row(const counting_rows *r, rugi_glcm_counting *own, counted *out,
                        uint32_t row, rugi_glcm_entry *entry)
{
    uint32_t *counter = own->row_scratch.data;
    size_t first = row > 0 ? r->end[row - 1] : 0, n = r->end[row] - first, n_entries = 0;
    const uint16_t *value = r->c->dealt + first;
    for (size_t i = 0; i < n; i++)
        counter[value[i]]++;
    uint64_t equal = counter[row];
    for (size_t i = 0; i < n; i += SOME)
        n_entries +=
            take_some(own, r->m, out, row, value + i, n - i < SOME ? n - i : SOME,
                      entry != NULL ? entry + n_entries : NULL);
    if (r->c->bulk.n > 0 && row == r->c->bulk.rank)
        equal = add_bulk(out, r->m, equal, r->c->bulk.n);
    out->diagonal += (rugi_glcm_u128)equal * equal;
    return n_entries;
}

/* The first row of a thread's share: whose pairs begin at or behind its part of them. */
static uint32_t first_row(const counting_rows *r, size_t task)
{
    uint64_t from = r->listed * task / r->n_threads;
    uint32_t lo = 0, hi = r->m->tile->n_ranks;
    while (lo < hi) {
        uint32_t middle = lo + (hi - lo) / 2;
        if ((middle > 0 ? r->end[middle - 1] : 0) >= from)
            hi = middle;
        else
            lo = middle + 1;
    }
    return task == 0 ? 0 : lo;
}

static void rows_task(void *shared, size_t task, int thread)
{
    const counting_rows *r = shared;
    rugi_glcm_counting *own = &r->c[task];
    uint32_t first = first_row(r, task);
    uint32_t end = task + 1 < r->n_threads ? first_row(r, task + 1) : r->m->tile->n_ranks;
    size_t begin = first > 0 ? r->end[first - 1] : 0;
    (void)thread;
    own->entry = r->m->plan->with_entries ? r->c->all_entries + begin : NULL;
    own->n_entries = 0;
    for (uint32_t row = first; row < end && !rugi_must_stop(); row++)
        own->n_entries +=
            count_row(r, own, &r->counted[task], row,
                      own->entry != NULL ? own->entry + own->n_entries : NULL);
}

/* Entries of all threads, one after the other. */
static void join_entries(rugi_glcm_counting *c, size_t n_threads)
{
    for (size_t t = 1; t < n_threads; t++) {
        memmove(c->entry + c->n_entries, c[t].entry, c[t].n_entries * sizeof *c->entry);
        c->n_entries += c[t].n_entries;
    }
}

static rug_status get_memory(rug_context *ctx, rugi_glcm_counting *c, size_t n_threads,
                             const rugi_glcm_matrix *m)
{
    size_t n = m->tile->n_ranks;
    for (size_t t = 0; t < n_threads; t++) {
        uint32_t *place = rugi_glcm_grow(ctx, &c[t].place_scratch, n, sizeof *place,
                                         "rows of a matrix");
        uint32_t *row =
            rugi_glcm_grow(ctx, &c[t].row_scratch, n, sizeof *row, "a row of a matrix");
        if (place == NULL || row == NULL)
            return RUG_E_NOMEM;
        memset(place, 0, n * sizeof *place);
        memset(row, 0, n * sizeof *row);
    }
    rug_status status = rugi_glcm_histograms_begin(ctx, c, n_threads, m);
    return status == RUG_OK ? rugi_glcm_marginals_begin(ctx, c, n_threads, m) : status;
}

/* Room for all pairs, and where those of each row and thread begin. */
static rug_status make_places(rug_context *ctx, rugi_glcm_counting *c, size_t n_threads,
                              const rugi_glcm_matrix *m, uint64_t listed)
{
    const size_t room = listed < SIZE_MAX ? (size_t)listed + 1 : SIZE_MAX;
    c->dealt =
        rugi_glcm_grow(ctx, &c->value_scratch, room, sizeof *c->dealt, "pairs of pixels");
    if (c->dealt == NULL)
        return RUG_E_NOMEM;
    if (m->plan->with_entries) {
        c->all_entries = rugi_glcm_grow(ctx, &c->entry_scratch, room, sizeof *c->entry,
                                        "entries of a matrix");
        if (c->all_entries == NULL)
            return RUG_E_NOMEM;
    }
    uint32_t first = 0;
    for (size_t i = 0; i < m->tile->n_ranks; i++)
        for (size_t t = 0; t < n_threads; t++) {
            uint32_t n = places_of(&c[t])[i];
            places_of(&c[t])[i] = first;
            first += n;
        }
    for (size_t t = 1; t < n_threads; t++)
        c[t].dealt = c->dealt;
    return rugi_glcm_clear(ctx, c->dealt, room * sizeof *c->dealt);
}

static rug_status count_all(rug_context *ctx, rugi_glcm_counting *c, size_t n_threads,
                            rugi_glcm_sums *out, const rugi_glcm_matrix *m,
                            uint64_t listed)
{
    counted *all = rugi_allocate_zeros(ctx, n_threads, sizeof *all, "sums of threads");
    if (all == NULL)
        return RUG_E_NOMEM;
    counting_rows r = {c, n_threads, m, listed, places_of(&c[n_threads - 1]), all};
    rug_status status = rugi_parallel_for(ctx, n_threads, rows_task, &r);
    counted sum = {0};
    for (size_t t = 0; t < n_threads; t++) {
        sum.squares += all[t].squares;
        sum.diagonal += all[t].diagonal;
        sum.t += all[t].t;
    }
    rug_context_release(ctx, all);
    out->t = sum.t;
    out->squares = out->is_symmetric ? 2 * (sum.squares + sum.diagonal) : sum.squares;
    return status;
}

rug_status rugi_glcm_count_rows(rug_context *ctx, rugi_glcm_counting *c,
                                rugi_glcm_sums *out, const rugi_glcm_matrix *m)
{
    size_t n_threads = rugi_glcm_choose_threads(ctx, m, PAIRS_PER_THREAD);
    uint64_t listed = 0;
    rugi_glcm_keys keys = out->is_symmetric ? RUGI_GLCM_SORTED : RUGI_GLCM_ORDERED;
    rug_status status = get_memory(ctx, c, n_threads, m);
    if (status == RUG_OK)
        status = rugi_glcm_for_lists(ctx, c, n_threads, m, keys, 1, count_lists);
    for (size_t t = 0; t < n_threads && status == RUG_OK; t++)
        listed += c[t].pairs;
    if (status == RUG_OK)
        status = rugi_glcm_find_bulk(ctx, &c->bulk, m, listed);
    if (status != RUG_OK)
        return status;
    out->pairs = listed + c->bulk.n;
    if (out->pairs == 0)
        return RUG_OK;
    status = make_places(ctx, c, n_threads, m, listed);
    if (status == RUG_OK)
        status = rugi_glcm_for_lists(ctx, c, n_threads, m, keys, m->plan->is_frame,
                                     deal_lists);
    if (status == RUG_OK)
        status = count_all(ctx, c, n_threads, out, m, listed);
    if (status != RUG_OK)
        return status;
    rugi_glcm_histogram_sums(out, c, n_threads, m);
    if (!m->plan->with_entries)
        return RUG_OK;
    join_entries(c, n_threads);
    return rugi_glcm_entry_sums(ctx, c, out, m);
}
