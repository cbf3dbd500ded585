/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Reads stored pixels chunk by chunk, swaps their bytes, and converts them on the way to
 * where they are wanted, so that no second copy is made. It knows no header. zlib's
 * reader serves plain files as well as gzipped ones. */

#include "pixel_stream.h"
#include <assert.h>
#include <errno.h>
#include <glib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <zlib.h>

/** Bytes read at once. */
#define CHUNK ((size_t)1 << 20)

/** A file whose pixels are read in passes. */
typedef struct pixel_stream {
    rugi_pixel_coding coding;
    char *path;
    uint64_t offset; /* of the first pixel */
    uint64_t n_pixels;
    uint64_t done; /* pixels read in this pass */
    gzFile in;     /* NULL between passes */
} pixel_stream;

size_t rugi_coding_size(const rugi_pixel_coding *coding)
{
    return coding->is_half ? 2 : rug_dtype_size(coding->stored);
}

rug_dtype rugi_coding_dtype(const rugi_pixel_coding *coding)
{
    if (coding->is_half)
        return RUG_F32;
    if (!coding->scaled)
        return coding->stored;
    return rug_dtype_size(coding->stored) <= 2 || coding->stored == RUG_F32 ? RUG_F32
                                                                            : RUG_F64;
}

rug_status rugi_check_length(rug_context *ctx, const char *path, uint64_t n_bytes,
                             int gzipped, uint64_t offset, uint64_t needed)
{
    uint64_t present = n_bytes;
    if (gzipped && !rugi_multiply(&present, n_bytes, RUGI_DEFLATE_MAX))
        present = UINT64_MAX;
    if (offset <= present && needed <= present - offset)
        return RUG_OK;
    if (gzipped)
        return rug_context_fail(ctx, RUG_E_FORMAT,
                                "%s: the header promises %" PRIu64
                                " bytes of pixels, more than a "
                                "gzip file of %" PRIu64 " bytes can hold",
                                path, needed, n_bytes);
    return rug_context_fail(ctx, RUG_E_FORMAT,
                            "%s: cut off: %" PRIu64 " of %" PRIu64
                            " bytes of pixels are there",
                            path, offset < present ? present - offset : 0, needed);
}

static void swap_pixels(unsigned char *pixels, size_t n, size_t size)
{
    for (size_t i = 0; i < n; i++, pixels += size) {
        uint16_t two;
        uint32_t four;
        uint64_t eight;
        if (size == 2) {
            memcpy(&two, pixels, 2);
            two = GUINT16_SWAP_LE_BE(two);
            memcpy(pixels, &two, 2);
        } else if (size == 4) {
            memcpy(&four, pixels, 4);
            four = GUINT32_SWAP_LE_BE(four);
            memcpy(pixels, &four, 4);
        } else if (size == 8) {
            memcpy(&eight, pixels, 8);
            eight = GUINT64_SWAP_LE_BE(eight);
            memcpy(pixels, &eight, 8);
        }
    }
}

/** The value of a 16-bit float (IEEE 754-2008 binary16); exact. */
static float half_value(uint16_t bits)
{
    int exponent = (bits >> 10) & 31;
    int fraction = bits & 1023;
    float value = exponent == 31  ? (fraction != 0 ? NAN : INFINITY)
                  : exponent == 0 ? ldexpf((float)fraction, -24)
                                  : ldexpf((float)(fraction + 1024), exponent - 25);
    return bits & 0x8000 ? -value : value;
}

static void convert_halves(float *to, const unsigned char *from, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint16_t bits;
        memcpy(&bits, from + 2 * i, 2);
        to[i] = half_value(bits);
    }
}

#define SCALER(name, type)                                                           \
    static void name(void *to, int to_f32, const void *from, size_t n, double slope, \
                     double intercept)                                               \
    {                                                                                \
        const type *pixels = from;                                                   \
        float *f32 = to;                                                             \
        double *f64 = to;                                                            \
        for (size_t i = 0; i < n; i++) {                                             \
            double value = slope * (double)pixels[i] + intercept;                    \
            if (to_f32)                                                              \
                f32[i] = (float)value;                                               \
            else                                                                     \
                f64[i] = value;                                                      \
        }                                                                            \
    }

