/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* From planes of bits to codes, bins and counts. The codes of riu2 are counted as planes;
 * those of other methods are numbers of single pixels, most of them looked up. */

#include "lbp_finish.h"
#include <math.h>
#include <string.h>

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
static void find_riu2(uint8_t *codes, const rugi_lbp_finish *f,
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

static void gather_patterns(uint32_t *patterns, const rugi_lbp_finish *f)
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

static void find_codes(uint32_t *codes, const rugi_lbp_finish *f)
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

static void store_codes(const rugi_lbp_finish *f, const uint32_t *codes)
{
    switch (f->op->code_dtype) {
    case RUG_U8: STORE(uint8_t, f->op->no_code); break;
    case RUG_U16: STORE(uint16_t, f->op->no_code); break;
    default: STORE(uint32_t, f->op->no_code); break;
    }
}

/* A variance of 0 is NaN in maps, as in scikit-image. */
static void store_variances(const rugi_lbp_finish *f)
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
static void find_variance_bins(uint32_t *bins, const rugi_lbp_finish *f)
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
static void find_bins(uint32_t *bins, const rugi_lbp_finish *f)
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

static void hand_out_bins(const rugi_lbp_finish *f, const uint32_t *bins)
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
static void finish_riu2(const rugi_lbp_finish *f)
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

void rugi_lbp_finish_row(const rugi_lbp_finish *f)
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
