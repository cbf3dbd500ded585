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

/** What is being summed. */
typedef struct summing {
    GChecksum *sum;
    unsigned char *chunk; /* of SUM_CHUNK bytes */
    double at, n;         /* the file in work, from 0, and how many there are */
} summing;

/** Feeds a whole stream to a checksum. */
static rug_status sum_stream(rug_context *ctx, const summing *s, FILE *stream,
                             const char *path, uint64_t n_bytes)
{
    rug_status status = RUG_OK;
    uint64_t done = 0;
    size_t n;
    while (status == RUG_OK && (n = fread(s->chunk, 1, SUM_CHUNK, stream)) > 0) {
        rugi_glib.g_checksum_update(s->sum, s->chunk, (gssize)n);
        done += n;
        double share = done < n_bytes ? (double)done / (double)n_bytes : 1;
        status = rug_context_step(ctx, (s->at + share) / s->n);
    }
    if (status == RUG_OK && ferror(stream))
        status = rug_context_fail(ctx, RUG_E_IO, "%s: cannot be read: %s", path,
                                  strerror(errno));
    return status;
}

static rug_status sum_file(rug_context *ctx, const summing *s, const char *path)
{
    FILE *stream;
    uint64_t n_bytes;
    rug_status status = rugi_open_regular(ctx, path, &stream, &n_bytes);
    if (status != RUG_OK)
        return status;
    status = sum_stream(ctx, s, stream, path, n_bytes);
    fclose(stream);
    return status;
}

rug_status cli_file_sha256(rug_context *ctx, char out[CLI_SHA256_TEXT_MAX],
                           const char *const *paths, size_t n)
{
    if (out != NULL)
        out[0] = '\0';
    if (ctx == NULL || out == NULL || paths == NULL || n == 0 || paths[0] == NULL)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "cli_file_sha256: NULL given for the context, the result or the path");
    rug_status status = rugi_glib_load(ctx, paths[0]);
    if (status != RUG_OK)
        return status;
    summing s = {.n = (double)n, .sum = rugi_glib.g_checksum_new(G_CHECKSUM_SHA256)};
    s.chunk = rug_context_allocate(ctx, SUM_CHUNK, 1, paths[0]);
    if (s.chunk == NULL)
        status = RUG_E_NOMEM;
    for (size_t i = 0; status == RUG_OK && i < n; i++, s.at += 1)
        status = sum_file(ctx, &s, paths[i]);
    if (status == RUG_OK)
        snprintf(out, CLI_SHA256_TEXT_MAX, "%s", rugi_glib.g_checksum_get_string(s.sum));
    rug_context_release(ctx, s.chunk);
    rugi_glib.g_checksum_free(s.sum);
    return status;
}
