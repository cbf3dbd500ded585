/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Bzip2 files as streams of bytes. */

#ifndef RUGI_BUNZIP_H
#define RUGI_BUNZIP_H

#include "packed.h"

/** An open stream. */
typedef struct rugi_bunzip {
    const char *path;
    int ended;                        /**< the last of its streams was read */
    struct rugi_decompressing *state; /* NULL: not open */
} rugi_bunzip;

/** As rugi_gunzip_open(), _read() and _close(); without a head. */
rug_status rugi_bunzip_open(rug_context *ctx, rugi_bunzip *in, const rugi_packed *packed);
rug_status rugi_bunzip_read(rug_context *ctx, rugi_bunzip *in, void *to, size_t n,
                            size_t *got);
void rugi_bunzip_close(rug_context *ctx, rugi_bunzip *in);

#endif
