/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Co-occurrence matrices themselves, and the features of a matrix from anywhere: what
 * rug_glcm() does in one go, in two steps.
 *
 *     static rug_status show(void *user, const rug_glcm_matrix *m)
 *     {
 *         double f[RUG_GLCM_N_FEATURES];
 *         rug_glcm_matrix_options opts = RUG_GLCM_MATRIX_OPTIONS_INIT;
 *         opts.level_min = m->level_min;
 *         rug_status status = rug_glcm_matrix_features(user, f, RUG_GLCM_N_FEATURES, NULL,
 *                                                      m->counts, m->n_levels, &opts);
 *         printf("%s: %llu pairs of %u levels, contrast %.1f\n",
 *                rug_glcm_direction_name((uint32_t)m->direction),
 *                (unsigned long long)m->pairs, m->n_levels, f[RUG_GLCM_CONTRAST]);
 *         return status;
 *     }
 *     ...
 *     rug_context *other; // for the features
 *     rug_status status = rug_context_new(&other);
 *     if (status != RUG_OK)
 *         return status;
 *     rug_glcm_options opts = RUG_GLCM_OPTIONS_INIT;
 *     opts.directions = 1;
 *     status = rug_glcm_matrices(ctx, &grey, &opts, show, other);
 *     rug_context_free(other);
 *     return status;
 *     // prints: 0: 4032 pairs of 251 levels, contrast 13050.1
 */

#ifndef RUGOSE_GLCM_MATRIX_H
#define RUGOSE_GLCM_MATRIX_H

#include <rugose/glcm.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Most levels of a matrix that is handed out: it takes 8 bytes for each two of them, 512 MB
 *  at most. */
#define RUG_GLCM_MATRIX_MAX_LEVELS 8192

/** A matrix of a region. Lent to rug_glcm_matrix_fn. */
typedef struct rug_glcm_matrix {
    uint64_t label; /**< 0 without labels */
    uint32_t distance;
    int direction; /**< -1: all, merged, or an offset that was given */
    int32_t
        offset[3]; /**< z y x, from a pixel to the other one of a pair; 0 when merged */
    uint32_t
        n_levels; /**< COUNT: all bins; EXACT and WIDTH: from the least to the largest level
                            of the region. In a frame, 0 is among them. The same in all
                            matrices of a region */
    int64_t level_min;      /**< the level of the first row and column */
    size_t slice;           /**< the layer of the image, with slices MEAN; else 0 */
    uint64_t n_gray;        /**< Ng */
    uint64_t pairs;         /**< each counted once; 0: all counts are 0 */
    const uint64_t *counts; /**< [n_levels][n_levels]: how often level i is at a pixel and
                                 level j at the one at the offset. Pairs count in both orders
                                 unless `asymmetric` is set: counts then are symmetric, with
                                 the sum 2 * pairs */
} rug_glcm_matrix;

/** Receives one matrix. Called on the calling thread in ascending order of label, distance,
 *  slice and direction. The matrix is valid until the function returns.
 *  @return RUG_OK; any other status ends the call and is returned by it */
typedef rug_status (*rug_glcm_matrix_fn)(void *user, const rug_glcm_matrix *matrix);

