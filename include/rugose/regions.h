/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Regions of a label image: each label that occurs, where it lies, how many pixels it has, and
 * which ones. A region is all pixels of one label, in one piece or in many.
 *
 *     rug_regions *regions;
 *     rug_status status = rug_regions_find(ctx, &regions, &labels);
 *     if (status != RUG_OK)
 *         return status;
 *     for (size_t i = 0; i < rug_regions_count(regions); i++) {
 *         size_t n_runs;
 *         const rug_region *region = rug_regions_at(regions, i);
 *         rug_regions_runs(regions, i, &n_runs);
 *         printf("%" PRIu64 ": %" PRIu64 " pixels in %zu runs\n", region->label,
 *                region->area, n_runs);
 *     }
 *     rug_regions_free(regions);
 *     // prints: 1: 16384 pixels in 128 runs
 *     // prints: 2: 16384 pixels in 128 runs
 *     // prints: 3: 16384 pixels in 128 runs
 *     // prints: 4: 16384 pixels in 128 runs
 */

#ifndef RUGOSE_REGIONS_H
#define RUGOSE_REGIONS_H

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

/** The largest label. */
#define RUG_LABEL_MAX UINT64_MAX

/** All pixels of one label. Axes are those of the label image, z y x; an image has one layer,
 *  z = 0. */
typedef struct rug_region {
    uint64_t label;  /**< 1..RUG_LABEL_MAX */
    size_t first[3]; /**< the first pixel of the bounding box, z y x */
    size_t shape[3]; /**< pixels of the bounding box along each axis, at least 1 */
    uint64_t area;   /**< pixels of the region */
} rug_region;

/** A run: pixels x .. x + n - 1 of row (z, y), which is as long as it can be. */
typedef struct rug_region_run {
    uint32_t z, y, x;
    uint32_t n; /**< at least 1 */
} rug_region_run;

/** The regions of a label image. Opaque, owned by the caller. Holds 16 bytes per run and 72
 *  per region, and none of the label image. */
typedef struct rug_regions rug_regions;

/** Finds the regions of a label image, in one pass over its pixels. Takes up to 72 bytes of
 *  memory per run while it works.
 *  @param out     the regions; NULL on failure; free it with rug_regions_free(), before its
 *                 context
 *  @param labels  any dtype and byte strides, axes below 2^32 pixels; borrowed for the call.
 *                 0 is outside of all regions; other pixels are labels: whole numbers, of
 *                 integer dtypes all that are positive, of float dtypes those up to 2^53.
 *                 Labels need not be consecutive
 *  @return RUG_OK (also without any region), RUG_E_ARG (also a pixel that is negative, has a
 *          fraction, is too large, infinite or NaN: the error text names the first and its
 *          place), RUG_E_NOMEM, RUG_E_UNSUPPORTED (longer axes), RUG_E_CANCELLED */
RUG_API rug_status rug_regions_find(rug_context *ctx, rug_regions **out,
                                    const rug_image *labels);

/** rug_regions_find() of a source, read once; so of a label image larger than memory.
 *  @return also what the source returns */
RUG_API rug_status rug_regions_find_source(rug_context *ctx, rug_regions **out,
                                           const rug_source *labels);

/** Frees regions. NULL is allowed. */
RUG_API void rug_regions_free(rug_regions *regions);

/** How many labels occur. */
RUG_API size_t rug_regions_count(const rug_regions *regions);

/** Region i, 0 .. count - 1, by label, ascending. Valid as long as the regions.
 *  @return NULL when there is no region i */
RUG_API const rug_region *rug_regions_at(const rug_regions *regions, size_t i);

/** The pixels of region i in the order of z, y, x. Valid as long as the regions.
 *  @param n_runs  how many runs; may be NULL
 *  @return the first of them; NULL when there is no region i */
RUG_API const rug_region_run *rug_regions_runs(const rug_regions *regions, size_t i,
                                               size_t *n_runs);

#ifdef __cplusplus
}
#endif

#endif
