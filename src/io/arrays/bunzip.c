/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Unpacks by libbz2. A file may have several streams, one after the other; what follows the last
 * one and is none is ignored, as by bzip2. */

#define _POSIX_C_SOURCE 200809L
#include "bunzip.h"

#ifdef RUGI_BZIP2_FILE

#include "io/base/library.h"
#include <bzlib.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

/** Bytes read from the file at once. */
#define INPUT ((size_t)256 << 10)

#define FUNCTIONS(X) X(BZ2_bzDecompressInit) X(BZ2_bzDecompress) X(BZ2_bzDecompressEnd)

static struct {
    FUNCTIONS(RUGI_LIBRARY_MEMBER)
} bz2;

static const char *const symbols[] = {FUNCTIONS(RUGI_LIBRARY_SYMBOL) NULL};

static const rugi_library library = {"libbz2", RUGI_BZIP2_FILE, "libbz2-1.0", symbols,
                                     &bz2};

struct rugi_decompressing {
    FILE *file;
    bz_stream bz2;
    int is_begun; /* bz2 is to be ended */
    char input[INPUT];
};

static rug_status begin_stream(rug_context *ctx, rugi_bunzip *in)
{
    bz_stream *s = &in->state->bz2;
    if (bz2.BZ2_bzDecompressInit(s, 0, 0) != BZ_OK)
        return rug_context_fail(ctx, RUG_E_NOMEM, "%s: no memory to unpack it", in->path);
    in->state->is_begun = 1;
    return RUG_OK;
}

static void end_stream(rugi_bunzip *in)
{
    if (in->state->is_begun)
        bz2.BZ2_bzDecompressEnd(&in->state->bz2);
    in->state->is_begun = 0;
}

rug_status rugi_bunzip_open(rug_context *ctx, rugi_bunzip *in, const rugi_packed *packed)
{
    *in = (rugi_bunzip){.path = packed->path};
    rug_status status = rugi_library_load(ctx, &library, in->path);
    if (status != RUG_OK)
        return status;
    in->state = rug_context_allocate(ctx, 1, sizeof *in->state, in->path);
    if (in->state == NULL)
        return RUG_E_NOMEM;
    memset(in->state, 0, offsetof(struct rugi_decompressing, input));
    in->state->file = fopen(in->path, "rb");
    if (in->state->file == NULL ||
        fseeko(in->state->file, (off_t)packed->begin, SEEK_SET) != 0)
        status = rug_context_fail(ctx, RUG_E_IO, "%s: cannot be opened: %s", in->path,
                                  strerror(errno));
    else
        status = begin_stream(ctx, in);
    if (status != RUG_OK)
        rugi_bunzip_close(ctx, in);
    return status;
}

void rugi_bunzip_close(rug_context *ctx, rugi_bunzip *in)
{
    if (in->state == NULL)
        return;
    end_stream(in);
    if (in->state->file != NULL)
        fclose(in->state->file);
    rug_context_release(ctx, in->state);
    in->state = NULL;
}

/** Reads more of the file behind the input that is left. */
static rug_status fill(rug_context *ctx, rugi_bunzip *in)
{
    bz_stream *s = &in->state->bz2;
    char *input = in->state->input;
    if (s->avail_in > 0)
        memmove(input, s->next_in, s->avail_in);
    s->next_in = input;
    s->avail_in +=
        (unsigned)fread(input + s->avail_in, 1, INPUT - s->avail_in, in->state->file);
    if (ferror(in->state->file))
        return rug_context_fail(ctx, RUG_E_IO, "%s: cannot be read: %s", in->path,
                                strerror(errno));
    return RUG_OK;
}

/** Behind a stream: goes to the next one, or notes that there is none. */
static rug_status next_stream(rug_context *ctx, rugi_bunzip *in)
{
    bz_stream *s = &in->state->bz2;
    rug_status status = s->avail_in < 4 ? fill(ctx, in) : RUG_OK;
    if (status != RUG_OK)
        return status;
    char *next_in = s->next_in;
    unsigned n_in = s->avail_in, n_out = s->avail_out;
    char *next_out = s->next_out;
    in->ended = n_in < 4 || memcmp(next_in, "BZh", 3) != 0;
    if (in->ended)
        return RUG_OK;
    end_stream(in);
    memset(s, 0, sizeof *s);
    status = begin_stream(ctx, in);
    s->next_in = next_in;
    s->avail_in = n_in;
    s->next_out = next_out;
    s->avail_out = n_out;
    return status;
}

/** Unpacks up to n bytes, at most as many as the library counts. */
static rug_status unpack(rug_context *ctx, rugi_bunzip *in, char *to, unsigned n)
{
    bz_stream *s = &in->state->bz2;
    s->next_out = to;
    s->avail_out = n;
    while (s->avail_out > 0 && !in->ended) {
        rug_status status = s->avail_in == 0 ? fill(ctx, in) : RUG_OK;
        if (status != RUG_OK)
            return status;
        if (s->avail_in == 0)
            return RUG_OK; /* cut off */
        const int code = bz2.BZ2_bzDecompress(s);
        if (code == BZ_MEM_ERROR)
            return rug_context_fail(ctx, RUG_E_NOMEM, "%s: no memory to unpack it",
                                    in->path);
        if (code != BZ_OK && code != BZ_STREAM_END)
            return rug_context_fail(
                ctx, RUG_E_FORMAT, "%s: the bzip2 stream is damaged: %s", in->path,
                code == BZ_DATA_ERROR_MAGIC ? "it does not begin as one"
                                            : "its checksum or a code is wrong");
        if (code == BZ_STREAM_END && (status = next_stream(ctx, in)) != RUG_OK)
            return status;
    }
    return RUG_OK;
}

rug_status rugi_bunzip_read(rug_context *ctx, rugi_bunzip *in, void *to, size_t n,
                            size_t *got)
{
    const unsigned most = 1u << 30;
    *got = 0;
    while (*got < n) {
        unsigned wanted = n - *got < most ? (unsigned)(n - *got) : most;
        rug_status status = unpack(ctx, in, (char *)to + *got, wanted);
        *got += wanted - in->state->bz2.avail_out;
        if (status != RUG_OK || in->state->bz2.avail_out > 0)
            return status;
    }
    return RUG_OK;
}

#else

rug_status rugi_bunzip_open(rug_context *ctx, rugi_bunzip *in, const rugi_packed *packed)
{
    *in = (rugi_bunzip){.path = packed->path};
    return rug_context_fail(ctx, RUG_E_UNSUPPORTED,
                            "%s: is packed by bzip2, and this rugose was built without "
                            "libbz2; pack it by gzip",
                            packed->path);
}

rug_status rugi_bunzip_read(rug_context *ctx, rugi_bunzip *in, void *to, size_t n,
                            size_t *got)
{
    (void)ctx, (void)in, (void)to, (void)n;
    *got = 0;
    return RUG_OK;
}

void rugi_bunzip_close(rug_context *ctx, rugi_bunzip *in)
{
    (void)ctx, (void)in;
}

#endif
