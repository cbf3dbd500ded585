/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Notes of a stream, written and read: chunks of a tag, a length and so many bytes. */

#include "ifs_notes.h"
#include "ifs_bytes.h"
#include <math.h>
#include <string.h>

/* Bytes before those of a chunk: its tag, its length. */
#define HEAD_BYTES 5

/* Bytes of both distances. */
#define SPACING_BYTES 16

#define ORIENTATION_MAX 8

enum {
    TAG_PROFILE = 'I',
    TAG_ORIENTATION = 'O',
    TAG_SPACING = 'S',
    TAG_PREMULTIPLIED = 'P'
};

/* ---- Values ---- */

static int is_distance(double v)
{
    return isfinite(v) && v >= 0;
}

static int is_unit(const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (text[i] <= ' ' || text[i] > '~')
            return 0;
    return n < RUG_IFS_UNIT_MAX;
}

static size_t unit_bytes(const rug_ifs_notes *notes)
{
    const char *end = memchr(notes->unit, '\0', sizeof notes->unit);
    return end != NULL ? (size_t)(end - notes->unit) : sizeof notes->unit;
}

static int has_spacing(const rug_ifs_notes *notes)
{
    return notes->spacing[0] > 0 || notes->spacing[1] > 0;
}

rug_status rugi_ifs_notes_check(rug_context *ctx, const rug_ifs_notes *notes)
{
    if ((notes->icc == NULL) != (notes->icc_size == 0) ||
        notes->icc_size > RUG_IFS_PROFILE_MAX)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "a colour profile of %zu bytes at %s given: at most %zu "
                                "expected, or NULL and 0",
                                notes->icc_size,
                                notes->icc != NULL ? "an address" : "NULL",
                                RUG_IFS_PROFILE_MAX);
    if (notes->orientation < 0 || notes->orientation > ORIENTATION_MAX)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "the orientation is %d, 1 to 8 expected, or 0: not said",
                                notes->orientation);
    if (!is_distance(notes->spacing[0]) || !is_distance(notes->spacing[1]))
        return rug_context_fail(ctx, RUG_E_ARG,
                                "the distance of pixels is %g and %g, finite numbers "
                                "from 0 on expected",
                                notes->spacing[0], notes->spacing[1]);
    if (!is_unit(notes->unit, unit_bytes(notes)))
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "the unit of the distance of pixels: at most %d printable "
            "characters of ASCII without blanks expected",
            RUG_IFS_UNIT_MAX - 1);
    return RUG_OK;
}

/* ---- Writing ---- */

size_t rugi_ifs_notes_size(const rug_ifs_notes *notes)
{
    size_t n = 0;
    if (notes == NULL)
        return 0;
    if (notes->icc_size > 0)
        n += HEAD_BYTES + notes->icc_size;
    if (notes->orientation > 0)
        n += HEAD_BYTES + 1;
    if (has_spacing(notes))
        n += HEAD_BYTES + SPACING_BYTES + unit_bytes(notes);
    if (notes->premultiplied)
        n += HEAD_BYTES + 1;
    return n;
}

/* @return where the bytes of the chunk go */
static uint8_t *put_head(uint8_t *to, int tag, size_t n)
{
    to[0] = (uint8_t)tag;
    rugi_ifs_put_bytes(to + 1, n, 4);
    return to + HEAD_BYTES;
}

static uint8_t *put_number(uint8_t *to, int tag, int value)
{
    to = put_head(to, tag, 1);
    *to = (uint8_t)value;
    return to + 1;
}

static uint8_t *put_spacing(uint8_t *to, const rug_ifs_notes *notes)
{
    size_t n = unit_bytes(notes);
    to = put_head(to, TAG_SPACING, SPACING_BYTES + n);
    for (int a = 0; a < 2; a++) {
        uint64_t bits;
        memcpy(&bits, &notes->spacing[a], sizeof bits);
        rugi_ifs_put_bytes(to + 8 * a, bits, 8);
    }
    memcpy(to + SPACING_BYTES, notes->unit, n);
    return to + SPACING_BYTES + n;
}

void rugi_ifs_notes_write(uint8_t *to, const rug_ifs_notes *notes)
{
    if (notes->orientation > 0)
        to = put_number(to, TAG_ORIENTATION, notes->orientation);
    if (has_spacing(notes))
        to = put_spacing(to, notes);
    if (notes->premultiplied)
        to = put_number(to, TAG_PREMULTIPLIED, 1);
    if (notes->icc_size > 0)
        memcpy(put_head(to, TAG_PROFILE, notes->icc_size), notes->icc, notes->icc_size);
}

/* ---- Reading ---- */

static int take_spacing(rug_ifs_notes *out, const uint8_t *bytes, size_t n)
{
    if (n < SPACING_BYTES ||
        !is_unit((const char *)bytes + SPACING_BYTES, n - SPACING_BYTES))
        return 0;
    for (int a = 0; a < 2; a++) {
        uint64_t bits = rugi_ifs_get_bytes(bytes + 8 * a, 8);
        memcpy(&out->spacing[a], &bits, sizeof bits);
    }
    memcpy(out->unit, bytes + SPACING_BYTES, n - SPACING_BYTES);
    return is_distance(out->spacing[0]) && is_distance(out->spacing[1]) &&
           has_spacing(out);
}

/* Takes one chunk. @return 0: its bytes say nothing that is allowed */
static int take(rug_ifs_notes *out, int tag, const uint8_t *bytes, size_t n)
{
    switch (tag) {
    case TAG_PROFILE:
        out->icc = bytes;
        out->icc_size = n;
        return n > 0 && n <= RUG_IFS_PROFILE_MAX;
    case TAG_ORIENTATION:
        out->orientation = n == 1 ? bytes[0] : 0;
        return out->orientation >= 1 && out->orientation <= ORIENTATION_MAX;
    case TAG_SPACING: return take_spacing(out, bytes, n);
    case TAG_PREMULTIPLIED:
        out->premultiplied = n == 1 && bytes[0] == 1;
        return out->premultiplied;
    default: return 1;
    }
}

static int is_there(const rug_ifs_notes *out, int tag)
{
    return (tag == TAG_PROFILE && out->icc != NULL) ||
           (tag == TAG_ORIENTATION && out->orientation > 0) ||
           (tag == TAG_SPACING && has_spacing(out)) ||
           (tag == TAG_PREMULTIPLIED && out->premultiplied);
}

static void clear(rug_ifs_notes *out)
{
    size_t size = out->struct_size;
    memset(out, 0, sizeof *out);
    out->struct_size = size;
}

rug_status rugi_ifs_notes_read(rug_context *ctx, rug_ifs_notes *out, const uint8_t *bytes,
                               size_t n)
{
    clear(out);
    for (size_t at = 0; at < n;) {
        int is_whole = n - at >= HEAD_BYTES;
        int tag = bytes[at];
        uint64_t length = is_whole ? rugi_ifs_get_bytes(bytes + at + 1, 4) : 0;
        if (is_whole && length <= n - at - HEAD_BYTES && !is_there(out, tag) &&
            take(out, tag, bytes + at + HEAD_BYTES, (size_t)length)) {
            at += HEAD_BYTES + (size_t)length;
            continue;
        }
        clear(out);
        return rug_context_fail(
            ctx, RUG_E_FORMAT,
            "the notes of the stream are damaged: byte %zu of %zu begins "
            "no chunk that is allowed",
            at, n);
    }
    return RUG_OK;
}
