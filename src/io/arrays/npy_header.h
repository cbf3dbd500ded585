/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The header of NumPy's .npy format, versions 1 to 3. */

#ifndef RUGI_NPY_HEADER_H
#define RUGI_NPY_HEADER_H

#include <stddef.h>
#include <stdint.h>

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

/** Parses the dictionary text, a Python literal with exactly the keys descr,
 *  fortran_order and shape. Knows no escapes and no nesting but what NumPy writes.
 *  @param text  n bytes, no end needed
 *  @return NULL, or what is wrong: static text */
const char *rugi_npy_parse(rugi_npy_header *out, const char *text, size_t n);

#endif
