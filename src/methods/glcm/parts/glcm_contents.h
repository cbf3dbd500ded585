/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What a state of co-occurrence knows: regions, and the pairs of each. A part is counted in two
 * steps. The pixels that are its own are an image by themselves, which is counted as any other;
 * and pairs of one of them with a pixel around them are counted one by one. */

#ifndef RUGI_GLCM_CONTENTS_H
#define RUGI_GLCM_CONTENTS_H

#include "core/blocks/cover.h"
#include "glcm/measure/glcm_measure.h"
#include <math.h>
#include <rugose/glcm_parts.h>

/** Pairs of two levels. */
typedef struct rugi_glcm_cell {
    /** (distance n_slices + slice) n_directions + direction, by numbers */
    uint32_t matrix;
    uint32_t i, j; /**< levels by their numbers; i >= j when pairs count both ways */
    uint64_t n;
} rugi_glcm_cell;

/** What is known of a region. */
typedef struct rugi_glcm_found {
    uint64_t label;
    rugi_box box;  /**< of its pixels, with labels; empty: end 0 */
    rugi_box left; /**< of what mask and re-segmentation leave of them; as above */
    rugi_glcm_values values; /**< n_parts is 0; lo and hi are of floats */
    size_t n_levels;
    int64_t *levels; /**< ascending: of its pixels, and those in pairs with them */
    size_t n_cells, capacity;
    rugi_glcm_cell *cells; /**< ascending by matrix, i, j */
} rugi_glcm_found;

/** Regions by ascending label. All 0 at first. */
typedef struct rugi_glcm_contents {
    size_t n;
    rugi_glcm_found *regions;
} rugi_glcm_contents;

/** No pixels. */
static inline rugi_glcm_found rugi_glcm_nothing(uint64_t label)
{
    return (rugi_glcm_found){
        .label = label,
        .values = {
            .least = INT64_MAX, .most = INT64_MIN, .lo = INFINITY, .hi = -INFINITY}};
}

/** Makes room for n more cells. @return RUG_OK, RUG_E_NOMEM */
rug_status rugi_glcm_found_grow(rug_context *ctx, rugi_glcm_found *found, size_t n);

/** Frees a region's levels and cells. */
void rugi_glcm_found_free(rug_context *ctx, rugi_glcm_found *found);
void rugi_glcm_contents_free(rug_context *ctx, rugi_glcm_contents *contents);

/** Adds what another one knows, which stays as it is.
 *  @return RUG_OK, RUG_E_NOMEM */
rug_status rugi_glcm_contents_merge(rug_context *ctx, rugi_glcm_contents *contents,
                                    const rugi_glcm_contents *other);

/** The same, and `other` is empty then, also after a failure: what only it knows is not copied. */
rug_status rugi_glcm_contents_move(rug_context *ctx, rugi_glcm_contents *contents,
                                   rugi_glcm_contents *other);

struct rug_glcm_parts {
    rug_context *ctx;
    rug_glcm_options opts; /**< distances: own; mask, labels: only whether there are */
    uint32_t distances[RUG_GLCM_MAX_DISTANCES];
    rug_dtype dtype;
    int ndim;
    size_t shape[3]; /**< z y x; z = 1 for an image */
    int has_range;   /**< bins are those of a range that was given: */
    double range_lo, range_hi;
    int is_exact;          /**< levels are exact in the end, too */
    int is_binned;         /**< levels are bins, else values */
    size_t n_slices;       /**< with slices MEAN those of the image, else 1 */
    uint32_t n_directions; /**< 1 if they are merged */
    uint32_t n_distances;
    rugi_cover cover;
    rugi_glcm_contents contents;
};

/** The number of matrices of a region. */
static inline uint32_t rugi_glcm_parts_matrices(const rug_glcm_parts *p)
{
    return p->n_distances * (uint32_t)p->n_slices * p->n_directions;
}

/** Counts a part.
 *  @param image   with its surroundings
 *  @param mask    of the same shape; NULL: none
 *  @param labels  the same
 *  @param place   of these, in the whole image
 *  @param own     what is counted, in the whole image
 *  @param out     for rugi_glcm_contents_free(), also after a failure
 *  @return as rug_glcm() */
rug_status rugi_glcm_count_part(rug_context *ctx, rugi_glcm_contents *out,
                                const rug_glcm_parts *parts, const rug_image *image,
                                const rug_image *mask, const rug_image *labels,
                                const rugi_box *place, const rugi_box *own);

/** A part, as a step of it sees it. Views have z; data NULL: there is none. */
typedef struct rugi_glcm_part {
    const rug_glcm_parts *parts;
    const rugi_glcm_plan *plan;
    rug_image image, mask, labels;
    rugi_box place; /**< of them, in the whole image */
    rugi_box own;   /**< in the whole image */
} rugi_glcm_part;

/** Counts the pairs of a part's own pixels with those around them.
 *  @param out  all 0; for rugi_glcm_contents_free(), also after a failure
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM, RUG_E_CANCELLED */
rug_status rugi_glcm_count_rim(rug_context *ctx, rugi_glcm_contents *out,
                               const rugi_glcm_part *part);

/** Decides what levels are, by the options and the range that is given or NULL.
 *  @return RUG_OK, RUG_E_ARG (a range is needed, or none can be) */
rug_status rugi_glcm_parts_take_range(rug_context *ctx, rug_glcm_parts *parts,
                                      const rug_image_range *range);

/** The plan for the pixels of a part, or for finishing, without its tables.
 *  @param source    an image, with mask and labels as in the options of the parts; NULL: there is
 *                   none, for finishing
 *  @return as rugi_glcm_plan_begin() */
rug_status rugi_glcm_parts_plan(rug_context *ctx, rugi_glcm_plan *out,
                                const rug_glcm_parts *parts, const rug_source *source,
                                const rug_source *mask, const rug_source *labels);

#endif
