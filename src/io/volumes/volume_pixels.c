/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The pixels of a volume. One file of which they are a range is read as those of other formats
 * (pixel_stream.c). Here are those of several files, channels that lie between others, and
 * numbers as text: plain files by all threads, packed and text ones in their order. Headers are
 * not known. */

#define _POSIX_C_SOURCE 200809L
#include "io/base/disk.h"
#include "io/base/parallel.h"
#include "text_values.h"
#include "volume.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

/** Stored bytes that one thread reads: enough to be worth a thread. */
#define PIECE ((size_t)4 << 20)

/** Bytes that are decoded at once, while they are in the cache. */
#define STEP ((size_t)8 << 10)

/** Bytes that are unpacked at once. */
#define CHUNK ((size_t)1 << 20)

/** A volume whose pixels are read in passes. */
typedef struct volume_reader {
    const char *path; /* of the header, which may be the file of the values */
    rugi_volume_files files;
    rugi_pixel_coding coding;
    rugi_volume_part part;
    uint64_t n_pixels; /* of an image whose colours are kept as planes */
    uint64_t *where;   /* of each file: its values, or the packed ones, begin there */
    size_t n_files;
    uint64_t per_file; /* values */
    atomic_int unequal;
    /* of packed and text files: */
    size_t current; /* the file that is open, */
    int is_open;    /* if one is, */
    uint64_t done;  /* and its values that were read */
    rugi_unpacking in;
    FILE *text;
    unsigned char *buffer; /* of CHUNK bytes */
} volume_reader;

static const char *name_of(const volume_reader *r, size_t i)
{
    return !r->files.are_others ? r->path : r->files.names + r->files.at[i];
}

/* ---- Where the values are ---- */

/** Goes behind lines. @return 0: there are fewer */
static int skip_lines(FILE *in, uint64_t begin, uint64_t n, uint64_t *behind)
{
    if (fseeko(in, (off_t)begin, SEEK_SET) != 0)
        return 0;
    for (; n > 0; n--) {
        int c;
        do
            c = getc(in);
        while (c != EOF && c != '\n');
        if (c == EOF)
            return 0;
    }
    off_t at = ftello(in);
    *behind = (uint64_t)at;
    return at >= 0;
}

/** MetaImage says that its values are deflated, which may be as gzip does it. */
static rugi_packing see_packing(FILE *in, uint64_t begin, rugi_packing packing)
{
    unsigned char head[2];
    if (packing != RUGI_ZLIB || fseeko(in, (off_t)begin, SEEK_SET) != 0)
        return packing;
    return rugi_is_gzip(head, fread(head, 1, sizeof head, in)) ? RUGI_GZIP : RUGI_ZLIB;
}

static rug_status check_text(rug_context *ctx, const rugi_pixel_place *place, uint64_t n)
{
    uint64_t present =
        place->offset < place->n_bytes ? place->n_bytes - place->offset : 0;
    if (n <= present / 2 + present % 2)
        return RUG_OK;
    return rug_context_fail(ctx, RUG_E_FORMAT,
                            "%s: cut off: %" PRIu64 " bytes of text cannot be %" PRIu64
                            " numbers",
                            place->path, present, n);
}

/** Fills the place of the values of an open file.
 *  @param place  whose path and n_bytes are set */
static rug_status find_place(rug_context *ctx, const volume_reader *r, FILE *in,
                             rugi_pixel_place *place)
{
    const rugi_volume_files *f = &r->files;
    const uint64_t needed = r->per_file * rugi_coding_size(&r->coding);
    uint64_t begin = f->n_before;
    if (f->n_lines > 0 && !skip_lines(in, begin, f->n_lines, &begin))
        return rug_context_fail(ctx, RUG_E_FORMAT,
                                "%s: cut off: it has fewer than %" PRIu64
                                " lines, which are to be skipped",
                                place->path, f->n_lines);
    place->packing = see_packing(in, begin, f->packing);
    place->offset = f->n_unpacked;
    if (place->packing != RUGI_PLAIN)
        place->begin = begin;
    else
        place->offset += begin;
    if (f->from_end && place->n_bytes >= needed &&
        place->n_bytes - needed >= place->offset) /* else it is cut off */
        place->offset = place->n_bytes - needed - f->n_unpacked;
    return f->is_text ? check_text(ctx, place, r->per_file)
                      : rugi_check_length(ctx, place, needed);
}

