/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Reads stored pixels and decodes them on the way to where they are wanted, so that no second copy is
 * made. Those of plain files are read by all threads, each of which touches its part of new memory
 * first; a packed stream has one order, and is read by one. Files are never mapped: one that shrinks
 * would end the process. It knows no header. */

#define _POSIX_C_SOURCE 200809L
#include "pixel_stream.h"
#include "io/base/parallel.h"
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

/** Stored bytes that one thread reads: enough to be worth a thread. */
#define PIECE ((size_t)4 << 20)

/** Bytes that are decoded at once, while they are in the cache. */
#define STEP ((size_t)32 << 10)

/** Bytes unpacked at once. */
#define CHUNK ((size_t)1 << 20)

/** A file whose pixels are read in passes. */
typedef struct pixel_stream {
    rugi_pixel_coding coding;
    rugi_pixel_place place;
    uint64_t n_pixels;
    uint64_t done;     /* packed: pixels read in this pass */
    rugi_unpacking in; /* packed: open during a pass */
} pixel_stream;

rug_status rugi_check_length(rug_context *ctx, const rugi_pixel_place *place,
                             uint64_t needed)
{
    uint64_t offset = place->offset,
             stored = place->begin < place->n_bytes ? place->n_bytes - place->begin : 0,
             present = rugi_unpacked_most(place->packing, stored);
    if (offset <= present && needed <= present - offset)
        return RUG_OK;
    if (place->packing != RUGI_PLAIN)
        return rug_context_fail(
            ctx, RUG_E_FORMAT,
            "%s: the header promises %" PRIu64 " bytes of pixels, more than a "
            "%s file of %" PRIu64 " bytes can hold",
            place->path, needed, rugi_packing_name(place->packing), stored);
    return rug_context_fail(ctx, RUG_E_FORMAT,
                            "%s: cut off: %" PRIu64 " of %" PRIu64
                            " bytes of pixels are there",
                            place->path, offset < present ? present - offset : 0, needed);
}

/* ---- Plain files ---- */

/** Pixels that are read by several threads. */
typedef struct plain_read {
    const pixel_stream *stream;
    int file;
    unsigned char *to;
    uint64_t first;    /* pixel of the stream */
    uint64_t n_pixels; /* from there on */
    size_t n_pieces;
} plain_read;

/** Reads n bytes of a piece at a place in the file, or says what is wrong. */
static rug_status read_bytes(const plain_read *r, void *to, size_t n, uint64_t offset,
                             char *text)
{
    const rugi_pixel_place *place = &r->stream->place;
    size_t got = 0;
    while (got < n) {
        ssize_t answer = pread(r->file, (char *)to + got, n - got, (off_t)(offset + got));
        if (answer < 0 && errno == EINTR)
            continue;
        if (answer < 0) {
            snprintf(text, RUGI_PIECE_TEXT, "%s: cannot be read: %s", place->path,
                     strerror(errno));
            return RUG_E_IO;
        }
        if (answer == 0) {
            snprintf(text, RUGI_PIECE_TEXT,
                     "%s: became shorter while it was being read: %" PRIu64 " of %" PRIu64
                     " bytes of pixels are there",
                     place->path, offset + got - place->offset,
                     r->stream->n_pixels * rugi_coding_size(&r->stream->coding));
            return RUG_E_FORMAT;
        }
        got += (size_t)answer;
    }
    return RUG_OK;
}

/** Reads and decodes one piece, step by step where there is something to decode. */
static rug_status read_piece(void *shared, size_t piece, int thread, char *text)
{
    const plain_read *r = shared;
    const rugi_pixel_coding *coding = &r->stream->coding;
    const size_t from_size = rugi_coding_size(coding);
    const size_t to_size = rug_dtype_size(rugi_coding_dtype(coding));
    const int converts = rugi_coding_converts(coding);
    const uint64_t per_piece = PIECE / from_size;
    uint64_t i = piece * per_piece;
    const uint64_t end = piece + 1 < r->n_pieces ? i + per_piece : r->n_pixels;
    const uint64_t most = converts || coding->swap ? STEP / from_size : end - i;
    _Alignas(64) unsigned char buffer[STEP];
    (void)thread;
    while (i < end) {
        size_t n = (size_t)(end - i < most ? end - i : most);
        unsigned char *to = r->to + (size_t)i * to_size;
        unsigned char *place = converts ? buffer : to;
        rug_status status =
            read_bytes(r, place, n * from_size,
                       r->stream->place.offset + (r->first + i) * from_size, text);
        if (status != RUG_OK)
            return status;
        rugi_decode_pixels(to, place, n, coding);
        i += n;
    }
    return RUG_OK;
}

