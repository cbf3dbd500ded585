/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Grey-level co-occurrence features (Haralick, Shanmugam and Dinstein 1973, IEEE SMC-3(6);
 * IBSI 2016): how often grey levels i and j lie at an offset from each other, inside of each
 * region, and what follows from these counts.
 *
 * Offsets are (row, column): 0 degrees (0, d), 45 (-d, d), 90 (-d, 0), 135 (-d, -d). In
 * volumes there are 13 directions (see rug_glcm_direction()). Each pair counts both ways
 * unless asymmetric. Matrices are normalised to sum 1 before features.
 *
 *     static rug_status show(void *user, const rug_glcm_row *row)
 *     {
 *         printf("%llu: contrast %g\n", (unsigned long long)row->label,
 *                row->features[RUG_GLCM_CONTRAST]);
 *         return RUG_OK;
 *     }
 *     ...
 *     rug_glcm_options opts = RUG_GLCM_OPTIONS_INIT;
 *     opts.labels = &labels;
 *     rug_glcm(ctx, &image, &opts, show, NULL);
 */

#ifndef RUGOSE_GLCM_H
#define RUGOSE_GLCM_H

#include <rugose/context.h>
#include <rugose/export.h>
#include <rugose/image.h>
#include <rugose/status.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Distances in one call. */
#define RUG_GLCM_MAX_DISTANCES 64

/** The largest distance. */
#define RUG_GLCM_MAX_DISTANCE 32767

/** Directions of an image and of a volume. */
#define RUG_GLCM_DIRECTIONS_2D 4
#define RUG_GLCM_DIRECTIONS_3D 13

/** From the least to the largest grey level of a region, both included, at most. */
#define RUG_GLCM_MAX_SPAN 65536

/** The features, f1 .. f14 of Haralick et al. (1973) and then the rest of IBSI's 25. The
 *  numbers are never changed. With p the normalised matrix, sums over levels i and j, and
 *  logarithms to the base of the options: */
typedef enum rug_glcm_feature {
    RUG_GLCM_ANGULAR_SECOND_MOMENT = 0,     /**< f1: sum p^2 */
    RUG_GLCM_CONTRAST = 1,                  /**< f2: sum (i - j)^2 p */
    RUG_GLCM_CORRELATION = 2,               /**< f3: covariance by the variance */
    RUG_GLCM_VARIANCE = 3,                  /**< f4: of the marginal of i */
    RUG_GLCM_INVERSE_DIFFERENCE_MOMENT = 4, /**< f5: sum p / (1 + (i - j)^2) */
    RUG_GLCM_SUM_AVERAGE = 5,               /**< f6: mean of i + j */
    RUG_GLCM_SUM_VARIANCE = 6,              /**< f7: variance of i + j, about f6 */
    RUG_GLCM_SUM_ENTROPY = 7,               /**< f8: entropy of i + j */
    RUG_GLCM_ENTROPY = 8,                   /**< f9: of p */
    RUG_GLCM_DIFFERENCE_VARIANCE = 9,       /**< f10: variance of |i - j| */
    RUG_GLCM_DIFFERENCE_ENTROPY = 10,       /**< f11: entropy of |i - j| */
    RUG_GLCM_INFO_CORRELATION_1 = 11,       /**< f12: (HXY - HXY1) / max(HX, HY) */
    RUG_GLCM_INFO_CORRELATION_2 = 12,       /**< f13: sqrt(1 - exp(-2 (HXY2 - HXY))) */
    RUG_GLCM_MAX_CORRELATION_COEFFICIENT =
        13,                           /**< f14: root of the second eigenvalue of Q,
                                                   Q(i,j) = sum_k p(i,k) p(j,k) / (px py) */
    RUG_GLCM_JOINT_MAXIMUM = 14,      /**< max p */
    RUG_GLCM_JOINT_AVERAGE = 15,      /**< mean of i */
    RUG_GLCM_DIFFERENCE_AVERAGE = 16, /**< mean of |i - j| */
    RUG_GLCM_DISSIMILARITY = 17,      /**< the same number by IBSI's other name */
    RUG_GLCM_INVERSE_DIFFERENCE = 18, /**< sum p / (1 + |i - j|) */
    RUG_GLCM_INVERSE_DIFFERENCE_NORMALISED = 19, /**< sum p / (1 + |i - j| / Ng) */
    RUG_GLCM_INVERSE_DIFFERENCE_MOMENT_NORMALISED =
        20,                          /**< sum p / (1 + (i - j)^2 / Ng^2) */
    RUG_GLCM_INVERSE_VARIANCE = 21,  /**< sum p / (i - j)^2 over i /= j */
    RUG_GLCM_AUTOCORRELATION = 22,   /**< sum i j p */
    RUG_GLCM_CLUSTER_TENDENCY = 23,  /**< sum (i + j - 2 mean)^2 p */
    RUG_GLCM_CLUSTER_SHADE = 24,     /**< the same with exponent 3 */
    RUG_GLCM_CLUSTER_PROMINENCE = 25 /**< the same with exponent 4 */
} rug_glcm_feature;