/** Finds the place of the values of file i. */
static rug_status locate(rug_context *ctx, const volume_reader *r, size_t i,
                         rugi_pixel_place *place)
{
    FILE *in;
    *place = (rugi_pixel_place){.path = name_of(r, i)};
    rug_status status = rugi_open_regular(ctx, place->path, &in, &place->n_bytes);
    if (status == RUG_OK) {
        status = find_place(ctx, r, in, place);
        fclose(in);
    }
    return status;
}

/** Lets the text of a failure begin with the name of the header, which is what the caller knows. */
static rug_status name_header(rug_context *ctx, const volume_reader *r, rug_status status)
{
    char text[RUGI_PIECE_TEXT];
    if (status == RUG_OK || status == RUG_E_CANCELLED || !r->files.are_others)
        return status;
    snprintf(text, sizeof text, "%s", rug_context_error(ctx));
    return rug_context_fail(ctx, status, "%s: its pixels: %s", r->path, text);
}

/** Finds the values of all files.
 *  @param place  of the last one */
static rug_status locate_all(rug_context *ctx, volume_reader *r, rugi_pixel_place *place)
{
    r->n_files = r->files.are_others ? r->files.n : 1;
    r->per_file = r->part.n_stored / r->n_files;
    r->where = rug_context_allocate(ctx, r->n_files, sizeof *r->where, r->path);
    rug_status status = r->where == NULL ? RUG_E_NOMEM : RUG_OK;
    for (size_t i = 0; status == RUG_OK && i < r->n_files; i++) {
        status = locate(ctx, r, i, place);
        r->where[i] = place->packing != RUGI_PLAIN ? place->begin : place->offset;
        if (status == RUG_OK && i % 256 == 255)
            status = rug_context_step(ctx, (double)i / (double)r->n_files);
    }
    return status;
}

/* ---- Which values ---- */

/** Reads and decodes stored values.
 *  @param text  as of rugi_piece_fn */
typedef rug_status (*read_values)(void *state, void *to, uint64_t first, uint64_t n,
                                  char *text);

/** Reads pixels of which all channels follow each other; colours that are kept go to their planes. */
static rug_status read_mixed(volume_reader *r, read_values read, void *state,
                             unsigned char *to, uint64_t first, uint64_t n, char *text)
{
    const rugi_bands *bands = &r->part.bands;
    const uint64_t n_bands = (uint64_t)bands->n;
    const size_t size = rug_dtype_size(bands->dtype);
    const size_t plane = (size_t)r->n_pixels * size;
    _Alignas(64) unsigned char pixels[STEP];
    const uint64_t most = STEP / size / n_bands;
    rug_status status = RUG_OK;
    for (uint64_t i = 0; status == RUG_OK && i < n;) {
        uint64_t m = n - i < most ? n - i : most, at = (first + i) * n_bands;
        if (most == 0) { /* so many channels that other values are not worth to be read */
            m = 1;
            status =
                read(state, to, r->part.first + at + (uint64_t)bands->chosen, 1, text);
        } else {
            status = read(state, pixels, r->part.first + at, m * n_bands, text);
            if (status == RUG_OK && rugi_bands_take(bands, to, pixels, (size_t)m, plane))
                atomic_store(&r->unequal, 1);
        }
        to += m * size;
        i += m;
    }
    return status;
}

/** Reads pixels of the page, from `first` on. */
static rug_status read_pixels(volume_reader *r, read_values read, void *state,
                              unsigned char *to, uint64_t first, uint64_t n, char *text)
{
    const rugi_volume_part *part = &r->part;
    const uint64_t n_bands = (uint64_t)part->bands.n, block = part->block;
    const size_t size = rug_dtype_size(part->bands.dtype);
    rug_status status = RUG_OK;
    if (n_bands == 1)
        return read(state, to, part->first + first, n, text);
    if (block == 1)
        return read_mixed(r, read, state, to, first, n, text);
    while (status == RUG_OK && n > 0) {
        uint64_t b = first / block, i = first % block, m = block - i < n ? block - i : n;
        status =
            read(state, to,
                 part->first + (b * n_bands + (uint64_t)part->bands.chosen) * block + i,
                 m, text);
        to += m * size;
        first += m;
        n -= m;
    }
    return status;
}

