/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Local binary patterns (Ojala, Pietikainen and Maenpaa 2002, IEEE TPAMI 24(7)): each pixel
 * is compared with P samples on a circle of radius R around it, which gives it a code. The
 * results are histograms and maps of the codes.
 *
 * Sample i lies at row -R sin(2 pi i / P) and column +R cos(2 pi i / P) from its centre,
 * with R in single precision and offsets rounded to 5 decimals. Bit i of the pattern (weight
 * 2^i) is set where sample >= centre; it is 0 where either is NaN. Pixels outside the image
 * are 0.
 *
 *     rug_source left = RUG_SOURCE_INIT;
 *     rug_lbp_options opts = RUG_LBP_OPTIONS_INIT;
 *     opts.mask = rug_source_of_image(&left, &mask);
 *     rug_lbp_result *result;
 *     rug_status status = rug_lbp(ctx, &result, &image, &opts);
 *     if (status != RUG_OK)
 *         return status;
 *     const rug_lbp_histogram *h = rug_lbp_at(result, 0);
 *     printf("%d pixels:", (int)h->pixels);
 *     for (uint32_t b = 0; b < h->n_bins; b++)
 *         printf(" %d", (int)h->bins[b]);
 *     printf("\n");
 *     rug_lbp_free(result);
 *     // prints: 32768 pixels: 0 1458 0 0 0 0 0 0 28394 2916
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

/** The most operators of one call. */
#define RUG_LBP_MAX_OPERATORS 16

/** The most bins of a histogram: DEFAULT has one for up to 16 points, ROR for up to 20. */
#define RUG_LBP_MAX_BINS 65536

/** How a pattern becomes a code. The numbers are never changed. */
typedef enum rug_lbp_method {
    RUG_LBP_RIU2 = 0,        /**< rotation-invariant uniform: the number of ones where the
                                  circle has at most two changes, else P + 1; P + 2 bins */
    RUG_LBP_DEFAULT = 1,     /**< the pattern itself; 2^P bins */
    RUG_LBP_ROR = 2,         /**< the least of its rotations. One bin for each code that
                                  occurs, by value; 36 for 8 points */
    RUG_LBP_NRI_UNIFORM = 3, /**< uniform, not rotation-invariant: each pattern with at
                                  most two changes has a number of its own, all others
                                  share P (P - 1) + 2; P (P - 1) + 3 bins, 59 for 8
                                  points */
    RUG_LBP_VAR = 4          /**< the variance of the samples (divided by P). Bins: those
                                  between the cuts of the operator */
} rug_lbp_method;

/** The value of a sample between pixels. The numbers are never changed. */
typedef enum rug_lbp_interpolation {
    RUG_LBP_BILINEAR = 0,
    /** The nearest pixel; of two equally near, the one with the larger row or column.
     *  rug_lbp_exact must be left at its default. */
    RUG_LBP_NEAREST = 1,
    /** What the texture units of an OpenCL device make of the four pixels around (Bianda
     *  2018). Offsets are rounded to 1/256 of a pixel, since hardware may take no finer ones,
     *  and the device rounds the rest as it likes: codes are its own, and differ between devices
     *  where a sample and its centre nearly agree. Needs a device that is chosen by name and
     *  has filtered images, and pixels of up to 16 bits or F32. rug_lbp_exact must be left at
     *  its default; VAR and cuts are refused. */
    RUG_LBP_HARDWARE = 2
} rug_lbp_interpolation;

/** Which pixels have a code. The numbers are never changed. */
typedef enum rug_lbp_border {
    RUG_LBP_BORDER_ZERO = 0, /**< all of them; the outside is 0 */
    RUG_LBP_BORDER_SKIP = 1  /**< those whose samples all lie inside the image */
} rug_lbp_border;

/** The arithmetic of the interpolation. It decides ties: samples that mathematically equal
 *  their centre. With each rule codes are the same on every CPU, device and number of
 *  threads, but for those of RUG_LBP_HARDWARE. The numbers are never changed. */
typedef enum rug_lbp_exact {
    RUG_LBP_EXACT_SKIMAGE = 0, /**< double precision in scikit-image's order of
                                    operations, with weights from the absolute coordinate:
                                    its codes bit for bit, including the ties that it
                                    loses to rounding */
    RUG_LBP_EXACT_DECIMAL = 1, /**< weights in whole units of 1e-5. Integers of up to 16
                                    bits are never rounded, so that a tie always sets its
                                    bit. Other values are interpolated in double precision;
                                    between equal neighbours the result is exactly their
                                    value */
    RUG_LBP_EXACT_FLOAT = 2    /**< single precision, the fastest; values of more than 24
                                    bits are rounded first */
} rug_lbp_exact;

