/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What entries say that sums do not: the largest, and f14. They are sorted first, so that it
 * does not matter how they were found. */

#include "glcm_count.h"
#include "glcm_mcc.h"
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

/* Adds up entries of the same place. @return how many are left */
static size_t unite(rugi_glcm_entry *entry, size_t n)
{
    size_t to = 0;
    for (size_t e = 1; e < n; e++)
        if (entry[e].i == entry[to].i && entry[e].j == entry[to].j)
            entry[to].n += entry[e].n;
        else
            entry[++to] = entry[e];
    return n > 0 ? to + 1 : 0;
}

static rug_status sort(rug_context *ctx, rugi_glcm_counting *c, size_t n_ranks)
{
    rugi_glcm_entry *other = rugi_glcm_room(ctx, &c->sorted_block, c->n_entries,
                                            sizeof *other, "entries of a matrix");
    size_t *place = rugi_glcm_room(ctx, &c->place_block, n_ranks + 1, sizeof *place,
                                   "entries of a matrix");
    if (other == NULL || place == NULL)
        return RUG_E_NOMEM;
    sort_by(other, c->entry, c->n_entries, 0, place, n_ranks);
    sort_by(c->entry, other, c->n_entries, 1, place, n_ranks);
    c->n_entries = unite(c->entry, c->n_entries);
    return RUG_OK;
}

rug_status rugi_glcm_entry_sums(rug_context *ctx, rugi_glcm_counting *c,
                                rugi_glcm_sums *out, const rugi_glcm_matrix *m)
{
    rug_status status = sort(ctx, c, m->tile->n_ranks);
    if (status != RUG_OK)
        return status;
    uint64_t total = out->is_symmetric ? 2 * out->pairs : out->pairs;
    for (size_t e = 0; e < c->n_entries; e++) {
        const rugi_glcm_entry *at = &c->entry[e];
        uint64_t n = out->is_symmetric && at->i == at->j ? 2 * at->n : at->n;
        out->largest = n > out->largest ? n : out->largest;
    }
    return rugi_glcm_mcc(ctx, c, &out->mcc, m->tile->n_ranks, out->is_symmetric, total);
}