/* ---- Plain files ---- */

/** The file that a thread reads. */
typedef struct cursor {
    const volume_reader *r;
    size_t i;
    int file; /* -1: none */
} cursor;

static rug_status open_plain(cursor *c, size_t i, char *text)
{
    if (c->file >= 0 && c->i == i)
        return RUG_OK;
    if (c->file >= 0)
        close(c->file);
    c->i = i;
    c->file = open(name_of(c->r, i), O_RDONLY | O_CLOEXEC);
    if (c->file >= 0)
        return RUG_OK;
    snprintf(text, RUGI_PIECE_TEXT, "%s: cannot be opened: %s", name_of(c->r, i),
             strerror(errno));
    return RUG_E_IO;
}

static rug_status read_bytes(const cursor *c, unsigned char *to, size_t n,
                             uint64_t offset, char *text)
{
    while (n > 0) {
        ssize_t got = pread(c->file, to, n, (off_t)offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            snprintf(text, RUGI_PIECE_TEXT, "%s: %s%s", name_of(c->r, c->i),
                     got < 0 ? "cannot be read: "
                             : "became shorter while it was being read",
                     got < 0 ? strerror(errno) : "");
            return got < 0 ? RUG_E_IO : RUG_E_FORMAT;
        }
        to += got;
        n -= (size_t)got;
        offset += (uint64_t)got;
    }
    return RUG_OK;
}

static rug_status read_plain(void *state, void *to, uint64_t first, uint64_t n,
                             char *text)
{
    cursor *c = state;
    const volume_reader *r = c->r;
    const rugi_pixel_coding *coding = &r->coding;
    const size_t size = rugi_coding_size(coding);
    const size_t to_size = rug_dtype_size(rugi_coding_dtype(coding));
    const int converts = rugi_coding_converts(coding);
    _Alignas(64) unsigned char buffer[STEP];
    unsigned char *at = to;
    while (n > 0) {
        const size_t i = (size_t)(first / r->per_file);
        const uint64_t in = first % r->per_file;
        uint64_t m = r->per_file - in < n ? r->per_file - in : n;
        if ((converts || coding->swap) && m > STEP / size)
            m = STEP / size;
        unsigned char *stored = converts ? buffer : at;
        rug_status status = open_plain(c, i, text);
        if (status == RUG_OK)
            status =
                read_bytes(c, stored, (size_t)m * size, r->where[i] + in * size, text);
        if (status != RUG_OK)
            return status;
        rugi_decode_pixels(at, stored, (size_t)m, coding);
        at += m * to_size;
        first += m;
        n -= m;
    }
    return RUG_OK;
}

/** Pixels that are read by several threads. */
typedef struct plain_pass {
    volume_reader *r;
    unsigned char *to;
    uint64_t first, n, per_piece;
    size_t n_pieces;
} plain_pass;

static rug_status read_piece(void *shared, size_t piece, int thread, char *text)
{
    plain_pass *p = shared;
    cursor c = {.r = p->r, .file = -1};
    const uint64_t begin = piece * p->per_piece;
    const uint64_t end = piece + 1 < p->n_pieces ? begin + p->per_piece : p->n;
    (void)thread;
    rug_status status = read_pixels(
        p->r, read_plain, &c, p->to + begin * rug_dtype_size(p->r->part.bands.dtype),
        p->first + begin, end - begin, text);
    if (c.file >= 0)
        close(c.file);
    return status;
}

static rug_status read_all_plain(rug_context *ctx, volume_reader *r, void *to,
                                 uint64_t first, uint64_t n)
{
    const uint64_t n_bands = r->part.block == 1 ? (uint64_t)r->part.bands.n : 1;
    plain_pass p = {.r = r, .to = to, .first = first, .n = n};
    p.per_piece = PIECE / rugi_coding_size(&r->coding) / n_bands;
    if (p.per_piece == 0)
        p.per_piece = 1;
    p.n_pieces = n < p.per_piece ? 1 : (size_t)(n / p.per_piece);
    return rugi_for_pieces(ctx, p.n_pieces, read_piece, &p);
}

/* ---- Packed and text files ---- */

static void close_current(rug_context *ctx, volume_reader *r)
{
    if (r->text != NULL)
        fclose(r->text);
    r->text = NULL;
    rugi_unpack_close(ctx, &r->in);
    r->is_open = 0;
}

