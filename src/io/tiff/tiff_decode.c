/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Pages through libtiff: how samples become pixels, and strips and tiles decoded by one thread. */

#include "tiff_decode.h"
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- Samples ---- */

static int has_colours(const rugi_tiff_page *page)
{
    return page->photometric == PHOTOMETRIC_RGB ||
           page->photometric == PHOTOMETRIC_PALETTE ||
           page->photometric == PHOTOMETRIC_YCBCR;
}

/* What samples become, and how: floats of 16 to 64 bits, integers of 1 to 32 and of 64. Of those of 24
 * programs disagree whether their bytes have the order of the file (libtiff) or never (GDAL). */
static int find_dtype(const rugi_tiff_page *page, rug_dtype *dtype,
                      rugi_tiff_packed *packed)
{
    static const rug_dtype integers[2][4] = {{RUG_U8, RUG_U16, RUG_U32, RUG_U64},
                                             {RUG_I8, RUG_I16, RUG_I32, RUG_I64}};
    int bits = page->bits, is_float = page->format == SAMPLEFORMAT_IEEEFP;
    int is_unsigned = page->format == SAMPLEFORMAT_UINT;
    int size = bits <= 8 ? 0 : bits <= 16 ? 1 : bits <= 32 ? 2 : 3;
    memset(packed, 0, sizeof *packed);
    if (is_float && (bits == 16 || bits == 24 || bits == 32 || bits == 64))
        *dtype = bits == 64 ? RUG_F64 : RUG_F32;
    else if ((is_unsigned || page->format == SAMPLEFORMAT_INT) && bits >= 1 &&
             (bits <= 32 || bits == 64) && bits != 24)
        *dtype = integers[!is_unsigned][size];
    else
        return 0;
    if (bits == 8 * (int)rug_dtype_size(*dtype))
        return 1;
    *packed = (rugi_tiff_packed){.bits = bits, .dtype = *dtype};
    packed->is_spread = is_unsigned && bits < 8 && !page->as_indices;
    packed->is_inverted = is_unsigned && page->photometric == PHOTOMETRIC_MINISWHITE;
    return 1;
}

/* Indices are one unsigned sample of a pixel. */
static int can_be_indexed(const rugi_tiff_page *page)
{
    return page->samples == 1 && page->format == SAMPLEFORMAT_UINT && page->bits >= 1 &&
           page->bits <= 8;
}

/* Whether samples are looked up. */
static int is_indexed(const rugi_tiff_page *page)
{
    return can_be_indexed(page) &&
           (page->bits < 8 ||
            (page->photometric == PHOTOMETRIC_PALETTE && !page->as_indices));
}

/* Whether colours are made of luminance and chrominance here; of JPEG libtiff makes them. */
static int is_converted(const rugi_tiff_page *page)
{
    return page->photometric == PHOTOMETRIC_YCBCR &&
           page->compression != COMPRESSION_JPEG;
}

/* How many pixels share their colour, as TIFF 6.0 allows it. */
static int is_known_subsampling(const rugi_tiff_page *page)
{
    int across = page->subsampling[0], down = page->subsampling[1];
    return (across == 1 || across == 2 || across == 4) &&
           (down == 1 || down == 2 || down == 4);
}

static int is_known_ycbcr(const rugi_tiff_page *page)
{
    int is_plain = page->bits == 8 && page->samples == 3 && page->n_alpha == 0 &&
                   page->format == SAMPLEFORMAT_UINT;
    return is_plain && !page->is_planar &&
           (!is_converted(page) || is_known_subsampling(page));
}

