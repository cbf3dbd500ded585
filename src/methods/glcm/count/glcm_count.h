/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* One matrix of a region: pairs at one offset, or at several whose matrices are summed,
 * and all that features need of it. */

#ifndef RUGI_GLCM_COUNT_H
#define RUGI_GLCM_COUNT_H

#include "core/context/threads.h"
#include "glcm/region/glcm_region.h"

/** What is known of a matrix after counting; integers, but for the last ones. Levels are
 *  those less the least one. */
typedef struct rugi_glcm_sums {
    int is_symmetric;
    uint64_t pairs;         /**< each counted once */
    uint64_t total;         /**< sum of the matrix: twice the pairs if it is symmetric */
    uint64_t equal;         /**< pairs of equal levels */
    rugi_glcm_u128 squares; /**< of the matrix */
    rugi_glcm_u128 t;       /**< of its entries; of unordered pairs if it is symmetric */
    uint64_t largest;       /**< entry; 0 when not asked for */
    rugi_glcm_u128 t_x, x1,
        x2; /**< of the marginal of the first level: t, sum, squares */
    rugi_glcm_u128 t_y, y1, y2;          /**< of the second */
    rugi_glcm_u128 t_difference, d1, d2; /**< of |gi - gj|, over pairs */
    rugi_glcm_u128 t_sum;                /**< of gi + gj */
    double closeness;                    /**< sum of 1 / (1 + (gi - gj)^2) */
    /* With all features: over pairs, of k = |gi - gj| */
    double inverse;          /**< sum of 1 / (1 + k) */
    double inverse_scaled;   /**< of 1 / (1 + k / Ng) */
    double closeness_scaled; /**< of 1 / (1 + k^2 / Ng^2) */
    double inverse_variance; /**< of 1 / k^2 */
    double shade,
        prominence; /**< of the third and fourth power of gi + gj less its mean */
    double mcc;     /**< f14; NaN where it is undefined or not asked for */
} rugi_glcm_sums;

/** An entry of a matrix; in a symmetric one of i and j together. */
typedef struct rugi_glcm_entry {
    uint16_t i, j; /**< ranks; i >= j in a symmetric one */
    uint32_t n;
} rugi_glcm_entry;

/** Pairs of the background with itself in a frame. They far outnumber the pixels, so they
 *  are not counted one by one and appear in no list, histogram or entry. */
typedef struct rugi_glcm_bulk {
    uint64_t n;
    uint32_t level; /**< of the background */
    uint32_t rank;
} rugi_glcm_bulk;

/** How often k occurs. */
typedef struct rugi_glcm_bin_count {
    uint64_t n;
    uint32_t k;
} rugi_glcm_bin_count;

/** What is counted. */
typedef struct rugi_glcm_matrix {
    const rugi_glcm_plan *plan;
    const rugi_glcm_tile *tile;
    const int (*offset)[3];
    uint32_t n_offsets;
    uint32_t first; /**< number of the first offset's direction among those taken */
    const struct rugi_glcm_whole
        *whole;          /**< in which pairs are counted already, or NULL */
    double n_gray;       /**< Ng */
    uint32_t n_most;     /**< pixels of the most frequent level, at most */
    uint32_t background; /**< its rank; in a frame */
    const size_t *box;   /**< [3] the shape of what the frame is about */
    uint32_t reach;      /**< by how much a frame is wider */
    int frame_axes;      /**< 2 or 3: the last ones are widened */
} rugi_glcm_matrix;

/** Memory to count in, all 0 at first. One thread has one and uses it for one matrix
 *  after the other; for a large region all threads have one each, side by side. */
typedef struct rugi_glcm_counting {
    RUGI_OWN_LINES rugi_glcm_lists lists;
    rugi_glcm_scratch key_scratch, difference_scratch, sum_scratch, next_scratch,
        last_scratch;
    rugi_glcm_scratch counter8_scratch, counter16_scratch; /**< tagged */
    uint32_t tag8, tag16;
    rugi_glcm_scratch narrow_difference, narrow_sum; /**< histograms of 16 bits */
    rugi_glcm_scratch wide_difference, wide_sum;     /**< of 32 bits */
    rugi_glcm_scratch x_scratch, y_scratch;          /**< marginals */
    rugi_glcm_scratch bin_scratch, sort_scratch;
    rugi_glcm_bin_count *bin; /**< of a histogram, what is not 0, by rising k */
    size_t n_bins;
    uint64_t pairs; /**< that this thread has seen */
    rugi_glcm_scratch dense_scratch, place_scratch, value_scratch, row_scratch;
    rugi_glcm_scratch entry_scratch, sorted_scratch, rank_place_scratch;
    uint16_t *dealt;        /**< pairs row by row, of all threads */
    rugi_glcm_entry *entry; /**< of this thread, and in the end all in the first */
    size_t n_entries;
    rugi_glcm_entry *all_entries;
    rugi_glcm_bulk bulk;
    rugi_glcm_scratch mcc_scratch[5];
    rugi_glcm_scratch slice_count;
} rugi_glcm_counting;