static rug_status read_plain(rug_context *ctx, const pixel_stream *s, void *to,
                             uint64_t first, uint64_t n_pixels)
{
    const uint64_t per_piece = PIECE / rugi_coding_size(&s->coding);
    plain_read r = {.stream = s,
                    .to = to,
                    .first = first,
                    .n_pixels = n_pixels,
                    .n_pieces = (size_t)(n_pixels / per_piece)};
    if (r.n_pieces == 0)
        r.n_pieces = 1;
    r.file = open(s->place.path, O_RDONLY | O_CLOEXEC);
    if (r.file < 0)
        return rug_context_fail(ctx, RUG_E_IO, "%s: cannot be opened: %s", s->place.path,
                                strerror(errno));
    rug_status status = rugi_for_pieces(ctx, r.n_pieces, read_piece, &r);
    close(r.file);
    return status;
}

/* ---- Packed streams ---- */

/** Unpacks exactly n bytes of pixels.
 *  @param before  how many come before them */
static rug_status unpack_exactly(rug_context *ctx, pixel_stream *s, void *to, size_t n,
                                 uint64_t before)
{
    size_t got;
    rug_status status = rugi_unpack_read(ctx, &s->in, to, n, &got);
    if (status != RUG_OK || got == n)
        return status;
    return rug_context_fail(
        ctx, RUG_E_FORMAT,
        "%s: cut off: %" PRIu64 " of %" PRIu64 " bytes of pixels are there",
        s->place.path, before + got, s->n_pixels * rugi_coding_size(&s->coding));
}

/** Unpacks what comes before the first pixel.
 *  @param buffer  CHUNK bytes */
static rug_status skip(rug_context *ctx, pixel_stream *s, unsigned char *buffer)
{
    rug_status status = RUG_OK;
    for (uint64_t left = s->place.offset; status == RUG_OK && left > 0;) {
        size_t n = left < CHUNK ? (size_t)left : CHUNK, got;
        status = rugi_unpack_read(ctx, &s->in, buffer, n, &got);
        if (status == RUG_OK && got < n)
            return unpack_exactly(ctx, s, buffer, 1, 0);
        if (status == RUG_OK)
            status = rug_context_step(ctx, 0);
        left -= n;
    }
    return status;
}

/** Unpacks and decodes the next pixels.
 *  @param buffer  CHUNK bytes */
static rug_status unpack_pixels(rug_context *ctx, pixel_stream *s, unsigned char *to,
                                uint64_t n_pixels, unsigned char *buffer)
{
    const size_t from_size = rugi_coding_size(&s->coding);
    const size_t to_size = rug_dtype_size(rugi_coding_dtype(&s->coding));
    const int converts = rugi_coding_converts(&s->coding);
    rug_status status = RUG_OK;
    for (uint64_t done = 0; status == RUG_OK && done < n_pixels;) {
        size_t n = n_pixels - done < CHUNK / from_size ? (size_t)(n_pixels - done)
                                                       : CHUNK / from_size;
        unsigned char *place = converts ? buffer : to;
        status = unpack_exactly(ctx, s, place, n * from_size, s->done * from_size);
        if (status != RUG_OK)
            return status;
        rugi_decode_pixels(to, place, n, &s->coding);
        to += n * to_size;
        done += n;
        s->done += n;
        status = rug_context_step(ctx, (double)done / (double)n_pixels);
    }
    return status;
}

/** At the end of a member stands its checksum, which is compared when more is asked for. Little more
 *  is there but for the further volumes of a long file, which are not read to the end.
 *  @param buffer  CHUNK bytes */
