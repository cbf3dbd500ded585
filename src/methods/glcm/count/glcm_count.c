/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Counts a matrix by the way that fits it. Here are the two ways of small matrices, on
 * one thread: tagged counters, and, where levels are far apart, sorting. */

#include "glcm_count.h"
#include "core/points/radix_sort.h"
#include <math.h>
#include <string.h>

/* ---- Tagged counters ----
 *
 * The pairs of a matrix fit lists of the first-level cache, and one loop counts entries,
 * differences and sums and adds up c^2 and c ln c on the way. Marginals need the pixels
 * without a partner only: all others are in two pairs. */

/* Counters at most. */
#define MAX_TAGGED ((size_t)1 << 21)

/* So that sums of two levels fit 16 bits. */
#define MAX_SPAN 32768

/* A count below the largest that 8 bits of tag leave. */
#define MAX_COUNT_8 254

/* The kernels look up counts in the table of logarithms without a bounds check. */
int rugi_glcm_tagged_fits(const rugi_glcm_matrix *m)
{
    uint64_t n = m->tile->area * m->n_offsets;
    return !m->plan->is_frame && n <= RUGI_GLCM_SMALL && 2 * n < m->plan->logs.n &&
           m->tile->span <= MAX_SPAN && rugi_glcm_most_entries(m) <= MAX_TAGGED;
}

/* How often an entry occurs at most: a pixel is in two pairs of each offset. */
static int fits_8_bits(const rugi_glcm_matrix *m)
{
    return (uint64_t)m->n_most * 2 * m->n_offsets <= MAX_COUNT_8;
}

/* Counters of which none is tagged with what the next tag will be. */
static void *get_counters(rug_context *ctx, rugi_glcm_scratch *block, uint32_t *tag,
                          size_t n, size_t size, uint32_t last_tag)
{
    void *before = block->data;
    size_t n_before = block->n_bytes;
    n = n < 4096 ? 4096 : n;
    n += n / 2 < MAX_TAGGED - n ? n / 2 : MAX_TAGGED - n; /* for the next ones too */
    if (n * size <= n_before && n_before > 0)
        n = n_before / size;
    char *counters = rugi_glcm_grow(ctx, block, n, size, "counters of co-occurrence");
    if (counters == NULL)
        return NULL;
    if (counters != before || block->n_bytes != n_before || *tag == last_tag) {
        memset(counters, 0, block->n_bytes);
        *tag = 0;
    }
    ++*tag;
    return counters;
}

static rug_status begin_tagged(rug_context *ctx, rugi_glcm_counting *c,
                               rugi_glcm_counters *n, const rugi_glcm_matrix *m)
{
    size_t needed = (size_t)rugi_glcm_most_entries(m), span = m->tile->span;
    *n = (rugi_glcm_counters){.step = m->plan->logs.step};
    n->difference = rugi_glcm_grow(ctx, &c->narrow_difference, span + RUGI_GLCM_SLACK,
                                   sizeof *n->difference, "histograms");
    n->sum = rugi_glcm_grow(ctx, &c->narrow_sum, 2 * span + RUGI_GLCM_SLACK,
                            sizeof *n->sum, "histograms");
    if (n->difference == NULL || n->sum == NULL)
        return RUG_E_NOMEM;
    memset(n->difference, 0, (span + RUGI_GLCM_SLACK) * sizeof *n->difference);
    memset(n->sum, 0, (2 * span + RUGI_GLCM_SLACK) * sizeof *n->sum);
    if (fits_8_bits(m)) {
        n->counter = get_counters(ctx, &c->counter8_scratch, &c->tag8, needed,
                                  sizeof(uint16_t), 255);
        n->tag = c->tag8 << 8;
    } else {
        n->counter = get_counters(ctx, &c->counter16_scratch, &c->tag16, needed,
                                  sizeof(uint32_t), 65535);
        n->tag = c->tag16 << 16;
    }
    return n->counter != NULL ? RUG_OK : RUG_E_NOMEM;
}