#define RUG_GLCM_N_FEATURES 26

/** Which features are computed. The others are NaN. The numbers are never changed. */
typedef enum rug_glcm_features {
    RUG_GLCM_FEATURES_14 = 0, /**< f1 .. f14 */
    RUG_GLCM_FEATURES_13 = 1, /**< without f14, which takes the most time */
    RUG_GLCM_FEATURES_ALL = 2
} rug_glcm_features;

/** The grey levels. The numbers are never changed. */
typedef enum rug_glcm_levels {
    RUG_GLCM_LEVELS_AUTO = 0,  /**< EXACT for integers, for floats COUNT of 64 */
    RUG_GLCM_LEVELS_EXACT = 1, /**< the grey values themselves; integers only. Ng is the
                                    span from the least to the largest of the region, in a
                                    frame with 0 */
    RUG_GLCM_LEVELS_COUNT = 2, /**< n_levels equal bins of the range, numbered from 1: 1 +
                                    floor(n (v - lo) / (hi - lo)), the top edge in the last
                                    bin; values outside of the range go to the first or last
                                    bin. Ng is n_levels */
    RUG_GLCM_LEVELS_WIDTH = 3 /**< bins of bin_width: 1 + floor((v - origin) / width). The
                                    origin is the low end of a range that is given, else its
                                    multiple of the width at or below. Ng is the largest
                                    number that occurs in the region */
} rug_glcm_levels;

/** What range is divided into bins. The numbers are never changed. */
typedef enum rug_glcm_range {
    RUG_GLCM_RANGE_AUTO = 0,  /**< IMAGE with COUNT, ROI with WIDTH */
    RUG_GLCM_RANGE_TYPE = 1,  /**< all that the dtype holds; integers of up to 16 bits */
    RUG_GLCM_RANGE_IMAGE = 2, /**< least to largest value of the image, inside the mask */
    RUG_GLCM_RANGE_ROI = 3,   /**< of each region by itself */
    RUG_GLCM_RANGE_GIVEN = 4  /**< range_lo .. range_hi */
} rug_glcm_range;

/** Which pairs count. The numbers are never changed. */
typedef enum rug_glcm_pairs {
    RUG_GLCM_PAIRS_INSIDE = 0, /**< both pixels in the region */
    RUG_GLCM_PAIRS_FRAME = 1   /**< the region on a background of level 0 that is wider by
                                    the distance on each side (Gipp et al. 2009): all pairs
                                    inside of this box, its bounding box widened; slices
                                    along y and x only. A region without pixels has no
                                    pairs */
} rug_glcm_pairs;