SCALER(scale_u8, uint8_t)
SCALER(scale_i8, int8_t)
SCALER(scale_u16, uint16_t)
SCALER(scale_i16, int16_t)
SCALER(scale_u32, uint32_t)
SCALER(scale_i32, int32_t)
SCALER(scale_u64, uint64_t)
SCALER(scale_i64, int64_t)
SCALER(scale_f32, float)
SCALER(scale_f64, double)

/** Converts one chunk that lies in an aligned buffer. */
static void convert(void *to, const rugi_pixel_coding *coding, const unsigned char *from,
                    size_t n)
{
    typedef void (*scaler)(void *, int, const void *, size_t, double, double);
    static const scaler scalers[RUG_N_DTYPES] = {
        NULL,      scale_u8,  scale_i8,  scale_u16, scale_i16, scale_u32,
        scale_i32, scale_u64, scale_i64, scale_f32, scale_f64};
    if (coding->is_half)
        convert_halves(to, from, n);
    else
        scalers[coding->stored](to, rugi_coding_dtype(coding) == RUG_F32, from, n,
                                coding->slope, coding->intercept);
}

/** The failure of a short read: damaged, or cut off after `got` bytes of pixels. */
static rug_status short_read(rug_context *ctx, const pixel_stream *s, uint64_t got)
{
    int code;
    const char *text = gzerror(s->in, &code);
    if (code == Z_ERRNO)
        return rug_context_fail(ctx, RUG_E_IO, "%s: cannot be read: %s", s->path,
                                g_strerror(errno));
    if (code == Z_DATA_ERROR)
        return rug_context_fail(ctx, RUG_E_FORMAT, "%s: the gzip stream is damaged: %s",
                                s->path, text);
    if (code == Z_MEM_ERROR)
        return rug_context_fail(ctx, RUG_E_NOMEM, "%s: no memory for unzipping", s->path);
    return rug_context_fail(ctx, RUG_E_FORMAT,
                            "%s: cut off: %" PRIu64 " of %" PRIu64
                            " bytes of pixels are there",
                            s->path, got, s->n_pixels * rugi_coding_size(&s->coding));
}

/** Reads exactly n bytes, n <= CHUNK. */
static int read_exactly(gzFile in, void *to, size_t n, size_t *got)
{
    int answer = gzread(in, to, (unsigned)n);
    *got = answer > 0 ? (size_t)answer : 0;
    return *got == n;
}

static void end_pass(pixel_stream *s)
{
    if (s->in != NULL)
        gzclose(s->in);
    s->in = NULL;
}

/** Opens the file anew and goes to its first pixel. */
static rug_status begin_pass(rug_context *ctx, pixel_stream *s)
{
    end_pass(s);
    s->done = 0;
    s->in = gzopen(s->path, "rb");
    if (s->in == NULL)
        return rug_context_fail(ctx, RUG_E_IO, "%s: cannot be opened: %s", s->path,
                                g_strerror(errno));
    gzbuffer(s->in, 1u << 17);
    if (gzseek(s->in, (z_off_t)s->offset, SEEK_SET) != (z_off_t)s->offset)
        return short_read(ctx, s, 0);
    return RUG_OK;
}

/** Reads and converts the next pixels.
 *  @param buffer  CHUNK bytes, or NULL when pixels stay as they are */