/* Every pixel is in the marginal once for each offset, but those without a partner. */
static void take_borders(uint32_t *counts, const uint16_t *ranks, size_t n)
{
    for (size_t i = 0; i < n; i++)
        counts[ranks[i]]--;
}

static uint32_t *begin_marginal(rug_context *ctx, rugi_glcm_scratch *block,
                                const rugi_glcm_matrix *m, uint32_t times)
{
    size_t n = (size_t)m->tile->n_ranks + RUGI_GLCM_SLACK;
    uint32_t *counts = rugi_glcm_grow(ctx, block, n, sizeof *counts, "marginals");
    for (size_t i = 0; counts != NULL && i < n; i++)
        counts[i] = m->tile->count[i] * times;
    return counts;
}

static rug_status sum_marginals(rug_context *ctx, rugi_glcm_counting *c,
                                rugi_glcm_sums *out, const rugi_glcm_matrix *m)
{
    const rugi_glcm_tile *t = m->tile;
    const rugi_glcm_lists *l = &c->lists;
    const rugi_glcm_plan *p = m->plan;
    rugi_glcm_moments x, y;
    uint32_t *counts =
        begin_marginal(ctx, &c->x_scratch, m, m->n_offsets * (out->is_symmetric ? 2 : 1));
    if (counts == NULL)
        return RUG_E_NOMEM;
    take_borders(counts, l->no_next, l->n_no_next);
    if (out->is_symmetric)
        take_borders(counts, l->no_last, l->n_no_last);
    p->kernels.marginal(&x, counts, t->level_of, t->n_ranks, &p->logs);
    y = x;
    if (!out->is_symmetric) {
        counts = begin_marginal(ctx, &c->y_scratch, m, m->n_offsets);
        if (counts == NULL)
            return RUG_E_NOMEM;
        take_borders(counts, l->no_last, l->n_no_last);
        p->kernels.marginal(&y, counts, t->level_of, t->n_ranks, &p->logs);
    }
    out->t_x = x.t, out->x1 = x.first, out->x2 = x.second;
    out->t_y = y.t, out->y1 = y.first, out->y2 = y.second;
    return RUG_OK;
}

static void sum_histograms(rugi_glcm_sums *out, const rugi_glcm_counters *n,
                           const rugi_glcm_matrix *m)
{
    const rugi_glcm_plan *p = m->plan;
    size_t span = m->tile->span;
    rugi_glcm_moments d;
    p->kernels.differences(&d, n->difference, span, p->closeness, &p->logs);
    out->t_difference = d.t, out->d1 = d.first, out->d2 = d.second;
    out->closeness = d.closeness;
    out->t_sum = p->kernels.sums(n->sum, 2 * span - 1, &p->logs);
    out->equal = n->difference[0];
    out->squares =
        out->is_symmetric ? 2 * ((rugi_glcm_u128)n->squares + n->diagonal) : n->squares;
    out->t = n->t;
}

/* The ranks that a key is made of. */
static rugi_glcm_entry decode(uint32_t key, const rugi_glcm_matrix *m)
{
    if (!m->plan->is_symmetric)
        return (rugi_glcm_entry){.i = (uint16_t)(key / m->tile->n_ranks),
                                 .j = (uint16_t)(key % m->tile->n_ranks)};
    uint32_t hi = (uint32_t)((sqrt(8.0 * key + 1) - 1) / 2);
    while (hi * (hi + 1) / 2 > key)
        hi--;
    while ((hi + 1) * (hi + 2) / 2 <= key)
        hi++;
    return (rugi_glcm_entry){.i = (uint16_t)hi, .j = (uint16_t)(key - hi * (hi + 1) / 2)};
}

