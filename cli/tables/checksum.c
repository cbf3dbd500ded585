/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* SHA-256 of files, read piece by piece, by GLib, which is loaded for it. */

#include "checksum.h"
#include "io/base/disk.h"
#include "io/base/glib_library.h"
#include <errno.h>
#include <string.h>

/* Bytes that a checksum reads at once. */
#define SUM_CHUNK ((size_t)1 << 20)

/** Feeds a whole stream to a checksum. */
static rug_status sum_stream(rug_context *ctx, GChecksum *sum, FILE *stream,
                             const char *path, uint64_t n_bytes)
{
    unsigned char *chunk = rug_context_allocate(ctx, SUM_CHUNK, 1, path);
    if (chunk == NULL)
        return RUG_E_NOMEM;
    rug_status status = RUG_OK;
    uint64_t done = 0;
    size_t n;
    while (status == RUG_OK && (n = fread(chunk, 1, SUM_CHUNK, stream)) > 0) {
        rugi_glib.g_checksum_update(sum, chunk, (gssize)n);
        done += n;
        status =
            rug_context_step(ctx, done < n_bytes ? (double)done / (double)n_bytes : 1);
    }
    if (status == RUG_OK && ferror(stream))
        status = rug_context_fail(ctx, RUG_E_IO, "%s: cannot be read: %s", path,
                                  strerror(errno));
    rug_context_release(ctx, chunk);
    return status;
}

rug_status cli_file_sha256(rug_context *ctx, char out[CLI_SHA256_TEXT_MAX],
                           const char *path)
{
    if (out != NULL)
        out[0] = '\0';
    if (ctx == NULL || out == NULL || path == NULL)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "cli_file_sha256: NULL given for the context, the result or the path");
    FILE *stream;
    uint64_t n_bytes;
    rug_status status = rugi_glib_load(ctx, path);
    if (status == RUG_OK)
        status = rugi_open_regular(ctx, path, &stream, &n_bytes);
    if (status != RUG_OK)
        return status;
    GChecksum *sum = rugi_glib.g_checksum_new(G_CHECKSUM_SHA256);
    status = sum_stream(ctx, sum, stream, path, n_bytes);
    if (status == RUG_OK)
        snprintf(out, CLI_SHA256_TEXT_MAX, "%s", rugi_glib.g_checksum_get_string(sum));
    rugi_glib.g_checksum_free(sum);
    fclose(stream);
    return status;
}
