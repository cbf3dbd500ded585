/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Multifractals: how the mass in boxes scales with their size, for every order q.
 *
 * The mass of a box is the sum of its grey values, or the number of its foreground pixels
 * or points. With p = mass / total for the boxes of size s that are not empty, Z(q, s) =
 * sum p^q; tau(q) is the slope of ln Z against ln s, D_q = tau / (q - 1), and D_1 the
 * slope of sum p ln p. alpha(q) and f(alpha) are slopes of sum mu ln p and sum mu ln mu
 * with mu = p^q / Z (Chhabra and Jensen 1989).
 *
 *     const double q[] = {0, 1, 2};
 *     rug_masses *masses;
 *     rug_multifractal_result *spectrum = NULL;
 *     rug_status status = rug_masses_measure(ctx, &masses, &image, NULL);
 *     if (status == RUG_OK)
 *         status = rug_multifractal_fit(ctx, &spectrum, masses, q, 3, NULL);
 *     for (size_t i = 0; status == RUG_OK && i < 3; i++) {
 *         const rug_multifractal_order *order = rug_multifractal_at(spectrum, i);
 *         printf("D%g = %.4f, %s\n", order->q, order->dimension,
 *                rug_fit_status_name(order->status));
 *     }
 *     rug_multifractal_free(spectrum);
 *     rug_masses_free(masses);
 *     // prints: D0 = 1.5850, ok
 *     // prints: D1 = 1.5850, ok
 *     // prints: D2 = 1.5850, ok
 */

#ifndef RUGOSE_MULTIFRACTAL_H
#define RUGOSE_MULTIFRACTAL_H

#include <rugose/context.h>
#include <rugose/export.h>
#include <rugose/fit.h>
#include <rugose/foreground.h>
#include <rugose/image.h>
#include <rugose/points.h>
#include <rugose/source.h>
#include <rugose/status.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The masses of boxes of every size 1, 2, 4 ... on the grid at the first pixel (of
 *  points: at coordinate 0): for each size, how many boxes have which mass. Opaque, owned
 *  by the caller. This is all that any order q needs, and the masses of the parts of an
 *  image add up. */
typedef struct rug_masses rug_masses;

/** What the mass of a pixel is. The numbers never change. */
typedef enum rug_mass_of {
    RUG_MASS_OF_GRAY = 0,       /**< the value of a pixel, which must not be negative */
    RUG_MASS_OF_FOREGROUND = 1, /**< 1 for each foreground pixel */
} rug_mass_of;

/** "grey values" or "foreground"; "?" for other numbers. Static text. */
RUG_API const char *rug_mass_of_name(rug_mass_of of);

/** Options of rug_masses_measure(). */
typedef struct rug_masses_options {
    size_t struct_size; /**< sizeof(rug_masses_options); set by the INIT macro */
    rug_mass_of of;     /**< default RUG_MASS_OF_GRAY */
    /** Which pixels are set; used with RUG_MASS_OF_FOREGROUND only (default AUTO). */
    rug_foreground foreground;
    const rug_source *mask; /**< of the image's shape, any dtype; pixels that are 0 or NaN
                                 there have no mass. NULL (default): no mask */
} rug_masses_options;

/** The defaults. */
#define RUG_MASSES_OPTIONS_INIT                                                 \
    {                                                                           \
        sizeof(rug_masses_options), RUG_MASS_OF_GRAY, RUG_FOREGROUND_INIT, NULL \
    }

/** Measures an image or a volume. Pixels that are NaN or infinite have no mass. Floats
 *  are measured in units of 1 if all of them are whole numbers, otherwise in units of the
 *  smallest power of two that keeps the total below 2^62.
 *  @param out   NULL on failure; free it with rug_masses_free(), before its context
 *  @param image   [ny][nx] or [nz][ny][nx], any dtype and byte strides
 *  @param opts  NULL = defaults
 *  @return RUG_OK, RUG_E_ARG (also a negative pixel), RUG_E_NOMEM, RUG_E_DEVICE,
 *          RUG_E_CANCELLED, or what the mask's source returns */
RUG_API rug_status rug_masses_measure(rug_context *ctx, rug_masses **out,
                                      const rug_image *image,
                                      const rug_masses_options *opts);

/** rug_masses_measure() of an image that is larger than memory. Reads it and the mask once,
 *  and once or a few times more where the rule or the unit depends on the pixels.
 *  @return as rug_masses_measure(), or what the source returns */
RUG_API rug_status rug_masses_measure_source(rug_context *ctx, rug_masses **out,
                                             const rug_source *source,
                                             const rug_masses_options *opts);

/** Options of rug_masses_measure_points(). */
typedef struct rug_masses_points_options {
    size_t struct_size;  /**< sizeof(rug_masses_points_options); set by the INIT macro */
    double spacing;      /**< as in rug_boxcount_points_options */
    uint64_t resolution; /**< as in rug_boxcount_points_options */
} rug_masses_points_options;

