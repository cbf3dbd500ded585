/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Local binary patterns (Ojala, Pietikainen and Maenpaa 2002, IEEE TPAMI 24(7)): the code
 * of each pixel by comparing it with P samples on a circle of radius R, histograms of the
 * codes, and maps of them.
 *
 * Sample i lies at row -R sin(2 pi i / P) and column +R cos(2 pi i / P) from its centre,
 * R in single precision and offsets rounded to 5 decimals; bit i of the pattern (weight
 * 2^i) is sample >= centre. Pixels outside of the image are 0. A comparison with NaN gives
 * 0.
 *
 *     rug_lbp_result *result;
 *     rug_lbp(ctx, &result, &image, NULL);                       // riu2 of (8, 1)
 *     const rug_lbp_histogram *h = rug_lbp_at(result, 0);        // h->bins[0 .. 9]
 *     rug_lbp_free(result);
 */

#ifndef RUGOSE_LBP_H
#define RUGOSE_LBP_H

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

/** The most samples on the circle. */
#define RUG_LBP_MAX_POINTS 32

/** The largest radius, in pixels. */
#define RUG_LBP_MAX_RADIUS 1024

/** Operators in one call. */
#define RUG_LBP_MAX_OPERATORS 16

/** Bins of a histogram: DEFAULT has them up to 16 points, ROR up to 20. */
#define RUG_LBP_MAX_BINS 65536

/** What becomes of the pattern. The numbers are never changed. */
typedef enum rug_lbp_method {
    RUG_LBP_RIU2 = 0,        /**< rotation-invariant uniform: the number of ones where the
                                  circle has at most two changes, else P + 1; P + 2 bins */
    RUG_LBP_DEFAULT = 1,     /**< the pattern itself; 2^P bins */
    RUG_LBP_ROR = 2,         /**< the least of its rotations. Bins: those that there are,
                                  by value; 36 for 8 points */
    RUG_LBP_NRI_UNIFORM = 3, /**< uniform, not rotation-invariant: each pattern with at
                                  most two changes has its number, the others share
                                  P (P - 1) + 2; P (P - 1) + 3 bins, 59 for 8 points */
    RUG_LBP_VAR = 4          /**< the variance of the samples (divided by P). Bins: those
                                  between the cuts of the operator */
} rug_lbp_method;

/** How a sample between pixels is taken. The numbers are never changed. */
typedef enum rug_lbp_interpolation {
    RUG_LBP_BILINEAR = 0,
    RUG_LBP_NEAREST =
        1 /**< the nearest pixel; of two, that with the larger row or column.
                             Has no use for rug_lbp_exact */
} rug_lbp_interpolation;

/** Which pixels have a code. The numbers are never changed. */
typedef enum rug_lbp_border {
    RUG_LBP_BORDER_ZERO = 0, /**< all of them; the outside is 0 */
    RUG_LBP_BORDER_SKIP = 1  /**< those whose samples all lie inside of the image */
} rug_lbp_border;

/** The arithmetic of the interpolation, which decides what a sample is that should equal
 *  its centre. Codes by any of them are the same on every CPU, device and number of
 *  threads. The numbers are never changed. */
typedef enum rug_lbp_exact {
    RUG_LBP_EXACT_SKIMAGE = 0, /**< double precision in scikit-image's order of
                                    operations, with weights from the absolute coordinate:
                                    its codes bit for bit, ties that it loses to rounding
                                    among them */
    RUG_LBP_EXACT_DECIMAL = 1, /**< integer weights of 1e-5: for integers of up to 16 bits
                                    without any rounding, so that a sample that equals its
                                    centre by calculation has its bit set. Other values
                                    are interpolated in double precision, where equal
                                    neighbours give exactly their value */
    RUG_LBP_EXACT_FLOAT = 2    /**< single precision; values of more than 24 bits are
                                    rounded to it. The fastest */
} rug_lbp_exact;

/** Which planes of a volume are coded. The numbers are never changed. */
typedef enum rug_lbp_planes {
    RUG_LBP_PLANES_NONE = 0, /**< of an image only; a volume is refused */
    RUG_LBP_PLANES_XY = 1,   /**< slices [ny][nx], each by itself */
    RUG_LBP_PLANES_XZ = 2,   /**< slices [nz][nx] */
    RUG_LBP_PLANES_YZ = 3 /**< slices [nz][ny]. The histograms of XY, XZ and YZ together
                                  are LBP-TOP (Zhao and Pietikainen 2007) */
} rug_lbp_planes;

/** A circle of samples. */
typedef struct rug_lbp_operator {
    uint32_t points;    /**< P, 1..RUG_LBP_MAX_POINTS */
    double radius;      /**< R in pixels, above 0, up to RUG_LBP_MAX_RADIUS */
    const double *cuts; /**< of the variance, ascending, each finite and above 0: bin b
                             holds cuts[b - 1] <= VAR < cuts[b]. With VAR, its bins; with
                             another method the histogram is joint, bin code * (n_cuts +
                             1) + bin of the variance. NULL: none */
    uint32_t n_cuts;
} rug_lbp_operator;

/** Codes of some rows, as they are made. */
typedef struct rug_lbp_rows {
    uint32_t op;       /**< which operator */
    size_t slice;      /**< of a volume, else 0 */
    size_t first, n;   /**< rows first .. first + n - 1 of the image or slice */
    size_t nx;         /**< columns */
    rug_dtype dtype;   /**< of the codes, see rug_lbp_map_dtype() */
    const void *codes; /**< [n][nx] */
} rug_lbp_rows;

/** Sees codes, row by row in order, operator by operator for each block of rows, on the
 *  calling thread. @return RUG_OK; anything else ends the call, which returns it */
