/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Maps of texture: the co-occurrence features of a square window around each pixel of an
 * image, as rug_glcm() would measure them in that window alone, without measuring each
 * window anew.
 *
 * A window is cut where the image ends: pairs count whose pixels both lie in the window
 * and in the image, so a map is of the image's size, and pixels near an edge are means
 * over fewer pairs. Grey levels are those of the whole image, so that pixels compare.
 *
 *     static rug_status keep(void *user, const rug_glcm_map_rows *rows)
 *     {
 *         double *contrast = user;
 *         memcpy(contrast + rows->first * rows->nx, rows->values,
 *                rows->n * rows->nx * sizeof(double));
 *         return RUG_OK;
 *     }
 *     ...
 *     const rug_glcm_feature feature = RUG_GLCM_CONTRAST;
 *     rug_glcm_maps_options maps = RUG_GLCM_MAPS_OPTIONS_INIT;
 *     maps.features = &feature;
 *     maps.n_features = 1;
 *     rug_glcm_maps(ctx, &image, NULL, &maps, keep, contrast);
 */

#ifndef RUGOSE_GLCM_MAPS_H
#define RUGOSE_GLCM_MAPS_H

#include <rugose/glcm.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Pixels along a side of the window, at least and at most. */
#define RUG_GLCM_MIN_WINDOW 3
#define RUG_GLCM_MAX_WINDOW 255

/** Distinct grey levels of the image, at most: all of 12 bits. */
#define RUG_GLCM_MAPS_MAX_LEVELS 4096

/** What is mapped. */
typedef struct rug_glcm_maps_options {
    size_t struct_size; /**< sizeof(rug_glcm_maps_options); set by the INIT macro */
    uint32_t window;    /**< side of the window, odd (default 7) */
    const rug_glcm_feature *features; /**< a map of each, none twice; of those that
                                           rug_glcm_has_map(). NULL (default): f1-f13 */
    uint32_t n_features;
} rug_glcm_maps_options;

/** The defaults. */
#define RUG_GLCM_MAPS_OPTIONS_INIT                \
    {                                             \
        sizeof(rug_glcm_maps_options), 7, NULL, 0 \
    }

/** Some rows of one map. */
typedef struct rug_glcm_map_rows {
    uint32_t map; /**< which of the features that are asked for */
    rug_glcm_feature feature;
    size_t first, n;      /**< rows first .. first + n - 1 of the image */
    size_t nx;            /**< columns */
    const double *values; /**< [n][nx]: the mean over the directions that have pairs in
                               the window. NaN: no pair, or, of f3 and f12, no variance in
                               one of these */
} rug_glcm_map_rows;

/** Sees maps, row by row in order, feature by feature for each block of rows, on the
 *  calling thread. @return RUG_OK; anything else ends the call, which returns it */
typedef rug_status (*rug_glcm_map_fn)(void *user, const rug_glcm_map_rows *rows);

/** Maps features of an image. Takes 2 to 4 bytes of memory per pixel, 10 MB for rows and
 *  tables, and for each thread n^2 bytes when n levels occur and up to 400 KB.
 *  @param img   [ny][nx], any dtype and byte strides; borrowed for the call, never
 *               written
 *  @param opts  of rug_glcm(), NULL = defaults: directions, levels, range, log_base,
 *               mask, and one distance, below the window. The range is that of the image
 *               inside of the mask (AUTO, also of WIDTH), of the type or a given one.
 *               Refused: asymmetric, FRAME, ROI, aggregates but MEAN, slices, labels, and
 *               a choice of features. Pixels outside of the mask are in no pair, but have
 *               their pixel in the map
 *  @param maps  NULL = defaults
 *  @param fn    called for each block of rows and map
 *  @return RUG_OK, what fn returned, RUG_E_ARG (also more than RUG_GLCM_MAPS_MAX_LEVELS
 *          levels, or levels that span more than RUG_GLCM_MAX_SPAN), RUG_E_NOMEM,
 *          RUG_E_UNSUPPORTED (axes of 2^32 pixels), RUG_E_DEVICE, RUG_E_CANCELLED */
RUG_API rug_status rug_glcm_maps(rug_context *ctx, const rug_image *img,
                                 const rug_glcm_options *opts,
                                 const rug_glcm_maps_options *maps, rug_glcm_map_fn fn,
                                 void *user);

/** Checks options before there is an image: that they go together, and that they can run
 *  on the device of the context's choice. The mask is not looked at.
 *  @return RUG_OK, RUG_E_ARG, RUG_E_DEVICE */
RUG_API rug_status rug_glcm_maps_check_options(rug_context *ctx,
                                               const rug_glcm_options *opts,
                                               const rug_glcm_maps_options *maps);

/** Whether there are maps of a feature: f1 .. f13, and of IBSI's the joint average, the
 *  difference average (dissimilarity), autocorrelation and cluster tendency. */
RUG_API int rug_glcm_has_map(rug_glcm_feature feature);

#ifdef __cplusplus
}
#endif

#endif