/** Which planes of a volume are coded. The numbers are never changed. */
typedef enum rug_lbp_planes {
    RUG_LBP_PLANES_NONE = 0, /**< for images; a volume is refused */
    RUG_LBP_PLANES_XY = 1,   /**< slices [ny][nx], each on its own */
    RUG_LBP_PLANES_XZ = 2,   /**< slices [nz][nx] */
    RUG_LBP_PLANES_YZ = 3 /**< slices [nz][ny]. The histograms of XY, XZ and YZ together
                                  are LBP-TOP (Zhao and Pietikainen 2007) */
} rug_lbp_planes;

/** A circle of samples. */
typedef struct rug_lbp_operator {
    uint32_t points;    /**< P, 1..RUG_LBP_MAX_POINTS */
    double radius;      /**< R in pixels, above 0, up to RUG_LBP_MAX_RADIUS */
    const double *cuts; /**< of the variance, ascending, finite and above 0: bin b holds
                             cuts[b - 1] <= VAR < cuts[b]. VAR needs them for a histogram;
                             with any other method the histogram becomes joint, with bin
                             code * (n_cuts + 1) + bin of the variance. NULL: none */
    uint32_t n_cuts;
} rug_lbp_operator;

/** The codes of some rows. */
typedef struct rug_lbp_rows {
    uint32_t op;       /**< which operator */
    size_t slice;      /**< of a volume, else 0 */
    size_t first, n;   /**< rows first .. first + n - 1 of the image or slice */
    size_t nx;         /**< columns */
    rug_dtype dtype;   /**< of the codes, see rug_lbp_map_dtype() */
    const void *codes; /**< [n][nx] */
} rug_lbp_rows;

/** Receives the codes of a call, on the calling thread: blocks of rows in order, each block
 *  operator by operator. @return RUG_OK; anything else ends the call, which returns it */
typedef rug_status (*rug_lbp_map_fn)(void *user, const rug_lbp_rows *rows);

/** Options of rug_lbp(). */
typedef struct rug_lbp_options {
    size_t struct_size; /**< sizeof(rug_lbp_options); set by the INIT macro */
    const rug_lbp_operator *operators;   /**< NULL (default): one, (8, 1) */
    uint32_t n_operators;                /**< at most RUG_LBP_MAX_OPERATORS */
    rug_lbp_method method;               /**< default RIU2 */
    rug_lbp_interpolation interpolation; /**< default BILINEAR */
    rug_lbp_border border;               /**< default ZERO */
    rug_lbp_exact exact;    /**< default SKIMAGE, which VAR and joint histograms need */
    rug_lbp_planes planes;  /**< default NONE; volumes need another, images this one */
    const rug_source *mask; /**< of the image's shape, any dtype: only centres where it is
                                 neither 0 nor NaN are counted. NULL (default): all are */
    const rug_source *labels; /**< of the image's shape, as for rug_regions_find(): one
                                   histogram for each label, of the centres that have it;
                                   their samples may lie elsewhere. NULL (default): none */
    rug_lbp_map_fn map;       /**< receives all codes; NULL (default): none */
    void *map_user;
    /** Nonzero: a pixel has no code where it, or a pixel that its circle touches, is NaN: no bin,
     *  and in maps "no code". 0 (default): bits of NaN are 0. */
    uint32_t leave_out_nan;
    uint32_t unused; /**< 0 */
    /** Row and column of the first pixel in a larger image of which this one is a part, below 2^53:
     *  SKIMAGE takes weights of the coordinates there, so that pixels whose circles lie in the part
     *  have the codes of the larger image. Default 0, 0 */
    uint64_t origin[2];
} rug_lbp_options;

/** The defaults. */
#define RUG_LBP_OPTIONS_INIT                                                             \
    {                                                                                    \
        sizeof(rug_lbp_options), NULL, 0, RUG_LBP_RIU2, RUG_LBP_BILINEAR,                \
            RUG_LBP_BORDER_ZERO, RUG_LBP_EXACT_SKIMAGE, RUG_LBP_PLANES_NONE, NULL, NULL, \
            NULL, NULL, 0, 0,                                                            \
        {                                                                                \
            0, 0                                                                         \
        }                                                                                \
    }

/** The histogram of one operator, for one label or for the whole image. */
typedef struct rug_lbp_histogram {
    uint64_t label;  /**< 0 without labels */
    uint32_t op;     /**< which operator */
    uint64_t pixels; /**< the sum of all bins. With VAR and cuts, pixels whose variance is
                          NaN are left out */
    uint32_t n_bins; /**< 0 where there would be more than RUG_LBP_MAX_BINS, and for VAR
                          without cuts */
    const uint64_t *bins;
} rug_lbp_histogram;