int rugi_tiff_is_known(const rugi_tiff_page *page)
{
    rug_dtype dtype;
    rugi_tiff_packed packed;
    int is_plain = find_dtype(page, &dtype, &packed) && page->samples >= 1;
    if (!rugi_tiff.TIFFIsCODECConfigured((uint16_t)page->compression) ||
        page->compression == COMPRESSION_OJPEG || page->block[0] == 0)
        return 0;
    switch (page->photometric) {
    case PHOTOMETRIC_MINISBLACK:
    case PHOTOMETRIC_MINISWHITE:
    case PHOTOMETRIC_SEPARATED:
    case PHOTOMETRIC_LOGL: /* libtiff makes luminance of it */
    case PHOTOMETRIC_RGB: return is_plain;
    case PHOTOMETRIC_PALETTE:
        return can_be_indexed(page) ||
               (page->as_indices && is_plain && page->samples == 1 &&
                page->format == SAMPLEFORMAT_UINT);
    case PHOTOMETRIC_YCBCR: return is_known_ycbcr(page);
    default: return 0;
    }
}

/* ---- Tables ---- */

/* Old colour maps have 8 bits. @param maps  of n colours each */
static void copy_maps(rugi_tiff_table table, uint16_t *const maps[3], size_t n)
{
    int is_wide = 0;
    for (int c = 0; c < 3; c++)
        for (size_t i = 0; i < n; i++)
            is_wide |= maps[c][i] >= 256;
    for (int c = 0; c < 3; c++)
        for (size_t i = 0; i < n; i++)
            table[c][i] = (uint8_t)(is_wide ? maps[c][i] >> 8 : maps[c][i]);
}

static int read_table(TIFF *tiff, const rugi_tiff_page *page, rugi_tiff_table table,
                      int *is_gray)
{
    uint16_t *maps[3];
    unsigned n = 1u << page->bits;
    *is_gray = 1;
    if (page->as_indices || page->photometric != PHOTOMETRIC_PALETTE) {
        for (unsigned i = 0; i < n; i++) {
            unsigned light = page->as_indices ? i : i * 255 / (n - 1);
            table[0][i] =
                (uint8_t)(page->photometric == PHOTOMETRIC_MINISWHITE ? 255 - light
                                                                      : light);
        }
        return 1;
    }
    if (!rugi_tiff.TIFFGetField(tiff, TIFFTAG_COLORMAP, &maps[0], &maps[1], &maps[2]))
        return 0;
    copy_maps(table, maps, n);
    *is_gray = memcmp(table[0], table[1], n) == 0 && memcmp(table[0], table[2], n) == 0;
    return 1;
}

/* ---- The choice ---- */

/* Whether alpha can come with a page's pixels. What is unpacked is inverted as a whole. */
static int can_keep_alpha(const rugi_tiff_page *page, const rugi_tiff_samples *samples)
{
    int is_plain = page->photometric == PHOTOMETRIC_RGB ||
                   page->photometric == PHOTOMETRIC_MINISBLACK ||
                   page->photometric == PHOTOMETRIC_MINISWHITE;
    return is_plain && !samples->is_indexed && !samples->packed.is_inverted;
}

rug_status rugi_tiff_choose(rug_context *ctx, rug_file *file, rugi_tiff_samples *out,
                            const rugi_tiff_page *page, int is_gray, int channel)
{
    int is_palette = page->photometric == PHOTOMETRIC_PALETTE && !page->as_indices;
    memset(out, 0, sizeof *out);
    out->bits = page->bits;
    out->is_indexed = is_indexed(page);
    out->bands = (rugi_bands){RUG_U8, is_palette && !is_gray ? 3 : page->samples, 0, 0};
    if (!out->is_indexed)
        find_dtype(page, &out->bands.dtype, &out->packed);
    int is_colour = out->bands.n >= 3 && has_colours(page);
    rug_status status =
        rugi_bands_choose(ctx, file, &out->bands, page->n_alpha, is_colour, channel);
    int is_apart = page->is_planar && page->samples > 1;
    int chosen = out->bands.chosen;
    out->packed.is_inverted = out->packed.is_inverted && chosen == 0;
    out->is_inverted = !out->is_indexed && out->packed.bits == 0 && chosen == 0 &&
                       page->photometric == PHOTOMETRIC_MINISWHITE &&
                       page->format == SAMPLEFORMAT_UINT;
    if (can_keep_alpha(page, out))
        rugi_bands_keep_alpha(file, &out->bands, page->n_alpha, channel);
    out->n_parts = is_apart ? (chosen < 0 ? 3 : 1) + (out->bands.alpha > 0) : 1;
    out->part = is_apart && chosen >= 0 ? chosen : 0;
    out->n_mixed = is_apart ? 1 : page->samples;
    return status;
}

