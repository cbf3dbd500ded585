/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Grey-level co-occurrence features (Haralick, Shanmugam and Dinstein 1973, IEEE
 * SMC-3(6); IBSI 2016): how often grey levels i and j occur at an offset from each other
 * inside each region, and the features of these counts.
 *
 * Offsets are (row, column): 0 degrees (0, d), 45 (-d, d), 90 (-d, 0), 135 (-d, -d).
 * Volumes have 13 directions (see rug_glcm_direction()). Each pair counts in both orders
 * unless `asymmetric` is set. Matrices are normalised to sum 1 before features are taken.
 *
 *     static rug_status show(void *user, const rug_glcm_row *row)
 *     {
 *         (void)user;
 *         printf("%llu: contrast %.1f, %s\n", (unsigned long long)row->label,
 *                row->features[RUG_GLCM_CONTRAST], rug_glcm_status_name(row->status));
 *         return RUG_OK;
 *     }
 *     ...
 *     rug_source regions = RUG_SOURCE_INIT;
 *     rug_glcm_options opts = RUG_GLCM_OPTIONS_INIT;
 *     opts.labels = rug_source_of_image(&regions, &labels);
 *     return rug_glcm(ctx, &image, &opts, show, NULL);
 *     // prints: 1: contrast 8747.3, ok
 *     // prints: 2: contrast 8747.3, ok
 *     // prints: 3: contrast 8747.3, ok
 *     // prints: 4: contrast 0.0, flat
 */

#ifndef RUGOSE_GLCM_H
#define RUGOSE_GLCM_H

#include <rugose/context.h>
#include <rugose/export.h>
#include <rugose/image.h>
#include <rugose/source.h>
#include <rugose/status.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Most distances in one call. */
#define RUG_GLCM_MAX_DISTANCES 64

/** The largest distance. */
#define RUG_GLCM_MAX_DISTANCE 32767

/** Directions of an image and of a volume. */
#define RUG_GLCM_DIRECTIONS_2D 4
#define RUG_GLCM_DIRECTIONS_3D 13

/** Largest span of a region's grey levels, from the lowest to the highest, both
 *  included. */
#define RUG_GLCM_MAX_SPAN 65536

/** The features, f1 .. f14 of Haralick et al. (1973) and then the rest of IBSI's 25. The
 *  numbers never change. p is the normalised matrix, sums run over the levels i and j,
 *  and logarithms have the base given in the options. */
