/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Foreground rules: which pixels of an image are foreground ("set"). NaN is background under
 * every rule. Infinities compare as numbers.
 *
 *     rug_foreground rule;
 *     rug_status status = rug_foreground_parse(ctx, &rule, "otsu");
 *     if (status == RUG_OK)
 *         status = rug_foreground_resolve(ctx, &rule, &grey, NULL, rule);
 *     if (status != RUG_OK)
 *         return status;
 *     char text[RUG_FOREGROUND_TEXT_MAX];
 *     rug_foreground_format(text, rule);
 *     printf("%s\n", text);
 *     // prints: above=124
 */

#ifndef RUGOSE_FOREGROUND_H
#define RUGOSE_FOREGROUND_H

#include <rugose/context.h>
#include <rugose/export.h>
#include <rugose/image.h>
#include <rugose/status.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The kinds of rule. The numbers are never changed. */
typedef enum rug_foreground_kind {
    RUG_FOREGROUND_AUTO = 0, /**< the larger value of a two-valued image; NONZERO when all
                                  pixels are equal; else OTSU */
    RUG_FOREGROUND_NONZERO = 1, /**< value != 0 */
    RUG_FOREGROUND_OTSU = 2,    /**< value >= the threshold of Otsu (1979, eq. 18) */
    RUG_FOREGROUND_ABOVE = 3,   /**< value >= T */
    RUG_FOREGROUND_BELOW = 4,   /**< value < T, the complement of ABOVE */
    RUG_FOREGROUND_LABEL = 5,   /**< value == L */
    RUG_FOREGROUND_OTSU_DARK =
        6 /**< value < the threshold of Otsu; zeros when all pixels are
                                      equal */
} rug_foreground_kind;

/** "auto", "nonzero", "otsu", "above", "below", "label", "otsu-dark". Static text; "?" for a number that is
 *  no kind. */
RUG_API const char *rug_foreground_kind_name(rug_foreground_kind kind);

/** A rule, as given or as resolved. Never changes.
 *
 *  T of ABOVE and BELOW, L of LABEL is value + rest, exactly; both are not read otherwise. The
 *  rest is 0 but for whole numbers that no double holds: 2^53 + 1 is {9007199254740992.0, 1}.
 *  It may be any with which the sum is a whole number of 64 bits, signed or unsigned: 2^53 + 1
 *  is {0.0, 9007199254740993} too. A rule that is resolved has the nearest double as its value.
 *  Integer dtypes compare with T exactly, float dtypes with the nearest double. */
typedef struct rug_foreground {
    rug_foreground_kind kind;
    double value; /**< not NaN; with a rest a whole number of at most 2^64 in size */
    int64_t rest; /**< to be added; default 0 */
} rug_foreground;

/** The default rule. */
#define RUG_FOREGROUND_INIT         \
    {                               \
        RUG_FOREGROUND_AUTO, 0.0, 0 \
    }

/** Turns AUTO, OTSU and OTSU_DARK into a rule that does not depend on the image (NONZERO or
 *  ABOVE; of OTSU_DARK the complement, LABEL 0 or BELOW); other rules come back as they are.
 *
 *  Otsu's threshold is taken over the exact levels of an integer dtype whose range is below
 *  65536, else over 65536 equal bins from the least to the
 *  largest finite value. The resolved value is the lowest level of the upper class, or,
 *  with equal bins, the least value that occurs in it; ABOVE with that value gives the same
 *  foreground, and BELOW all other pixels but NaN.
 *  @param out    the resolved rule; zeroed on failure
 *  @param image  any dtype, shape and strides
 *  @param range  of this image, from rug_image_measure_range(); NULL = measure it here
 *                when needed
 *  @param asked  the rule to resolve
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM, RUG_E_CANCELLED */
RUG_API rug_status rug_foreground_resolve(rug_context *ctx, rug_foreground *out,
                                          const rug_image *image,
                                          const rug_image_range *range,
                                          rug_foreground asked);

/** Finds out which pixels of an image, or of a slab of a source, are set.
 *  @param out    a byte for each pixel, in C order: 1 where it is set and inside the mask, else 0
 *  @param image  any dtype, shape and strides
 *  @param mask   of the image's shape; pixels that are 0 or NaN are outside. NULL: all are inside
 *  @param rule   a resolved one
 *  @return RUG_OK, RUG_E_ARG (also AUTO, OTSU and OTSU_DARK), RUG_E_NOMEM */
RUG_API rug_status rug_foreground_flags(rug_context *ctx, uint8_t *out,
                                        const rug_image *image, const rug_image *mask,
                                        rug_foreground rule);

/** Reads a rule as it is written on the command line: auto, nonzero, otsu, otsu-dark,
 *  above=T, below=T, label=L. Digits alone that make a whole number of 64 bits, signed or unsigned, are read
 *  exactly; other numbers are the nearest double.
 *  @param out   the rule; zeroed on failure
 *  @param text  decimal point in any locale
 *  @return RUG_OK, RUG_E_ARG */
RUG_API rug_status rug_foreground_parse(rug_context *ctx, rug_foreground *out,
                                        const char *text);

/** Bytes that rug_foreground_format() needs at most. */
#define RUG_FOREGROUND_TEXT_MAX 40

/** Writes a rule so that rug_foreground_parse() reads the same rule back. Always
 *  terminated. */
RUG_API void rug_foreground_format(char text[RUG_FOREGROUND_TEXT_MAX],
                                   rug_foreground rule);

#ifdef __cplusplus
}
#endif

#endif
