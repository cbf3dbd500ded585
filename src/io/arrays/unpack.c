/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Chooses the library that unpacks. */

#include "unpack.h"
#include "io/base/reader.h"

/* Of bzip2 a block of 900 kB, in which runs of 259 bytes became 5, takes at least 40 bytes. */
#define BZIP2_MAX 1200000u

const char *rugi_packing_name(rugi_packing packing)
{
    static const char *const names[] = {"plain", "gzip", "zlib", "bzip2"};
    return names[packing];
}

uint64_t rugi_unpacked_most(rugi_packing packing, uint64_t n)
{
    uint64_t most;
    uint64_t each = packing == RUGI_PLAIN   ? 1
                    : packing == RUGI_BZIP2 ? BZIP2_MAX
                                            : RUGI_DEFLATE_MAX;
    return rugi_multiply(&most, n, each) ? most : UINT64_MAX;
}

rug_status rugi_unpack_open(rug_context *ctx, rugi_unpacking *in,
                            const rugi_packed *packed)
{
    in->packing = packed->packing;
    return packed->packing == RUGI_BZIP2 ? rugi_bunzip_open(ctx, &in->bunzip, packed)
                                         : rugi_gunzip_open(ctx, &in->gunzip, packed);
}

rug_status rugi_unpack_read(rug_context *ctx, rugi_unpacking *in, void *to, size_t n,
                            size_t *got)
{
    return in->packing == RUGI_BZIP2 ? rugi_bunzip_read(ctx, &in->bunzip, to, n, got)
                                     : rugi_gunzip_read(ctx, &in->gunzip, to, n, got);
}

void rugi_unpack_close(rug_context *ctx, rugi_unpacking *in)
{
    if (in->packing == RUGI_BZIP2)
        rugi_bunzip_close(ctx, &in->bunzip);
    else
        rugi_gunzip_close(ctx, &in->gunzip);
}
