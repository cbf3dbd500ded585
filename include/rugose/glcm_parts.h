/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Co-occurrence features of an image that comes in parts: strips, tiles or slabs, in any order,
 * also in several processes. The rows are those of rug_glcm() for the whole image, also of labels
 * that cuts divide. A pair of pixels may lie on both sides of a cut, so each part brings the
 * pixels around it.
 *
 *     static rug_status show(void *user, const rug_glcm_row *row)
 *     {
 *         (void)user;
 *         printf("%llu: %llu pairs, contrast %.1f\n", (unsigned long long)row->label,
 *                (unsigned long long)row->pairs, row->features[RUG_GLCM_CONTRAST]);
 *         return RUG_OK;
 *     }
 *     ...
 *     rug_glcm_options opts = RUG_GLCM_OPTIONS_INIT;
 *     rug_glcm_parts *parts;
 *     rug_status status =
 *         rug_glcm_parts_new(ctx, &parts, image.dtype, 2, image.shape, &opts, NULL);
 *     for (size_t y = 0; y < 256 && status == RUG_OK; y += 128) {
 *         rug_image strip = image; // a row more: those at the cut are in pairs with it
 *         size_t first = y > 0 ? y - rug_glcm_reach(&opts) : y;
 *         strip.shape[0] = 128 + rug_glcm_reach(&opts);
 *         strip.data = (const char *)image.data + (ptrdiff_t)first * image.stride[0];
 *         status = rug_glcm_parts_add(ctx, parts, &strip, NULL, NULL, (size_t[]){first, 0},
 *                                     (size_t[]){y, 0}, (size_t[]){128, 256});
 *     }
 *     if (status == RUG_OK)
 *         status = rug_glcm_parts_finish(ctx, parts, show, NULL);
 *     rug_glcm_parts_free(parts);
 *     return status;
 *     // prints: 0: 260610 pairs, contrast 6711.9
 */

#ifndef RUGOSE_GLCM_PARTS_H
#define RUGOSE_GLCM_PARTS_H

#include <rugose/glcm.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What is known of the regions of an image in parts: how often two levels are in a pair, for each
 *  distance, direction (with aggregate MERGED all in one), and with slices MEAN each slice. Opaque,
 *  owned by the caller. Takes 24 bytes for each pair of levels that occurs in a region, however often
 *  it does.
 *
 *  Levels are the bins that are asked for, where these are the same for all regions. Where they
 *  follow a region's own range, which is known at the end alone, they are the values: of integers,
 *  which may span RUG_GLCM_MAX_SPAN in a region of a part. */
typedef struct rug_glcm_parts rug_glcm_parts;

/** Pixels to each side that a part brings beside those to be counted: the largest distance. In
 *  slices none are needed along z.
 *  @param opts  NULL = defaults
 *  @return at least 1; 0 for options that are not valid */
RUG_API size_t rug_glcm_reach(const rug_glcm_options *opts);

/** Begins an image in parts.
 *  @param out    the state; NULL on failure; free it with rug_glcm_parts_free(), before its context
 *  @param dtype  of all parts
 *  @param ndim   2 or 3
 *  @param shape  of the whole image, slowest axis first
 *  @param opts   as for rug_glcm(), NULL = defaults; pairs INSIDE. Mask and labels, which are never
 *                read here, only say that every part comes with its own; distances are copied
 *  @param range  the least and the largest value of the whole image, inside the mask and after
 *                re-segmentation. Needed for bins of the range IMAGE with labels, and of floats for
 *                all bins of the range of the image or of a region. Integers whose bins depend on
 *                it take less memory with it. Not used by other bins. NULL: not known
 *  @return RUG_OK, RUG_E_ARG (also a range that is needed and not given; floats with labels
 *          and bins of their regions' ranges; pairs FRAME), RUG_E_UNSUPPORTED, RUG_E_NOMEM, RUG_E_DEVICE (a device
 *          was named; parts are counted by the processor) */
