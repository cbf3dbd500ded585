/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Streams of deflate, in files of gzip or zlib, as bytes. */

#ifndef RUGI_GUNZIP_H
#define RUGI_GUNZIP_H

#include "packed.h"
#include <stddef.h>

/** An open stream. */
typedef struct rugi_gunzip {
    const char *path;
    int is_zlib;
    int ended;                    /**< all members were read */
    int file;                     /* -1: none, or its end was reached */
    struct rugi_inflating *state; /* NULL: not open */
} rugi_gunzip;

/** Whether bytes begin like a gzip file. */
static inline int rugi_is_gzip(const unsigned char *head, size_t n)
{
    return n >= 2 && head[0] == 0x1f && head[1] == 0x8b;
}

/** Opens a stream at its beginning.
 *  @param in      not open after a failure
 *  @param packed  GZIP or ZLIB
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_IO, RUG_E_UNSUPPORTED (no library that unzips) */
rug_status rugi_gunzip_open(rug_context *ctx, rugi_gunzip *in, const rugi_packed *packed);

/** Unzips the next bytes. At the end of each member of the stream its checksum is compared.
 *  @param got  how many there are; fewer than n where the stream ends, is cut off or damaged
 *  @return RUG_OK (also when it is cut off: it gives no more and has not ended), RUG_E_IO,
 *          RUG_E_FORMAT (damaged) */
rug_status rugi_gunzip_read(rug_context *ctx, rugi_gunzip *in, void *to, size_t n,
                            size_t *got);

/** Unzips the first bytes of a file of which n_head bytes are given. What comes before damage or
 *  a cut is kept.
 *  @param n  how many bytes there are in `out`
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_UNSUPPORTED (no library that unzips) */
rug_status rugi_gunzip_head(rug_context *ctx, const char *path, const unsigned char *head,
                            size_t n_head, unsigned char *out, size_t n_max, size_t *n);

/** A stream that is not open is allowed. */
void rugi_gunzip_close(rug_context *ctx, rugi_gunzip *in);

#endif
