/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Where packed bytes lie. */

#ifndef RUGI_PACKED_H
#define RUGI_PACKED_H

#include <rugose/context.h>
#include <stddef.h>
#include <stdint.h>

/** How bytes are packed. */
typedef enum rugi_packing { RUGI_PLAIN, RUGI_GZIP, RUGI_ZLIB, RUGI_BZIP2 } rugi_packing;

/** Packed bytes. */
typedef struct rugi_packed {
    const char *path; /**< of the file, borrowed */
    rugi_packing packing;
    uint64_t begin; /**< where they begin in it */
    /** NULL, or n_head bytes that are taken in place of the file, borrowed. */
    const unsigned char *head;
    size_t n_head;
} rugi_packed;

#endif
