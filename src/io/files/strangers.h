/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Files that are not read, and what they seem to be. */

#ifndef RUGI_STRANGERS_H
#define RUGI_STRANGERS_H

#include "io/base/reader.h"
#include <string.h>

/** Bytes that a file has at a place. */
typedef struct rugi_magic {
    const char *bytes;
    size_t n;  /**< 0 = none are looked for */
    size_t at; /**< below RUGI_HEAD_MAX */
} rugi_magic;

/** Whether a file has them. */
static inline int rugi_has_magic(const rug_file *file, const rugi_magic *magic)
{
    return magic->n == 0 || (file->n_head >= magic->at + magic->n &&
                             memcmp(file->head + magic->at, magic->bytes, magic->n) == 0);
}

/** A format that is not read. */
typedef struct rugi_stranger {
    rugi_magic first, second;  /**< both are there */
    const char *ending;        /**< of the name; NULL = any */
    const char *name, *advice; /**< what it is; what to do */
} rugi_stranger;

/** The format that a file seems to have; from its head, and from its name where that says more.
 *  @return a row of a table, or NULL */
const rugi_stranger *rugi_find_stranger(const rug_file *file);

#endif