typedef rug_status (*rug_lbp_map_fn)(void *user, const rug_lbp_rows *rows);

/** Options of rug_lbp(). */
typedef struct rug_lbp_options {
    size_t struct_size; /**< sizeof(rug_lbp_options); set by the INIT macro */
    const rug_lbp_operator *operators;   /**< NULL (default): one, (8, 1) */
    uint32_t n_operators;                /**< at most RUG_LBP_MAX_OPERATORS */
    rug_lbp_method method;               /**< default RIU2 */
    rug_lbp_interpolation interpolation; /**< default BILINEAR */
    rug_lbp_border border;               /**< default ZERO */
    rug_lbp_exact exact;   /**< default SKIMAGE, which VAR and joint histograms need */
    rug_lbp_planes planes; /**< default NONE; volumes need another, images this one */
    const rug_image *mask; /**< of the image's shape, any dtype: only centres where it is
                                neither 0 nor NaN are counted. NULL (default): all are */
    const rug_image *labels; /**< of the image's shape, as of rug_regions_find(): a
                                  histogram for each label, of the centres that have it;
                                  samples may lie outside of it. NULL (default): none */
    rug_lbp_map_fn map;      /**< is shown all codes; NULL (default): nothing is */
    void *map_user;
} rug_lbp_options;

/** The defaults. */
#define RUG_LBP_OPTIONS_INIT                                                             \
    {                                                                                    \
        sizeof(rug_lbp_options), NULL, 0, RUG_LBP_RIU2, RUG_LBP_BILINEAR,                \
            RUG_LBP_BORDER_ZERO, RUG_LBP_EXACT_SKIMAGE, RUG_LBP_PLANES_NONE, NULL, NULL, \
            NULL, NULL                                                                   \
    }

/** The histogram of one operator, of one label or of all. */
typedef struct rug_lbp_histogram {
    uint64_t label;  /**< 0 when there are no labels */
    uint32_t op;     /**< which operator */
    uint64_t pixels; /**< the sum of all bins. With VAR and cuts, pixels whose variance is
                          NaN are left out */
    uint32_t n_bins; /**< 0 where there would be more than RUG_LBP_MAX_BINS, and of VAR
                          without cuts */
    const uint64_t *bins;
} rug_lbp_histogram;

/** Histograms. Opaque, owned by the caller. */
typedef struct rug_lbp_result rug_lbp_result;

/** Codes an image and counts the codes.
 *  @param out   NULL on failure; free it with rug_lbp_free(), before its context
 *  @param img   [ny][nx], or [nz][ny][nx] with planes, any dtype and byte strides; borrowed
 *               for the call, never written
 *  @param opts  NULL = defaults
 *  @return RUG_OK, RUG_E_ARG (also histograms that cannot be made while no map is asked
 *          for), RUG_E_NOMEM, RUG_E_DEVICE, RUG_E_CANCELLED, what opts->map returned */
RUG_API rug_status rug_lbp(rug_context *ctx, rug_lbp_result **out, const rug_image *img,
                           const rug_lbp_options *opts);

/** rug_lbp() of an image that is larger than memory. Reads the source once; keeps a slab of
 *  about 128 MB and the rows that the circle reaches.
 *  @param source  2D; a volume only when it is in memory
 *  @param mask    of its shape, or NULL; takes the place of opts->mask
 *  @param opts    NULL = defaults; without labels, unless the source is in memory */
RUG_API rug_status rug_lbp_source(rug_context *ctx, rug_lbp_result **out,
                                  const rug_source *source, const rug_source *mask,
                                  const rug_lbp_options *opts);

/** Checks options before there is an image: that they go together, and that they can run
 *  on the device of the context's choice. Mask, labels and planes are not looked at, and
 *  no device is opened.
 *  @return RUG_OK, RUG_E_ARG, RUG_E_DEVICE */
RUG_API rug_status rug_lbp_check_options(rug_context *ctx, const rug_lbp_options *opts);

/** Frees histograms. NULL is allowed. */
RUG_API void rug_lbp_free(rug_lbp_result *result);

/** How many histograms there are: one for each operator, times the number of labels. */
RUG_API size_t rug_lbp_count(const rug_lbp_result *result);

/** Histogram i, by label, ascending, then by operator; valid as long as the result.
 *  @return NULL when there is none */
RUG_API const rug_lbp_histogram *rug_lbp_at(const rug_lbp_result *result, size_t i);

/** What ran, such as "cpu-avx512" or "opencl:0"; static text. */
RUG_API const char *rug_lbp_engine(const rug_lbp_result *result);

/** How many codes a method has: its bins without cuts, for ROR 2^P; 2^32 at most. 0 of VAR.
 */
RUG_API uint64_t rug_lbp_n_codes(rug_lbp_method method, uint32_t points);

/** How many bins the histogram of an operator has; 0 where there is none. */
RUG_API uint32_t rug_lbp_n_bins(rug_lbp_method method, const rug_lbp_operator *op);

/** The dtype of codes in a map: the smallest of U8, U16 and U32 that holds them, and with
 *  RUG_LBP_BORDER_SKIP also rug_lbp_n_codes(), which stands for "no code"; F64 of VAR, where
 *  NaN is a variance of 0, as in scikit-image, and no code. Maps know no mask.
 *  @return RUG_OK, RUG_E_ARG (no room for "no code": 32 points of DEFAULT or ROR) */
RUG_API rug_status rug_lbp_map_dtype(rug_context *ctx, rug_dtype *out,
                                     const rug_lbp_options *opts, uint32_t op);

/** "riu2", "default", "ror", "nri_uniform" or "var"; static text; "?" for others. */
RUG_API const char *rug_lbp_method_name(rug_lbp_method method);

#ifdef __cplusplus
}
#endif

#endif