/* ---- Rows ---- */

/* Looks up n indices. @param step  from one value of `to` to the next */
static void look_up(uint8_t *to, size_t step, const unsigned char *from, size_t n,
                    int bits, const uint8_t *table)
{
    unsigned mask = (1u << bits) - 1, ahead = 0;
    size_t x = 0;
    for (; x < n && 8 % bits == 0; from++)
        for (int shift = 8 - bits; shift >= 0 && x < n; shift -= bits, x++)
            to[x * step] = table[(unsigned)*from >> shift & mask];
    for (int there = 0; x < n; x++) {
        for (; there < bits; there += 8)
            ahead = (ahead & 0xff) << 8 | *from++;
        there -= bits;
        to[x * step] = table[ahead >> there & mask];
    }
}

#define MIX(type)                  \
    for (size_t x = 0; x < n; x++) \
    memcpy(to + parts * x * sizeof(type), from + x * sizeof(type), sizeof(type))

/* Puts a plane's values beside those of others, of which there are `parts` in all. */
static void mix_plane(unsigned char *to, const unsigned char *from, size_t n, size_t size,
                      size_t parts)
{
    if (size == 1)
        MIX(uint8_t);
    else if (size == 2)
        MIX(uint16_t);
    else if (size == 4)
        MIX(uint32_t);
    else
        MIX(uint64_t);
}

/* Puts the parts of pixels beside each other.
 *  @param unpacked  room for a part */
static void mix_parts(const rugi_tiff_samples *samples, unsigned char *to,
                      unsigned char *from, size_t step, size_t n, void *unpacked)
{
    size_t size = rug_dtype_size(samples->bands.dtype);
    size_t parts = (size_t)samples->n_parts;
    for (size_t c = 0; c < parts; c++, from += step) {
        if (samples->packed.bits != 0)
            rugi_tiff_unpack(&samples->packed, unpacked, from, n);
        mix_plane(to + c * size, samples->packed.bits != 0 ? unpacked : from, n, size,
                  parts);
    }
}

int rugi_tiff_take(const rugi_tiff_samples *samples, rugi_tiff_table table, void *to,
                   unsigned char *from, size_t step, size_t n, size_t plane, void *room)
{
    const rugi_bands *bands = &samples->bands;
    rugi_bands beside = {bands->dtype, samples->n_mixed, bands->chosen, bands->alpha};
    unsigned char *unpacked =
        (unsigned char *)room + RUGI_TIFF_PARTS_MAX * n * rug_dtype_size(bands->dtype);
    if (samples->is_indexed && bands->n == 1) {
        look_up(to, 1, from, n, samples->bits, table[0]);
        return 0;
    }
    if (samples->n_parts > 1 || samples->is_indexed) {
        beside.n = samples->is_indexed ? 3 : samples->n_parts;
        for (size_t c = 0; c < 3 && samples->is_indexed; c++)
            look_up((uint8_t *)room + c, 3, from, n, samples->bits, table[c]);
        if (!samples->is_indexed)
            mix_parts(samples, room, from, step, n, unpacked);
        return rugi_bands_take(&beside, to, room, n, plane);
    }
    if (samples->packed.bits != 0) {
        rugi_tiff_unpack(&samples->packed, unpacked, from, n * (size_t)samples->n_mixed);
        from = unpacked;
    }
    if (samples->n_mixed == 1)
        beside.chosen = 0; /* the part is the plane that was chosen */
    int differ = rugi_bands_take(&beside, to, from, n, plane);
    rugi_tiff_invert(samples, to, n);
    return differ;
}

