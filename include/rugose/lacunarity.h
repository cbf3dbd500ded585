/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Lacunarity: how unevenly mass is spread. Λ(s) = E[M²] / E[M]² over the masses M of all boxes
 * of size s (Allain and Cloitre 1991), with moments of the population. Boxes lie wholly
 * inside the image.
 *
 *     rug_lacunarity_result *result;
 *     rug_status status = rug_lacunarity(ctx, &result, &image, NULL);
 *     if (status != RUG_OK)
 *         return status;
 *     const rug_lacunarity_facts *facts = rug_lacunarity_get_facts(result);
 *     for (size_t i = 0; i < facts->n_sizes; i += 4) {
 *         const rug_lacunarity_size *s = rug_lacunarity_at(result, i);
 *         printf("%d: %.4f, %s\n", (int)s->size, s->lacunarity,
 *                rug_lacunarity_status_name(s->status));
 *     }
 *     rug_lacunarity_free(result);
 *     return RUG_OK;
 *     // prints: 1: 9.9887, ok
 *     // prints: 16: 2.7395, ok
 *     // prints: 256: 1.0000, ok
 */

#ifndef RUGOSE_LACUNARITY_H
#define RUGOSE_LACUNARITY_H

#include <rugose/context.h>
#include <rugose/export.h>
#include <rugose/foreground.h>
#include <rugose/image.h>
#include <rugose/regions.h>
#include <rugose/source.h>
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

/** "gliding" or "fixed"; "?" for other numbers. Static text. */
RUG_API const char *rug_lacunarity_boxes_name(rug_lacunarity_boxes boxes);

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
    uint32_t n_sizes; /**< at most RUG_LACUNARITY_MAX_SIZES */
    /** Of the image's shape, any dtype; pixels are inside where it is neither 0 nor NaN. A box
     *  counts if all its pixels are inside. NULL (default): all are. */
    const rug_source *mask;
} rug_lacunarity_options;

/** The defaults. */
#define RUG_LACUNARITY_OPTIONS_INIT                                                     \
    {                                                                                   \
        sizeof(rug_lacunarity_options), RUG_LACUNARITY_GLIDING, 0, RUG_FOREGROUND_INIT, \
            NULL, 0, NULL                                                               \
    }

/** Whether a lacunarity means anything. The numbers never change. */
typedef enum rug_lacunarity_status {
    RUG_LACUNARITY_OK = 0,
    RUG_LACUNARITY_EMPTY = 1,   /**< no box has any mass */
    RUG_LACUNARITY_NO_BOXES = 2 /**< none fits into the image, or into the mask */
} rug_lacunarity_status;

/** "ok", "empty" or "no boxes"; "?" for other numbers. Static text. */
RUG_API const char *rug_lacunarity_status_name(rug_lacunarity_status status);

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
    rug_lacunarity_status status;
} rug_lacunarity_size;

/** What is one per result. */
typedef struct rug_lacunarity_facts {
    int ndim;
    uint64_t shape[RUG_MAX_AXES];
    uint64_t n_pixels, n_set;  /**< inside the mask; of these, with a mass */
    uint64_t n_left_out;       /**< without a mass: NaN, and infinities with is_gray */
    int unit_exponent;         /**< floats: masses are multiples of 2^unit_exponent */
    rug_foreground foreground; /**< the rule applied, resolved; NONZERO with is_gray */
    const char *engine;        /**< static text */
    uint32_t n_sizes;          /**< how many sizes rug_lacunarity_at() has */
    uint64_t is_gray;          /**< 1: masses are grey values, 0: foreground */
} rug_lacunarity_facts;

/** The lacunarity at every size. Opaque, owned by the caller. */
typedef struct rug_lacunarity_result rug_lacunarity_result;

/** Measures the lacunarity of an image or volume. Takes the memory of
 *  rug_lacunarity_source().
 *  @param out    the result; NULL on failure; free it with rug_lacunarity_free(), before its
 *                context
 *  @param image  [ny][nx] or [nz][ny][nx], any dtype and strides
 *  @param opts   NULL = defaults
 *  @return RUG_OK, RUG_E_ARG (also a negative pixel with is_gray), RUG_E_NOMEM,
 *          RUG_E_DEVICE, RUG_E_CANCELLED */
RUG_API rug_status rug_lacunarity(rug_context *ctx, rug_lacunarity_result **out,
                                  const rug_image *image,
                                  const rug_lacunarity_options *opts);

/** The same of an image or volume that is read slab by slab: once; first once or twice more for
 *  a foreground of AUTO or OTSU, and with is_gray once for dtypes other than BIT, U8 and U16,
 *  twice for floats.
 *
 *  Memory, beside a slab and a band of about 1 MB: gliding boxes need the layers (rows of an
 *  image, slices of a volume) that they leave behind, as many as the largest size that is smaller
 *  than the image has: one bit a pixel, and one for the mask; with is_gray the 1, 2, 4 or 8 bytes
 *  that hold the largest mass (floats with fractions: 8). By default that can be all of the
 *  image; smaller `sizes` bound it, and fixed boxes need none. For each thread images take up to
 *  24 MB of sums over rows, and sizes that fit there need no layers, unless there is a mask.
 *  Volumes take 2, 4 or 8 bytes for each size and pixel of a slice; a mask doubles that.
 *  @param source  as above
 *  @return as above, and what the source returns */
RUG_API rug_status rug_lacunarity_source(rug_context *ctx, rug_lacunarity_result **out,
                                         const rug_source *source,
                                         const rug_lacunarity_options *opts);

/** Frees a result. NULL is allowed. */
RUG_API void rug_lacunarity_free(rug_lacunarity_result *result);

/** What is one per result; valid as long as it. @return NULL for NULL */
RUG_API const rug_lacunarity_facts *
rug_lacunarity_get_facts(const rug_lacunarity_result *result);

/** Size i, 0 .. n_sizes - 1, in the order of the options; valid as long as the result.
 *  @return NULL when there is no size i */
RUG_API const rug_lacunarity_size *rug_lacunarity_at(const rug_lacunarity_result *result,
                                                     size_t i);

/** Receives one label; its arguments are valid until it returns. @return RUG_OK; anything else
 *  ends the call, which returns it */
typedef rug_status (*rug_lacunarity_label_fn)(void *user, const rug_region *region,
                                              const rug_lacunarity_result *result);

/** Measures the lacunarity of every label, in ascending order, in its bounding box: only the
 *  label's pixels have a mass, and boxes lie wholly inside the bounding box. n_pixels counts
 *  the label's pixels inside the mask.
 *  @param labels  of the image's shape, as in rug_regions_find_source(); read once
 *  @param opts    NULL = defaults; the foreground is resolved once, for the whole image
 *  @return RUG_OK, what fn returned, RUG_E_ARG, RUG_E_NOMEM, RUG_E_DEVICE, RUG_E_CANCELLED,
 *          what a source returns */
RUG_API rug_status rug_lacunarity_labels(rug_context *ctx, const rug_image *image,
                                         const rug_source *labels,
                                         const rug_lacunarity_options *opts,
                                         rug_lacunarity_label_fn fn, void *user);

#ifdef __cplusplus
}
#endif

#endif
