/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Fractal coding as in the paper (Pedersen 2011): the best transform of every range, with
 * unrounded real numbers, and the decoder that iterates them. Nothing is stored;
 * rug_ifs_compress() makes streams of such codes.
 *
 *     rug_ifs_code *code;
 *     rug_ifs_picture picture = RUG_IFS_PICTURE_INIT;
 *     rug_status status = rug_ifs_find(ctx, &code, &grey, NULL);
 *     if (status != RUG_OK)
 *         return status;
 *     const rug_ifs_transform *t = rug_ifs_code_at(code, 0);
 *     printf("%d ranges; the first is the domain at (%d, %d) times %.3f\n",
 *            (int)rug_ifs_code_count(code), (int)t->domain_x, (int)t->domain_y, t->s);
 *     status = rug_ifs_iterate(ctx, code, &picture, 1, 24, NULL, NULL);
 *     if (status == RUG_OK)
 *         printf("%d x %d pixels\n", (int)picture.ny, (int)picture.nx);
 *     rug_ifs_picture_free(ctx, &picture);
 *     rug_ifs_code_free(code);
 *     // prints: 64 ranges; the first is the domain at (0, 0) times -0.594
 *     // prints: 64 x 64 pixels
 */

#ifndef RUGOSE_IFS_PAPER_H
#define RUGOSE_IFS_PAPER_H

#include <rugose/ifs.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The transforms of one plane. Opaque, owned by the caller. */
typedef struct rug_ifs_code rug_ifs_code;

/** Finds the best of all domains and of the 8 isometries for every range, exactly: no other
 *  has a smaller error; ties go to the domain with the lowest index (row by row), then to the
 *  lowest symmetry. Ranges and domains that cross the image's edge are continued by its last
 *  row and column; with domain_wrap, domains may also cross the edges of the plane that results
 *  and go on at the opposite ones.
 *  @param out    NULL on failure; rug_ifs_code_free()
 *  @param plane  [ny][nx], U8 or U16, any strides, sides of 1..RUG_IFS_SIDE_MAX
 *  @param opts   FIXED or OVERLAP; the target is ignored, and scale_max is rounded down to a
 *                multiple of 2^-28. NULL: FIXED with defaults
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM, RUG_E_DEVICE, RUG_E_CANCELLED */
RUG_API rug_status rug_ifs_find(rug_context *ctx, rug_ifs_code **out,
                                const rug_image *plane, const rug_ifs_options *opts);

/** Frees a code, before its context. NULL is allowed. */
RUG_API void rug_ifs_code_free(rug_ifs_code *code);

/** The number of transforms. 0 of NULL. */
RUG_API size_t rug_ifs_code_count(const rug_ifs_code *code);

/** Transform i, range by range and row by row; OVERLAP: grid by grid. Valid as long as the
 *  code.
 *  @return NULL if there is none */
RUG_API const rug_ifs_transform *rug_ifs_code_at(const rug_ifs_code *code, size_t i);

/** Iterates the transforms in single precision, from a grey of half the range (128 of 8
 *  bits), and rounds at the end.
 *  @param out         begun with RUG_IFS_PICTURE_INIT; zeroed on failure;
 *                     rug_ifs_picture_free()
 *  @param scale       1, 2, 4, 8 or 16 times the coded size
 *  @param iterations  1..64
 *  @param frame       NULL, or called with the start and every iteration
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM, RUG_E_CANCELLED, or what frame
 *          returned */
RUG_API rug_status rug_ifs_iterate(rug_context *ctx, const rug_ifs_code *code,
                                   rug_ifs_picture *out, uint32_t scale,
                                   uint32_t iterations, rug_ifs_frame_fn frame,
                                   void *user);

/** Options of rug_ifs_upscale(). */
typedef struct rug_ifs_upscale_options {
    size_t struct_size;   /**< sizeof(rug_ifs_upscale_options); set by the INIT macro */
    uint32_t scale;       /**< 2 (default) or 4 */
    uint32_t domain_step; /**< pixels; 0 (default): 1 */
    uint32_t rounds;      /**< back-projections, 0..16 (default 3) */
} rug_ifs_upscale_options;

/** The defaults. */
#define RUG_IFS_UPSCALE_OPTIONS_INIT             \
    {                                            \
        sizeof(rug_ifs_upscale_options), 2, 0, 3 \
    }

/** Enlarges an image: OVERLAP with ranges of 4 and |s| up to 0.85, decoded larger, then
 *  corrected so that it shrinks back to the given image (f += bicubic up (image - box down f)).
 *  Better than bicubic interpolation, and about as good as that with the same correction; no
 *  detail is recovered. The time grows with the square of the number of pixels.
 *  @param out     begun with RUG_IFS_PICTURE_INIT; filled on RUG_OK, zeroed otherwise;
 *                 rug_ifs_picture_free()
 *  @param planes  as for rug_ifs_compress(), of one dtype, with sides of at most
 *                 RUG_IFS_SIDE_MAX - 8; each is enlarged by itself
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM, RUG_E_DEVICE, RUG_E_CANCELLED */
RUG_API rug_status rug_ifs_upscale(rug_context *ctx, rug_ifs_picture *out,
                                   const rug_image *planes, int n_planes,
                                   const rug_ifs_upscale_options *opts);

#ifdef __cplusplus
}
#endif

#endif
