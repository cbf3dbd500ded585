/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* A matrix as the kernels see it, for regions of every size: its description, its pixels and
 * its offsets; and what becomes of the rows. */

#include "glcm_opencl.h"
#include <string.h>

/* Pairs of a matrix that glcm_sums.cl can sum. */
#define SUMMED_PAIRS ((uint64_t)1 << 15)

uint64_t rugi_glcm_cl_entries(const rugi_glcm_matrix *m)
{
    uint64_t n = m->tile->n_ranks, pairs = rugi_glcm_most_pairs(m);
    uint64_t keys = m->plan->is_symmetric ? n * (n + 1) / 2 : n * n;
    return pairs < keys ? pairs : keys;
}

/* Bits of a rank, at least 1. */
static uint32_t bits_of(uint32_t n_ranks)
{
    uint32_t bits = 1;
    while (n_ranks > (uint32_t)1 << bits)
        bits++;
    return bits;
}

/* A key has 2 rank_bits of a slot, its count the others: a pixel is in two pairs of each
 * offset. */
int rugi_glcm_cl_describe(rugi_glcm_cl_matrix *out, const rugi_glcm_cl *cl,
                          const rugi_glcm_matrix *m)
{
    const rugi_glcm_tile *t = m->tile;
    uint64_t entries = rugi_glcm_cl_entries(m);
    uint64_t most = (uint64_t)m->n_most * 2 * m->n_offsets,
             pairs = rugi_glcm_most_pairs(m);
    uint32_t bits = bits_of(t->n_ranks), most_slots = cl->most_slots;
    most = most < pairs ? most : pairs;
    *out = (rugi_glcm_cl_matrix){.n_words = (uint32_t)t->n_words,
                                 .ny = (uint32_t)t->ny,
                                 .nz = (uint32_t)t->nz,
                                 .n_offsets = m->n_offsets,
                                 .rank_bits = bits,
                                 .background = m->plan->is_frame ? m->background : 0};
    if (cl->with_sums && (pairs >= SUMMED_PAIRS || 2 * pairs >= m->plan->logs.n))
        return 0;
    if (entries > most_slots - most_slots / 8 || 2 * bits > 31 ||
        most >> (32 - 2 * bits) != 0)
        return 0;
    uint64_t n_slots =
        2 * entries > RUGI_GLCM_CL_LEAST_SLOTS ? 2 * entries : RUGI_GLCM_CL_LEAST_SLOTS;
    out->n_slots = n_slots < most_slots ? (uint32_t)n_slots : most_slots;
    return 1;
}

void rugi_glcm_cl_move(rugi_glcm_tile *t, uint64_t *mask, uint16_t *rank)
{
    size_t words = t->nz * t->ny * t->n_words, ny = t->ny, gap = RUGI_GLCM_ROW_GAP;
    if (t->pixel_row == NULL) {
        memcpy(mask, t->mask, words * sizeof *mask);
        memcpy(rank, t->rank, 64 * words * sizeof *rank);
    } else {
        memset(mask, 0, words * sizeof *mask);
        memset(rank, 0, 64 * words * sizeof *rank);
    }
    for (size_t i = 0; i < t->n_pixels && t->pixel_row != NULL; i++) {
        size_t row = (size_t)t->pixel_row[i], x = (size_t)t->pixel_x[i];
        row = row / (ny + gap) * ny + row % (ny + gap);
        mask[row * t->n_words + x / 64] |= (uint64_t)1 << x % 64;
        rank[row * t->n_words * 64 + x] = t->rank[i];
    }
    t->mask = mask;
    t->rank = t->level = rank; /* no pairs are listed here */
    t->pixel_row = t->pixel_x = NULL;
    t->n_pixels = 0;
}

void rugi_glcm_cl_offsets(int32_t (*out)[4], const rugi_glcm_matrix *m)
{
    for (uint32_t k = 0; k < m->n_offsets; k++) {
        for (int a = 0; a < 3; a++)
            out[k][a] = m->offset[k][2 - a];
        out[k][3] = 0;
    }
}

rug_status rugi_glcm_cl_fail_impossible(rug_context *ctx, const rugi_glcm_cl *cl)
{
    return rug_context_fail(
        ctx, RUG_E_DEVICE,
        "%s: co-occurrence: the device found more entries of a matrix "
        "than there can be; use device 'cpu'",
        rugi_ocl_facts(cl->device)->name);
}

void rugi_glcm_cl_sign(const rugi_glcm_cl *cl, rugi_glcm_row *rows)
{
    for (uint32_t k = 0; k < cl->job->plan->n_rows; k++)
        rows[k].row.engine = rugi_ocl_engine_name(cl->device);
}