static rug_status read_pixels(rug_context *ctx, pixel_stream *s, unsigned char *to,
                              uint64_t n_pixels, unsigned char *buffer)
{
    size_t from_size = rugi_coding_size(&s->coding);
    size_t to_size = rug_dtype_size(rugi_coding_dtype(&s->coding));
    for (uint64_t done = 0; done < n_pixels;) {
        size_t n = n_pixels - done < CHUNK / from_size ? (size_t)(n_pixels - done)
                                                       : CHUNK / from_size;
        unsigned char *place = buffer != NULL ? buffer : to;
        size_t got;
        if (!read_exactly(s->in, place, n * from_size, &got))
            return short_read(ctx, s, s->done * from_size + got);
        if (s->coding.swap)
            swap_pixels(place, n, from_size);
        if (buffer != NULL)
            convert(to, &s->coding, buffer, n);
        to += n * to_size;
        done += n;
        s->done += n;
        rug_status status = rug_context_step(ctx, (double)done / (double)n_pixels);
        if (status != RUG_OK)
            return status;
    }
    return RUG_OK;
}

/** At the end of a gzip stream stands its checksum; zlib compares it when more is asked
 * for. */
static rug_status check_end(rug_context *ctx, const pixel_stream *s)
{
    unsigned char more;
    int code;
    int n = gzread(s->in, &more, 1);
    const char *text = gzerror(s->in, &code);
    if (n < 0 || code == Z_BUF_ERROR)
        return rug_context_fail(ctx, RUG_E_FORMAT, "%s: the gzip stream is damaged: %s",
                                s->path, text);
    return RUG_OK;
}

/** Reads the next pixels of a pass, or the first of a new one. */
static rug_status read_next(rug_context *ctx, pixel_stream *s, void *to, int begin,
                            uint64_t n_pixels)
{
    unsigned char *buffer = NULL;
    rug_status status = RUG_OK;
    if (s->coding.scaled || s->coding.is_half) {
        buffer = rug_context_allocate(ctx, CHUNK, 1, s->path);
        status = buffer != NULL ? RUG_OK : RUG_E_NOMEM;
    }
    if (status == RUG_OK && begin)
        status = begin_pass(ctx, s);
    if (status == RUG_OK)
        status = read_pixels(ctx, s, to, n_pixels, buffer);
    if (status == RUG_OK && s->done == s->n_pixels)
        status = check_end(ctx, s);
    if (status != RUG_OK || s->done == s->n_pixels)
        end_pass(s);
    rug_context_release(ctx, buffer);
    return status;
}

rug_status rugi_read_pixels(rug_context *ctx, void *pixels, uint64_t n_pixels,
                            const rugi_pixel_coding *coding, const char *path,
                            uint64_t offset)
{
    assert(pixels != NULL);
    pixel_stream s = {.path = (char *)(uintptr_t)path,
                      .coding = *coding,
                      .offset = offset,
                      .n_pixels = n_pixels};
    return read_next(ctx, &s, pixels, 1, n_pixels);
}

static rug_status read_layers(rug_context *ctx, rug_file *file, void *to, size_t first,
                              size_t n)
{
    pixel_stream *s = file->slabs.state;
    return read_next(ctx, s, to, first == 0, n * (s->n_pixels / file->image.shape[0]));
}

static void close_stream(rug_context *ctx, void *state)
{
    pixel_stream *s = state;
    end_pass(s);
    rug_context_release(ctx, s->path);
    rug_context_release(ctx, s);
}

rug_status rugi_stream_pixels(rug_context *ctx, rug_file *file,
                              const rugi_pixel_coding *coding, const char *path,
                              uint64_t offset)
{
    assert(file->image.dtype == rugi_coding_dtype(coding));
    size_t n = strlen(path) + 1;
    pixel_stream *s = rug_context_allocate(ctx, 1, sizeof *s, path);
    if (s == NULL)
        return RUG_E_NOMEM;
    *s = (pixel_stream){
        .coding = *coding, .offset = offset, .n_pixels = rug_image_pixels(&file->image)};
    file->slabs = (rugi_slabs){.read = read_layers, .close = close_stream, .state = s};
    s->path = rug_context_allocate(ctx, n, 1, path);
    if (s->path == NULL)
        return RUG_E_NOMEM;
    memcpy(s->path, path, n);
    return RUG_OK;
}