/* ---- Strips and tiles ---- */

/* Adds what a block is converted from: groups of at most 4 by 4 pixels, of 18 bytes. */
static int add_converted(uint64_t *bytes, const rugi_tiff_page *page,
                         const rugi_tiff_blocks *blocks)
{
    uint64_t most;
    if (*bytes > PTRDIFF_MAX ||
        !rugi_multiply(&most, (uint64_t)blocks->width / 4 + 1, 72) ||
        !rugi_multiply(&most, most, (uint64_t)blocks->height / 4 + 1) ||
        most > PTRDIFF_MAX - *bytes)
        return 0;
    *bytes += rugi_tiff_ycbcr_bytes(page, blocks->width, blocks->height);
    return 1;
}

int rugi_tiff_divide(rugi_tiff_blocks *out, const rugi_tiff_page *page,
                     const rugi_tiff_samples *samples)
{
    uint64_t bits = (uint64_t)samples->bits * (uint64_t)samples->n_mixed, bytes;
    memset(out, 0, sizeof *out);
    out->is_tiled = page->block[1] != 0;
    out->height = page->block[0];
    out->width = out->is_tiled ? page->block[1] : page->width;
    if (!out->is_tiled && out->height > page->height)
        out->height = page->height;
    out->down = (page->height - 1) / out->height + 1;
    out->across = (page->width - 1) / out->width + 1;
    out->row_bytes = (size_t)((bits * out->width + 7) / 8);
    out->is_fax = page->compression == COMPRESSION_CCITTRLE ||
                  page->compression == COMPRESSION_CCITTRLEW ||
                  page->compression == COMPRESSION_CCITTFAX3 ||
                  page->compression == COMPRESSION_CCITTFAX4;
    out->is_converted = is_converted(page);
    out->is_plain = !out->is_tiled && page->compression == COMPRESSION_NONE &&
                    !page->is_reversed && !out->is_converted;
    if (!rugi_multiply(&bytes, out->row_bytes, out->height) ||
        !rugi_multiply(&bytes, bytes, (uint64_t)samples->n_parts) ||
        (out->is_converted && !add_converted(&bytes, page, out)) || bytes > PTRDIFF_MAX)
        return 0;
    out->bytes = (size_t)bytes;
    return 1;
}

/* ---- Directories ---- */

static int fail(rugi_tiff_worker *worker, const char *text)
{
    snprintf(worker->handle.error, sizeof worker->handle.error, "%s", text);
    return 0;
}

static int go_to(TIFF *tiff, const rugi_tiff_page *page)
{
    uint16_t n = 0;
    const uint64_t *offsets = NULL;
    if (!rugi_tiff.TIFFSetSubDirectory(tiff, page->offset))
        return 0;
    if (page->subifd < 0)
        return 1;
    return rugi_tiff.TIFFGetField(tiff, TIFFTAG_SUBIFD, &n, &offsets) &&
           page->subifd < n && rugi_tiff.TIFFSetSubDirectory(tiff, offsets[page->subifd]);
}

/* Sets how libtiff decodes the directory that it stands at. */
static int set_up(rugi_tiff_worker *worker, const rugi_tiff_page *page)
{
    TIFF *tiff = worker->handle.tiff;
    if (page->photometric == PHOTOMETRIC_YCBCR && !is_converted(page))
        rugi_tiff.TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
    if (rugi_tiff_is_log(page))
        rugi_tiff.TIFFSetField(tiff, TIFFTAG_SGILOGDATAFMT, SGILOGDATAFMT_FLOAT);
    if (is_indexed(page) && !read_table(tiff, page, worker->table, &worker->is_gray))
        return fail(worker, "the colour map is missing");
    return 1;
}

