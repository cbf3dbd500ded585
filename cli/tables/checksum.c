/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* SHA-256 of files, read piece by piece, by OpenSSL, which is loaded for it. */

#include "checksum.h"
#include "io/base/disk.h"
#include "io/base/library.h"
#include <errno.h>
#include <openssl/evp.h>
#include <string.h>

/* Bytes that a checksum reads at once, and those of a SHA-256. */
#define SUM_CHUNK ((size_t)1 << 20)
#define SUM_BYTES 32

#define FUNCTIONS(X)   \
    X(EVP_MD_CTX_new)  \
    X(EVP_MD_CTX_free) \
    X(EVP_sha256)      \
    X(EVP_DigestInit_ex) X(EVP_DigestUpdate) X(EVP_DigestFinal_ex)

static struct {
    FUNCTIONS(RUGI_LIBRARY_MEMBER)
} openssl;

static const char *const symbols[] = {FUNCTIONS(RUGI_LIBRARY_SYMBOL) NULL};
static const rugi_library library = {"OpenSSL", CLI_CRYPTO_FILE, "libssl3", symbols,
                                     &openssl};

/** What is being summed. */
typedef struct summing {
    EVP_MD_CTX *sum;
    unsigned char *chunk; /* of SUM_CHUNK bytes */
    double at, n;         /* the file in work, from 0, and how many there are */
} summing;

/** Which has no other reason here. */
static rug_status fail_sum(rug_context *ctx, const char *path)
{
    return rug_context_fail(ctx, RUG_E_NOMEM, "%s: no memory for its SHA-256", path);
}

/** Feeds a whole stream to a checksum. */
static rug_status sum_stream(rug_context *ctx, const summing *s, FILE *stream,
                             const char *path, uint64_t n_bytes)
{
    rug_status status = RUG_OK;
    uint64_t done = 0;
    size_t n;
    while (status == RUG_OK && (n = fread(s->chunk, 1, SUM_CHUNK, stream)) > 0) {
        if (openssl.EVP_DigestUpdate(s->sum, s->chunk, n) != 1)
            return fail_sum(ctx, path);
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

static rug_status sum_all(rug_context *ctx, summing *s, unsigned char bytes[SUM_BYTES],
                          const char *const *paths, size_t n)
{
    s->chunk = rug_context_allocate(ctx, SUM_CHUNK, 1, paths[0]);
    if (s->chunk == NULL)
        return RUG_E_NOMEM;
    s->sum = openssl.EVP_MD_CTX_new();
    if (s->sum == NULL ||
        openssl.EVP_DigestInit_ex(s->sum, openssl.EVP_sha256(), NULL) != 1)
        return fail_sum(ctx, paths[0]);
    rug_status status = RUG_OK;
    for (size_t i = 0; status == RUG_OK && i < n; i++, s->at += 1)
        status = sum_file(ctx, s, paths[i]);
    if (status == RUG_OK && openssl.EVP_DigestFinal_ex(s->sum, bytes, NULL) != 1)
        status = fail_sum(ctx, paths[0]);
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
    rug_status status = rugi_library_load(ctx, &library, paths[0]);
    if (status != RUG_OK)
        return status;
    summing s = {.n = (double)n};
    unsigned char bytes[SUM_BYTES];
    status = sum_all(ctx, &s, bytes, paths, n);
    for (int i = 0; status == RUG_OK && i < SUM_BYTES; i++)
        snprintf(out + 2 * i, 3, "%02x", bytes[i]);
    openssl.EVP_MD_CTX_free(s.sum);
    rug_context_release(ctx, s.chunk);
    return status;
}
