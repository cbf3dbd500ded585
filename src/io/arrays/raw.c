/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Files without a header, whose layout the caller gives as a text. The file says nothing about
 * itself but its size, which is compared with the layout. */

#define _POSIX_C_SOURCE 200809L
#include "gunzip.h"
#include "io/base/disk.h"
#include "pixel_stream.h"
#include <inttypes.h>
#include <string.h>

/* ---- The text of a layout ---- */

#define AXES_MAX 3

/** Bytes of what is said of a text that is no layout, with its end. */
#define PROBLEM_MAX 200

typedef struct layout {
    rugi_pixel_coding coding;
    int has_offset, has_order, is_big;
    int ndim;
    size_t shape[AXES_MAX]; /* slowest axis first */
    uint64_t n_pixels;
    uint64_t offset;
} layout;

/** A part of the text, up to a comma or the end. */
typedef struct word {
    const char *at;
    size_t n;
} word;

static int is_word(const word *w, const char *text)
{
    return w->n == strlen(text) && memcmp(w->at, text, w->n) == 0;
}

/** Takes a number of digits from the front of a word. @return nonzero when there is one that fits */
static int take_number(word *w, uint64_t *out)
{
    const char *begin = w->at;
    *out = 0;
    for (; w->n > 0 && *w->at >= '0' && *w->at <= '9'; w->at++, w->n--) {
        uint64_t digit = (uint64_t)(*w->at - '0');
        if (*out > (UINT64_MAX - digit) / 10)
            return 0;
        *out = *out * 10 + digit;
    }
    return w->at > begin;
}

static int take_type(layout *out, const word *w)
{
    if (is_word(w, "f16")) {
        out->coding.is_half = 1;
        return 1;
    }
    for (rug_dtype type = RUG_U8; type < RUG_N_DTYPES; type++)
        if (is_word(w, rug_dtype_name(type))) {
            out->coding.stored = type;
            return 1;
        }
    return 0;
}

static int take_shape(layout *out, word w)
{
    uint64_t size;
    out->n_pixels = 1;
    while (out->ndim < AXES_MAX && take_number(&w, &size)) {
        if (size == 0 || size > SIZE_MAX ||
            !rugi_multiply(&out->n_pixels, out->n_pixels, size))
            return 0;
        out->shape[out->ndim++] = (size_t)size;
        if (w.n == 0)
            return out->ndim >= 2;
        if (*w.at != 'x')
            return 0;
        w.at++;
        w.n--;
    }
    return 0;
}

static const char *take_offset(layout *out, word w)
{
    w.at += strlen("offset=");
    w.n -= strlen("offset=");
    if (out->has_offset)
        return "one offset";
    out->has_offset = 1;
    return take_number(&w, &out->offset) && w.n == 0
               ? NULL
               : "offset=N with the number of bytes before the pixels";
}

static const char *take_order(layout *out, const word *w)
{
    if (out->has_order)
        return "one byte order";
    out->has_order = 1;
    out->is_big = is_word(w, "big");
    out->coding.swap = out->is_big != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
    return rugi_coding_size(&out->coding) > 1
               ? NULL
               : "no byte order, as pixels of one byte have none,";
}

/** Takes part i of the text. @return NULL, or what is expected there */
static const char *take_word(layout *out, const word *w, int i)
{
    if (i == 0)
        return take_type(out, w)
                   ? NULL
                   : "u8, i8, u16, i16, u32, i32, u64, i64, f16, f32 or f64";
    if (i == 1)
        return take_shape(out, *w)
                   ? NULL
                   : "a shape of 2 or 3 sizes from 1, slowest axis first, such as "
                     "40x512x512,";
    if (w->n >= strlen("offset=") && memcmp(w->at, "offset=", strlen("offset=")) == 0)
        return take_offset(out, *w);
    if (is_word(w, "big") || is_word(w, "little"))
        return take_order(out, w);
    return "offset=N, big or little";
}

/** @param problem  what is wrong with the text. @return nonzero when it is a layout */
static int parse(layout *out, const char *text, char problem[PROBLEM_MAX])
{
    int i = 0;
    *out = (layout){.coding.slope = 1,
                    .coding.swap = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__};
    for (const char *at = text; at != NULL; i++) {
        const char *comma = strchr(at, ',');
        word w = {at, comma != NULL ? (size_t)(comma - at) : strlen(at)};
        const char *expected = take_word(out, &w, i);
        if (expected != NULL) {
            snprintf(problem, PROBLEM_MAX, "'%.*s%s' given, %s expected",
                     w.n < 48 ? (int)w.n : 44, w.at, w.n < 48 ? "" : "...", expected);
            return 0;
        }
        at = comma != NULL ? comma + 1 : NULL;
    }
    if (i < 2)
        snprintf(problem, PROBLEM_MAX,
                 "no shape given, one behind a comma expected, "
                 "such as u16,40x512x512");
    return i >= 2;
}

