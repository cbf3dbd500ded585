/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Small matrices of small regions: the pairs of a matrix fit lists of the first-level cache,
 * and one loop counts entries, differences and sums and adds up c^2 and c ln c on the way.
 * Marginals need the pixels without a partner only: all others are in two pairs. */

#include "glcm_count.h"
#include <math.h>
#include <string.h>

/* Counters at most. */
#define MAX_COUNTERS ((size_t)1 << 21)

/* So that sums of two levels fit 16 bits. */
#define MAX_SPAN 32768

/* A count below the largest that 8 bits of tag leave. */
#define MAX_COUNT8 254

static size_t n_counters(const rugi_glcm_matrix *m)
{
    size_t n = m->tile->n_ranks;
    return m->plan->is_symmetric ? n * (n + 1) / 2 : n * n;
}

/* The kernels look counts up in the table of logarithms without a question. */
int rugi_glcm_tagged_fits(const rugi_glcm_matrix *m)
{
    uint64_t n = m->tile->area * m->n_offsets;
    return !m->plan->is_frame && n <= RUGI_GLCM_SMALL && 2 * n < m->plan->logs.n &&
           m->tile->span <= MAX_SPAN && n_counters(m) <= MAX_COUNTERS;
}

/* How often an entry occurs at most: a pixel is in two pairs of each offset. */
static int fits_8_bits(const rugi_glcm_matrix *m)
{
    return (uint64_t)m->n_most * 2 * m->n_offsets <= MAX_COUNT8;
}

/* Counters of which none is tagged with what the next tag will be. */
static void *counters_room(rug_context *ctx, rugi_glcm_block *block, uint32_t *tag,
                           size_t n, size_t size, uint32_t last_tag)
{
    void *before = block->data;
    size_t n_before = block->n_bytes;
    n = n < 4096 ? 4096 : n;
    n += n / 2 < MAX_COUNTERS - n ? n / 2 : MAX_COUNTERS - n; /* for the next ones too */
    if (n * size <= n_before && n_before > 0)
        n = n_before / size;
    char *counters = rugi_glcm_room(ctx, block, n, size, "counters of co-occurrence");
    if (counters == NULL)
        return NULL;
    if (counters != before || block->n_bytes != n_before || *tag == last_tag) {
        memset(counters, 0, block->n_bytes);
        *tag = 0;
    }
    ++*tag;
    return counters;
}

static rug_status prepare(rug_context *ctx, rugi_glcm_counting *c, rugi_glcm_counters *n,
                          const rugi_glcm_matrix *m)
{
    size_t needed = n_counters(m), span = m->tile->span;
    *n = (rugi_glcm_counters){.step = m->plan->logs.step};
    n->difference = rugi_glcm_room(ctx, &c->narrow_difference, span + RUGI_GLCM_SLACK,
                                   sizeof *n->difference, "histograms");
    n->sum = rugi_glcm_room(ctx, &c->narrow_sum, 2 * span + RUGI_GLCM_SLACK,
                            sizeof *n->sum, "histograms");
    if (n->difference == NULL || n->sum == NULL)
        return RUG_E_NOMEM;
    memset(n->difference, 0, (span + RUGI_GLCM_SLACK) * sizeof *n->difference);
    memset(n->sum, 0, (2 * span + RUGI_GLCM_SLACK) * sizeof *n->sum);
    if (fits_8_bits(m)) {
        n->counter = counters_room(ctx, &c->counter8_block, &c->tag8, needed,
                                   sizeof(uint16_t), 255);
        n->tag = c->tag8 << 8;
    } else {
        n->counter = counters_room(ctx, &c->counter16_block, &c->tag16, needed,
                                   sizeof(uint32_t), 65535);
        n->tag = c->tag16 << 16;
    }
    if (n->counter == NULL)
        return RUG_E_NOMEM;
    rug_status status = rugi_glcm_bins_room(ctx, c, m->plan->with_all ? 2 * span : 1);
    return status == RUG_OK
               ? rugi_glcm_lists_room(ctx, c, (size_t)m->tile->area * m->n_offsets)
               : status;
}

static void list_all(rugi_glcm_counting *c, const rugi_glcm_matrix *m)
{
    for (uint32_t k = 0; k < m->n_offsets; k++) {
        const int *o = m->offset[k];
        rugi_glcm_wanted wanted = {.offset = {o[0], o[1], o[2]},
                                   .end_row = rugi_glcm_list_rows(m->tile),
                                   .keys = m->plan->is_symmetric ? RUGI_GLCM_TRIANGLE
                                                                 : RUGI_GLCM_SQUARE,
                                   .with_levels = 1,
                                   .with_borders = 1};
        rugi_glcm_list(&c->lists, m, &wanted);
    }
}

/* Every pixel is in the marginal once for each offset, but those without a partner. */
static void take_borders(uint32_t *counts, const uint16_t *ranks, size_t n)
{
    for (size_t i = 0; i < n; i++)
        counts[ranks[i]]--;
}

static uint32_t *begin_marginal(rug_context *ctx, rugi_glcm_block *block,
                                const rugi_glcm_matrix *m, uint32_t times)
{
    size_t n = (size_t)m->tile->n_ranks + RUGI_GLCM_SLACK;
    uint32_t *counts = rugi_glcm_room(ctx, block, n, sizeof *counts, "marginals");
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
        begin_marginal(ctx, &c->x_block, m, m->n_offsets * (out->is_symmetric ? 2 : 1));
    if (counts == NULL)
        return RUG_E_NOMEM;
    take_borders(counts, l->no_next, l->n_no_next);
    if (out->is_symmetric)
        take_borders(counts, l->no_last, l->n_no_last);
    p->kernels.marginal(&x, counts, t->level_of, t->n_ranks, &p->logs);
    y = x;
    if (!out->is_symmetric) {
        counts = begin_marginal(ctx, &c->y_block, m, m->n_offsets);
        if (counts == NULL)
            return RUG_E_NOMEM;
        take_borders(counts, l->no_last, l->n_no_last);
        p->kernels.marginal(&y, counts, t->level_of, t->n_ranks, &p->logs);
    }
    out->t_x = x.t, out->x1 = x.first, out->x2 = x.second;
    out->t_y = y.t, out->y1 = y.first, out->y2 = y.second;
    return RUG_OK;
}

static void sum_histograms(rugi_glcm_counting *c, rugi_glcm_sums *out,
                           const rugi_glcm_counters *n, const rugi_glcm_matrix *m)
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
    if (!p->with_all)
        return;
    rugi_glcm_bins_of_16(c, n->difference, span);
    rugi_glcm_more_difference_sums(out, c, m);
    rugi_glcm_bins_of_16(c, n->sum, 2 * span - 1);
    rugi_glcm_more_sum_sums(out, c);
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
    c->entry = rugi_glcm_room(ctx, &c->entry_block, c->lists.n_pairs + 1,
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
    rug_status status = prepare(ctx, c, &n, m);
    if (status != RUG_OK)
        return status;
    list_all(c, m);
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
    sum_histograms(c, out, &n, m);
    return m->plan->with_entries ? take_entries(ctx, c, out, &n, m) : RUG_OK;
}
