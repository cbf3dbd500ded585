/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Reads NumPy's .npy files of 2 or 3 axes. Cells keep the order that they have in the
 * file (Fortran order becomes strides); the other byte order is swapped. Never colour:
 * three planes are a volume. Archives (.npz) are not read. */

#include "cell_stream.h"
#include "npy_header.h"
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

static int claims(const rug_file *file)
{
    return file->n_head >= 6 && memcmp(file->head, MAGIC, 6) == 0;
}

static rug_status cut_header(rug_context *ctx, const rug_file *file)
{
    return rug_context_fail(ctx, RUG_E_FORMAT,
                            "%s: cut off within the npy header (%" PRIu64 " bytes)",
                            file->path, file->n_bytes);
}

/** Reads magic, version and length.
 *  @param begin  where the dictionary begins
 *  @param n      its length */
static rug_status read_prefix(rug_context *ctx, const rug_file *file, FILE *in,
                              size_t *begin, size_t *n)
{
    unsigned char p[PREFIX_MAX];
    if (fread(p, 1, 10, in) != 10)
        return cut_header(ctx, file);
    if (p[6] < 1 || p[6] > 3)
        return rug_context_fail(ctx, RUG_E_UNSUPPORTED,
                                "%s: npy version %d.%d; versions 1 to 3 are known",
                                file->path, p[6], p[7]);
    *begin = p[6] == 1 ? 10 : 12;
    uint64_t length = (uint64_t)p[8] | (uint64_t)p[9] << 8;
    if (p[6] > 1) {
        if (fread(p + 10, 1, 2, in) != 2)
            return cut_header(ctx, file);
        length |= (uint64_t)p[10] << 16 | (uint64_t)p[11] << 24;
    }
    if (length > HEADER_MAX)
        return rug_context_fail(ctx, RUG_E_FORMAT,
                                "%s: the npy header says it has %" PRIu64
                                " bytes, at most %d expected",
                                file->path, length, HEADER_MAX);
    *n = (size_t)length;
    return RUG_OK;
}

/** @param offset  where the cells begin */
static rug_status parse_stream(rug_context *ctx, const rug_file *file, FILE *in,
                               rugi_npy_header *header, uint64_t *offset)
{
    size_t begin = 0, n = 0;
    rug_status status = read_prefix(ctx, file, in, &begin, &n);
    if (status != RUG_OK)
        return status;
    char *text = rug_context_allocate(ctx, n, 1, file->path);
    if (text == NULL)
        return RUG_E_NOMEM;
    const char *wrong = NULL;
    if (fread(text, 1, n, in) != n)
        status = cut_header(ctx, file);
    else if ((wrong = rugi_npy_parse(header, text, n)) != NULL)
        status =
            rug_context_fail(ctx, RUG_E_FORMAT, "%s: the npy header is no valid one: %s",
                             file->path, wrong);
    rug_context_release(ctx, text);
    *offset = begin + n;
    return status;
}

static rug_status read_header(rug_context *ctx, const rug_file *file,
                              rugi_npy_header *header, uint64_t *offset)
{
    FILE *in = fopen(file->path, "rb");
    if (in == NULL)
        return rug_context_fail(ctx, RUG_E_IO, "%s: cannot be opened: %s", file->path,
                                g_strerror(errno));
    rug_status status = parse_stream(ctx, file, in, header, offset);
    fclose(in);
    return status;
}

/** Why a type is not read. */
static const char *refusal(const char *kind)
{
    switch (kind[0]) {
    case '\0': return "a structured type has no single value per cell";
    case 'c': return "complex values have no order; store a magnitude or one part";
    case 'O': return "Python objects are no numbers";
    case 'S':
    case 'U':
    case 'a':
    case 'V': return "texts and raw bytes are no numbers";
    case 'M':
    case 'm': return "dates and times are no image values";
    default:
        return "integers of 1 to 8 bytes, booleans and floats of 2 to 8 bytes are read";
    }
}