rug_status rug_raw_parse(rug_context *ctx, rug_image *out, const char *text)
{
    layout l;
    char problem[PROBLEM_MAX];
    rug_image own;
    if (out != NULL)
        memset(out, 0, sizeof *out);
    if (text == NULL)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "rug_raw_parse: NULL given for the layout");
    if (!parse(&l, text, problem))
        return rug_context_fail(ctx, RUG_E_ARG, "layout of raw pixels: %s", problem);
    rug_status status = rug_image_view(ctx, out != NULL ? out : &own, text,
                                       rugi_coding_dtype(&l.coding), l.ndim, l.shape);
    if (status == RUG_OK && out != NULL)
        out->data = NULL;
    return status;
}

/* ---- Files ---- */

/** Compares what the layout needs with the size of the file. */
static rug_status check_size(rug_context *ctx, const rug_file *file,
                             const rug_read_options *opts, const layout *l, int gzipped)
{
    uint64_t needed, present = file->n_bytes;
    if (!rugi_multiply(&needed, l->n_pixels, rugi_coding_size(&l->coding)) ||
        needed > UINT64_MAX - l->offset)
        needed = UINT64_MAX;
    else
        needed += l->offset;
    if (gzipped && !rugi_multiply(&present, present, RUGI_DEFLATE_MAX))
        present = UINT64_MAX;
    if (present < needed)
        return rug_context_fail(
            ctx, RUG_E_FORMAT,
            "%s: %s %" PRIu64 " bytes, but the layout %.100s needs %" PRIu64
            "; another type, shape or offset, or a whole file expected",
            file->path, gzipped ? "its gzip stream has at most" : "has", present,
            opts->raw, needed);
    if (!gzipped && present > needed)
        rug_context_warn(
            ctx,
            "%s: has %" PRIu64 " bytes, %" PRIu64
            " more than the layout %.100s needs; if they are a header before "
            "the pixels, offset=%" PRIu64 " makes it fit exactly",
            file->path, present, present - needed, opts->raw,
            l->offset + (present - needed));
    return RUG_OK;
}

/** The last bytes of a gzip file are the size of its last member, modulo 2^32 (RFC 1952, 2.3.1): what
 *  is there at least. */
static void warn_zipped_rest(rug_context *ctx, const rug_file *file,
                             const rug_read_options *opts, const layout *l)
{
    unsigned char b[4];
    const uint64_t needed = l->n_pixels * rugi_coding_size(&l->coding) + l->offset;
    FILE *in = fopen(file->path, "rb");
    if (in == NULL)
        return;
    int is_read = fseeko(in, -4, SEEK_END) == 0 && fread(b, 1, 4, in) == 4;
    fclose(in);
    if (!is_read)
        return;
    uint64_t size = (uint64_t)b[0] | (uint64_t)b[1] << 8 | (uint64_t)b[2] << 16 |
                    (uint64_t)b[3] << 24;
    if (size > needed)
        rug_context_warn(ctx,
                         "%s: has at least %" PRIu64 " bytes once unzipped, %" PRIu64
                         " more than the layout %.100s needs; offset=N passes over a "
                         "header before the pixels",
                         file->path, size, size - needed, opts->raw);
}

/** Says how the pixels are stored, for people. */
static void set_meaning(rug_file *file, const layout *l, int gzipped)
{
    const char *type = l->coding.is_half ? "f16" : rug_dtype_name(l->coding.stored);
    const char *order = rugi_coding_size(&l->coding) == 1 ? ""
                        : l->is_big                       ? " big-endian"
                                                          : " little-endian";
    int n = snprintf(file->meaning, sizeof file->meaning, "raw %s%s%s", type, order,
                     gzipped ? ", unzipped" : "");
    if (l->offset > 0)
        snprintf(file->meaning + n, sizeof file->meaning - (size_t)n, ", offset %" PRIu64,
                 l->offset);
    file->facts.meaning = file->meaning;
}

static rug_status open_raw(rug_context *ctx, rug_file *file, const rug_read_options *opts)
{
    layout l;
    char problem[PROBLEM_MAX];
    int begins_so = rugi_is_gzip(file->head, file->n_head);
    int gzipped = begins_so && rugi_has_ending(file->path, ".gz");
    file->facts.format = "raw";
    if (!parse(&l, opts->raw, problem))
        return rug_context_fail(ctx, RUG_E_ARG, "%s: layout of raw pixels: %s",
                                file->path, problem);
    rug_status status = rugi_check_array(ctx, file, opts, l.ndim);
    if (status == RUG_OK)
        status = check_size(ctx, file, opts, &l, gzipped);
    if (status == RUG_OK)
        status =
            rugi_file_set_image(ctx, file, rugi_coding_dtype(&l.coding), l.ndim, l.shape);
    if (status != RUG_OK)
        return status;
    if (gzipped)
        warn_zipped_rest(ctx, file, opts, &l);
    else if (begins_so && l.offset == 0)
        rug_context_warn(ctx,
                         "%s: begins as a gzip file does, but is read as it is; it is "
                         "unzipped when its name ends in .gz",
                         file->path);
    set_meaning(file, &l, gzipped);
    const rugi_pixel_place place = {.path = file->path,
                                    .n_bytes = file->n_bytes,
                                    .packing = gzipped ? RUGI_GZIP : RUGI_PLAIN,
                                    .offset = l.offset};
    return rugi_stream_pixels(ctx, file, &l.coding, &place);
}

const rugi_reader rugi_raw_reader = {NULL, open_raw};
