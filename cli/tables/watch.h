/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The range of the values of an image that may be too large to be read for it alone. */

#ifndef CLI_WATCH_H
#define CLI_WATCH_H

#include <rugose/rugose.h>

/** Measures the range while others read the image for the first time. */
typedef struct cli_watch {
    rug_context *ctx;
    rug_source source;      /**< that is watched */
    const rug_source *mask; /**< NULL: none */
    rug_image_range range;  /**< of what was seen */
    int is_known;           /**< it is that of the whole image */
    size_t n_seen;          /**< layers */
    rug_status status;      /**< of measuring; the text is in the context */
    double seconds;         /**< that measuring took */
    /** Finds the range in another way than by reading; NULL: it is read */
    rug_status (*find)(void *user, rug_image_range *out);
    void *user;
} cli_watch;

/** Begins to watch.
 *  @param mask  outlives the watch; NULL: none
 *  @return a source of the same pixels, which has to be read instead of the given one */
rug_source cli_watch_begin(cli_watch *watch, rug_context *ctx, const rug_source *source,
                           const rug_source *mask);

/** The range of the whole image, read for it alone unless all of it was seen. What was only seen
 *  has no number of distinct values but the least that there can be.
 *  @return never NULL; where reading fails, watch->status says so */
const rug_image_range *cli_watch_range(cli_watch *watch);

#endif
