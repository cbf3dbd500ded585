/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Opens .npy files: magic, version, header, type, and whether the file is long enough.
 * What the axes mean is the business of those who ask. Archives (.npz) are not read. */

#include "npy_array.h"
#include <errno.h>
#include <glib.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MAGIC "\x93NUMPY"

/** Bytes of magic, version and header length at most. */
#define PREFIX_MAX 12

/** The longest dictionary that is read; NumPy itself stops at 10000 bytes. */
#define HEADER_MAX 65536

static rug_status cut_header(rug_context *ctx, const rugi_npy_array *array)
{
    return rug_context_fail(ctx, RUG_E_FORMAT,
                            "%s: cut off within the npy header (%" PRIu64 " bytes)",
                            array->path, array->n_bytes);
}

/** Reads magic, version and length.
 *  @param begin  where the dictionary begins
 *  @param n      its length */
static rug_status read_prefix(rug_context *ctx, const rugi_npy_array *array, FILE *in,
                              size_t *begin, size_t *n)
{
    unsigned char p[PREFIX_MAX];
    if (fread(p, 1, 10, in) != 10)
        return cut_header(ctx, array);
    if (p[6] < 1 || p[6] > 3)
        return rug_context_fail(ctx, RUG_E_UNSUPPORTED,
                                "%s: npy version %d.%d; versions 1 to 3 are known",
                                array->path, p[6], p[7]);
    *begin = p[6] == 1 ? 10 : 12;
    uint64_t length = (uint64_t)p[8] | (uint64_t)p[9] << 8;
    if (p[6] > 1) {
        if (fread(p + 10, 1, 2, in) != 2)
            return cut_header(ctx, array);
        length |= (uint64_t)p[10] << 16 | (uint64_t)p[11] << 24;
    }
    if (length > HEADER_MAX)
        return rug_context_fail(ctx, RUG_E_FORMAT,
                                "%s: the npy header says it has %" PRIu64
                                " bytes, at most %d expected",
                                array->path, length, HEADER_MAX);
    *n = (size_t)length;
    return RUG_OK;
}

static rug_status parse_stream(rug_context *ctx, rugi_npy_array *array, FILE *in)
{
    size_t begin = 0, n = 0;
    rug_status status = read_prefix(ctx, array, in, &begin, &n);
    if (status != RUG_OK)
        return status;
    char *text = rug_context_allocate(ctx, n, 1, array->path);
    if (text == NULL)
        return RUG_E_NOMEM;
    const char *wrong = NULL;
    if (fread(text, 1, n, in) != n)
        status = cut_header(ctx, array);
    else if ((wrong = rugi_npy_parse(&array->header, text, n)) != NULL)
        status =
            rug_context_fail(ctx, RUG_E_FORMAT, "%s: the npy header is no valid one: %s",
                             array->path, wrong);
    rug_context_release(ctx, text);
    array->offset = begin + n;
    return status;
}

static rug_status read_header(rug_context *ctx, rugi_npy_array *array)
{
    FILE *in = fopen(array->path, "rb");
    if (in == NULL)
        return rug_context_fail(ctx, RUG_E_IO, "%s: cannot be opened: %s", array->path,
                                g_strerror(errno));
    rug_status status = parse_stream(ctx, array, in);
    fclose(in);
    return status;
}

/** Why a type is not read. */
static const char *refusal(const char *kind)
{
    switch (kind[0]) {
    case '\0': return "a structured type has no single value per pixel";
    case 'c': return "complex values have no order; store a magnitude or one part";
    case 'O': return "Python objects are no numbers";
    case 'S':
    case 'U':
    case 'a':
    case 'V': return "texts and raw bytes are no numbers";
    case 'M':
    case 'm': return "dates and times are no plain numbers";
    default:
        return "integers of 1 to 8 bytes, booleans and floats of 2 to 8 bytes are read";
    }
}

/** Finds out how the pixels are coded from a text such as "<f4". */
static rug_status choose_coding(rug_context *ctx, rugi_npy_array *array)
{
    static const struct {
        const char *kind;
        rug_dtype dtype;
        int is_half;
    } kinds[] = {{"b1", RUG_U8, 0},  {"?", RUG_U8, 0},   {"u1", RUG_U8, 0},
                 {"i1", RUG_I8, 0},  {"u2", RUG_U16, 0}, {"i2", RUG_I16, 0},
                 {"u4", RUG_U32, 0}, {"i4", RUG_I32, 0}, {"u8", RUG_U64, 0},
                 {"i8", RUG_I64, 0}, {"f2", RUG_F32, 1}, {"f4", RUG_F32, 0},
                 {"f8", RUG_F64, 0}};
    const char *descr = array->header.descr;
    const char *kind = descr + strspn(descr, "<>|=");
    array->coding = (rugi_cell_coding){.slope = 1};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (kind - descr <= 1 && strcmp(kind, kinds[i].kind) == 0) {
            array->coding.stored = kinds[i].dtype;
            array->coding.is_half = kinds[i].is_half;
            array->coding.swap = descr[0] == (G_BYTE_ORDER == G_BIG_ENDIAN ? '<' : '>');
            return RUG_OK;
        }
    return rug_context_fail(ctx, RUG_E_UNSUPPORTED, "%s: npy type '%s' is not read: %s",
                            array->path, descr[0] != '\0' ? descr : "[...]",
                            refusal(kind));
}

int rugi_npy_claims(const unsigned char *head, size_t n)
{
    return n >= 6 && memcmp(head, MAGIC, 6) == 0;
}

rug_status rugi_npy_open(rug_context *ctx, rugi_npy_array *array)
{
    rug_status status = read_header(ctx, array);
    return status == RUG_OK ? choose_coding(ctx, array) : status;
}

rug_status rugi_npy_count_pixels(rug_context *ctx, const rugi_npy_array *array,
                                 uint64_t *n_pixels)
{
    const uint64_t *shape = array->header.shape;
    int fits = 1;
    *n_pixels = 1;
    for (int i = 0; i < array->header.ndim; i++) {
        if (shape[i] == 0)
            return rug_context_fail(
                ctx, RUG_E_FORMAT,
                "%s: axis %d of the npy array has no pixels; at least 1 expected",
                array->path, i);
        fits =
            fits && shape[i] <= SIZE_MAX && rugi_multiply(n_pixels, *n_pixels, shape[i]);
    }
    if (!fits)
        return rug_context_fail(
            ctx, RUG_E_FORMAT,
            "%s: the npy header promises more pixels than an address can count",
            array->path);
    return RUG_OK;
}

rug_status rugi_npy_check_room(rug_context *ctx, const rugi_npy_array *array,
                               uint64_t n_pixels)
{
    uint64_t needed;
    if (!rugi_multiply(&needed, n_pixels, rugi_coding_size(&array->coding)))
        needed = UINT64_MAX;
    return rugi_check_room(ctx, array->path, array->n_bytes, 0, array->offset, needed);
}