/* Takes every entry out of the counters once. */
#define TAKE(type)                                                              \
    static void take_##type(rugi_glcm_counting *c, const rugi_glcm_counters *n, \
                            const rugi_glcm_matrix *m)                          \
    {                                                                           \
        type *counter = n->counter;                                             \
        const rugi_glcm_lists *l = &c->lists;                                   \
        for (size_t i = 0; i < l->n_pairs; i++) {                               \
            uint32_t count = counter[l->key[i]];                                \
            if (count < n->tag)                                                 \
                continue;                                                       \
            counter[l->key[i]] = 0;                                             \
            c->entry[c->n_entries] = decode(l->key[i], m);                      \
            c->entry[c->n_entries++].n = count - n->tag;                        \
        }                                                                       \
    }

TAKE(uint16_t)
TAKE(uint32_t)

static rug_status take_entries(rug_context *ctx, rugi_glcm_counting *c,
                               rugi_glcm_sums *out, const rugi_glcm_counters *n,
                               const rugi_glcm_matrix *m)
{
    c->n_entries = 0;
    c->bulk = (rugi_glcm_bulk){0};
    c->entry = rugi_glcm_grow(ctx, &c->entry_scratch, c->lists.n_pairs + 1,
                              sizeof *c->entry, "entries of a matrix");
    if (c->entry == NULL)
        return RUG_E_NOMEM;
    if (fits_8_bits(m))
        take_uint16_t(c, n, m);
    else
        take_uint32_t(c, n, m);
    return rugi_glcm_entry_sums(ctx, c, out, m);
}

rug_status rugi_glcm_count_tagged(rug_context *ctx, rugi_glcm_counting *c,
                                  rugi_glcm_sums *out, const rugi_glcm_matrix *m)
{
    rugi_glcm_counters n;
    rug_status status = begin_tagged(ctx, c, &n, m);
    if (status != RUG_OK)
        return status;
    status = rugi_glcm_list_all(
        ctx, c, m, out->is_symmetric ? RUGI_GLCM_TRIANGLE : RUGI_GLCM_SQUARE, 1);
    if (status != RUG_OK)
        return status;
    out->pairs = c->lists.n_pairs;
    if (out->pairs == 0)
        return RUG_OK;
    if (fits_8_bits(m))
        m->plan->kernels.count8(&n, &c->lists);
    else
        m->plan->kernels.count16(&n, &c->lists);
    status = sum_marginals(ctx, c, out, m);
    if (status != RUG_OK)
        return status;
    sum_histograms(out, &n, m);
    if (m->plan->with_all)
        status = rugi_glcm_more_sums(ctx, c, out, m, n.difference, n.sum);
    return status == RUG_OK && m->plan->with_entries ? take_entries(ctx, c, out, &n, m)
                                                     : status;
}

/* ---- Sorted pairs ----
 *
 * Few pairs whose levels may be far apart, such as of small regions of 16 bits:
 * everything is sorted, so that a matrix costs as its pairs, however large the span. */

/* Levels of the span per pair from which on visiting all of them takes longer than
 * sorting pairs, if the other way is tagged counters, and otherwise. */
#define LEVELS_OF_TAGGED 24
#define LEVELS_OF_ROWS   6

static int fits_sorted(const rugi_glcm_matrix *m)
{
    unsigned levels = rugi_glcm_tagged_fits(m) ? LEVELS_OF_TAGGED : LEVELS_OF_ROWS;
    return rugi_glcm_most_pairs(m) * levels < m->tile->span;
}

/* What is sorted. */
typedef struct sorted {
    uint64_t *value, *scratch;
    size_t n;
} sorted;

/* Pairs with the background, as keys like others. */
static void list_frame(rugi_glcm_lists *l, const rugi_glcm_matrix *m)
{
    for (size_t i = 0; i < l->n_no_next; i++)
        l->key[l->n_pairs++] = rugi_glcm_frame_key(m, l->no_next[i], m->background);
    for (size_t i = 0; i < l->n_no_last; i++)
        l->key[l->n_pairs++] = rugi_glcm_frame_key(m, m->background, l->no_last[i]);
}

