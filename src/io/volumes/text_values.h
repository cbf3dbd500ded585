/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Values that are written as decimals. */

#ifndef RUGI_TEXT_VALUES_H
#define RUGI_TEXT_VALUES_H

#include <rugose/context.h>
#include <rugose/image.h>
#include <stdint.h>
#include <stdio.h>

/** Reads the next n values, separated by blanks or commas. What is written as a real number is
 *  an integer when it is whole.
 *  @param path    for error texts
 *  @param before  values that were read before, for error texts
 *  @return RUG_OK, RUG_E_IO, RUG_E_FORMAT (cut off, no number, or none of the type) */
rug_status rugi_text_values_read(rug_context *ctx, FILE *in, const char *path,
                                 rug_dtype dtype, void *to, uint64_t n, uint64_t before);

#endif
