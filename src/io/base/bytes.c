/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Whole files as bytes. It does not know what the bytes are. */

#include "disk.h"
#include <errno.h>
#include <inttypes.h>
#include <rugose/bytes.h>
#include <string.h>

static rug_status read_stream(rug_context *ctx, uint8_t *to, size_t n, FILE *stream,
                              const char *path)
{
    errno = 0;
    size_t got = fread(to, 1, n, stream);
    if (ferror(stream))
        return rug_context_fail(ctx, RUG_E_IO, "%s: cannot be read: %s", path,
                                strerror(errno));
    if (got < n || fgetc(stream) != EOF)
        return rug_context_fail(ctx, RUG_E_FORMAT,
                                "%s: changed while it was being read: %zu bytes expected",
                                path, n);
    return RUG_OK;
}

static rug_status check_length(rug_context *ctx, const char *path, uint64_t n,
                               uint64_t n_max)
{
    if (n == 0)
        return rug_context_fail(ctx, RUG_E_FORMAT, "%s: is empty (0 bytes)", path);
    if (n > n_max || n > SIZE_MAX)
        return rug_context_fail(ctx, RUG_E_FORMAT,
                                "%s: has %" PRIu64 " bytes, at most %" PRIu64 " expected",
                                path, n, n_max);
    return RUG_OK;
}

rug_status rug_bytes_read(rug_context *ctx, uint8_t **out, size_t *n, const char *path,
                          uint64_t n_max)
{
    FILE *stream;
    uint64_t n_bytes = 0;
    if (out != NULL)
        *out = NULL;
    if (n != NULL)
        *n = 0;
    if (ctx == NULL || out == NULL || n == NULL || path == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_bytes_read: NULL given");
    rug_status status = rugi_open_regular(ctx, path, &stream, &n_bytes);
    if (status != RUG_OK)
        return status;
    uint8_t *bytes = NULL;
    status = check_length(ctx, path, n_bytes, n_max);
    if (status == RUG_OK) {
        bytes = rug_context_allocate(ctx, (size_t)n_bytes, 1, path);
        status = bytes == NULL ? RUG_E_NOMEM
                               : read_stream(ctx, bytes, (size_t)n_bytes, stream, path);
    }
    fclose(stream);
    if (status != RUG_OK) {
        rug_context_release(ctx, bytes);
        return status;
    }
    *out = bytes;
    *n = (size_t)n_bytes;
    return RUG_OK;
}

rug_status rug_bytes_write(rug_context *ctx, const char *path, const uint8_t *bytes,
                           size_t n)
{
    rugi_output *output;
    if (ctx == NULL || path == NULL || (bytes == NULL && n > 0))
        return rug_context_fail(ctx, RUG_E_ARG, "rug_bytes_write: NULL given");
    rug_status status = rugi_output_open(ctx, &output, path);
    if (status != RUG_OK)
        return status;
    errno = 0;
    if (n == 0 || fwrite(bytes, 1, n, rugi_output_stream(output)) == n)
        return rugi_output_commit(ctx, output);
    status =
        rug_context_fail(ctx, RUG_E_IO, "cannot write %s: %s", path, strerror(errno));
    rugi_output_discard(output);
    return status;
}