/** The defaults. */
#define RUG_MASSES_POINTS_OPTIONS_INIT          \
    {                                           \
        sizeof(rug_masses_points_options), 0, 0 \
    }

/** Measures a set of points: the mass of a lattice cell is the number of points in it.
 *  @param out   NULL on failure; free it with rug_masses_free(), before its context
 *  @param opts  NULL = defaults
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM, RUG_E_DEVICE (a device was asked for by name),
 *          RUG_E_CANCELLED */
RUG_API rug_status rug_masses_measure_points(rug_context *ctx, rug_masses **out,
                                             const rug_points *points,
                                             const rug_masses_points_options *opts);

/** Begins the masses of an image that comes in parts: strips, tiles or slabs, in any
 *  order.
 *  @param out          NULL on failure; free it with rug_masses_free(), before its
 *                      context
 *  @param ndim         of the whole image
 *  @param shape        of the whole image, [ndim]
 *  @param dtype        of all parts
 *  @param unit_exponent  of floats: a mass of 1 is 2^unit_exponent; 0 for other dtypes
 *  @param opts         NULL = defaults. The foreground must be resolved (not AUTO or
 *                      OTSU); any mask says that every part comes with its own, and is
 *                      not read
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM */
RUG_API rug_status rug_masses_new(rug_context *ctx, rug_masses **out, rug_dtype dtype,
                                  int ndim, const size_t *shape, int unit_exponent,
                                  const rug_masses_options *opts);

/** Adds a part. Every pixel must be added exactly once.
 *  @param mask   of the part; NULL when there is none
 *  @param first  the position of the part's first pixel in the whole image
 *  @return RUG_OK, RUG_E_ARG (also a part that reaches beyond the image or overlaps an
 *          earlier one), RUG_E_NOMEM, RUG_E_DEVICE, RUG_E_CANCELLED. After a failure the
 *          masses can only be freed */
RUG_API rug_status rug_masses_add(rug_context *ctx, rug_masses *masses,
                                  const rug_image *part, const rug_image *mask,
                                  const size_t *first);

/** Adds all parts of other masses, which are not changed.
 *  @return RUG_OK, RUG_E_ARG (different shape, dtype, rule or unit, or a part that both
 *          have: nothing is added), RUG_E_NOMEM, RUG_E_CANCELLED. After the last two the
 *          masses can only be freed */
RUG_API rug_status rug_masses_merge(rug_context *ctx, rug_masses *masses,
                                    const rug_masses *other);

/** The masses of the parts that have come as bytes, for a file or another process: docs/states.md
 *  has their format. They take room for the pixels that were added, not for the whole image, and
 *  are the same in whatever order parts were added and merged.
 *  @param out     NULL on failure; to be released with rug_context_release()
 *  @param n       the number of bytes; 0 on failure
 *  @param masses  of an image, not of points
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM, RUG_E_CANCELLED */
RUG_API rug_status rug_masses_save(rug_context *ctx, uint8_t **out, size_t *n,
                                   const rug_masses *masses);

/** Masses from their bytes, which may come from anywhere: all of them are checked, and memory is
 *  taken for what is there only. What is added and merged from then on, and all results, are as
 *  if they had never been saved; but facts have the engine of what was measured here, "cpu" if
 *  nothing was.
 *  @param out    NULL on failure; free it with rug_masses_free(), before its context
 *  @param bytes  borrowed for the call
 *  @return RUG_OK, RUG_E_FORMAT (the bytes are no masses, damaged, or of another format),
 *          RUG_E_ARG, RUG_E_NOMEM, RUG_E_CANCELLED */
RUG_API rug_status rug_masses_load(rug_context *ctx, rug_masses **out,
                                   const uint8_t *bytes, size_t n);

/** Frees masses. NULL is allowed. */
RUG_API void rug_masses_free(rug_masses *masses);

/** What is known about masses. */
typedef struct rug_masses_facts {
    int ndim; /**< axes */
    /** pixels (lattice cells) per axis, slowest first */
    uint64_t shape[RUG_POINTS_MAX_AXES];
    uint64_t n_pixels;         /**< pixels inside the mask */
    uint64_t n_set;            /**< of them, those with a mass: the support */
    uint64_t n_left_out;       /**< of them, NaN or infinite */
    uint64_t n_lost;           /**< of them, above 0 but below half a unit: no mass */
    uint64_t total;            /**< in units; below 2^63 */
    int unit_exponent;         /**< a unit is 2^unit_exponent; 0 except for floats */
    rug_foreground foreground; /**< the rule in force, resolved */
    rug_mass_of of;            /**< what a mass is */
    uint32_t n_sizes;   /**< 1, 2, 4 ... up to the first that is >= the longest axis */
    int is_whole;       /**< 0: pixels are missing */
    const char *engine; /**< such as "cpu-avx512"; static text */
} rug_masses_facts;