int rugi_tiff_enter(rugi_tiff_worker *worker, const char *path,
                    const rugi_tiff_page *page)
{
    rugi_tiff_page there;
    rugi_tiff_handle *handle = &worker->handle;
    if (handle->tiff == NULL && !rugi_tiff_open(handle, -1, path, "rm"))
        return 0;
    if (worker->offset == page->offset && worker->subifd == page->subifd)
        return 1;
    worker->offset = worker->strip = 0;
    if (!go_to(handle->tiff, page))
        return 0;
    rugi_tiff_read_page(handle->tiff, &there);
    if (!rugi_tiff_same_pixels(&there, page) || !rugi_tiff_same_layout(&there, page))
        return fail(worker, "the file has changed, or its pages differ");
    handle->error[0] = '\0';
    if (!set_up(worker, page))
        return 0;
    worker->offset = page->offset;
    worker->subifd = page->subifd;
    return 1;
}

/* ---- Blocks ---- */

/* libtiff must agree about a row's bytes, since it is told where to write rows. */
static int check_row(rugi_tiff_worker *worker, const rugi_tiff_blocks *blocks)
{
    TIFF *tiff = worker->handle.tiff;
    uint64_t bytes = blocks->is_tiled ? rugi_tiff.TIFFTileRowSize64(tiff)
                                      : rugi_tiff.TIFFScanlineSize64(tiff);
    return bytes == blocks->row_bytes || fail(worker, "rows have an unexpected size");
}

/* Decodes a tile or a whole strip. @param block  its number among all planes' */
static int decode_block(rugi_tiff_worker *worker, const rugi_tiff_blocks *blocks,
                        uint64_t block, size_t n_bytes, unsigned char *to)
{
    TIFF *tiff = worker->handle.tiff;
    tmsize_t bytes = (tmsize_t)n_bytes, done;
    if (block > UINT32_MAX)
        return 0;
    worker->strip = 0;
    if (blocks->is_fax)
        memset(to, 0, n_bytes);
    done = blocks->is_tiled
               ? rugi_tiff.TIFFReadEncodedTile(tiff, (uint32_t)block, to, bytes)
               : rugi_tiff.TIFFReadEncodedStrip(tiff, (uint32_t)block, to, bytes);
    return done == bytes && worker->handle.error[0] == '\0';
}

/* Makes red, green and blue of a block. @param n  its rows, behind which there is room */
static int convert_block(rugi_tiff_worker *worker, const rugi_tiff_page *page,
                         const rugi_tiff_blocks *blocks, size_t index, size_t n,
                         unsigned char *to)
{
    unsigned char *stored = to + n * blocks->row_bytes;
    uint64_t bytes = rugi_tiff_ycbcr_bytes(page, blocks->width, n);
    return decode_block(worker, blocks, index, (size_t)bytes, stored) &&
           (rugi_tiff_ycbcr(worker->handle.tiff, page, to, stored, blocks->width, n) ||
            fail(worker, "YCbCrCoefficients or ReferenceBlackWhite make no colours"));
}

/* Decodes one row of a strip. */
static int decode_row(rugi_tiff_worker *worker, const rugi_tiff_blocks *blocks,
                      uint16_t plane, size_t row, unsigned char *to)
{
    uint64_t strip = 1 + row / blocks->height + (uint64_t)plane * blocks->down;
    size_t y = worker->next;
    if (worker->strip != strip || y > row)
        y = row - row % blocks->height;
    worker->strip = 0;
    for (; y <= row; y++)
        if (rugi_tiff.TIFFReadScanline(worker->handle.tiff, to, (uint32_t)y, plane) !=
                1 ||
            worker->handle.error[0] != '\0')
            return 0;
    worker->strip = strip;
    worker->next = row + 1;
    return 1;
}

/* ---- Plain strips ---- */