/** Histograms. Opaque, owned by the caller. */
typedef struct rug_lbp_result rug_lbp_result;

/** What there is one of in a result. */
typedef struct rug_lbp_facts {
    size_t n_histograms;  /**< one for each operator; with labels, times n_labels */
    size_t n_labels;      /**< that occur; 0 without labels */
    uint32_t n_operators; /**< at least 1 */
    const char *engine; /**< that ran, such as "cpu-avx512" or "opencl:0"; static text */
} rug_lbp_facts;

/** Codes an image and counts the codes.
 *  @param out   NULL on failure; free it with rug_lbp_free(), before its context
 *  @param image   [ny][nx], or [nz][ny][nx] with planes, any dtype and byte strides; borrowed
 *               for the call, never written
 *  @param opts  NULL = defaults. A mask or labels that are not in memory are read whole
 *  @return RUG_OK, RUG_E_ARG (also when an operator has no histogram and no map is
 *          requested), RUG_E_NOMEM, RUG_E_DEVICE, RUG_E_CANCELLED, what opts->map or a
 *          source returned */
RUG_API rug_status rug_lbp(rug_context *ctx, rug_lbp_result **out, const rug_image *image,
                           const rug_lbp_options *opts);

/** rug_lbp() for images larger than memory. Reads the source and the mask once, side by side;
 *  holds a slab of about 128 MB and the rows that the circles reach. Labels are read
 *  before, slab by slab, and held as what rug_regions_find_source() makes of them.
 *  @param source  2D; a volume only if it is in memory
 *  @param opts    NULL = defaults */
RUG_API rug_status rug_lbp_source(rug_context *ctx, rug_lbp_result **out,
                                  const rug_source *source, const rug_lbp_options *opts);

/** Checks options before there is an image: that they are valid together, and that they can
 *  run on the context's device. Mask, labels and planes are ignored, and no device is
 *  opened.
 *  @return RUG_OK, RUG_E_ARG, RUG_E_DEVICE */
RUG_API rug_status rug_lbp_check_options(rug_context *ctx, const rug_lbp_options *opts);

/** Frees histograms. NULL is allowed. */
RUG_API void rug_lbp_free(rug_lbp_result *result);

/** The facts of a result; valid as long as it. NULL of NULL. */
RUG_API const rug_lbp_facts *rug_lbp_get_facts(const rug_lbp_result *result);

/** Histogram i, in ascending order of labels, then by operator; valid as long as the result.
 *  @return NULL if there is none */
RUG_API const rug_lbp_histogram *rug_lbp_at(const rug_lbp_result *result, size_t i);

/** The number of codes of a method, which is that of bins without cuts, but 2^P for ROR; at
 *  most 2^32. 0 for VAR. */
RUG_API uint64_t rug_lbp_n_codes(rug_lbp_method method, uint32_t points);

/** The number of bins of an operator's histogram; 0 where there is none. */
RUG_API uint32_t rug_lbp_n_bins(rug_lbp_method method, const rug_lbp_operator *op);

/** The dtype of codes in a map: the smallest of U8, U16 and U32 that holds all codes and, with
 *  RUG_LBP_BORDER_SKIP or leave_out_nan, rug_lbp_n_codes(), which stands for "no code"; F64 for
 *  VAR, where NaN stands for a variance of 0, as in scikit-image, and for "no code". Masks do not
 *  affect maps.
 *  @return RUG_OK, RUG_E_ARG ("no code" does not fit: DEFAULT or ROR with 32 points) */
RUG_API rug_status rug_lbp_map_dtype(rug_context *ctx, rug_dtype *out,
                                     const rug_lbp_options *opts, uint32_t op);

/** Texts of the enums; "?" for other numbers. Static.
 *  "riu2", "default", "ror", "nri_uniform", "var" */
RUG_API const char *rug_lbp_method_name(rug_lbp_method method);
/** "bilinear", "nearest", "hardware" */
RUG_API const char *rug_lbp_interpolation_name(rug_lbp_interpolation interpolation);
/** "zero", "skip" */
RUG_API const char *rug_lbp_border_name(rug_lbp_border border);
/** "skimage", "decimal", "float" */
RUG_API const char *rug_lbp_exact_name(rug_lbp_exact exact);
/** "none", "xy", "xz", "yz" */
RUG_API const char *rug_lbp_planes_name(rug_lbp_planes planes);

#ifdef __cplusplus
}
#endif

#endif
