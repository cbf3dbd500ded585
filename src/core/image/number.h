/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Numbers as text, the same in every locale: for this library, librugose-io and the program. */

#ifndef RUGI_NUMBER_H
#define RUGI_NUMBER_H

#include <stdint.h>
#include <stdio.h>

/** Bytes that rugi_format_real() needs at most. */
#define RUGI_REAL_TEXT_MAX 32

/** Writes a number in the shortest form that reads back to the same double: decimal point
 *  in any locale, "nan", "inf", "-inf", never "-0". Always terminated. */
void rugi_format_real(char text[RUGI_REAL_TEXT_MAX], double value);

/** Writes value + rest, as rug_foreground and rug_image_range hold whole numbers that no double
 *  holds: all its digits; without a rest as rugi_format_real() does. */
void rugi_format_exact(char text[RUGI_REAL_TEXT_MAX], double value, int64_t rest);

/** rugi_format_real() for people: rounded to six significant digits, though all digits before the
 *  decimal point are kept. */
void rugi_format_real_short(char text[RUGI_REAL_TEXT_MAX], double value);

/** Reads a whole text as one finite number, with a decimal point in any locale.
 *  @param value  the number; not written on failure
 *  @return 1, or 0 when the text is anything else (also "nan", "inf", hexadecimal,
 *          blanks) */
int rugi_parse_real(double *value, const char *text);

/** Writes what an axis is called: x, y, z, then "axis 4" to "axis 10". */
static inline void rugi_axis_name(char out[16], int axis)
{
    if (axis < 3)
        snprintf(out, 16, "%c", "xyz"[axis]);
    else
        snprintf(out, 16, "axis %d", axis + 1);
}

#endif