/** Reads exactly n bytes of packed values. */
static rug_status unpack_exactly(rug_context *ctx, volume_reader *r, void *to, size_t n)
{
    size_t got;
    rug_status status = rugi_unpack_read(ctx, &r->in, to, n, &got);
    if (status != RUG_OK || got == n)
        return status;
    const size_t size = rugi_coding_size(&r->coding);
    return rug_context_fail(
        ctx, RUG_E_FORMAT,
        "%s: cut off: %" PRIu64 " of %" PRIu64 " bytes of pixels are there",
        name_of(r, r->current), r->done * size + got, r->per_file * size);
}

/** Goes behind packed bytes. */
static rug_status skip_bytes(rug_context *ctx, volume_reader *r, uint64_t n)
{
    rug_status status = RUG_OK;
    for (; status == RUG_OK && n > 0;) {
        size_t m = n < CHUNK ? (size_t)n : CHUNK;
        status = unpack_exactly(ctx, r, r->buffer, m);
        n -= m;
    }
    return status;
}

static rug_status open_current(rug_context *ctx, volume_reader *r, size_t i)
{
    rugi_pixel_place place;
    close_current(ctx, r);
    r->current = i;
    r->done = 0;
    rug_status status = locate(ctx, r, i, &place);
    if (status != RUG_OK)
        return status;
    r->is_open = 1;
    if (!r->files.is_text) {
        const rugi_packed packed = {
            .path = place.path, .packing = place.packing, .begin = place.begin};
        status = rugi_unpack_open(ctx, &r->in, &packed);
        return status == RUG_OK ? skip_bytes(ctx, r, place.offset) : status;
    }
    r->text = fopen(place.path, "rb");
    if (r->text != NULL && fseeko(r->text, (off_t)place.offset, SEEK_SET) == 0)
        return RUG_OK;
    return rug_context_fail(ctx, RUG_E_IO, "%s: cannot be opened: %s", place.path,
                            strerror(errno));
}

/** Reads the next values of the open file.
 *  @param to  NULL: they are skipped */
static rug_status read_next(rug_context *ctx, volume_reader *r, unsigned char *to,
                            uint64_t n)
{
    const size_t size = rugi_coding_size(&r->coding);
    const size_t to_size = rug_dtype_size(rugi_coding_dtype(&r->coding));
    rug_status status = RUG_OK;
    while (status == RUG_OK && n > 0) {
        size_t m = n < CHUNK / 8 ? (size_t)n : CHUNK / 8;
        int is_buffered = to == NULL || rugi_coding_converts(&r->coding);
        unsigned char *stored = is_buffered ? r->buffer : to;
        status = r->files.is_text
                     ? rugi_text_values_read(ctx, r->text, name_of(r, r->current),
                                             r->coding.stored, stored, m, r->done)
                     : unpack_exactly(ctx, r, stored, m * size);
        if (status == RUG_OK && to != NULL) {
            rugi_decode_pixels(to, stored, m, &r->coding);
            to += m * to_size;
        }
        r->done += m;
        n -= m;
    }
    return status;
}

/** Behind the last value of a packed file stands its checksum, which is compared when more is
 *  asked for. */
static rug_status check_end(rug_context *ctx, volume_reader *r)
{
    size_t got;
    if (r->files.is_text)
        return RUG_OK;
    rug_status status = rugi_unpack_read(ctx, &r->in, r->buffer, CHUNK, &got);
    if (status == RUG_OK && got < CHUNK && !rugi_unpack_ended(&r->in))
        return rug_context_fail(ctx, RUG_E_FORMAT,
                                "%s: the %s stream is cut off: all pixels are there, but "
                                "not its end",
                                name_of(r, r->current), rugi_packing_name(r->in.packing));
    return status;
}

/** What read_in_order() works with. */
typedef struct ordered {
    rug_context *ctx;
    volume_reader *r;
} ordered;