RUG_API rug_status rug_glcm_parts_new(rug_context *ctx, rug_glcm_parts **out,
                                      rug_dtype dtype, int ndim, const size_t *shape,
                                      const rug_glcm_options *opts,
                                      const rug_image_range *range);

/** Frees a state. NULL is allowed. */
RUG_API void rug_glcm_parts_free(rug_glcm_parts *parts);

/** Adds a part. Every pixel must be counted exactly once.
 *  @param part       pixels of the image, of the dtype, any shape and strides; borrowed for the call
 *  @param mask       of the part; NULL when there is no mask
 *  @param labels     of the part; NULL when there are no labels
 *  @param first      the position of the part's first pixel in the whole image
 *  @param own_first  the position, in the whole image, of the first pixel that is counted
 *  @param own_shape  how many are, along each axis. All others are the surroundings of these: up to
 *                    rug_glcm_reach() on each side of them must be there, as far as the image has
 *                    them. Both NULL: all pixels of the part
 *  @return RUG_OK, RUG_E_ARG (also a part that reaches beyond the image, pixels that were counted
 *          before, surroundings that are missing; levels as for rug_glcm()), RUG_E_UNSUPPORTED (as
 *          rug_glcm(), for the part), RUG_E_NOMEM, RUG_E_CANCELLED. After a failure the state can
 *          only be freed */
RUG_API rug_status rug_glcm_parts_add(rug_context *ctx, rug_glcm_parts *parts,
                                      const rug_image *part, const rug_image *mask,
                                      const rug_image *labels, const size_t *first,
                                      const size_t *own_first, const size_t *own_shape);

/** Adds all parts of another state, which is not changed.
 *  @param parts  of the same shape, dtype, options and range as `other`
 *  @return RUG_OK, RUG_E_ARG (also a pixel that both have), RUG_E_NOMEM, RUG_E_CANCELLED. After a
 *          failure `parts` can only be freed */
RUG_API rug_status rug_glcm_merge(rug_context *ctx, rug_glcm_parts *parts,
                                  const rug_glcm_parts *other);

/** Hands out the rows, once all pixels were counted: those of rug_glcm(), to the last bit. The
 *  state stays as it is.
 *  @param fn    called once per row
 *  @param user  passed to fn
 *  @return RUG_OK, the status of fn, RUG_E_ARG (pixels are missing, or the range that was given is
 *          not that of the values; levels as for rug_glcm()), RUG_E_UNSUPPORTED (as rug_glcm()),
 *          RUG_E_NOMEM, RUG_E_CANCELLED */
RUG_API rug_status rug_glcm_parts_finish(rug_context *ctx, const rug_glcm_parts *parts,
                                         rug_glcm_row_fn fn, void *user);

/** The state as bytes, for a file or another process: docs/states.md has their format. They are
 *  the same in whatever order parts were added and merged.
 *  @param out    NULL on failure; to be released with rug_context_release()
 *  @param n      the number of bytes; 0 on failure
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM, RUG_E_CANCELLED */
RUG_API rug_status rug_glcm_parts_save(rug_context *ctx, uint8_t **out, size_t *n,
                                       const rug_glcm_parts *parts);

/** A state from its bytes, which may come from anywhere: all of them are checked, and memory is
 *  taken for what is there only.
 *  @param out    NULL on failure; free it with rug_glcm_parts_free(), before its context
 *  @param bytes  borrowed for the call
 *  @return RUG_OK, RUG_E_FORMAT (the bytes are not a state of co-occurrence, damaged, or of another
 *          format), RUG_E_ARG, RUG_E_UNSUPPORTED (as rug_glcm_parts_new()), RUG_E_NOMEM,
 *          RUG_E_DEVICE, RUG_E_CANCELLED */
RUG_API rug_status rug_glcm_parts_load(rug_context *ctx, rug_glcm_parts **out,
                                       const uint8_t *bytes, size_t n);

#ifdef __cplusplus
}
#endif

#endif
