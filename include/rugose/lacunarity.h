/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Lacunarity: how unevenly mass is spread. Λ(s) = E[M²] / E[M]² over the masses M of all boxes
 * of size s (Allain and Cloitre 1991), with moments of the population. Boxes lie wholly
 * inside the image. */

#ifndef RUGOSE_LACUNARITY_H
#define RUGOSE_LACUNARITY_H

#include <rugose/context.h>
#include <rugose/export.h>
#include <rugose/foreground.h>
#include <rugose/image.h>
#include <rugose/regions.h>
#include <rugose/status.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The most box sizes of one call. */
#define RUG_LACUNARITY_MAX_SIZES 1024

/** Where boxes lie. The numbers are never changed. */
typedef enum rug_lacunarity_boxes {
    RUG_LACUNARITY_GLIDING = 0, /**< at every position */
    RUG_LACUNARITY_FIXED = 1    /**< side by side, from the first pixel on */
} rug_lacunarity_boxes;

/** Options of rug_lacunarity(). */
typedef struct rug_lacunarity_options {
    size_t struct_size; /**< sizeof(rug_lacunarity_options); set by the INIT macro */
    rug_lacunarity_boxes boxes; /**< default GLIDING */
    /** Nonzero: a pixel's mass is its value, which must not be negative; 0 (default): 1
     *  where it is foreground. */
    int is_gray;
    /** Which pixels are set (default AUTO); ignored with is_gray. */
    rug_foreground foreground;
    /** Sides of boxes in pixels, ascending, at least 1; NULL (default): 1, 2, 4 … up to the
     *  shortest axis longer than 1. */
    const uint64_t *sizes;
    uint32_t n_sizes;
    /** Of the image's shape, any dtype; pixels are inside where it is neither 0 nor NaN. A box
     *  counts if all its pixels are inside. NULL (default): all are. */
    const rug_image *mask;
} rug_lacunarity_options;

/** The defaults. */
#define RUG_LACUNARITY_OPTIONS_INIT                                                     \
    {                                                                                   \
        sizeof(rug_lacunarity_options), RUG_LACUNARITY_GLIDING, 0, RUG_FOREGROUND_INIT, \
            NULL, 0, NULL                                                               \
    }

/** One size. Undefined numbers are NaN and the status says why. */
typedef struct rug_lacunarity_size {
    /** Side of the box in pixels. An axis of a single pixel is ignored beside longer ones: an
     *  image of one row is one-dimensional. */
    uint64_t size;
    double lacunarity; /**< at least 1 */
    double mean;       /**< E[M] */
    /** E[M²] - E[M]², exact before it is rounded once; infinite or 0 for floats whose squares
     *  leave the range of double. */
    double variance;
    uint64_t positions; /**< the number of boxes */
    /** "ok", "empty" (no box has any mass) or "no boxes" (none fits into the image, or into
     *  the mask); static text. */
    const char *status;
} rug_lacunarity_size;

/** What rug_lacunarity() found. A plain struct, nothing to free. */
typedef struct rug_lacunarity_result {
    int ndim;
    uint64_t shape[RUG_MAX_AXES];
    uint64_t n_pixels, n_set;  /**< inside the mask; of these, with a mass */
    uint64_t n_left_out;       /**< without a mass: NaN, and infinities with is_gray */
    int unit_exponent;         /**< floats: masses are multiples of 2^unit_exponent */
    rug_foreground foreground; /**< the rule applied, resolved; NONZERO with is_gray */
    const char *engine;        /**< static text */
    uint32_t n_sizes;
    rug_lacunarity_size sizes[RUG_LACUNARITY_MAX_SIZES];
} rug_lacunarity_result;

/** Measures the lacunarity of an image or volume.
 *  @param out   filled on RUG_OK, zeroed otherwise
 *  @param image   [ny][nx] or [nz][ny][nx], any dtype and strides
 *  @param opts  NULL = defaults
 *  @return RUG_OK, RUG_E_ARG (also a negative pixel with is_gray), RUG_E_NOMEM,
 *          RUG_E_DEVICE, RUG_E_CANCELLED */
RUG_API rug_status rug_lacunarity(rug_context *ctx, rug_lacunarity_result *out,
                                  const rug_image *image,
                                  const rug_lacunarity_options *opts);

/** Receives one label; its arguments are valid until it returns. @return RUG_OK; anything else
 *  ends the call, which returns it */
typedef rug_status (*rug_lacunarity_label_fn)(void *user, const rug_region *region,
                                              const rug_lacunarity_result *result);

/** Measures the lacunarity of every label, in ascending order, in its bounding box: only the
 *  label's pixels have a mass, and boxes lie wholly inside the bounding box. n_pixels counts
 *  the label's pixels inside the mask.
 *  @param labels  of the image's shape; as in rug_regions_find()
 *  @param opts    NULL = defaults; the foreground is resolved once, for the whole image
 *  @return RUG_OK, what fn returned, RUG_E_ARG, RUG_E_NOMEM, RUG_E_DEVICE, RUG_E_CANCELLED */
RUG_API rug_status rug_lacunarity_labels(rug_context *ctx, const rug_image *image,
                                         const rug_image *labels,
                                         const rug_lacunarity_options *opts,
                                         rug_lacunarity_label_fn fn, void *user);

#ifdef __cplusplus
}
#endif

#endif
