/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What a stream carries besides pixels. */

#include "core/context/crc.h"
#include "core/context/sized.h"
#include "ifs/patches/ifs_tiles.h"
#include "ifs/stream/ifs_notes.h"

static rug_status read_part(rug_context *ctx, rug_ifs_notes *out,
                            const rugi_ifs_part *part)
{
    if (rugi_crc(part->bytes, part->n) != part->crc)
        return rug_context_fail(ctx, RUG_E_FORMAT,
                                "the checksum of the stream's notes is wrong: they are "
                                "damaged or cut off, fetch it again");
    return rugi_ifs_notes_read(ctx, out, part->bytes, part->n);
}

/* Of a stream that is cut off behind them they are there. */
static rug_status read_tiled(rug_context *ctx, rug_ifs_notes *out, const uint8_t *bytes,
                             size_t size)
{
    rugi_ifs_tiled t;
    rug_status status = rugi_ifs_tiled_read(ctx, &t, bytes, size, 1);
    if (status == RUG_OK && t.has_notes)
        status = read_part(ctx, out, &t.notes);
    rugi_ifs_tiled_free(ctx, &t);
    return status;
}

rug_status rug_ifs_read_notes(rug_context *ctx, rug_ifs_notes *out, const uint8_t *bytes,
                              size_t size)
{
    rugi_ifs_header h;
    rugi_ifs_part parts[RUG_IFS_PLANES_MAX];
    rug_ifs_notes own = RUG_IFS_NOTES_INIT;
    rug_status status = rugi_clear(ctx, out, "rug_ifs_notes");
    if (status == RUG_OK && (ctx == NULL || (bytes == NULL && size > 0)))
        status = rug_context_fail(ctx, RUG_E_ARG, "rug_ifs_read_notes: NULL given");
    if (status != RUG_OK)
        return status;
    status = rugi_ifs_is_tiled(bytes, size)
                 ? read_tiled(ctx, &own, bytes, size)
                 : rugi_ifs_container_read(ctx, &h, parts, bytes, size);
    if (status == RUG_OK)
        RUGI_GIVE(out, &own);
    return status;
}
