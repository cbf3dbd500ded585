/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What is known of the values of an image that comes in parts: the range, the foreground rule and
 * the unit of masses, which other states of the same image begin with. They are those of the
 * whole image, however it was cut.
 *
 *     rug_values *values;
 *     rug_status status = rug_values_new(ctx, &values, RUG_U8, 2, image.shape, NULL);
 *     for (size_t y = 0; y < 256 && status == RUG_OK; y += 128) {
 *         rug_image half = image;
 *         half.shape[0] = 128;
 *         half.data = (const char *)image.data + (ptrdiff_t)y * image.stride[0];
 *         status = rug_values_add(ctx, values, &half, NULL, (size_t[]){y, 0});
 *     }
 *     rug_foreground rule = {RUG_FOREGROUND_OTSU, 0, 0};
 *     if (status == RUG_OK)
 *         status = rug_values_resolve(ctx, &rule, values, rule);
 *     if (status == RUG_OK)
 *         printf("pixels of at least %g\n", rule.value);
 *     rug_values_free(values);
 *     // prints: pixels of at least 1
 */

#ifndef RUGOSE_VALUES_H
#define RUGOSE_VALUES_H

#include <rugose/context.h>
#include <rugose/export.h>
#include <rugose/foreground.h>
#include <rugose/image.h>
#include <rugose/status.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The values of the pixels that have come. Opaque, owned by the caller. What it takes does not
 *  depend on the size of the image: up to 512 KiB for 16-bit values; 4 KiB for other integers;
 *  64 KiB more for floats; and with a range up to 1.5 MiB more. */
typedef struct rug_values rug_values;

/** Options of rug_values_new(). */
typedef struct rug_values_options {
    size_t struct_size; /**< sizeof(rug_values_options); set by the INIT macro */
    uint32_t has_mask;  /**< nonzero: every part comes with its own mask */
    uint32_t unused;    /**< 0 */
    /** The range of the whole image inside the mask, from an earlier round, so that its levels
     *  are counted, too: what rug_values_must_count() asks for. Copied; values of 8 and 16 bits
     *  need none. NULL (default): none */
    const rug_image_range *range;
} rug_values_options;

/** The defaults. */
#define RUG_VALUES_OPTIONS_INIT                \
    {                                          \
        sizeof(rug_values_options), 0, 0, NULL \
    }

/** Begins the values of an image.
 *  @param out    the state; NULL on failure; free it with rug_values_free(), before its context
 *  @param dtype  of all parts
 *  @param ndim   2 or 3
 *  @param shape  of the whole image, slowest axis first
 *  @param opts   NULL = defaults
 *  @return RUG_OK, RUG_E_ARG (also a range that no pixels of the dtype can have), RUG_E_NOMEM */
RUG_API rug_status rug_values_new(rug_context *ctx, rug_values **out, rug_dtype dtype,
                                  int ndim, const size_t *shape,
                                  const rug_values_options *opts);

/** Frees a state. NULL is allowed. */
RUG_API void rug_values_free(rug_values *values);

/** Adds a part. Every pixel must be added exactly once.
 *  @param part   of the dtype, any shape and strides; borrowed for the call
 *  @param mask   of the part; NULL when there is none
 *  @param first  the position of the part's first pixel in the whole image
 *  @return RUG_OK, RUG_E_ARG (also a part that reaches beyond the image or overlaps an earlier
 *          one), RUG_E_NOMEM, RUG_E_CANCELLED. After a failure the state can only be freed */
RUG_API rug_status rug_values_add(rug_context *ctx, rug_values *values,
                                  const rug_image *part, const rug_image *mask,
                                  const size_t *first);

/** Adds all parts of another state, which is not changed.
 *  @param values  of the same shape, dtype and options as `other`
 *  @return RUG_OK, RUG_E_ARG (also a part that both have: nothing is added), RUG_E_NOMEM. After
 *          RUG_E_NOMEM `values` can only be freed */
RUG_API rug_status rug_values_merge(rug_context *ctx, rug_values *values,
                                    const rug_values *other);

/** The state as bytes, for a file or another process: docs/states.md has their format. They are
 *  the same in whatever order parts were added and merged.
 *  @param out  NULL on failure; to be released with rug_context_release()
 *  @param n    the number of bytes; 0 on failure
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM, RUG_E_CANCELLED */
RUG_API rug_status rug_values_save(rug_context *ctx, uint8_t **out, size_t *n,
                                   const rug_values *values);

/** A state from its bytes, which may come from anywhere: all of them are checked.
 *  @param out    NULL on failure; free it with rug_values_free(), before its context
 *  @param bytes  borrowed for the call
 *  @return RUG_OK, RUG_E_FORMAT (the bytes are not a state of values, damaged, or of another
 *          format), RUG_E_ARG, RUG_E_NOMEM, RUG_E_CANCELLED */
RUG_API rug_status rug_values_load(rug_context *ctx, rug_values **out,
                                   const uint8_t *bytes, size_t n);

/** The range of the whole image inside the mask, once all pixels were added: that of
 *  rug_source_measure_range().
 *  @param out  begun with RUG_IMAGE_RANGE_INIT; filled on RUG_OK, zeroed otherwise
 *  @return RUG_OK, RUG_E_ARG (pixels are missing) */
RUG_API rug_status rug_values_range(rug_context *ctx, rug_image_range *out,
                                    const rug_values *values);

/** The rule in force, once all pixels were added: that of rug_source_resolve_foreground().
 *  @param out    filled on RUG_OK
 *  @param asked  any kind; kinds other than AUTO and OTSU are checked, and stay as they are
 *  @return RUG_OK, RUG_E_ARG (pixels are missing; no rule; levels must be counted first, see
 *          rug_values_must_count(); or the range of the options is not that of the pixels),
 *          RUG_E_NOMEM */
RUG_API rug_status rug_values_resolve(rug_context *ctx, rug_foreground *out,
                                      const rug_values *values, rug_foreground asked);

/** Whether rug_values_resolve() needs a second round: all parts once more, in states that begin
 *  with the range of the first. So it is with Otsu's threshold of floats and of integers of more
 *  than 16 bits.
 *  @param values  all pixels of which have come
 *  @return nonzero if so; 0 for NULL */
RUG_API int rug_values_must_count(const rug_values *values, rug_foreground asked);

/** The unit of the masses that floats are as grey values, once all pixels were added: that of
 *  rug_masses_measure_source(), which rug_masses_new() needs.
 *  @param unit_exponent  a mass of 1 is 2^unit_exponent; 0 for other dtypes
 *  @return RUG_OK, RUG_E_ARG (pixels are missing) */
RUG_API rug_status rug_values_unit(rug_context *ctx, int *unit_exponent,
                                   const rug_values *values);

#ifdef __cplusplus
}
#endif

#endif