static rug_status read_in_order(void *state, void *to, uint64_t first, uint64_t n,
                                char *text)
{
    const ordered *o = state;
    volume_reader *r = o->r;
    const size_t to_size = rug_dtype_size(rugi_coding_dtype(&r->coding));
    unsigned char *at = to;
    rug_status status = RUG_OK;
    (void)text;
    while (status == RUG_OK && n > 0) {
        const size_t i = (size_t)(first / r->per_file);
        const uint64_t in = first % r->per_file;
        const uint64_t m = r->per_file - in < n ? r->per_file - in : n;
        if (!r->is_open || r->current != i || in < r->done)
            status = open_current(o->ctx, r, i);
        if (status == RUG_OK)
            status = read_next(o->ctx, r, NULL, in - r->done);
        if (status == RUG_OK)
            status = read_next(o->ctx, r, at, m);
        if (status == RUG_OK && r->done == r->per_file)
            status = check_end(o->ctx, r);
        at += m * to_size;
        first += m;
        n -= m;
    }
    if (status != RUG_OK)
        close_current(o->ctx, r);
    return status;
}

static rug_status read_all_in_order(rug_context *ctx, volume_reader *r, unsigned char *to,
                                    uint64_t first, uint64_t n)
{
    ordered o = {ctx, r};
    const size_t size = rug_dtype_size(r->part.bands.dtype);
    rug_status status = RUG_OK;
    if (r->buffer == NULL)
        r->buffer = rug_context_allocate(ctx, CHUNK, 1, r->path);
    if (r->buffer == NULL)
        return RUG_E_NOMEM;
    for (uint64_t i = 0; status == RUG_OK && i < n;) {
        uint64_t m = n - i < CHUNK / 8 ? n - i : CHUNK / 8;
        status = read_pixels(r, read_in_order, &o, to + i * size, first + i, m, NULL);
        i += m;
        if (status == RUG_OK)
            status = rug_context_step(ctx, (double)i / (double)n);
    }
    return status;
}

/* ---- Slabs ---- */

static int is_plain(const volume_reader *r)
{
    return r->files.packing == RUGI_PLAIN && !r->files.is_text;
}

static rug_status read_layers(rug_context *ctx, rug_file *file, void *to, size_t first,
                              size_t n)
{
    volume_reader *r = file->slabs.state;
    const uint64_t layer = rug_image_pixels(&file->image) / file->image.shape[0];
    r->n_pixels = layer;
    if (file->facts.n_planes > 1)
        n = 1; /* all of them at once */
    rug_status status = is_plain(r)
                            ? read_all_plain(ctx, r, to, first * layer, n * layer)
                            : read_all_in_order(ctx, r, to, first * layer, n * layer);
    if (atomic_load(&r->unequal))
        file->unequal = 1;
    return name_header(ctx, r, status);
}

static void close_reader(rug_context *ctx, void *state)
{
    volume_reader *r = state;
    close_current(ctx, r);
    rug_context_release(ctx, r->files.names);
    rug_context_release(ctx, r->files.at);
    rug_context_release(ctx, r->where);
    rug_context_release(ctx, r->buffer);
    rug_context_release(ctx, r);
}

/** Whether the pixels follow each other in one file. */
static int is_range(const volume_reader *r, uint64_t n_pixels)
{
    return r->n_files == 1 && !r->files.is_text &&
           (r->part.bands.n == 1 ||
            (r->part.bands.chosen >= 0 && r->part.block == n_pixels));
}

rug_status rugi_volume_stream(rug_context *ctx, rug_file *file, rugi_volume *volume,
                              const rugi_volume_part *part)
{
    rugi_pixel_place place;
    volume_reader *r = rug_context_allocate(ctx, 1, sizeof *r, file->path);
    if (r == NULL)
        return RUG_E_NOMEM;
    memset(r, 0, sizeof *r);
    r->path = file->path;
    r->files = volume->files;
    r->coding = volume->coding;
    r->part = *part;
    volume->files.names = NULL;
    volume->files.at = NULL;
    rug_status status = name_header(ctx, r, locate_all(ctx, r, &place));
    if (status == RUG_OK && is_range(r, rug_image_pixels(&file->image))) {
        uint64_t first =
            part->first +
            (part->bands.n == 1 ? 0 : (uint64_t)part->bands.chosen * part->block);
        place.offset += first * rugi_coding_size(&r->coding);
        status = rugi_stream_pixels(ctx, file, &r->coding, &place);
        close_reader(ctx, r);
        return status;
    }
    file->slabs.read = read_layers;
    file->slabs.close = close_reader;
    file->slabs.state = r;
    file->slabs.any_order = is_plain(r);
    return status;
}