/** What is known about them at this moment; valid until the next call with these masses.
 *  @return NULL for NULL */
RUG_API const rug_masses_facts *rug_masses_get_facts(rug_masses *masses);

/** How many boxes have a certain mass. */
typedef struct rug_mass_boxes {
    uint64_t mass;  /**< in units, at least 1 */
    uint64_t boxes; /**< at least 1 */
} rug_mass_boxes;

/** The boxes of size 2^level by mass, ascending; valid until the masses change.
 *  @param n  how many entries there are
 *  @return NULL when there are none, pixels are missing, memory runs out or the call is
 *          cancelled */
RUG_API const rug_mass_boxes *rug_masses_boxes(rug_context *ctx, rug_masses *masses,
                                               uint32_t level, size_t *n);

/** The sums of one order and size. */
typedef struct rug_moments {
    /** Z(q, s); 0 without boxes; 0 or infinite where a double cannot hold it */
    double z;
    /** ln Z, correct even where Z leaves the range of a double; -infinity without boxes,
     *  and then everything below is NaN. */
    double log_z;
    double p_log_p;   /**< sum p ln p: the same for every q */
    double mu_log_p;  /**< sum mu ln p */
    double mu_log_mu; /**< sum mu ln mu */
} rug_moments;

/** The sums of orders and sizes.
 *  @param out   [n_q][n_sizes]
 *  @param q     finite, |q| <= RUG_MULTIFRACTAL_Q_MAX
 *  @return RUG_OK, RUG_E_ARG (also when pixels are missing), RUG_E_NOMEM,
 *          RUG_E_CANCELLED */
RUG_API rug_status rug_multifractal_moments(rug_context *ctx, rug_moments *out,
                                            rug_masses *masses, const double *q,
                                            size_t n_q);

/** The largest |q|. */
#define RUG_MULTIFRACTAL_Q_MAX 1000.0

/** A box is nearly empty when it holds less than this share of the mean mass of all boxes
 *  that have mass. */
#define RUG_MULTIFRACTAL_NEAR_EMPTY 1e-4

/** One order. Undefined numbers are NaN and the status says why. */
typedef struct rug_multifractal_order {
    double q;
    double tau, tau_error; /**< slope of ln Z against ln s, its standard error */
    double dimension, dimension_error; /**< D_q; q = 1: slope of sum p ln p */
    double alpha, alpha_error;
    double f, f_error;
    double r_squared; /**< of the fit of ln Z; q = 1: of sum p ln p */
    /** q < 0: the largest share of Z, over the sizes of the fit, of nearly empty boxes;
     *  else 0. */
    double near_empty;
    rug_fit_status status; /**< EMPTY: there is no mass; NEAR_EMPTY_BOXES: q < 0 and
                                near_empty above one half */
} rug_multifractal_order;

/** What all orders have in common. */
typedef struct rug_multifractal_facts {
    size_t n_orders;
    uint64_t size_min, size_max; /**< of the fits; 0: no size was fitted */
    uint32_t n_sizes;            /**< sizes of the fits */
    rug_fit_status status;       /**< of the orders without nearly empty boxes */
} rug_multifractal_facts;

/** Orders that are fitted. Opaque, owned by the caller. */
typedef struct rug_multifractal_result rug_multifractal_result;

/** Fits all orders over the same sizes: those that rug_boxcount_fit() takes of the boxes that
 *  have mass. D of q = 0 is the box-counting dimension of the support, bit for bit.
 *  @param out   NULL on failure; free it with rug_multifractal_free(), before its context
 *  @param q     [n_q], finite, |q| <= RUG_MULTIFRACTAL_Q_MAX
 *  @param opts  NULL = defaults
 *  @return RUG_OK (even when numbers are undefined: see status), RUG_E_ARG (also when pixels
 *          are missing), RUG_E_NOMEM, RUG_E_CANCELLED */
RUG_API rug_status rug_multifractal_fit(rug_context *ctx, rug_multifractal_result **out,
                                        rug_masses *masses, const double *q, size_t n_q,
                                        const rug_fit_options *opts);

/** Frees orders. NULL is allowed. */
RUG_API void rug_multifractal_free(rug_multifractal_result *result);

/** What all orders have in common; valid as long as the result.
 *  @return NULL for NULL */
RUG_API const rug_multifractal_facts *
rug_multifractal_get_facts(const rug_multifractal_result *result);

/** Order i, as given; valid as long as the result.
 *  @return NULL when there is none */
RUG_API const rug_multifractal_order *
rug_multifractal_at(const rug_multifractal_result *result, size_t i);

#ifdef __cplusplus
}
#endif

#endif
