/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* SHA-256 of files, by FIPS 180-4; it needs no memory but that of the stream. */

#include "checksum.h"
#include "io/base/disk.h"
#include <errno.h>
#include <string.h>

#define BLOCK     64   /* bytes that are taken in at once */
#define SUM_CHUNK 8192 /* bytes that are read at once */

/* The first 32 bits of the fractions of the cube roots of the first 64 primes (4.2.2). */
static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
    0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
    0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
    0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
    0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
    0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
    0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
    0xc67178f2,
};

/* A sum in work. */
typedef struct sha256 {
    uint32_t hash[8];
    uint64_t n; /* bytes so far */
    unsigned char rest[BLOCK];
} sha256;

/* Likewise of the square roots of the first eight (5.3.3). */
static const sha256 begin = {.hash = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};

static uint32_t turn(uint32_t x, int n)
{
    return x >> n | x << (32 - n);
}

/* The schedule of a block (6.2.2, step 1). */
static void spread(uint32_t w[64], const unsigned char *block)
{
    for (int t = 0; t < 16; t++, block += 4)
        w[t] = (uint32_t)block[0] << 24 | (uint32_t)block[1] << 16 |
               (uint32_t)block[2] << 8 | block[3];
    for (int t = 16; t < 64; t++) {
        uint32_t a = w[t - 15], b = w[t - 2];
        w[t] = w[t - 16] + (turn(a, 7) ^ turn(a, 18) ^ a >> 3) + w[t - 7] +
               (turn(b, 17) ^ turn(b, 19) ^ b >> 10);
    }
}

/* Takes in a block (6.2.2, steps 2 to 4). */
static void take_block(sha256 *s, const unsigned char *block)
{
    uint32_t w[64], v[8]; /* v: a to h */
    spread(w, block);
    memcpy(v, s->hash, sizeof v);
    for (int t = 0; t < 64; t++) {
        uint32_t a = v[0], e = v[4];
        uint32_t choice = (e & v[5]) ^ (~e & v[6]);
        uint32_t majority = (a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]);
        uint32_t t1 = v[7] + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + choice +
                      constants[t] + w[t];
        uint32_t t2 = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + majority;
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += t1;
        v[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++)
        s->hash[i] += v[i];
}

static void take(sha256 *s, const unsigned char *bytes, size_t n)
{
    size_t kept = (size_t)(s->n % BLOCK);
    s->n += n;
    while (n > 0) {
        size_t part = n < BLOCK - kept ? n : BLOCK - kept;
        memcpy(s->rest + kept, bytes, part);
        bytes += part;
        n -= part;
        kept += part;
        if (kept < BLOCK)
            return;
        take_block(s, s->rest);
        kept = 0;
    }
}

/* Pads the last block (5.1.1) and writes the sum. */
static void end(sha256 *s, char out[CLI_SHA256_TEXT_MAX])
{
    static const unsigned char padding[BLOCK] = {0x80};
    unsigned char length[8];
    uint64_t n_bits = 8 * s->n;
    for (int i = 0; i < 8; i++)
        length[i] = (unsigned char)(n_bits >> (56 - 8 * i));
    size_t kept = (size_t)(s->n % BLOCK);
    take(s, padding, (kept < 56 ? 56 : 120) - kept);
    take(s, length, sizeof length);
    for (int i = 0; i < 8; i++)
        snprintf(out + 8 * i, 9, "%08x", (unsigned)s->hash[i]);
}

/* Feeds a whole stream to a sum. */
static rug_status take_stream(rug_context *ctx, sha256 *s, FILE *stream, const char *path,
                              uint64_t n_bytes)
{
    unsigned char chunk[SUM_CHUNK];
    rug_status status = RUG_OK;
    size_t n;
    while (status == RUG_OK && (n = fread(chunk, 1, sizeof chunk, stream)) > 0) {
        take(s, chunk, n);
        status =
            rug_context_step(ctx, s->n < n_bytes ? (double)s->n / (double)n_bytes : 1);
    }
    if (status == RUG_OK && ferror(stream))
        status = rug_context_fail(ctx, RUG_E_IO, "%s: cannot be read: %s", path,
                                  strerror(errno));
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
    rug_status status = rugi_open_regular(ctx, path, &stream, &n_bytes);
    if (status != RUG_OK)
        return status;
    sha256 sum = begin;
    status = take_stream(ctx, &sum, stream, path, n_bytes);
    if (status == RUG_OK)
        end(&sum, out);
    fclose(stream);
    return status;
}