/** The matrices of every region of an image: one for each distance and direction, or with
 *  aggregate MERGED one for each distance.
 *
 *  Counts of parts of an image add up to those of the whole, where levels are the same in all
 *  parts (EXACT, or bins of a GIVEN range or origin) and pairs are INSIDE. Pairs across a cut
 *  are counted once if a part goes on beyond the cut by a halo of the largest distance, on one
 *  side, and the counts of the halo alone are taken off again. Where an image is cut along
 *  several axes, each part goes on beyond its upper cut along each axis, and off go the halos
 *  of each axis; what lies in the halos of two axes comes back, and so on.
 *
 *  Takes the memory that rug_glcm() takes, and 8 bytes for each entry of the largest matrix.
 *  @param image  [ny][nx] or [nz][ny][nx], any dtype and byte strides; borrowed for the call,
 *                never written
 *  @param opts   those of rug_glcm(), NULL = defaults; aggregate MEAN is NONE. Refused:
 *                aggregate RANGE, and a choice of features or of logarithms
 *  @param fn     called once per matrix
 *  @param user   passed to fn
 *  @return RUG_OK (also if there are no labels), the status of fn, RUG_E_ARG (also a region
 *          with more than RUG_GLCM_MATRIX_MAX_LEVELS levels: the error text names it),
 *          RUG_E_NOMEM, RUG_E_UNSUPPORTED (as rug_glcm()), RUG_E_DEVICE (a device was named;
 *          matrices are counted by the processor), RUG_E_CANCELLED */
RUG_API rug_status rug_glcm_matrices(rug_context *ctx, const rug_image *image,
                                     const rug_glcm_options *opts, rug_glcm_matrix_fn fn,
                                     void *user);

/** rug_glcm_matrices() at offsets of any kind, such as a step of a knight, in the order in which
 *  they are given.
 *  @param offsets    [n_offsets] z y x, not all 0, at most RUG_GLCM_MAX_DISTANCE each way; z is 0
 *                    for images and in slices
 *  @param n_offsets  1..65535
 *  @param opts       as of rug_glcm_matrices(); distances and directions are not given, nor is
 *                    aggregate MERGED */
RUG_API rug_status rug_glcm_matrices_at(rug_context *ctx, const rug_image *image,
                                        const int32_t (*offsets)[3], size_t n_offsets,
                                        const rug_glcm_options *opts,
                                        rug_glcm_matrix_fn fn, void *user);

/** What rug_glcm_matrix_features() has to know of a matrix. */
typedef struct rug_glcm_matrix_options {
    size_t struct_size; /**< sizeof(rug_glcm_matrix_options); set by the INIT macro */
    int64_t level_min;  /**< the level of the first row and column (default 1) */
    uint64_t
        n_gray; /**< Ng, of the inverse differences; 0 (default): the number of rows */
    int asymmetric; /**< nonzero: pairs were counted in one order; 0 (default): in both, and the
                          matrix is symmetric */
    rug_glcm_features features; /**< default 14 */
    double log_base;            /**< 2 (default) or M_E = 2.718281828459045 */
} rug_glcm_matrix_options;

/** The defaults. */
#define RUG_GLCM_MATRIX_OPTIONS_INIT                                        \
    {                                                                       \
        sizeof(rug_glcm_matrix_options), 1, 0, 0, RUG_GLCM_FEATURES_14, 2.0 \
    }

/** The features of a matrix. Those of a matrix of rug_glcm_matrices() are those of rug_glcm(),
 *  to the last bit but for f14, to 1e-12.
 *  @param features    [n_features] by rug_glcm_feature; NaN where they are undefined or not
 *                     chosen, and behind the last one
 *  @param n_features  at least 1; as many as there are, RUG_GLCM_N_FEATURES, or fewer
 *  @param status      as in rug_glcm_row; NULL: not wanted
 *  @param counts      [n_levels][n_levels]
 *  @param n_levels    1..RUG_GLCM_MATRIX_MAX_LEVELS
 *  @param opts        NULL = defaults
 *  @return RUG_OK, RUG_E_ARG (also a matrix of both orders that is not symmetric, or has an
 *          odd count of equal levels), RUG_E_UNSUPPORTED (2^44 pairs), RUG_E_NOMEM,
 *          RUG_E_CANCELLED */
RUG_API rug_status rug_glcm_matrix_features(rug_context *ctx, double *features,
                                            size_t n_features, rug_glcm_status *status,
                                            const uint64_t *counts, size_t n_levels,
                                            const rug_glcm_matrix_options *opts);

#ifdef __cplusplus
}
#endif

#endif
