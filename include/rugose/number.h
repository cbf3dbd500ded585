/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Numbers as text, the same in every locale.
 *
 *     double value;
 *     char text[RUG_REAL_TEXT_MAX];
 *     if (!rug_parse_real(&value, "1.50e-3"))
 *         return RUG_E_ARG;
 *     rug_format_real(text, value);
 *     printf("%s\n", text);
 *     // prints: 0.0015
 */

#ifndef RUGOSE_NUMBER_H
#define RUGOSE_NUMBER_H

#include <rugose/export.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Bytes that rug_format_real() needs at most. */
#define RUG_REAL_TEXT_MAX 32

/** Writes a number in the shortest form that reads back to the same double: decimal point
 *  in any locale, "nan", "inf", "-inf", never "-0". Always terminated. */
RUG_API void rug_format_real(char text[RUG_REAL_TEXT_MAX], double value);

/** Writes value + rest, as rug_foreground and rug_image_range hold whole numbers that no double
 *  holds: all its digits; without a rest as rug_format_real() does. */
RUG_API void rug_format_exact(char text[RUG_REAL_TEXT_MAX], double value, int64_t rest);

/** rug_format_real() for people: rounded to six significant digits, though all digits before the
 *  decimal point are kept. */
RUG_API void rug_format_real_short(char text[RUG_REAL_TEXT_MAX], double value);

/** Reads a whole text as one finite number, with a decimal point in any locale.
 *  @param value  the number; not written on failure
 *  @return 1, or 0 when the text is anything else (also "nan", "inf", hexadecimal,
 *          blanks) */
RUG_API int rug_parse_real(double *value, const char *text);

#ifdef __cplusplus
}
#endif

#endif