typedef enum rug_glcm_feature {
    RUG_GLCM_ANGULAR_SECOND_MOMENT = 0,     /**< f1: sum p^2 */
    RUG_GLCM_CONTRAST = 1,                  /**< f2: sum (i - j)^2 p */
    RUG_GLCM_CORRELATION = 2,               /**< f3: covariance over variance */
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
    RUG_GLCM_DISSIMILARITY = 17,      /**< the same, by IBSI's other name */
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

/** Which features are computed; the others are NaN. The numbers never change. */
typedef enum rug_glcm_features {
    RUG_GLCM_FEATURES_14 = 0, /**< f1 .. f14 */
    RUG_GLCM_FEATURES_13 = 1, /**< without f14, the slowest */
    RUG_GLCM_FEATURES_ALL = 2
} rug_glcm_features;

/** How values become grey levels. The numbers never change. */
typedef enum rug_glcm_levels {
    RUG_GLCM_LEVELS_AUTO = 0,  /**< EXACT for integers, COUNT with 64 for floats */
    RUG_GLCM_LEVELS_EXACT = 1, /**< the grey values themselves: integers, or floats that
                                    are whole numbers. Ng is the span of the region's
                                    values, in a frame including 0 */
    RUG_GLCM_LEVELS_COUNT = 2, /**< n_levels equal bins of the range, numbered from 1: 1 +
                                    floor(n (v - lo) / (hi - lo)), the top edge in the last
                                    bin; values outside the range go to the first or last
                                    bin. Ng is n_levels */
    RUG_GLCM_LEVELS_WIDTH = 3 /**< bins of bin_width: 1 + floor((v - origin) / width), the
                                    origin by rug_glcm_origin. There is no last bin: 50 of
                                    0..50 in bins of 25 is in bin 3. Values outside a GIVEN
                                    range are as its ends. Ng is the highest bin that occurs
                                    in the region */
} rug_glcm_levels;

/** Where bins of a width begin. The numbers never change. */
typedef enum rug_glcm_origin {
    RUG_GLCM_ORIGIN_AUTO = 0, /**< at the low end of a GIVEN range, else at that of
                                    re-segmentation (IBSI 2016, section 2.7), else ZERO */
    RUG_GLCM_ORIGIN_ZERO = 1, /**< at the multiple of the width at or below the low end of
                                    the range, as if they went on to 0: PyRadiomics */
    RUG_GLCM_ORIGIN_MIN = 2,  /**< at the low end of the range, with ROI (default) the
                                    least value of each region. With a GIVEN range, at the
                                    least value of the region, or the nearest end */
    RUG_GLCM_ORIGIN_GIVEN = 3 /**< at bin_origin; values below it are as it */
} rug_glcm_origin;

/** The range that is divided into bins. The numbers never change. */
typedef enum rug_glcm_range {
    RUG_GLCM_RANGE_AUTO = 0,  /**< IMAGE with COUNT, ROI with WIDTH */
    RUG_GLCM_RANGE_TYPE = 1,  /**< all that the dtype holds; integers of up to 16 bits */
    RUG_GLCM_RANGE_IMAGE = 2, /**< lowest to highest value of the image inside the mask,
                                   and inside re-segmentation */
    RUG_GLCM_RANGE_ROI = 3,   /**< lowest to highest value of each region */
    RUG_GLCM_RANGE_GIVEN = 4  /**< range_lo .. range_hi */
} rug_glcm_range;

/** Which pairs count. The numbers never change. */
typedef enum rug_glcm_pairs {
    RUG_GLCM_PAIRS_INSIDE = 0, /**< both pixels in the region */
    RUG_GLCM_PAIRS_FRAME = 1   /**< the region on a background of level 0 (Gipp et al.
                                    2009): all pairs inside its bounding box, widened by the
                                    distance, or by `frame`, on each side; in slices, along
                                    y and x only.
                                    With a mask, region and box are those of what it leaves:
                                    pixels that it leaves out are background. A region
                                    without pixels has no pairs */
} rug_glcm_pairs;

/** How the directions of one distance are combined. The numbers never change. */
typedef enum rug_glcm_aggregate {
    RUG_GLCM_AGGREGATE_MEAN = 0,  /**< the mean of each feature over the directions that
                                      have pairs (of its means over slices, if any) */
    RUG_GLCM_AGGREGATE_NONE = 1,  /**< one row per direction */
    RUG_GLCM_AGGREGATE_RANGE = 2, /**< the highest minus the lowest value */
    RUG_GLCM_AGGREGATE_MERGED = 3 /**< features of the summed matrices */
} rug_glcm_aggregate;

/** How the slices of a volume are measured. The numbers never change. */
typedef enum rug_glcm_slices {
    RUG_GLCM_SLICES_NONE = 0,  /**< no slices: 13 directions in space */
    RUG_GLCM_SLICES_MEAN = 1,  /**< 4 directions in each slice [ny][nx]; features are
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
    uint32_t directions;       /**< bit k: measure direction k; 0 (default): all */
    int asymmetric;         /**< nonzero: pairs count in one order only, from a pixel to
                                    the one at the offset (default 0) */
    rug_glcm_pairs pairs;   /**< default INSIDE */
    rug_glcm_levels levels; /**< default AUTO */
    uint32_t n_levels;      /**< for COUNT: 2..RUG_GLCM_MAX_SPAN */
    double bin_width;       /**< for WIDTH: above 0 */
    rug_glcm_range range;   /**< default AUTO */
    double range_lo, range_hi;    /**< for GIVEN */
    rug_glcm_aggregate aggregate; /**< default MEAN */
    rug_glcm_slices slices;       /**< volumes only; default NONE */
    rug_glcm_features features;   /**< default 14 */
    double log_base;              /**< 2 (default) or M_E = 2.718281828459045 */
    const rug_source *mask;   /**< of the image's shape: pixels where it is 0 or NaN are
                                   outside all regions. NULL (default): no mask */
    const rug_source *labels; /**< of the image's shape, as for rug_regions_find_source():
                                   one region per label. NULL (default): the image, or what
                                   the mask leaves of it, is one region with label 0 */
    rug_glcm_origin origin;   /**< with WIDTH; default AUTO */
    int resegment; /**< nonzero: re-segmentation (IBSI 2016, section 2.5): pixels with values
                        outside resegment_lo .. resegment_hi are in no region, as if the mask
                        left them out (default 0) */
    double bin_origin; /**< for origin GIVEN */
    /** For resegment: the least and the largest value that stay, the lower first. One of them
     *  may be infinite, so that this side is open. */
    double resegment_lo, resegment_hi;
    /** For pairs FRAME: by how many pixels the box is wider on each side, at all distances, of
     *  which none may be larger; at most RUG_GLCM_MAX_DISTANCE. 0 (default): by each distance
     *  itself. */
    uint32_t frame;
    uint32_t unused; /**< 0 */
} rug_glcm_options;

/** The defaults. */
#define RUG_GLCM_OPTIONS_INIT                                                         \
    {                                                                                 \
        sizeof(rug_glcm_options), NULL, 0, 0, 0, RUG_GLCM_PAIRS_INSIDE,               \
            RUG_GLCM_LEVELS_AUTO, 0, 0, RUG_GLCM_RANGE_AUTO, 0, 0,                    \
            RUG_GLCM_AGGREGATE_MEAN, RUG_GLCM_SLICES_NONE, RUG_GLCM_FEATURES_14, 2.0, \
            NULL, NULL, RUG_GLCM_ORIGIN_AUTO, 0, 0, 0, 0, 0, 0                        \
    }

/** What a row can say. The numbers never change. */
typedef enum rug_glcm_status {
    RUG_GLCM_OK = 0,
    RUG_GLCM_NO_PAIRS = 1, /**< all features are NaN */
    RUG_GLCM_FLAT = 2 /**< the levels of the first or of the second pixels of the pairs
                                have no variance in a direction: f3 and f14 are NaN, and where
                                neither have any, f12 */
} rug_glcm_status;

/** The features of one region at one distance, in one direction or all of them. Lent to
 *  rug_glcm_row_fn. */
typedef struct rug_glcm_row {
    uint64_t label;  /**< 0 without labels */
    size_t first[3]; /**< z y x, of the bounding box of the label, or of the image without
                             labels; with a mask or re-segmentation, of what they leave of it, if
                             anything */
    size_t shape[3]; /**< of that box in pixels */
    uint64_t area;   /**< pixels of the region that are finite, after re-segmentation */
    uint64_t n_nan;  /**< pixels left out because they are NaN or infinite */
    uint64_t
        n_clamped; /**< pixels outside a GIVEN range, or below a GIVEN origin of bins */
    uint32_t distance;
    int direction;     /**< -1: all */
    uint64_t pairs;    /**< each counted once, over all directions of the row */
    uint32_t levels;   /**< distinct grey levels in the region, without the background */
    double bin_origin; /**< lower edge of bin 1; NaN with EXACT */
    double bin_width;  /**< NaN with EXACT; 0 where the range is a single value */
    rug_glcm_status status;
    const char *engine; /**< what ran, such as "cpu-avx512"; static text. Regions that do
                             not fit in a device's memory, or whose pixels are widely
                             scattered, are measured by the CPU even if a device was named */
    const double
        *features; /**< [n_features] by rug_glcm_feature. f3, f12 and f14 are never
                                 outside -1..1 */
    uint32_t n_features;
    uint64_t n_outside; /**< pixels left out by re-segmentation */
} rug_glcm_row;

/** Receives one row. Called on the calling thread in ascending order of label, distance
 *  and direction. The row is valid until the function returns.
 *  @return RUG_OK; any other status ends the call and is returned by it */
typedef rug_status (*rug_glcm_row_fn)(void *user, const rug_glcm_row *row);

/** Measures every region of an image. Pixels that are NaN or infinite belong to no pair.
 *  Counts and second moments are summed as integers, logarithms as multiples of 2^-42, so
 *  features do not depend on the number of threads. The cost follows the area of the
 *  regions, not their number or the spread of their levels. Takes 2 to 4 bytes of memory
 *  per pixel of the largest region; for a matrix of more than 2000 levels also 2 bytes
 *  per pair, or about 20 with f14.
 *  @param image  [ny][nx] or [nz][ny][nx], any dtype and byte strides; borrowed for the
 *                call, never written
 *  @param opts   NULL = defaults
 *  @param fn     called once per row
 *  @param user   passed to fn
 *  @return RUG_OK (also if there are no labels), the status of fn, RUG_E_ARG (also EXACT
 *          levels of floats that are no whole numbers, or a region whose levels span more than RUG_GLCM_MAX_SPAN:
 *          the error text names it), RUG_E_NOMEM, RUG_E_UNSUPPORTED (an axis of 2^32
 *          pixels, a region with 2^32 pairs in one matrix, a frame with more than 2^44),
 *          RUG_E_DEVICE, RUG_E_CANCELLED */
RUG_API rug_status rug_glcm(rug_context *ctx, const rug_image *image,
                            const rug_glcm_options *opts, rug_glcm_row_fn fn, void *user);

/** rug_glcm() of a source: the same rows, of images larger than memory. Labels are read
 *  once, before the image; the mask goes with the image. Range IMAGE takes one more pass
 *  than said here.
 *
 *  With labels: one pass. The pixels of a region are kept, as they are, until its last one
 *  has come, when it is measured and they go. Memory follows the regions that are open at a
 *  time, not the image; a region that reaches from the first layer to the last is kept as a
 *  whole. Besides, rug_regions_find_source() says what runs take. Rows of finished regions
 *  wait for those of lower labels, about 350 bytes each.
 *
 *  Images of 2 axes without labels and mask, of u8 or u16, up to 256 levels or bins, pairs
 *  INSIDE up to distance 64, no value outside a GIVEN range or re-segmentation, more than
 *  the largest distance high and at least twice it wide: two passes, a slab and as many rows
 *  in memory.
 *
 *  Other images without labels: two or three passes; levels are in memory, 2 to 4 bytes a
 *  pixel, and what rug_glcm() takes besides.
 *  @param source  the image
 *  @return also what the sources return */
RUG_API rug_status rug_glcm_source(rug_context *ctx, const rug_source *source,
                                   const rug_glcm_options *opts, rug_glcm_row_fn fn,
                                   void *user);

/** Checks options before there is an image: whether they fit together and can run on the
 *  context's device. Mask and labels are not examined.
 *  @return RUG_OK, RUG_E_ARG, RUG_E_DEVICE */
RUG_API rug_status rug_glcm_check_options(rug_context *ctx, const rug_glcm_options *opts);

/** The unit offset of direction k of an image (4) or a volume (13), z y x. The first four
 *  are 0, 45, 90 and 135 degrees; the others, of volumes only, lead to the next slice:
 *  (1, dy, dx) with dy and dx from -1 to 1, dx fastest.
 *  @return RUG_OK, RUG_E_ARG (no such direction; out is zeroed) */
RUG_API rug_status rug_glcm_direction(rug_context *ctx, int out[3], int ndim, uint32_t k);

/** Name of a direction: "0", "45", "90", "135", "z+1,y-1,x-1" and so on; "?" if there is
 *  no such direction. Static text. */
RUG_API const char *rug_glcm_direction_name(uint32_t k);

/** Name of a feature in rugose's columns, such as "angular_second_moment", in IBSI's
 *  manual and in PyRadiomics; "" if they have no such feature, "?" if there is no such
 *  number. Static text. */
RUG_API const char *rug_glcm_feature_name(rug_glcm_feature feature);
RUG_API const char *rug_glcm_feature_ibsi(rug_glcm_feature feature);
RUG_API const char *rug_glcm_feature_pyradiomics(rug_glcm_feature feature);

/** Name of a status: "ok", "no pairs", "flat"; "?" for other numbers. Static text. */
RUG_API const char *rug_glcm_status_name(rug_glcm_status status);

/** Names of the choices, as in the options of `rugose haralick` where it has them: "14",
 *  "13", "all"; "auto", "exact", "count", "width"; "auto", "zero", "min", "given"; "auto",
 *  "type", "image", "roi", "given"; "inside", "frame"; "mean", "none", "range", "merged";
 *  "none", "mean", "merged"; "?" for other numbers. Static text. */
RUG_API const char *rug_glcm_features_name(rug_glcm_features features);
RUG_API const char *rug_glcm_levels_name(rug_glcm_levels levels);
RUG_API const char *rug_glcm_origin_name(rug_glcm_origin origin);
RUG_API const char *rug_glcm_range_name(rug_glcm_range range);
RUG_API const char *rug_glcm_pairs_name(rug_glcm_pairs pairs);
RUG_API const char *rug_glcm_aggregate_name(rug_glcm_aggregate aggregate);
RUG_API const char *rug_glcm_slices_name(rug_glcm_slices slices);

#ifdef __cplusplus
}
#endif

#endif
