/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* A call, checked and resolved once: the image, its mask and its regions, offsets, range
 * and tables. All that comes after only reads it. */

#ifndef RUGI_GLCM_PLAN_H
#define RUGI_GLCM_PLAN_H

#include "core/image/source_internal.h"
#include "glcm/kernels/glcm_kernels.h"
#include <rugose/glcm.h>
#include <rugose/regions.h>

/** Pairs of a matrix up to which it is counted with 16 bits. */
#define RUGI_GLCM_SMALL 65535

/** The pixels of a region of an image that is read slab by slab. */
typedef struct rugi_glcm_kept {
    char *
        pixels; /**< [area] run after run, of rugi_segment_dtype(); NULL: none are kept */
    char *mask; /**< the same of the mask; NULL: there is none */
} rugi_glcm_kept;

typedef struct rugi_glcm_plan {
    rug_context *reader; /**< the caller's, which is the one that sources know */
    rug_source source;
    rug_image image; /**< with z; data NULL: it is read from the source, slab by slab */
    int with_mask;
    const rug_source *mask_source; /**< NULL: none */
    rug_image mask;                /**< with z; data NULL: none, or none in memory */
    rug_source own_mask;
    rugi_twin twin;
    size_t slab_layers;   /**< of the source that are read at once */
    rug_regions *regions; /**< of the labels; NULL: the image is the only one */
    size_t n_regions;
    const size_t *order; /**< [n_regions] in which they are measured; NULL: by label */
    const rugi_glcm_kept *kept; /**< [n_regions] of each region; NULL: see `image` */
    int ndim;                   /**< of the image as it was given */
    int is_flat;                /**< it has 2 axes, or slices are taken */
    int is_float;               /**< its values */

    uint32_t n_distances;
    const uint32_t *distance; /**< [n_distances], borrowed */
    uint32_t n_directions;    /**< that are taken */
    uint32_t direction[RUG_GLCM_DIRECTIONS_3D];
    uint32_t n_rows; /**< of each region */
    const int32_t (
        *offset)[3]; /**< [n_directions] z y x instead of those at a distance, borrowed;
                                     NULL: none */

    rug_glcm_aggregate aggregate;
    rug_glcm_slices slices;
    rug_glcm_levels levels;        /**< EXACT, COUNT or WIDTH */
    uint32_t n_levels;             /**< of COUNT */
    double bin_width;              /**< of WIDTH */
    rug_glcm_range range;          /**< TYPE, IMAGE, ROI or GIVEN; of bins */
    double range_lo, range_hi;     /**< unless ROI; NaN: the image has no value */
    rug_glcm_origin origin;        /**< ZERO, MIN or GIVEN; of bins of a width */
    double bin_origin;             /**< of GIVEN */
    double clamp_lo, clamp_hi;     /**< values outside are counted as clamped */
    int is_resegmented;            /**< pixels outside of these are in no region: */
    double keep_lo, keep_hi;       /**< of floats */
    int64_t keep_least, keep_most; /**< of integers, those of 64 bits without a sign less
                                      2^63; least > most: none is inside */
    int is_symmetric, is_frame;    /**< as asked for */
    uint32_t frame;                /**< by how much it is wider; 0: by the distance */
    int with_entries;              /**< f14 or the joint maximum */
    int with_mcc;                  /**< f14 */
    int with_all;                  /**< more than f1 .. f14 */
    double per_nat;                /**< from natural logarithms to the base */

    rugi_glcm_kernels kernels;
    rugi_glcm_logs logs;
    size_t n_weights;
    double *closeness; /**< [n_weights]: 1 / (1 + k^2), and zeros behind the last level */
} rugi_glcm_plan;

/** Whether options fit together, whatever the image. */
rug_status rugi_glcm_check_options(rug_context *ctx, const rug_glcm_options *opts);

/** Makes the plan, of options that are checked: checks the image, its mask and its
 *  labels, finds the regions, and measures the range of the image if it is asked for.
 *  @param out     to be freed, also after a failure; it stays where it is
 *  @param source  the image
 *  @param window  pixels of the windows that are measured; 0: regions are
 *  @return RUG_OK, RUG_E_ARG, RUG_E_UNSUPPORTED, RUG_E_NOMEM, RUG_E_CANCELLED, what the
 *          sources return */
rug_status rugi_glcm_plan_new(rug_context *ctx, rugi_glcm_plan *out,
                              const rug_source *source, const rug_glcm_options *opts,
                              uint64_t window);

/** The same in two steps: all that the options and the image say, and then the tables. */
rug_status rugi_glcm_plan_begin(rug_context *ctx, rugi_glcm_plan *out,
                                const rug_source *source, const rug_glcm_options *opts);
rug_status rugi_glcm_plan_tables(rug_context *ctx, rugi_glcm_plan *plan, uint64_t window);
void rugi_glcm_plan_free(rug_context *ctx, rugi_glcm_plan *plan);

