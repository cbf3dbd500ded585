/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Unzips by ISA-L, which takes less than half of zlib's time, for masks a sixth. A gzip stream
 * may have several members, one after the other; what follows the last one and is none is
 * ignored, as by gzip. */

#define _POSIX_C_SOURCE 200809L
#include "gunzip.h"
#include "io/base/library.h"
#include <errno.h>
#include <fcntl.h>
#include <isa-l/igzip_lib.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

/** Bytes read from the file at once. */
#define INPUT ((size_t)256 << 10)

#define FUNCTIONS(X) X(isal_inflate_init) X(isal_inflate_reset) X(isal_inflate)

static struct {
    FUNCTIONS(RUGI_LIBRARY_MEMBER)
} isal;

static const char *const symbols[] = {FUNCTIONS(RUGI_LIBRARY_SYMBOL) NULL};

static const rugi_library library = {"ISA-L", RUGI_ISAL_FILE, "libisal2", symbols, &isal};

struct rugi_inflating {
    struct inflate_state isal;
    unsigned char input[INPUT];
};

static rug_status open_file(rug_context *ctx, rugi_gunzip *in, uint64_t begin)
{
    in->file = open(in->path, O_RDONLY | O_CLOEXEC);
    if (in->file >= 0 && lseek(in->file, (off_t)begin, SEEK_SET) >= 0)
        return RUG_OK;
    return rug_context_fail(ctx, RUG_E_IO, "%s: cannot be opened: %s", in->path,
                            strerror(errno));
}

/** What stands before and behind the deflated bytes, and is checked. */
static uint32_t wrapping(const rugi_gunzip *in)
{
    return in->is_zlib ? ISAL_ZLIB : ISAL_GZIP;
}

rug_status rugi_gunzip_open(rug_context *ctx, rugi_gunzip *in, const rugi_packed *packed)
{
    *in = (rugi_gunzip){
        .path = packed->path, .is_zlib = packed->packing == RUGI_ZLIB, .file = -1};
    rug_status status = rugi_library_load(ctx, &library, in->path);
    if (status != RUG_OK)
        return status;
    in->state = rug_context_allocate(ctx, 1, sizeof *in->state, in->path);
    if (in->state == NULL)
        return RUG_E_NOMEM;
    struct inflate_state *s = &in->state->isal;
    isal.isal_inflate_init(s);
    s->crc_flag = wrapping(in);
    s->next_in = (unsigned char *)(uintptr_t)packed->head;
    s->avail_in = (uint32_t)packed->n_head;
    if (packed->head == NULL) {
        s->next_in = in->state->input;
        status = open_file(ctx, in, packed->begin);
    }
    if (status != RUG_OK)
        rugi_gunzip_close(ctx, in);
    return status;
}

void rugi_gunzip_close(rug_context *ctx, rugi_gunzip *in)
{
    if (in->state != NULL && in->file >= 0)
        close(in->file);
    rug_context_release(ctx, in->state);
    in->state = NULL;
}

/** Reads more of the file behind the input that is left, of which there is little. */
static rug_status fill(rug_context *ctx, rugi_gunzip *in)
{
    struct inflate_state *s = &in->state->isal;
    ssize_t n;
    if (in->file < 0)
        return RUG_OK;
    unsigned char *input = in->state->input;
    memmove(input, s->next_in, s->avail_in);
    s->next_in = input;
    do
        n = read(in->file, input + s->avail_in, INPUT - s->avail_in);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return rug_context_fail(ctx, RUG_E_IO, "%s: cannot be read: %s", in->path,
                                strerror(errno));
    if (n == 0) {
        close(in->file);
        in->file = -1;
    }
    s->avail_in += (uint32_t)n;
    return RUG_OK;
}

/** Behind a member: goes to the next one, or notes that there is none. */
static rug_status next_member(rug_context *ctx, rugi_gunzip *in)
{
    struct inflate_state *s = &in->state->isal;
    while (s->avail_in < 2 && in->file >= 0) {
        rug_status status = fill(ctx, in);
        if (status != RUG_OK)
            return status;
    }
    in->ended = in->is_zlib || !rugi_is_gzip(s->next_in, s->avail_in);
    if (!in->ended) {
        isal.isal_inflate_reset(s);
        s->crc_flag = wrapping(in);
    }
    return RUG_OK;
}

/** The failure of a stream that is no gzip stream. */
static rug_status damaged(rug_context *ctx, const rugi_gunzip *in, int code)
{
    const char *why = code == ISAL_INCORRECT_CHECKSUM   ? "its checksum is wrong"
                      : code == ISAL_INVALID_WRAPPER    ? "the head of a member is wrong"
                      : code == ISAL_UNSUPPORTED_METHOD ? "its method is not deflate"
                      : code == ISAL_INVALID_BLOCK      ? "the head of a block is wrong"
                                                        : "a code stands for nothing";
    return rug_context_fail(ctx, RUG_E_FORMAT, "%s: the %s stream is damaged: %s",
                            in->path, in->is_zlib ? "zlib" : "gzip", why);
}

/** Unzips up to n bytes, at most as many as the library counts. */
static rug_status unzip(rug_context *ctx, rugi_gunzip *in, unsigned char *to, uint32_t n)
{
    struct inflate_state *s = &in->state->isal;
    s->next_out = to;
    s->avail_out = n;
    while (s->avail_out > 0 && !in->ended) {
        rug_status status = s->avail_in == 0 ? fill(ctx, in) : RUG_OK;
        if (status != RUG_OK)
            return status;
        const uint32_t in_before = s->avail_in, out_before = s->avail_out;
        const int code = isal.isal_inflate(s);
        if (code < 0 || code == ISAL_NEED_DICT)
            return damaged(ctx, in, code);
        if (s->block_state == ISAL_BLOCK_FINISH) {
            status = next_member(ctx, in);
            if (status != RUG_OK)
                return status;
        } else if (in->file < 0 && s->avail_in == in_before && s->avail_out == out_before)
            return RUG_OK; /* cut off */
    }
    return RUG_OK;
}

rug_status rugi_gunzip_read(rug_context *ctx, rugi_gunzip *in, void *to, size_t n,
                            size_t *got)
{
    const uint32_t most = 1u << 30;
    *got = 0;
    while (*got < n) {
        uint32_t wanted = n - *got < most ? (uint32_t)(n - *got) : most;
        rug_status status = unzip(ctx, in, (unsigned char *)to + *got, wanted);
        *got += wanted - in->state->isal.avail_out;
        if (status != RUG_OK || in->state->isal.avail_out > 0)
            return status;
    }
    return RUG_OK;
}

rug_status rugi_gunzip_head(rug_context *ctx, const char *path, const unsigned char *head,
                            size_t n_head, unsigned char *out, size_t n_max, size_t *n)
{
    rugi_gunzip in;
    const rugi_packed packed = {
        .path = path, .packing = RUGI_GZIP, .head = head, .n_head = n_head};
    *n = 0;
    rug_status status = rugi_gunzip_open(ctx, &in, &packed);
    if (status != RUG_OK)
        return status;
    rugi_gunzip_read(ctx, &in, out, n_max, n);
    rugi_gunzip_close(ctx, &in);
    return RUG_OK;
}
