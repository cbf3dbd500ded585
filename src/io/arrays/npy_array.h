/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What a .npy file says of its array, for those who read one as pixels or as points. */

#ifndef RUGI_NPY_ARRAY_H
#define RUGI_NPY_ARRAY_H

#include "pixel_stream.h"
#include <string.h>

/** Axes that are kept; more are counted only. */
#define RUGI_NPY_AXES 32

/** Bytes of a type text that are kept, with its end. */
#define RUGI_NPY_DESCR_MAX 32

/** What the dictionary says. */
typedef struct rugi_npy_header {
    char descr[RUGI_NPY_DESCR_MAX]; /**< such as "<f4"; "" when it is a list of fields */
    int fortran_order;
    int ndim;
    uint64_t shape[RUGI_NPY_AXES]; /**< as written */
} rugi_npy_header;

/** An array that lies in a file. */
typedef struct rugi_npy_array {
    const char *path; /**< set by the caller, borrowed */
    uint64_t n_bytes; /**< of the file; set by the caller */
    rugi_npy_header header;
    rugi_pixel_coding coding; /**< how its pixels are stored */
    uint64_t offset;          /**< where they begin */
} rugi_npy_array;

/** What a .npy file begins with. */
#define RUGI_NPY_MAGIC "\x93NUMPY"

/** Whether a file that begins with these n bytes is a .npy file. */
static inline int rugi_npy_claims(const unsigned char *head, size_t n)
{
    return n >= 6 && memcmp(head, RUGI_NPY_MAGIC, 6) == 0;
}

/** Reads the header of the file at array->path and finds out how its pixels are coded.
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_IO, RUG_E_FORMAT, RUG_E_UNSUPPORTED */
rug_status rugi_npy_open(rug_context *ctx, rugi_npy_array *array);

/** Checks that no axis is empty and that the sizes can be counted.
 *  @param n_pixels  their product
 *  @return RUG_OK, RUG_E_FORMAT */
static inline rug_status
rugi_npy_count_pixels(rug_context *ctx, const rugi_npy_array *array, uint64_t *n_pixels)
{
    const uint64_t *shape = array->header.shape;
    int fits = 1;
    *n_pixels = 1;
    for (int i = 0; i < array->header.ndim; i++) {
        if (shape[i] == 0)
            return rug_context_fail(
                ctx, RUG_E_FORMAT,
                "%s: axis %d of the npy array is 0; at least 1 expected", array->path, i);
        fits =
            fits && shape[i] <= SIZE_MAX && rugi_multiply(n_pixels, *n_pixels, shape[i]);
    }
    if (!fits)
        return rug_context_fail(
            ctx, RUG_E_FORMAT,
            "%s: the npy header promises more values than an address can count",
            array->path);
    return RUG_OK;
}

/** Where the pixels lie, once it is open. */
static inline rugi_pixel_place rugi_npy_place(const rugi_npy_array *array)
{
    return (rugi_pixel_place){
        .path = array->path, .n_bytes = array->n_bytes, .offset = array->offset};
}

/** Fails when the file is too short for its pixels.
 *  @return RUG_OK, RUG_E_FORMAT */
static inline rug_status
rugi_npy_check_length(rug_context *ctx, const rugi_npy_array *array, uint64_t n_pixels)
{
    const rugi_pixel_place place = rugi_npy_place(array);
    uint64_t needed;
    if (!rugi_multiply(&needed, n_pixels, rugi_coding_size(&array->coding)))
        needed = UINT64_MAX;
    return rugi_check_length(ctx, &place, needed);
}

#endif