static int read_at(rugi_tiff_worker *worker, unsigned char *to, size_t n, uint64_t offset)
{
    int file = rugi_tiff.TIFFFileno(worker->handle.tiff);
    size_t done = 0;
    while (done < n && offset <= (uint64_t)INT64_MAX - n) {
        ssize_t k = pread(file, to + done, n - done, (off_t)(offset + done));
        if (k > 0)
            done += (size_t)k;
        else if (k == 0)
            break;
        else if (errno != EINTR)
            return fail(worker, strerror(errno));
    }
    if (done == n)
        return 1;
    snprintf(worker->handle.error, sizeof worker->handle.error,
             "cut off: %zu of %zu bytes are there", done, n);
    return 0;
}

static void swap_bytes(TIFF *tiff, void *pixels, size_t n_bytes, int bits)
{
    if (!rugi_tiff.TIFFIsByteSwapped(tiff))
        return;
    tmsize_t n = (tmsize_t)(8 * n_bytes / (size_t)bits);
    switch (bits) {
    case 16: rugi_tiff.TIFFSwabArrayOfShort(pixels, n); break;
    case 24: rugi_tiff.TIFFSwabArrayOfTriples(pixels, n); break;
    case 32: rugi_tiff.TIFFSwabArrayOfLong(pixels, n); break;
    case 64: rugi_tiff.TIFFSwabArrayOfLong8(pixels, n); break;
    default: break;
    }
}

/* Reads n rows from strips that are plain. */
static int read_plain(rugi_tiff_worker *worker, const rugi_tiff_page *page,
                      const rugi_tiff_samples *samples, const rugi_tiff_blocks *blocks,
                      uint64_t plane, size_t row, size_t n, unsigned char *to)
{
    TIFF *tiff = worker->handle.tiff;
    while (n > 0) {
        size_t index = row / blocks->height, above = row % blocks->height;
        size_t rows = page->height - (row - above);
        if (rows > blocks->height)
            rows = blocks->height;
        size_t k = rows - above < n ? rows - above : n, bytes = k * blocks->row_bytes;
        uint64_t strip = plane * blocks->down + index;
        if (strip > UINT32_MAX)
            return 0;
        uint64_t offset =
            rugi_tiff.TIFFGetStrileOffset(tiff, (uint32_t)strip) + page->shift;
        uint64_t there = rugi_tiff.TIFFGetStrileByteCount(tiff, (uint32_t)strip);
        worker->row = row;
        if (there < rows * blocks->row_bytes) {
            snprintf(worker->handle.error, sizeof worker->handle.error,
                     "a strip of %" PRIu64 " bytes; %zu expected", there,
                     rows * blocks->row_bytes);
            return 0;
        }
        if (!read_at(worker, to, bytes, offset + above * blocks->row_bytes))
            return 0;
        swap_bytes(tiff, to, bytes, samples->bits);
        row += k;
        n -= k;
        to += bytes;
    }
    return 1;
}

/* ---- Rows ---- */

int rugi_tiff_decode(rugi_tiff_worker *worker, const rugi_tiff_page *page,
                     const rugi_tiff_samples *samples, const rugi_tiff_blocks *blocks,
                     int part, size_t row, size_t column, size_t n, unsigned char *to)
{
    uint16_t plane = (uint16_t)(samples->part + part);
    size_t index = row / blocks->height * blocks->across + column / blocks->width;
    uint64_t blocks_of_plane = (uint64_t)blocks->down * blocks->across;
    int is_whole =
        row % blocks->height == 0 && (n == blocks->height || row + n == page->height);
    if (blocks->is_plain)
        return read_plain(worker, page, samples, blocks, plane, row, n, to);
    if (blocks->is_converted)
        return convert_block(worker, page, blocks, index, n, to);
    if (!check_row(worker, blocks))
        return 0;
    /* Of a fax, rows that are missing at the end come as white rows, as from libvips. */
    if (blocks->is_tiled || (is_whole && !blocks->is_fax))
        return decode_block(worker, blocks, plane * blocks_of_plane + index,
                            n * blocks->row_bytes, to);
    for (size_t y = 0; y < n; y++)
        if (!decode_row(worker, blocks, plane, row + y, to + y * blocks->row_bytes))
            return 0;
    return 1;
}