/** What becomes of the directions of one distance. The numbers are never changed. */
typedef enum rug_glcm_aggregate {
    RUG_GLCM_AGGREGATE_MEAN = 0,  /**< the mean of each feature over the directions that
                                      have pairs; of means over slices, if so */
    RUG_GLCM_AGGREGATE_NONE = 1,  /**< a row for each direction */
    RUG_GLCM_AGGREGATE_RANGE = 2, /**< the largest minus the least */
    RUG_GLCM_AGGREGATE_MERGED = 3 /**< features of the sum of the matrices */
} rug_glcm_aggregate;

/** How the slices of a volume are taken. The numbers are never changed. */
typedef enum rug_glcm_slices {
    RUG_GLCM_SLICES_NONE = 0,  /**< a volume has 13 directions */
    RUG_GLCM_SLICES_MEAN = 1,  /**< 4 directions within each slice [ny][nx]; features are
                                    means over the slices that have pairs (IBSI: 2D) */
    RUG_GLCM_SLICES_MERGED = 2 /**< the matrices of a direction are summed over the slices
                                    (IBSI: 2.5D) */
} rug_glcm_slices;

/** Options of rug_glcm(). */
typedef struct rug_glcm_options {
    size_t struct_size;        /**< sizeof(rug_glcm_options); set by the INIT macro */
    const uint32_t *distances; /**< in pixels, the largest coordinate of the offset,
                                    ascending; NULL (default): 1 */
    uint32_t n_distances;      /**< at most RUG_GLCM_MAX_DISTANCES */
    uint32_t directions;       /**< bit k: direction k is taken; 0 (default): all */
    int asymmetric;         /**< nonzero: pairs count one way, from a pixel to the one at
                                    the offset (default 0) */
    rug_glcm_pairs pairs;   /**< default INSIDE */
    rug_glcm_levels levels; /**< default AUTO */
    uint32_t n_levels;      /**< of COUNT, 2..RUG_GLCM_MAX_SPAN */
    double bin_width;       /**< of WIDTH, above 0 */
    rug_glcm_range range;   /**< default AUTO */
    double range_lo, range_hi;    /**< of GIVEN */
    rug_glcm_aggregate aggregate; /**< default MEAN */
    rug_glcm_slices slices;       /**< of volumes; default NONE */
    rug_glcm_features features;   /**< default 14 */
    double log_base;              /**< 2 (default) or M_E = 2.718281828459045 */
    const rug_image *mask;   /**< of the image's shape: pixels where it is 0 or NaN are
                                  outside of all regions. NULL (default): none is */
    const rug_image *labels; /**< of the image's shape, as of rug_regions_find(): a region
                                  for each label. NULL (default): the image, or the pixels
                                  of the mask, is one region with label 0 */
} rug_glcm_options;

/** The defaults. */
#define RUG_GLCM_OPTIONS_INIT                                                         \
    {                                                                                 \
        sizeof(rug_glcm_options), NULL, 0, 0, 0, RUG_GLCM_PAIRS_INSIDE,               \
            RUG_GLCM_LEVELS_AUTO, 0, 0, RUG_GLCM_RANGE_AUTO, 0, 0,                    \
            RUG_GLCM_AGGREGATE_MEAN, RUG_GLCM_SLICES_NONE, RUG_GLCM_FEATURES_14, 2.0, \
            NULL, NULL                                                                \
    }

