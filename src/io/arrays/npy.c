/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Reads NumPy's .npy files: the header (versions 1 to 3), the type of the values, whether the
 * file is long enough, and arrays of 2 or 3 axes as images. Pixels keep the order that they have
 * in the file (Fortran order becomes strides); the other byte order is swapped. Three planes are
 * a volume, never colour. Archives (.npz) are not read. */

#include "npy_array.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- The dictionary ----
 *
 * A strict parser of the one Python literal that .npy files begin with. It looks at no byte
 * beyond the text it is given and takes no memory. */

/** A place in the text. */
typedef struct cursor {
    const char *at;
    const char *end;
} cursor;

static void skip_blanks(cursor *c)
{
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\n' || *c->at == '\t'))
        c->at++;
}

/** Takes one character after blanks. */
static int take(cursor *c, char wanted)
{
    skip_blanks(c);
    if (c->at == c->end || *c->at != wanted)
        return 0;
    c->at++;
    return 1;
}

/** Takes a word as it stands. */
static int take_word(cursor *c, const char *word)
{
    size_t n = strlen(word);
    skip_blanks(c);
    if ((size_t)(c->end - c->at) < n || memcmp(c->at, word, n) != 0)
        return 0;
    c->at += n;
    return 1;
}

/** Takes a quoted text without escapes into `out` of `size` bytes. */
static int take_text(cursor *c, char *out, size_t size)
{
    skip_blanks(c);
    if (c->at == c->end || (*c->at != '\'' && *c->at != '"'))
        return 0;
    char quote = *c->at++;
    const char *begin = c->at;
    while (c->at < c->end && *c->at != quote && *c->at != '\\' && *c->at != '\0')
        c->at++;
    size_t n = (size_t)(c->at - begin);
    if (c->at == c->end || *c->at != quote || n >= size)
        return 0;
    memcpy(out, begin, n);
    out[n] = '\0';
    c->at++;
    return 1;
}

static int take_number(cursor *c, uint64_t *out)
{
    skip_blanks(c);
    const char *begin = c->at;
    uint64_t value = 0;
    for (; c->at < c->end && *c->at >= '0' && *c->at <= '9'; c->at++) {
        uint64_t digit = (uint64_t)(*c->at - '0');
        if (value > (UINT64_MAX - digit) / 10)
            return 0;
        value = value * 10 + digit;
    }
    if (c->at == begin)
        return 0;
    if (c->at < c->end && *c->at == 'L') /* as Python 2 wrote them */
        c->at++;
    *out = value;
    return 1;
}

static const char *parse_shape(cursor *c, rugi_npy_header *out)
{
    if (!take(c, '('))
        return "shape is not a tuple";
    out->ndim = 0;
    while (!take(c, ')')) {
        uint64_t size;
        if (!take_number(c, &size))
            return "shape holds something other than sizes";
        if (out->ndim == RUGI_NPY_AXES)
            return "shape has more than 32 axes";
        out->shape[out->ndim++] = size;
        if (take(c, ','))
            continue;
        if (!take(c, ')') || out->ndim == 1) /* (5) is no tuple, (5,) is */
            return "shape is not a tuple";
        break;
    }
    return NULL;
}

/** A type is a text; a list of fields is skipped to its closing bracket. */
static const char *parse_descr(cursor *c, rugi_npy_header *out)
{
    if (take_text(c, out->descr, sizeof out->descr))
        return NULL;
    if (!take(c, '['))
        return "descr is neither a text nor a list";
    out->descr[0] = '\0';
    for (int depth = 1; depth > 0; c->at++) {
        if (c->at == c->end)
            return "descr is a list without an end";
        depth += *c->at == '[' ? 1 : *c->at == ']' ? -1 : 0;
    }
    return NULL;
}

static const char *parse_order(cursor *c, rugi_npy_header *out)
{
    out->fortran_order = take_word(c, "True");
    if (!out->fortran_order && !take_word(c, "False"))
        return "fortran_order is neither True nor False";
    return NULL;
}

/** Parses one `key: value`.
 *  @param seen  one flag per key */
static const char *parse_item(cursor *c, rugi_npy_header *out, int seen[3])
{
    static const char *const keys[] = {"descr", "fortran_order", "shape"};
    static const char *(*const parse[])(cursor *, rugi_npy_header *) = {
        parse_descr, parse_order, parse_shape};
    char key[16];
    if (!take_text(c, key, sizeof key) || !take(c, ':'))
        return "a key is expected";
    for (int i = 0; i < 3; i++)
        if (strcmp(key, keys[i]) == 0) {
            if (seen[i]++)
                return "a key occurs twice";
            return parse[i](c, out);
        }
    return "a key is neither descr, fortran_order nor shape";
}

