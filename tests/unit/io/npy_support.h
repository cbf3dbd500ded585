/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What the tests of .npy files share. Include it after io_scratch.h. */

#ifndef RUGOSE_NPY_SUPPORT_H
#define RUGOSE_NPY_SUPPORT_H

#include "read_support.h"

/* Writes magic, version, dictionary and pixels. */
static inline const char *put_npy(scratch *here, int version, const char *header,
                                  const void *pixels, size_t n_bytes)
{
    unsigned char file[4096];
    size_t n = strlen(header), begin = version == 1 ? 10 : 12;
    assert_true(begin + n + n_bytes <= sizeof file);
    memcpy(file, "\x93NUMPY", 6);
    file[6] = (unsigned char)version;
    file[7] = 0;
    for (size_t i = 8; i < begin; i++)
        file[i] = (unsigned char)(n >> 8 * (i - 8));
    memcpy(file + begin, header, n);
    if (n_bytes != 0)
        memcpy(file + begin + n, pixels, n_bytes);
    return put_bytes(here, "a.npy", file, begin + n + n_bytes);
}

/* A header as NumPy writes it. */
static inline const char *dictionary(const char *descr, const char *order,
                                     const char *shape)
{
    static char text[512];
    snprintf(text, sizeof text, "{'descr': %s, 'fortran_order': %s, 'shape': %s, }   \n",
             descr, order, shape);
    return text;
}

#endif
