/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* One number of a text of points. */

#ifndef RUGI_POINT_NUMBER_H
#define RUGI_POINT_NUMBER_H

#include <stdint.h>

/** A number as double, and exactly when it is written as an integer. */
typedef struct rugi_number {
    double value; /**< the nearest double */
    int64_t whole;
    int is_whole; /**< written in digits alone (with a sign) and within int64: `whole` is
                     set */
} rugi_number;

/** Takes a finite decimal number from the front of a text, with a decimal point in any
 *  locale: [+-]digits[.digits][e[+-]digits].
 *  @param at  terminated
 *  @return the place behind the number; NULL when no finite number stands there, or one
 *          of more than 400 characters */
const char *rugi_take_number(const char *at, rugi_number *out);

#endif