static rug_status check_end(rug_context *ctx, pixel_stream *s, unsigned char *buffer)
{
    size_t got;
    rug_status status = rugi_unpack_read(ctx, &s->in, buffer, CHUNK, &got);
    if (status == RUG_OK && got < CHUNK && !rugi_unpack_ended(&s->in))
        return rug_context_fail(ctx, RUG_E_FORMAT,
                                "%s: the %s stream is cut off: all %" PRIu64
                                " bytes of pixels are there, but not its end",
                                s->place.path, rugi_packing_name(s->in.packing),
                                s->n_pixels * rugi_coding_size(&s->coding));
    return status;
}

/** Reads the next pixels of a pass, or the first of a new one. */
static rug_status read_packed(rug_context *ctx, pixel_stream *s, void *to, uint64_t first,
                              uint64_t n_pixels)
{
    rug_status status = RUG_OK;
    unsigned char *buffer = rug_context_allocate(ctx, CHUNK, 1, s->place.path);
    if (buffer == NULL)
        status = RUG_E_NOMEM;
    if (status == RUG_OK && first == 0) {
        const rugi_packed packed = {
            .path = s->place.path, .packing = s->place.packing, .begin = s->place.begin};
        rugi_unpack_close(ctx, &s->in);
        s->done = 0;
        status = rugi_unpack_open(ctx, &s->in, &packed);
        if (status == RUG_OK)
            status = skip(ctx, s, buffer);
    }
    if (status == RUG_OK)
        status = unpack_pixels(ctx, s, to, n_pixels, buffer);
    if (status == RUG_OK && s->done == s->n_pixels)
        status = check_end(ctx, s, buffer);
    if (status != RUG_OK || s->done == s->n_pixels)
        rugi_unpack_close(ctx, &s->in);
    rug_context_release(ctx, buffer);
    return status;
}

/* ---- Both ---- */

static rug_status read_some(rug_context *ctx, pixel_stream *s, void *to, uint64_t first,
                            uint64_t n_pixels)
{
    return s->place.packing != RUGI_PLAIN ? read_packed(ctx, s, to, first, n_pixels)
                                          : read_plain(ctx, s, to, first, n_pixels);
}

rug_status rugi_read_pixels(rug_context *ctx, void *pixels, uint64_t n_pixels,
                            const rugi_pixel_coding *coding,
                            const rugi_pixel_place *place)
{
    assert(pixels != NULL);
    pixel_stream s = {.coding = *coding, .place = *place, .n_pixels = n_pixels};
    return read_some(ctx, &s, pixels, 0, n_pixels);
}

static rug_status read_layers(rug_context *ctx, rug_file *file, void *to, size_t first,
                              size_t n)
{
    pixel_stream *s = file->slabs.state;
    const uint64_t layer = s->n_pixels / file->image.shape[0];
    return read_some(ctx, s, to, first * layer, n * layer);
}

static void close_stream(rug_context *ctx, void *state)
{
    pixel_stream *s = state;
    rugi_unpack_close(ctx, &s->in);
    rug_context_release(ctx, (char *)(uintptr_t)s->place.path);
    rug_context_release(ctx, s);
}

rug_status rugi_stream_pixels(rug_context *ctx, rug_file *file,
                              const rugi_pixel_coding *coding,
                              const rugi_pixel_place *place)
{
    assert(file->image.dtype == rugi_coding_dtype(coding));
    pixel_stream *s = rug_context_allocate(ctx, 1, sizeof *s, place->path);
    if (s == NULL)
        return RUG_E_NOMEM;
    *s = (pixel_stream){
        .coding = *coding, .place = *place, .n_pixels = rug_image_pixels(&file->image)};
    file->slabs = (rugi_slabs){.read = read_layers,
                               .close = close_stream,
                               .state = s,
                               .any_order = place->packing == RUGI_PLAIN};
    const size_t n = strlen(place->path) + 1;
    char *path = rug_context_allocate(ctx, n, 1, place->path);
    s->place.path = path;
    if (path == NULL)
        return RUG_E_NOMEM;
    memcpy(path, place->path, n);
    return RUG_OK;
}
