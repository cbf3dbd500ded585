/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Chunks of PNG that are no pixels (ISO/IEC 15948:2004, 11.3; eXIf: PNG third edition). libpng is told
 * to pass over them, and would refuse profiles that programs take; so they are read and made here. */

#include "png_chunks.h"
#include "io/arrays/gunzip.h"
#include "io/base/file_notes.h"
#include <math.h>
#include <string.h>
#include <unistd.h>

/* Chunks that are passed over, and bytes of EXIF that are looked at. */
#define MAX_CHUNKS 65536
#define EXIF_BYTES 4096

/* Where bytes of EXIF are: the tag, and the type of its value. */
#define ORIENTATION_TAG 274
#define SHORT_TYPE      3

/* Of iCCP: the name of the profile at most, with its end, and the number of the method behind it. */
#define NAME_MAX_BYTES 80
#define METHOD_DEFLATE 0

/* A chunk that was found. */
typedef struct chunk {
    uint64_t at; /* of its bytes; 0: there is none */
    uint64_t n;
} chunk;

/* @param is_little  the lowest byte comes first */
static uint32_t number(const unsigned char *bytes, size_t n, int is_little)
{
    uint32_t value = 0;
    for (size_t i = 0; i < n; i++)
        value = value << 8 | bytes[is_little ? n - 1 - i : i];
    return value;
}

/* @return how many bytes were read */
static size_t read_some(int in, unsigned char *to, size_t most, const chunk *c)
{
    size_t n = c->n < most ? (size_t)c->n : most;
    ssize_t got = c->at != 0 ? pread(in, to, n, (off_t)c->at) : 0;
    return got > 0 ? (size_t)got : 0;
}

/* ---- Orientation and resolution ---- */

/* The orientation that n bytes of EXIF state in their first directory (CIPA DC-008, 4.6.2); 1 = none. */
static int exif_orientation(const unsigned char *bytes, size_t n)
{
    int is_little = n >= 8 && bytes[0] == 'I';
    size_t at = n >= 8 ? number(bytes + 4, 4, is_little) : n;
    if (at > n || n - at < 2)
        return 1;
    size_t n_entries = number(bytes + at, 2, is_little);
    const unsigned char *entry = bytes + at + 2;
    for (size_t left = n - at - 2; n_entries > 0 && left >= 12;
         n_entries--, left -= 12, entry += 12)
        if (number(entry, 2, is_little) == ORIENTATION_TAG &&
            number(entry + 2, 2, is_little) == SHORT_TYPE)
            return (int)number(entry + 8, 2, is_little);
    return 1;
}

static void note_resolution(rug_file *file, int in, const chunk *phys)
{
    unsigned char bytes[RUGI_PNG_PHYS_BYTES];
    if (phys->n != sizeof bytes ||
        read_some(in, bytes, sizeof bytes, phys) != sizeof bytes)
        return;
    double x = number(bytes, 4, 0), y = number(bytes + 4, 4, 0);
    if (bytes[8] == 1)
        rugi_note_resolution(file, y / 1000, x / 1000, "mm");
    else
        rugi_note_resolution(file, y, x, NULL);
}

/* ---- The profile ---- */

/* Unpacks a profile. @param n  of the packed bytes */
static rug_status unpack(rug_context *ctx, rug_file *file, const unsigned char *packed,
                         size_t n)
{
    rugi_gunzip in;
    size_t got = 0;
    const rugi_packed from = {file->path, RUGI_ZLIB, 0, packed, n};
    unsigned char *profile =
        rug_context_allocate(ctx, RUG_FILE_PROFILE_MAX + 1, 1, file->path);
    rug_status status = profile != NULL ? RUG_OK : RUG_E_NOMEM;
    if (status == RUG_OK)
        status = rugi_gunzip_open(ctx, &in, &from);
    if (status == RUG_OK) {
        status = rugi_gunzip_read(ctx, &in, profile, RUG_FILE_PROFILE_MAX + 1, &got);
        int is_whole = status == RUG_OK && (in.ended || got > RUG_FILE_PROFILE_MAX);
        rugi_gunzip_close(ctx, &in);
        if (is_whole)
            status = rugi_keep_profile(ctx, file, profile, got);
        else
            rugi_warn_of_profile(ctx, file, "it is damaged");
    } else if (status == RUG_E_UNSUPPORTED)
        rugi_warn_of_profile(ctx, file, rug_context_error(ctx));
    rug_context_release(ctx, profile);
    return status == RUG_E_NOMEM ? status : RUG_OK;
}

/* Reads the chunk as a whole; a deflated profile has hardly more bytes than it has itself. */
static rug_status note_profile(rug_context *ctx, rug_file *file, int in,
                               const chunk *iccp)
{
    if (iccp->at == 0)
        return RUG_OK;
    if (iccp->n > file->n_bytes - iccp->at || iccp->n > RUG_FILE_PROFILE_MAX * 2) {
        rugi_warn_of_profile(ctx, file, "it is cut off, or has more than 4 MiB");
        return RUG_OK;
    }
    size_t n = (size_t)iccp->n;
    unsigned char *bytes = rug_context_allocate(ctx, n + 1, 1, file->path);
    if (bytes == NULL)
        return RUG_E_NOMEM;
    rug_status status = RUG_OK;
    n = read_some(in, bytes, n, iccp);
    size_t name =
        n > 0 ? strnlen((char *)bytes, n < NAME_MAX_BYTES ? n : NAME_MAX_BYTES) : 0;
    if (n == iccp->n && name < NAME_MAX_BYTES && name + 2 < n &&
        bytes[name + 1] == METHOD_DEFLATE)
        status = unpack(ctx, file, bytes + name + 2, n - name - 2);
    else
        rugi_warn_of_profile(ctx, file, "it is damaged");
    rug_context_release(ctx, bytes);
    return status;
}

