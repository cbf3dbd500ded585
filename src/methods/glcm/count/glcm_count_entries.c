/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What entries say that sums do not: the largest, and f14. They are sorted first, so that it
 * does not matter how they were found. */

#include "glcm_count.h"
#include "glcm/features/glcm_mcc.h"
#include <math.h>
#include <string.h>

/* Sorts by i or by j, stably. */
static void sort_by(rugi_glcm_entry *to, const rugi_glcm_entry *from, size_t n, int by_i,
                    size_t *place, size_t n_ranks)
{
    memset(place, 0, (n_ranks + 1) * sizeof *place);
    for (size_t e = 0; e < n; e++)
        place[(by_i ? from[e].i : from[e].j) + (size_t)1]++;
    for (size_t k = 0; k < n_ranks; k++)
        place[k + 1] += place[k];
    for (size_t e = 0; e < n; e++)
        to[place[by_i ? from[e].i : from[e].j]++] = from[e];
}

static rug_status sort(rug_context *ctx, rugi_glcm_counting *c, size_t n_ranks)
{
    rugi_glcm_entry *other = rugi_glcm_room(ctx, &c->sorted_block, c->n_entries,
                                            sizeof *other, "entries of a matrix");
    size_t *place = rugi_glcm_room(ctx, &c->rank_place_block, n_ranks + 1, sizeof *place,
                                   "entries of a matrix");
    if (other == NULL || place == NULL)
        return RUG_E_NOMEM;
    sort_by(other, c->entry, c->n_entries, 0, place, n_ranks);
    sort_by(c->entry, other, c->n_entries, 1, place, n_ranks);
    return RUG_OK;
}

/* The largest entry: on the diagonal of a symmetric matrix pairs count twice. */
static uint64_t find_largest(const rugi_glcm_counting *c, int is_symmetric)
{
    uint64_t largest = is_symmetric ? 2 * c->bulk.n : c->bulk.n;
    for (size_t e = 0; e < c->n_entries; e++) {
        const rugi_glcm_entry *at = &c->entry[e];
        uint64_t n = at->n;
        if (at->i == at->j) {
            n += at->i == c->bulk.rank ? c->bulk.n : 0;
            n *= is_symmetric ? 2 : 1;
        }
        largest = n > largest ? n : largest;
    }
    return largest;
}

rug_status rugi_glcm_entry_sums(rug_context *ctx, rugi_glcm_counting *c,
                                rugi_glcm_sums *out, const rugi_glcm_matrix *m)
{
    rug_status status = sort(ctx, c, m->tile->n_ranks);
    if (status != RUG_OK)
        return status;
    uint64_t total = out->is_symmetric ? 2 * out->pairs : out->pairs;
    out->largest = find_largest(c, out->is_symmetric);
    return rugi_glcm_mcc(ctx, c, &out->mcc, m->tile->n_ranks, out->is_symmetric, total);
}