/** The features of one region at one distance, in one direction or in all. */
typedef struct rug_glcm_row {
    uint64_t label; /**< 0 when there are no labels */
    size_t
        first[3]; /**< where the label's bounding box begins, z y x; 0 without labels */
    size_t shape[3];    /**< pixels of it along each axis; of the image without labels */
    uint64_t area;      /**< pixels of the region, without NaN */
    uint64_t n_nan;     /**< pixels that are NaN or infinite, and left out */
    uint64_t n_clamped; /**< pixels outside of a range that is given */
    uint32_t distance;
    int direction;     /**< -1: all of them */
    uint64_t pairs;    /**< each counted once; of all directions, if so */
    uint32_t levels;   /**< distinct grey levels in the region; not the background's */
    double bin_origin; /**< where bin 1 begins; NaN with EXACT */
    double bin_width;  /**< NaN with EXACT; 0 where the range is a single value */
    double features[RUG_GLCM_N_FEATURES];
    const char
        *status; /**< "ok"; "no pairs": all features are NaN; "flat": the variance is
                             0 in a direction, so that f3, f12 and f14 are NaN; static text */
    const char *engine; /**< what ran, such as "cpu-avx512"; static text. A region that a
                             device has no room for, or whose pixels are scattered far, is
                             measured by the CPU, also when the device was named */
} rug_glcm_row;

/** Sees one row. Called on the calling thread, by label, distance and direction, all
 *  ascending. The row is valid until it returns.
 *  @return RUG_OK; anything else ends the call, which returns it */
typedef rug_status (*rug_glcm_row_fn)(void *user, const rug_glcm_row *row);

/** Measures every region of an image. Pixels that are NaN or infinite are in no pair.
 *  Counts and second moments are summed in integers, logarithms as multiples of 2^-42, so
 *  that features are the same for any number of threads. Cost follows the area of the
 *  regions, not their number, nor how far their levels are apart. Takes 2 to 4 bytes of
 *  memory per pixel of the largest region, and up to about 20 per pair of one matrix that
 *  has more than 2000 levels when f14 is asked for, else 2.
 *  @param img   [ny][nx] or [nz][ny][nx], any dtype and byte strides; borrowed for the
 *               call, never written
 *  @param opts  NULL = defaults
 *  @param fn    called once per row
 *  @return RUG_OK (also without any label), what fn returned, RUG_E_ARG (also EXACT levels
 *          of floats, or a region whose levels span more than RUG_GLCM_MAX_SPAN: the text
 *          names it), RUG_E_NOMEM, RUG_E_UNSUPPORTED (axes of 2^32 pixels, a region with
 *          2^32 pairs in one matrix, a frame of more than 2^44), RUG_E_DEVICE,
 *          RUG_E_CANCELLED */
RUG_API rug_status rug_glcm(rug_context *ctx, const rug_image *img,
                            const rug_glcm_options *opts, rug_glcm_row_fn fn, void *user);

/** Checks options before there is an image: that they go together, and that they can run
 *  on the device of the context's choice. Mask and labels are not looked at.
 *  @return RUG_OK, RUG_E_ARG, RUG_E_DEVICE */
RUG_API rug_status rug_glcm_check_options(rug_context *ctx, const rug_glcm_options *opts);

/** The unit offset of direction k of an image (4) or a volume (13), z y x. The first four
 *  are 0, 45, 90 and 135 degrees; of a volume the others go one slice down: (1, dy, dx), dy
 *  and dx from -1 to 1, dx fastest.
 *  @return RUG_OK, RUG_E_ARG (no such direction; out is zeroed) */
RUG_API rug_status rug_glcm_direction(rug_context *ctx, int out[3], int ndim, uint32_t k);

/** What a direction is called: "0", "45", "90", "135", of the others "z+1,y-1,x-1" …; static
 *  text; "?" for others. */
RUG_API const char *rug_glcm_direction_name(uint32_t k);

/** What a feature is called: in our columns, such as "angular_second_moment"; in IBSI's
 *  manual; by PyRadiomics. Static text; "" where they have no such feature, "?" for numbers
 *  that are no feature. */
RUG_API const char *rug_glcm_feature_name(rug_glcm_feature feature);
RUG_API const char *rug_glcm_feature_ibsi(rug_glcm_feature feature);
RUG_API const char *rug_glcm_feature_pyradiomics(rug_glcm_feature feature);

#ifdef __cplusplus
}
#endif

#endif