/** Counts a matrix.
 *  @param c  rug_context_threads(ctx) of them
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_CANCELLED, RUG_E_UNSUPPORTED (more pairs than 2^32,
 *          or a frame of more than 2^44) */
rug_status rugi_glcm_count(rug_context *ctx, rugi_glcm_counting *c, rugi_glcm_sums *out,
                           const rugi_glcm_matrix *m);
void rugi_glcm_counting_free(rug_context *ctx, rugi_glcm_counting *c);

/* The ways. All give the same sums. */

/** For few pairs over a wide span of levels: they are sorted, so the cost does not follow
 *  the span; on one thread. */
rug_status rugi_glcm_count_sorted(rug_context *ctx, rugi_glcm_counting *c,
                                  rugi_glcm_sums *out, const rugi_glcm_matrix *m);

/** Few pairs and few levels: all pairs in lists, tagged counters; on one thread. */
int rugi_glcm_tagged_fits(const rugi_glcm_matrix *m);
rug_status rugi_glcm_count_tagged(rug_context *ctx, rugi_glcm_counting *c,
                                  rugi_glcm_sums *out, const rugi_glcm_matrix *m);

/** Many pairs for each entry that there can be: a counter for each. Pairs of a whole image
 *  (glcm_whole.h) are counted already. */
rug_status rugi_glcm_count_dense(rug_context *ctx, rugi_glcm_counting *c,
                                 rugi_glcm_sums *out, const rugi_glcm_matrix *m);

/** Any number of levels, and frames: pairs sorted by one level, rows of the matrix
 *  counted one after the other. */
rug_status rugi_glcm_count_rows(rug_context *ctx, rugi_glcm_counting *c,
                                rugi_glcm_sums *out, const rugi_glcm_matrix *m);

/** An entry that was counted elsewhere: of pairs with both pixels in the region, and in a
 *  frame of pixels with the background. Entries have no order, and no two the same
 *  key. */
typedef struct rugi_glcm_device_count {
    uint32_t key; /**< i 65536 + j, ranks as in rugi_glcm_entry */
    uint32_t n;
} rugi_glcm_device_count;

/** Sums of entries that a device has counted.
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_UNSUPPORTED, RUG_E_DEVICE (entries that cannot
 *  be) */
rug_status rugi_glcm_sum_device_counts(rug_context *ctx, rugi_glcm_counting *c,
                                       rugi_glcm_sums *out, const rugi_glcm_matrix *m,
                                       const rugi_glcm_device_count *device_counts,
                                       size_t n);

/** What a device has summed of a symmetric matrix of pairs inside; see glcm_sums.cl. */
typedef struct rugi_glcm_device_sums {
    uint64_t pairs;
    uint64_t squares; /**< of unordered pairs, those of equal levels twice */
    uint64_t t;       /**< of unordered pairs */
    uint64_t t_x, x1, x2, t_sum;
} rugi_glcm_device_sums;

/** All sums that are needed without entries.
 *  @param differences  the histogram of |gi - gj|, what is not 0; key k, in any order
 *  @return as of rugi_glcm_sum_device_counts() */
rug_status rugi_glcm_sum_device_sums(rug_context *ctx, rugi_glcm_counting *c,
                                     rugi_glcm_sums *out, const rugi_glcm_matrix *m,
                                     const rugi_glcm_device_sums *summed,
                                     const rugi_glcm_device_count *differences, size_t n);

/* What they share. */

/** Entries that a matrix can have at most. */
static inline uint64_t rugi_glcm_most_entries(const rugi_glcm_matrix *m)
{
    uint64_t n = m->tile->n_ranks;
    return m->plan->is_symmetric ? n * (n + 1) / 2 : n * n;
}

/** Pairs that are counted one by one, at most. */
uint64_t rugi_glcm_most_pairs(const rugi_glcm_matrix *m);

/** Of a frame: its pairs of background alone, when `listed` of its pairs are others.
 *  @return RUG_OK, RUG_E_UNSUPPORTED (too many) */
rug_status rugi_glcm_find_bulk(rug_context *ctx, rugi_glcm_bulk *out,
                               const rugi_glcm_matrix *m, uint64_t listed);

/** The key, as of SORTED or ORDERED, of a pair with a pixel of the background. */
static inline uint32_t rugi_glcm_frame_key(const rugi_glcm_matrix *m, uint32_t a,
                                           uint32_t b)
{
    int swap = m->plan->is_symmetric && a < b;
    return swap ? b << 16 | a : a << 16 | b;
}

