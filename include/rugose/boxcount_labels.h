/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Box counts of every label of a label image: cells, grains, organs.
 *
 *     static rug_status show(void *user, const rug_region *region,
 *                            const rug_boxcount_result *counts)
 *     {
 *         rug_fit fit = RUG_FIT_INIT;
 *         rug_status status =
 *             rug_boxcount_fit(user, &fit, counts, RUG_BOXCOUNT_OF_NONEMPTY, NULL);
 *         if (status == RUG_OK)
 *             printf("%d: D = %.3f\n", (int)region->label, fit.slope);
 *         return status;
 *     }
 *     ...
 *     rug_source parts = RUG_SOURCE_INIT;
 *     if (rug_boxcount_labels(ctx, &image, rug_source_of_image(&parts, &labels), NULL, show,
 *                             ctx) != RUG_OK)
 *         fprintf(stderr, "%s\n", rug_context_error(ctx));
 *     // prints: 1: D = 1.585
 *     // prints: 2: D = 1.585
 *     // prints: 3: D = 1.585
 *     // prints: 4: D = nan
 */

#ifndef RUGOSE_BOXCOUNT_LABELS_H
#define RUGOSE_BOXCOUNT_LABELS_H

#include <rugose/boxcount.h>
#include <rugose/regions.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Receives the counts of one label. Called on the calling thread; region and counts are
 *  lent until it returns.
 *  @param user  as passed to rug_boxcount_labels()
 *  @return RUG_OK; anything else ends the call, which returns it */
typedef rug_status (*rug_boxcount_label_fn)(void *user, const rug_region *region,
                                            const rug_boxcount_result *counts);

/** Counts the boxes of every label that occurs, in ascending order.
 *
 *  A label is counted as rug_boxcount() counts an image of the shape of the label's
 *  bounding box in which the pixels are set that have the label and are foreground. So
 *  its grid begins at the first pixel of the bounding box, and its counts depend neither
 *  on where it lies in the image nor on its neighbours. A label without foreground is
 *  counted too; its counts are all 0.
 *
 *  The result's shape is that of the bounding box. Its foreground is the rule in force,
 *  resolved once over the whole image, or over the part of it inside the mask. Default
 *  sizes end with the first power of two that is >= the longest side of the bounding box.
 *
 *  Takes the memory of the label image's regions, of a mask that is not in memory, of
 *  packed pixels (an eighth of a byte per pixel of the image, twice that with a mask), and
 *  for each thread a packed bounding box and about a megabyte. The label image is read once
 *  and not kept. Small labels are counted side by side, so some are counted before fn has
 *  received those that come before them.
 *  @param image   as for rug_boxcount()
 *  @param labels  of the image's shape, as for rug_regions_find_source(). May be the
 *                 image itself, with foreground NONZERO
 *  @param opts    as for rug_boxcount(), with a mask of the image's shape; NULL =
 *                 defaults
 *  @param fn      called once per label
 *  @param user    passed to fn
 *  @return RUG_OK (also if there is no label), what fn returned, RUG_E_ARG, RUG_E_NOMEM,
 *          RUG_E_UNSUPPORTED (see rug_regions_find_source()), RUG_E_DEVICE, RUG_E_CANCELLED,
 *          or what the labels or the mask return */
RUG_API rug_status rug_boxcount_labels(rug_context *ctx, const rug_image *image,
                                       const rug_source *labels,
                                       const rug_boxcount_options *opts,
                                       rug_boxcount_label_fn fn, void *user);

#ifdef __cplusplus
}
#endif

#endif