/** From natural logarithms to those of a base that is checked. */
static inline double rugi_glcm_per_nat(double log_base)
{
    return log_base == 2.0 ? 1 / 0.6931471805599453094 : 1;
}

/** Whether levels are the grey values of integers. */
static inline int rugi_glcm_is_exact(const rugi_glcm_plan *plan)
{
    return plan->levels == RUG_GLCM_LEVELS_EXACT;
}

/** Whether the image is read slab by slab. */
static inline int rugi_glcm_is_streamed(const rugi_glcm_plan *plan)
{
    return plan->image.data == NULL;
}

/** Reads an image that is not in memory, and its mask, once, slab after slab, by the
 *  plan's context.
 *  @param ctx       for the function, and for error texts
 *  @param from, to  progress of the caller's context */
rug_status rugi_glcm_for_slabs(rug_context *ctx, const rugi_glcm_plan *plan, double from,
                               double to, rugi_slab_fn fn, void *user);

/** Progress of what a whole image that is read slab by slab takes: its range, one pass or
 *  two over its pixels, and the rest. */
#define RUGI_GLCM_RANGE_SHARE 0.3
#define RUGI_GLCM_FIRST_SHARE 0.6
#define RUGI_GLCM_SLABS_SHARE 0.9

/** The region that is measured i-th. */
static inline size_t rugi_glcm_region_at(const rugi_glcm_plan *plan, size_t i)
{
    return plan->order != NULL ? plan->order[i] : i;
}

/** The shape z y x of the bounding box of the i-th. */
static inline const size_t *rugi_glcm_shape(const rugi_glcm_plan *plan, size_t i)
{
    return plan->regions != NULL
               ? rug_regions_at(plan->regions, rugi_glcm_region_at(plan, i))->shape
               : plan->image.shape;
}

/** Pixels of the i-th, whatever the mask. */
static inline uint64_t rugi_glcm_area(const rugi_glcm_plan *plan, size_t i)
{
    return plan->regions != NULL
               ? rug_regions_at(plan->regions, rugi_glcm_region_at(plan, i))->area
               : rug_image_pixels(&plan->image);
}

/** The offset of the i-th direction that is taken. */
void rugi_glcm_offset(const rugi_glcm_plan *plan, int out[3], uint32_t i,
                      uint32_t distance);

/** t(c) = c ln c as a whole number, in units of 2^-RUGI_GLCM_T_BITS: so sums do not
 *  depend on their order, and are equal on every engine. An entropy is ln n - sum t(c) /
 *  n. The sum over a matrix of fewer than 2^16 pairs fits 64 bits, and an entropy is
 *  right to 2^-43. */
#define RUGI_GLCM_T_BITS 42

#define RUGI_GLCM_LN_2      0.69314718055994530942
#define RUGI_GLCM_LN_2_BITS UINT64_C(0xb17217f7d1cf79ac) /* times 2^64 */

/** Levels that far from 0 leave no exact sums of their products. */
#define RUGI_GLCM_EXACT_BASE ((rugi_glcm_i128)1 << 38)

/** Units of logarithms and entropies in whole numbers: 2^-RUGI_GLCM_LN_BITS. */
#define RUGI_GLCM_LN_BITS 100

/** ln c to 2^-90, for c below 2^62; 0 of 0. */
rugi_glcm_u128 rugi_glcm_ln(uint64_t c);

/** t / n, for t below n 2^64. */
rugi_glcm_u128 rugi_glcm_share(rugi_glcm_u128 t, uint64_t n);

/** t(c) of any count. */
rugi_glcm_u128 rugi_glcm_t_far(uint64_t c);

/** The tables for counts up to the largest; what was allocated on failure is released with the plan. */
rug_status rugi_glcm_make_logs(rug_context *ctx, rugi_glcm_logs *out, uint64_t largest);

static inline rugi_glcm_u128 rugi_glcm_t(const rugi_glcm_logs *logs, uint64_t c)
{
    return c < logs->n ? logs->t[c] : rugi_glcm_t_far(c);
}

/** Memory that grows when more is asked for. All 0 at first. */
typedef struct rugi_glcm_scratch {
    void *data;
    size_t n_bytes;
} rugi_glcm_scratch;

/** Memory for n items; what was there is lost when it has to grow.
 *  @return NULL with an error text when there is none */
void *rugi_glcm_grow(rug_context *ctx, rugi_glcm_scratch *scratch, uint64_t n,
                     size_t size, const char *what);

/** Makes memory 0, piece by piece. New memory costs the most when it is first touched, so that what
 *  is written all over does so here, where the call can be cancelled.
 *  @return RUG_OK, RUG_E_CANCELLED */
rug_status rugi_glcm_clear(rug_context *ctx, void *block, size_t n_bytes);

void rugi_glcm_scratch_free(rug_context *ctx, rugi_glcm_scratch *scratch);

#endif