/** As many threads as have so many pairs each. */
static inline size_t rugi_glcm_choose_threads(const rug_context *ctx,
                                              const rugi_glcm_matrix *m,
                                              uint64_t pairs_each)
{
    uint64_t n = m->tile->area * m->n_offsets / pairs_each + 1;
    uint64_t most = (uint64_t)rug_context_threads(ctx);
    return (size_t)(n < most ? n : most);
}

/** Lists all pairs, of all offsets one after the other. */
rug_status rugi_glcm_list_all(rug_context *ctx, rugi_glcm_counting *c,
                              const rugi_glcm_matrix *m, rugi_glcm_keys keys,
                              int with_levels);

/** Receives the lists of some rows of one offset. */
typedef void (*rugi_glcm_lists_fn)(rugi_glcm_counting *c, const rugi_glcm_matrix *m);

/** Lists all pairs of all offsets, a block of rows after the other, on the first
 *  n_threads threads: the blocks of each are the same whenever it is called. Adds up
 *  `pairs`. */
rug_status rugi_glcm_for_lists(rug_context *ctx, rugi_glcm_counting *c, size_t n_threads,
                               const rugi_glcm_matrix *m, rugi_glcm_keys keys,
                               int with_borders, rugi_glcm_lists_fn fn);

/** x_scratch and y_scratch [n_ranks] of the first n_threads threads, which add up to the
 *  marginals as if every pixel had a partner. No bulk. */
rug_status rugi_glcm_marginals_begin(rug_context *ctx, rugi_glcm_counting *c,
                                     size_t n_threads, const rugi_glcm_matrix *m);

/** Histograms of 32 bits of the first n_threads threads, all 0: wide_difference [span],
 *  wide_sum [2 span]. And memory for their bins. */
rug_status rugi_glcm_histograms_begin(rug_context *ctx, rugi_glcm_counting *c,
                                      size_t n_threads, const rugi_glcm_matrix *m);

/** Adds the first n numbers of 32 bits of all threads up in the first; the scratch of
 *  each is at `offset` bytes of its counting. Numbers wrap. */
static inline void rugi_glcm_add_up(rugi_glcm_counting *c, size_t n_threads,
                                    size_t offset, size_t n)
{
    uint32_t *sum = ((rugi_glcm_scratch *)(void *)((char *)c + offset))->data;
    for (size_t t = 1; t < n_threads; t++) {
        const uint32_t *add =
            ((rugi_glcm_scratch *)(void *)((char *)(c + t) + offset))->data;
        for (size_t i = 0; i < n; i++)
            sum[i] += add[i];
    }
}

/** All sums over the histograms of n_threads threads, and the bulk of the first. */
void rugi_glcm_histogram_sums(rugi_glcm_sums *out, rugi_glcm_counting *c,
                              size_t n_threads, const rugi_glcm_matrix *m);

/** Sums over the marginals of the first thread, with its bulk. */
void rugi_glcm_marginal_sums(rugi_glcm_sums *out, const rugi_glcm_counting *c,
                             const rugi_glcm_matrix *m);

/** Memory for n bins; there are none. */
rug_status rugi_glcm_bins_begin(rug_context *ctx, rugi_glcm_counting *c, size_t n);

/** Makes bins of what is not 0 in a histogram, with so many more at one place. */
static inline void rugi_glcm_bins_of_32(rugi_glcm_counting *c, const uint32_t *counts,
                                        size_t n, size_t more_at, uint64_t more)
{
    c->n_bins = 0;
    for (size_t k = 0; k < n; k++) {
        uint64_t count = counts[k] + (k == more_at ? more : 0);
        if (count > 0)
            c->bin[c->n_bins++] = (rugi_glcm_bin_count){count, (uint32_t)k};
    }
}

/** Sums over bins of |gi - gj|, and over those of gi + gj; with all features, more of
 *  them. */
void rugi_glcm_difference_sums(rugi_glcm_sums *out, const rugi_glcm_counting *c,
                               const rugi_glcm_matrix *m);
void rugi_glcm_sum_sums(rugi_glcm_sums *out, const rugi_glcm_counting *c,
                        const rugi_glcm_matrix *m);

/** What all features need more of both histograms, [span] and [2 span - 1]. */
rug_status rugi_glcm_more_sums(rug_context *ctx, rugi_glcm_counting *c,
                               rugi_glcm_sums *out, const rugi_glcm_matrix *m,
                               const uint16_t *difference, const uint16_t *sum);

/** What the entries say, with the bulk: the largest, and f14. Sorts them. */
rug_status rugi_glcm_entry_sums(rug_context *ctx, rugi_glcm_counting *c,
                                rugi_glcm_sums *out, const rugi_glcm_matrix *m);

#endif
