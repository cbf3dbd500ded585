/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Packed files of every kind as streams of bytes. */

#ifndef RUGI_UNPACK_H
#define RUGI_UNPACK_H

#include "bunzip.h"
#include "gunzip.h"

/** An open stream, one of the two. One that is zeroed is not open. */
typedef struct rugi_unpacking {
    rugi_packing packing;
    rugi_gunzip gunzip;
    rugi_bunzip bunzip;
} rugi_unpacking;

/** "plain", "gzip", "zlib", "bzip2". Static text. */
const char *rugi_packing_name(rugi_packing packing);

/** The most bytes that n packed ones can stand for. */
uint64_t rugi_unpacked_most(rugi_packing packing, uint64_t n);

/** As rugi_gunzip_open(), _read() and _close(); for any packing but PLAIN. */
rug_status rugi_unpack_open(rug_context *ctx, rugi_unpacking *in,
                            const rugi_packed *packed);
rug_status rugi_unpack_read(rug_context *ctx, rugi_unpacking *in, void *to, size_t n,
                            size_t *got);
void rugi_unpack_close(rug_context *ctx, rugi_unpacking *in);

/** Whether all of an open stream was read, and its end is there. */
static inline int rugi_unpack_ended(const rugi_unpacking *in)
{
    return in->packing == RUGI_BZIP2 ? in->bunzip.ended : in->gunzip.ended;
}

#endif