/* Parses the dictionary text, a Python literal with exactly the keys descr,
 *  fortran_order and shape. Knows no escapes and no nesting but what NumPy writes.
 *  @param text  n bytes, no end needed
 *  @return NULL, or what is wrong: static text */
static const char *npy_parse(rugi_npy_header *out, const char *text, size_t n)
{
    cursor c = {text, text + n};
    int seen[3] = {0};
    memset(out, 0, sizeof *out);
    if (!take(&c, '{'))
        return "there is no dictionary";
    while (!take(&c, '}')) {
        const char *wrong = parse_item(&c, out, seen);
        if (wrong != NULL)
            return wrong;
        if (take(&c, ','))
            continue;
        if (!take(&c, '}'))
            return "the dictionary has no end";
        break;
    }
    skip_blanks(&c);
    if (c.at != c.end)
        return "there is text after the dictionary";
    if (!seen[0] || !seen[1] || !seen[2])
        return "descr, fortran_order or shape is missing";
    return NULL;
}

/* ---- Arrays ---- */

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
    else if ((wrong = npy_parse(&array->header, text, n)) != NULL)
        status = rug_context_fail(ctx, RUG_E_FORMAT, "%s: the npy header is invalid: %s",
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
                                strerror(errno));
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
    case 'O': return "Python objects are not numbers";
    case 'S':
    case 'U':
    case 'a':
    case 'V': return "texts and raw bytes are not numbers";
    case 'M':
    case 'm': return "dates and times are not plain numbers";
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
    array->coding = (rugi_pixel_coding){.slope = 1};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (kind - descr <= 1 && strcmp(kind, kinds[i].kind) == 0) {
            array->coding.stored = kinds[i].dtype;
            array->coding.is_half = kinds[i].is_half;
            array->coding.swap =
                descr[0] == (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? '<' : '>');
            return RUG_OK;
        }
    return rug_context_fail(ctx, RUG_E_UNSUPPORTED,
                            "%s: npy type '%s' is not supported: %s", array->path,
                            descr[0] != '\0' ? descr : "[...]", refusal(kind));
}

rug_status rugi_npy_open(rug_context *ctx, rugi_npy_array *array)
{
    rug_status status = read_header(ctx, array);
    return status == RUG_OK ? choose_coding(ctx, array) : status;
}

/* ---- Images ---- */

static int claims(const rug_file *file)
{
    return rugi_npy_claims(file->head, file->n_head);
}

/** Checks the axes and turns them into sizes, slowest axis as written first.
 *  @param n_pixels  their product */
static rug_status check_shape(rug_context *ctx, const rugi_npy_array *array,
                              size_t *shape, uint64_t *n_pixels)
{
    int ndim = array->header.ndim;
    if (ndim != 2 && ndim != 3)
        return rug_context_fail(
            ctx, RUG_E_UNSUPPORTED,
            "%s: the npy array has %d axes; 2 (image) or 3 (volume) expected%s",
            array->path, ndim,
            ndim == 1 ? "; --points reads numbers on a line as points" : "");
    rug_status status = rugi_npy_count_pixels(ctx, array, n_pixels);
    for (int i = 0; status == RUG_OK && i < ndim; i++)
        shape[i] = (size_t)array->header.shape[i];
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

static rug_status open_npy(rug_context *ctx, rug_file *file, const rug_read_options *opts)
{
    rugi_npy_array array = {.path = file->path, .n_bytes = file->n_bytes};
    uint64_t n_pixels = 0;
    size_t shape[RUG_MAX_AXES];
    file->facts.format = "npy";
    rug_status status = rugi_npy_open(ctx, &array);
    if (status == RUG_OK)
        status = check_shape(ctx, &array, shape, &n_pixels);
    const int ndim = array.header.ndim;
    if (status == RUG_OK)
        status = rugi_check_array(ctx, file, opts, ndim);
    if (status == RUG_OK)
        status = rugi_npy_check_length(ctx, &array, n_pixels);
    if (status == RUG_OK)
        status =
            rugi_file_set_image(ctx, file, rugi_coding_dtype(&array.coding), ndim, shape);
    const rugi_pixel_place place = rugi_npy_place(&array);
    if (status == RUG_OK)
        status = rugi_stream_pixels(ctx, file, &array.coding, &place);
    if (status == RUG_OK && array.header.fortran_order) {
        set_fortran_strides(&file->image);
        file->slabs.whole_only = 1;
    }
    return status;
}

const rugi_reader rugi_npy_reader = {claims, open_npy};
