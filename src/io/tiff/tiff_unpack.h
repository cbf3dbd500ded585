/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Samples that no type of the processor has: integers of 1 to 31 bits but 24, floats of 16 and 24. */

#ifndef RUGI_TIFF_UNPACK_H
#define RUGI_TIFF_UNPACK_H

#include <rugose/image.h>
#include <stddef.h>

/** How such samples are stored, and what they become. Zeroed, samples are values of their type. */
typedef struct rugi_tiff_packed {
    int bits; /**< of a sample; 0 = it is a value of its type */
    rug_dtype
        dtype; /**< what it becomes: F32 of floats, else the narrowest that holds it */
    int is_spread;   /**< unsigned integers of fewer than 8 bits: over 0 to 255 */
    int is_inverted; /**< unsigned integers: white is 0 */
} rugi_tiff_packed;

/** Unpacks a row of samples. Any thread may call it. Bits stand from the highest of a byte to the
 *  lowest; floats are in the processor's byte order, as libtiff gives them.
 *  @param to    n values, aligned for their type
 *  @param from  the row, aligned for 16 bits where samples have 16; changed */
void rugi_tiff_unpack(const rugi_tiff_packed *packed, void *to, unsigned char *from,
                      size_t n);

#endif