static void count_borders(rugi_glcm_counting *c, const rugi_glcm_matrix *m)
{
    uint32_t *x = c->x_scratch.data, *y = c->y_scratch.data;
    const rugi_glcm_lists *l = &c->lists;
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

/* Sorts values and makes bins of the equal ones, `more` at one place among them. */
static rug_status sort_to_bins(rug_context *ctx, rugi_glcm_counting *c, sorted *s,
                               unsigned bits, uint64_t more_at, uint64_t more)
{
    rug_status status = rugi_sort_u64(ctx, s->value, s->scratch, s->n, bits, NULL);
    c->n_bins = 0;
    for (size_t i = 0, end; i < s->n && status == RUG_OK; i = end) {
        for (end = i + 1; end < s->n && s->value[end] == s->value[i];)
            end++;
        if (more > 0 && s->value[i] >= more_at) {
            uint64_t n = s->value[i] == more_at ? end - i : 0;
            c->bin[c->n_bins++] = (rugi_glcm_bin_count){n + more, (uint32_t)more_at};
            more = 0;
            if (n > 0)
                continue;
        }
        c->bin[c->n_bins++] = (rugi_glcm_bin_count){end - i, (uint32_t)s->value[i]};
    }
    if (more > 0)
        c->bin[c->n_bins++] = (rugi_glcm_bin_count){more, (uint32_t)more_at};
    return status;
}

/* Squares, t and entries by the sorted keys. */
static void sum_keys(rugi_glcm_counting *c, rugi_glcm_sums *out,
                     const rugi_glcm_matrix *m)
{
    rugi_glcm_u128 squares = 0, diagonal = 0;
    c->n_entries = 0;
    for (size_t i = 0; i < c->n_bins; i++) {
        uint64_t n = c->bin[i].n, listed = n;
        uint32_t row = c->bin[i].k >> 16, column = c->bin[i].k & 65535;
        squares += (rugi_glcm_u128)n * n;
        diagonal += row == column ? (rugi_glcm_u128)n * n : 0;
        out->t += rugi_glcm_t(&m->plan->logs, n);
        if (c->bulk.n > 0 && row == column && row == c->bulk.rank)
            listed -= c->bulk.n;
        if (m->plan->with_entries && listed > 0)
            c->entry[c->n_entries++] = (rugi_glcm_entry){
                .i = (uint16_t)row, .j = (uint16_t)column, .n = (uint32_t)listed};
    }
    out->squares = out->is_symmetric ? 2 * (squares + diagonal) : squares;
}

static rug_status begin_sorted(rug_context *ctx, rugi_glcm_counting *c, sorted *s,
                               const rugi_glcm_matrix *m)
{
    uint64_t n = rugi_glcm_most_pairs(m) + 8;
    s->value = rugi_glcm_grow(ctx, &c->sort_scratch, 2 * ((n + 7) / 8 * 8),
                              sizeof *s->value, "sorted pairs");
    c->entry = rugi_glcm_grow(ctx, &c->entry_scratch, n, sizeof *c->entry,
                              "entries of a matrix");
    if (s->value == NULL || c->entry == NULL)
        return RUG_E_NOMEM;
    s->scratch = s->value + (n + 7) / 8 * 8;
    rug_status status = rugi_glcm_bins_begin(ctx, c, (size_t)n);
    if (status == RUG_OK)
        status = rugi_glcm_marginals_begin(ctx, c, 1, m);
    return status;
}

/* Sums over differences and over sums, sorted one after the other. */
static rug_status sum_levels(rug_context *ctx, rugi_glcm_counting *c, sorted *s,
                             rugi_glcm_sums *out, const rugi_glcm_matrix *m)
{
    const uint16_t *level_of = m->tile->level_of;
    const uint32_t *key = c->lists.key;
    for (size_t i = 0; i < s->n; i++) {
        uint32_t a = level_of[key[i] >> 16], b = level_of[key[i] & 65535];
        s->value[i] = a > b ? a - b : b - a;
    }
    rug_status status = sort_to_bins(ctx, c, s, 16, 0, c->bulk.n);
    if (status != RUG_OK)
        return status;
    rugi_glcm_difference_sums(out, c, m);
    for (size_t i = 0; i < s->n; i++)
        s->value[i] = (uint64_t)level_of[key[i] >> 16] + level_of[key[i] & 65535];
    status = sort_to_bins(ctx, c, s, 17, 2 * (uint64_t)c->bulk.level, c->bulk.n);
    if (status != RUG_OK)
        return status;
    rugi_glcm_sum_sums(out, c, m);
    return RUG_OK;
}

rug_status rugi_glcm_count_sorted(rug_context *ctx, rugi_glcm_counting *c,
                                  rugi_glcm_sums *out, const rugi_glcm_matrix *m)
{
    sorted s = {0};
    rug_status status = begin_sorted(ctx, c, &s, m);
    if (status == RUG_OK)
        status = rugi_glcm_list_all(
            ctx, c, m, out->is_symmetric ? RUGI_GLCM_SORTED : RUGI_GLCM_ORDERED, 0);
    if (status != RUG_OK)
        return status;
    count_borders(c, m);
    if (m->plan->is_frame)
        list_frame(&c->lists, m);
    s.n = c->lists.n_pairs;
    status = rugi_glcm_find_bulk(ctx, &c->bulk, m, s.n);
    out->pairs = s.n + c->bulk.n;
    if (status != RUG_OK || out->pairs == 0)
        return status;
    rugi_glcm_marginal_sums(out, c, m);
    for (size_t i = 0; i < s.n; i++)
        s.value[i] = c->lists.key[i];
    status = sort_to_bins(ctx, c, &s, 32, (uint64_t)c->bulk.rank << 16 | c->bulk.rank,
                          c->bulk.n);
    if (status != RUG_OK)
        return status;
    sum_keys(c, out, m);
    status = sum_levels(ctx, c, &s, out, m);
    if (status != RUG_OK || !m->plan->with_entries)
        return status;
    return rugi_glcm_entry_sums(ctx, c, out, m);
}

/* ---- Any matrix ---- */

/* Pairs of a matrix, all offsets together; of a frame without those of the background. */
#define MAX_PAIRS ((uint64_t)UINT32_MAX)

/* Counters of a dense matrix at most, 16 MB in all sets. */
#define MAX_DENSE ((size_t)1 << 20)

static int fits_dense(const rugi_glcm_matrix *m)
{
    uint64_t n = rugi_glcm_most_entries(m);
    return !m->plan->is_frame && n <= MAX_DENSE && n <= m->tile->area * m->n_offsets;
}

rug_status rugi_glcm_count(rug_context *ctx, rugi_glcm_counting *c, rugi_glcm_sums *out,
                           const rugi_glcm_matrix *m)
{
    *out = (rugi_glcm_sums){.is_symmetric = m->plan->is_symmetric};
    if (m->tile->area == 0)
        return RUG_OK;
    if (rugi_glcm_most_pairs(m) > MAX_PAIRS)
        return rug_context_fail(ctx, RUG_E_UNSUPPORTED,
                                "co-occurrence: a region with %llu pairs in a matrix, at "
                                "most %llu expected; give smaller regions as labels",
                                (unsigned long long)rugi_glcm_most_pairs(m),
                                (unsigned long long)MAX_PAIRS);
    rug_status status = m->whole != NULL ? rugi_glcm_count_dense(ctx, c, out, m)
                        : fits_sorted(m) ? rugi_glcm_count_sorted(ctx, c, out, m)
                        : rugi_glcm_tagged_fits(m)
                            ? rugi_glcm_count_tagged(ctx, c, out, m)
                        : fits_dense(m) ? rugi_glcm_count_dense(ctx, c, out, m)
                                        : rugi_glcm_count_rows(ctx, c, out, m);
    out->total = out->is_symmetric ? 2 * out->pairs : out->pairs;
    return status;
}