/** Finds out how the cells are coded from a text such as "<f4". */
static rug_status choose_coding(rug_context *ctx, const rug_file *file, const char *descr,
                                rugi_cell_coding *coding)
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
    const char *kind = descr + strspn(descr, "<>|=");
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (kind - descr <= 1 && strcmp(kind, kinds[i].kind) == 0) {
            coding->stored = kinds[i].dtype;
            coding->is_half = kinds[i].is_half;
            coding->swap = descr[0] == (G_BYTE_ORDER == G_BIG_ENDIAN ? '<' : '>');
            return RUG_OK;
        }
    return rug_context_fail(ctx, RUG_E_UNSUPPORTED, "%s: npy type '%s' is not read: %s",
                            file->path, descr[0] != '\0' ? descr : "[...]",
                            refusal(kind));
}

/** Checks the axes and turns them into sizes, slowest axis as written first.
 *  @param n_cells  their product */
static rug_status check_shape(rug_context *ctx, const rug_file *file,
                              const rugi_npy_header *header, size_t *shape,
                              uint64_t *n_cells)
{
    if (header->ndim != 2 && header->ndim != 3)
        return rug_context_fail(
            ctx, RUG_E_UNSUPPORTED,
            "%s: the npy array has %d axes; 2 (image) or 3 (volume) expected", file->path,
            header->ndim);
    *n_cells = 1;
    int fits = 1;
    for (int i = 0; i < header->ndim; i++) {
        if (header->shape[i] == 0)
            return rug_context_fail(
                ctx, RUG_E_FORMAT,
                "%s: axis %d of the npy array has no cells; at least 1 expected",
                file->path, i);
        fits = fits && header->shape[i] <= SIZE_MAX &&
               rugi_multiply(n_cells, *n_cells, header->shape[i]);
        shape[i] = (size_t)header->shape[i];
    }
    if (!fits)
        return rug_context_fail(
            ctx, RUG_E_FORMAT,
            "%s: the npy header promises more cells than an address can count",
            file->path);
    return RUG_OK;
}

static rug_status check_asked(rug_context *ctx, const rug_file *file,
                              const rug_read_options *opts, int ndim)
{
    rug_status status = rugi_check_page(ctx, file, opts->page);
    if (status == RUG_OK)
        status = rugi_check_level(ctx, file, opts->level);
    if (status == RUG_OK)
        status = rugi_check_channel(ctx, file, opts->channel);
    if (status == RUG_OK && opts->volume && ndim == 2)
        status = rug_context_fail(
            ctx, RUG_E_ARG,
            "%s: a volume is asked, but the npy array has 2 axes; 3 expected",
            file->path);
    return status;
}

/** Fortran order: the first axis is the fastest. */
static void set_fortran_strides(rug_image *image)
{
    ptrdiff_t step = (ptrdiff_t)rug_dtype_size(image->dtype);
    for (int i = 0; i < image->ndim; i++) {
        image->stride[i] = step;
        step *= (ptrdiff_t)image->shape[i];
    }
}

static rug_status read_npy(rug_context *ctx, rug_file *file, const rug_read_options *opts)
{
    rugi_npy_header header;
    rugi_cell_coding coding = {.slope = 1};
    uint64_t offset = 0, n_cells = 0, needed = 0;
    size_t shape[RUG_MAX_AXES];
    file->facts.format = "npy";
    rug_status status = read_header(ctx, file, &header, &offset);
    if (status == RUG_OK)
        status = choose_coding(ctx, file, header.descr, &coding);
    if (status == RUG_OK)
        status = check_shape(ctx, file, &header, shape, &n_cells);
    if (status == RUG_OK)
        status = check_asked(ctx, file, opts, header.ndim);
    if (status == RUG_OK && !rugi_multiply(&needed, n_cells, rugi_coding_size(&coding)))
        needed = UINT64_MAX;
    if (status == RUG_OK)
        status = rugi_check_room(ctx, file->path, file->n_bytes, 0, offset, needed);
    if (status == RUG_OK)
        status = rugi_file_make_cells(ctx, file, rugi_coding_dtype(&coding), header.ndim,
                                      shape);
    if (status != RUG_OK)
        return status;
    if (header.fortran_order)
        set_fortran_strides(&file->image);
    return rugi_read_cells(ctx, file, &coding, file->path, offset);
}

const rugi_reader rugi_npy_reader = {claims, read_npy};