/* ---- All of it ---- */

static void find_chunks(const rug_file *file, int in, chunk *exif, chunk *phys,
                        chunk *iccp)
{
    unsigned char head[8];
    uint64_t at = 8;
    for (int i = 0; i < MAX_CHUNKS && at + 12 <= file->n_bytes; i++) {
        if (pread(in, head, sizeof head, (off_t)at) != (ssize_t)sizeof head)
            return;
        const chunk c = {at + 8, number(head, 4, 0)};
        if (memcmp(head + 4, "eXIf", 4) == 0 && exif->at == 0)
            *exif = c;
        else if (memcmp(head + 4, "pHYs", 4) == 0 && phys->at == 0)
            *phys = c;
        else if (memcmp(head + 4, "iCCP", 4) == 0 && iccp->at == 0)
            *iccp = c;
        at += 12 + c.n;
    }
}

rug_status rugi_png_read_notes(rug_context *ctx, rug_file *file, int in)
{
    unsigned char bytes[EXIF_BYTES];
    chunk exif = {0, 0}, phys = {0, 0}, iccp = {0, 0};
    find_chunks(file, in, &exif, &phys, &iccp);
    size_t n = read_some(in, bytes, sizeof bytes, &exif);
    rugi_file_set_orientation(file, exif_orientation(bytes, n));
    if (!file->wants_notes)
        return RUG_OK;
    note_resolution(file, in, &phys);
    return note_profile(ctx, file, in, &iccp);
}

/* ---- Writing ---- */

static void put(uint8_t *to, uint32_t value, int n)
{
    for (int i = 0; i < n; i++)
        to[i] = (uint8_t)(value >> 8 * (n - 1 - i));
}

void rugi_png_make_exif(uint8_t to[RUGI_PNG_EXIF_BYTES], int orientation)
{
    memset(to, 0, RUGI_PNG_EXIF_BYTES);
    memcpy(to, "MM\0*", 4);
    put(to + 4, 8, 4); /* where the directory is, */
    put(to + 8, 1, 2); /* of one entry */
    put(to + 10, ORIENTATION_TAG, 2);
    put(to + 12, SHORT_TYPE, 2);
    put(to + 14, 1, 4);
    put(to + 18, (uint32_t)orientation, 2);
}

/* What pixels of a unit are counted in, so that the ratio of both is kept where PNG has no unit. */
static double scale_of(const rug_file_notes *notes)
{
    const double *d = notes->spacing;
    if (notes->unit != NULL)
        return 1e3 / rugi_mm_of(notes->unit);
    for (int a = 0; a < 2; a++)
        if (fabs(1 / d[a] - floor(1 / d[a] + 0.5)) > 1e-6 / d[a])
            return 1e6 * (d[0] > d[1] ? d[0] : d[1]);
    return 1;
}

int rugi_png_make_phys(uint8_t to[RUGI_PNG_PHYS_BYTES], const rug_file_notes *notes)
{
    if (!(notes->spacing[0] > 0 && notes->spacing[1] > 0))
        return 0;
    double scale = scale_of(notes);
    for (int a = 0; a < 2; a++) {
        double n = floor(scale / notes->spacing[1 - a] + 0.5);
        if (!(n >= 1 && n <= INT32_MAX))
            return 0;
        put(to + 4 * a, (uint32_t)n, 4);
    }
    to[8] = notes->unit != NULL;
    return 1;
}

/* Of zlib (RFC 1950). */
static uint32_t adler32(const uint8_t *bytes, size_t n)
{
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < n; i++) {
        a = (a + bytes[i]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

/* Blocks of deflate whose bytes are stored (RFC 1951, 3.2.4). @return behind them */
static uint8_t *put_stored(uint8_t *to, const uint8_t *from, size_t n)
{
    for (size_t k; n > 0; n -= k, from += k, to += k) {
        k = n < UINT16_MAX ? n : UINT16_MAX;
        to[0] = k == n; /* the last one */
        to[1] = (uint8_t)k;
        to[2] = (uint8_t)(k >> 8);
        to[3] = (uint8_t)~to[1];
        to[4] = (uint8_t)~to[2];
        to += 5;
        memcpy(to, from, k);
    }
    return to;
}

uint8_t *rugi_png_make_profile(rug_context *ctx, size_t *n, const rug_file_notes *notes)
{
    static const uint8_t head[] = {'I', 'C', 'C', 0, METHOD_DEFLATE, 0x78, 0x01};
    size_t size = notes->icc_size, blocks = (size + UINT16_MAX - 1) / UINT16_MAX;
    *n = sizeof head + size + 5 * blocks + 4;
    uint8_t *bytes = rug_context_allocate(ctx, *n, 1, "a colour profile");
    if (bytes == NULL)
        return NULL;
    memcpy(bytes, head, sizeof head);
    uint8_t *end = put_stored(bytes + sizeof head, notes->icc, size);
    put(end, adler32(notes->icc, size), 4);
    return bytes;
}
