/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Maps of texture: the co-occurrence features of a window around each pixel of an image, as
 * rug_glcm() would measure them in that window alone, but without starting over for each
 * window.
 *
 * Windows are clipped at the edges of the image: pairs count if both pixels lie in the
 * window and in the image. So a map has the size of the image, and near an edge its
 * values are based on fewer pairs. Grey levels are those of the whole image, so that
 * values are comparable.
 *
 *     static rug_status keep(void *user, const rug_glcm_map_rows *rows)
 *     {
 *         double *contrast = user;
 *         memcpy(contrast + rows->first * rows->nx, rows->values,
 *                rows->n * rows->nx * sizeof(double));
 *         return RUG_OK;
 *     }
 *     ...
 *     static double contrast[64 * 64];
 *     const rug_glcm_feature feature = RUG_GLCM_CONTRAST;
 *     rug_glcm_maps_options maps = RUG_GLCM_MAPS_OPTIONS_INIT;
 *     maps.features = &feature;
 *     maps.n_features = 1;
 *     rug_status status = rug_glcm_maps(ctx, &grey, NULL, &maps, keep, contrast);
 *     printf("contrast %.1f\n", contrast[32 * 64 + 32]);
 *     return status;
 *     // prints: contrast 11598.0
 */

#ifndef RUGOSE_GLCM_MAPS_H
#define RUGOSE_GLCM_MAPS_H

#include <rugose/glcm.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Smallest and largest side of the window, in pixels. */
#define RUG_GLCM_MIN_WINDOW 3
#define RUG_GLCM_MAX_WINDOW 255

/** Most distinct grey levels of an image: all of 12 bits. */
#define RUG_GLCM_MAPS_MAX_LEVELS 4096

/** Options of rug_glcm_maps(). */
typedef struct rug_glcm_maps_options {
    size_t struct_size; /**< sizeof(rug_glcm_maps_options); set by the INIT macro */
    uint32_t window;    /**< side of the window in pixels, odd (default 7) */
    const rug_glcm_feature *features; /**< one map each, without repeats; see
                                           rug_glcm_has_map(). NULL (default): f1-f13 */
    uint32_t n_features;              /**< 0 with NULL */
    size_t rows,
        columns; /**< of a window whose sides differ, both odd, instead of `window`.
                               Both 0 (default): `window` is both */
    /** Nonzero: a pixel that is in no pair, since it is outside the mask or not finite, is
     *  NaN in maps. 0 (default): it has the value of its window. */
    uint64_t leave_out;
} rug_glcm_maps_options;

/** The defaults. */
#define RUG_GLCM_MAPS_OPTIONS_INIT                         \
    {                                                      \
        sizeof(rug_glcm_maps_options), 7, NULL, 0, 0, 0, 0 \
    }

/** Some rows of one map. */
typedef struct rug_glcm_map_rows {
    uint32_t map; /**< index in the list of features */
    rug_glcm_feature feature;
    size_t first, n;      /**< rows first .. first + n - 1 of the image */
    size_t nx;            /**< columns */
    const double *values; /**< [n][nx]: the mean over the directions that have pairs in
                               the window. NaN: no pairs or, for f3 and f12, no variance in
                               one of these directions. Both are never outside -1..1 */
} rug_glcm_map_rows;

/** Receives rows of one map. Called on the calling thread for each block of rows in
 *  order, feature by feature. @return RUG_OK; any other status ends the call and is
 *  returned by it */
typedef rug_status (*rug_glcm_map_fn)(void *user, const rug_glcm_map_rows *rows);

/** Maps features of an image. Takes 2 to 4 bytes of memory per pixel, 10 MB for rows and
 *  tables, and per thread n^2 bytes for n levels plus up to 400 KB.
 *  @param image  [ny][nx], any dtype and byte strides; borrowed for the call, never
 *                written
 *  @param opts   those of rug_glcm(), NULL = defaults: directions, levels, range, origin,
 *                log_base, mask, re-segmentation, and one distance that leaves pairs in the
 *                window. The range is that of the image inside mask and re-segmentation
 *                (AUTO, also with WIDTH), of the dtype, or GIVEN. Refused: asymmetric,
 *                FRAME, ROI, aggregates other than MEAN, slices, labels, and a choice of
 *                features. Pixels outside the mask belong to no pair, but still have a value
 *                in the map, unless maps->leave_out; so do those that re-segmentation leaves
 *                out
 *  @param maps   NULL = defaults
 *  @param fn     called for each block of rows and map
 *  @param user   passed to fn
 *  @return RUG_OK, the status of fn, RUG_E_ARG (also more than RUG_GLCM_MAPS_MAX_LEVELS
 *          levels, or levels that span more than RUG_GLCM_MAX_SPAN), RUG_E_NOMEM,
 *          RUG_E_UNSUPPORTED (an axis of 2^32 pixels), RUG_E_DEVICE, RUG_E_CANCELLED */
RUG_API rug_status rug_glcm_maps(rug_context *ctx, const rug_image *image,
                                 const rug_glcm_options *opts,
                                 const rug_glcm_maps_options *maps, rug_glcm_map_fn fn,
                                 void *user);

/** rug_glcm_maps() of a source, which is read twice, and once more for a range of the
 *  image; so its levels are in memory, 2 to 4 bytes a pixel, and the image is not.
 *  @return also what the sources return */
RUG_API rug_status rug_glcm_maps_source(rug_context *ctx, const rug_source *source,
                                        const rug_glcm_options *opts,
                                        const rug_glcm_maps_options *maps,
                                        rug_glcm_map_fn fn, void *user);

/** Checks options before there is an image: whether they fit together and can run on the
 *  context's device. The mask is not examined.
 *  @return RUG_OK, RUG_E_ARG, RUG_E_DEVICE */
RUG_API rug_status rug_glcm_maps_check_options(rug_context *ctx,
                                               const rug_glcm_options *opts,
                                               const rug_glcm_maps_options *maps);

/** Whether a feature can be mapped: f1 .. f13, and of IBSI's the joint average, the
 *  difference average (dissimilarity), autocorrelation and cluster tendency. */
RUG_API int rug_glcm_has_map(rug_glcm_feature feature);

#ifdef __cplusplus
}
#endif

#endif
