/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* From what a reader decodes to what a file hands out: pixels that are stored turned or mirrored come
 * upright, and those that hold no data are NaN. */

#include "file_decode.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- Turning ----
 *
 * EXIF (tag 274, as TIFF) numbers the ways in which a picture is stored: which side of it the first row
 * and the first column are. */

static int swaps_axes(int orientation)
{
    return orientation >= 5;
}

static int reverses_rows(int orientation)
{
    return orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
}

static int reverses_columns(int orientation)
{
    return orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
}

/** Where the pixels of an upright layer stand in the stored one, in pixels. */
typedef struct turn {
    size_t height, width;     /* of the upright one */
    size_t first;             /* its first pixel */
    ptrdiff_t down, to_right; /* from one to the next */
} turn;

/** @param height, width  of the stored layer */
static turn plan_turn(int orientation, size_t height, size_t width)
{
    ptrdiff_t row = (ptrdiff_t)width, column = 1;
    turn t = {height, width, 0, 0, 0};
    if (reverses_rows(orientation)) {
        t.first += (height - 1) * width;
        row = -row;
    }
    if (reverses_columns(orientation)) {
        t.first += width - 1;
        column = -column;
    }
    if (swaps_axes(orientation))
        return (turn){width, height, t.first, column, row};
    t.down = row;
    t.to_right = column;
    return t;
}

/* Columns that are turned together, for the sake of the caches. */
#define TURN_COLUMNS 64

#define TURN(type)                                                                  \
    do {                                                                            \
        type *out = to;                                                             \
        const type *in = (const type *)from + t->first;                             \
        for (size_t left = 0; left < t->width; left += TURN_COLUMNS)                \
            for (size_t y = 0; y < t->height; y++)                                  \
                for (size_t x = left; x < t->width && x < left + TURN_COLUMNS; x++) \
                    out[y * t->width + x] =                                         \
                        in[(ptrdiff_t)y * t->down + (ptrdiff_t)x * t->to_right];    \
    } while (0)

static void turn_layer(void *to, const void *from, const turn *t, size_t size)
{
    switch (size) {
    case 1: TURN(uint8_t); break;
    case 2: TURN(uint16_t); break;
    case 4: TURN(uint32_t); break;
    default: TURN(uint64_t); break;
    }
}

/** Turns what was read of n stored layers. Layers of volumes and planes of colour are turned one by one, and so
 * are rows that are only mirrored; else the rows are one layer. */
static rug_status turn_layers(rug_context *ctx, const rug_file *file, void *pixels,
                              size_t n)
{
    const rug_image *image = &file->image;
    int orientation = file->facts.orientation, swaps = swaps_axes(orientation);
    int y = image->ndim - 2, is_one = y == 0 && orientation != 2;
    size_t height = y == 0 ? 1 : image->shape[swaps ? 2 : 1];
    const turn t =
        plan_turn(orientation, is_one ? n : height, image->shape[swaps ? y : y + 1]);
    size_t size = rug_dtype_size(image->dtype), n_bytes = t.height * t.width * size;
    unsigned char *layer = pixels;
    unsigned char *stored = rug_context_allocate(ctx, n_bytes, 1, file->path);
    if (stored == NULL)
        return RUG_E_NOMEM;
    for (size_t left = is_one ? 1 : n; left > 0; left--, layer += n_bytes) {
        memcpy(stored, layer, n_bytes);
        turn_layer(layer, stored, &t, size);
    }
    rug_context_release(ctx, stored);
    return RUG_OK;
}

/** @param y  the column of rows, before that of columns
 *  @param height, width  of a stored layer */
static void turn_affine(rug_file_facts *facts, int y, size_t height, size_t width)
{
    for (int i = 0; i < 3; i++) {
        double *row = facts->affine[i], down = row[y], to_right = row[y + 1];
        if (reverses_rows(facts->orientation)) {
            row[3] += down * (double)(height - 1);
            down = -down;
        }
        if (reverses_columns(facts->orientation)) {
            row[3] += to_right * (double)(width - 1);
            to_right = -to_right;
        }
        row[y] = swaps_axes(facts->orientation) ? to_right : down;
        row[y + 1] = swaps_axes(facts->orientation) ? down : to_right;
    }
}

/** Sets the image of an opened file as it will be turned. Only rows that are mirrored, and those that are
 * reversed where a reader can go back, come in parts. */
static void turn_image(rug_file *file, int as_stored)
{
    rug_image *image = &file->image;
    rug_file_facts *facts = &file->facts;
    int orientation = facts->orientation, y = image->ndim - 2;
    size_t height = image->shape[y];
    double distance = image->spacing[y];
    file->n_layers = image->shape[0];
    if (as_stored || orientation == 1)
        return;
    facts->is_turned = file->turns = 1;
    rug_context_release(file->ctx, file->place); /* which is that of the stored order */
    file->place = NULL;
    turn_affine(facts, facts->n_planes > 1 ? 0 : y, height, image->shape[y + 1]);
    if (y == 0 && orientation > (file->slabs.any_order ? 4 : 2))
        file->slabs.whole_only = 1;
    if (!swaps_axes(orientation))
        return;
    image->shape[y] = image->shape[y + 1];
    image->shape[y + 1] = height;
    image->stride[y] = (ptrdiff_t)height * image->stride[y + 1];
    image->spacing[y] = image->spacing[y + 1];
    image->spacing[y + 1] = distance;
}

/** The first stored one of n layers, which all are n_layers or follow on others. */
static size_t first_stored(const rug_file *file, size_t first, size_t n)
{
    int is_back =
        file->turns && file->image.ndim == 2 && reverses_rows(file->facts.orientation);
    return is_back ? file->n_layers - first - n : first;
}

/* ---- Pixels that hold no data ---- */

__extension__ typedef __int128 integer128;

/* The values of pixels of integers, from one to the other. @return whether they can have any */
static int seek_integers(rugi_nodata *d, rug_dtype dtype, rug_foreground value,
                         double limit)
{
    size_t bits = 8 * rug_dtype_size(dtype);
    int is_signed =
        dtype == RUG_I8 || dtype == RUG_I16 || dtype == RUG_I32 || dtype == RUG_I64;
    integer128 most = UINT64_MAX >> (64 - bits + (is_signed ? 1 : 0));
    integer128 least = is_signed ? -most - 1 : 0;
    if (!(fabs(value.value) <= 0x1p64 && value.value <= floor(value.value) &&
          fabs(limit) <= 0x1p64))
        return 0;
    integer128 v = (integer128)value.value + value.rest, begin = v, end = v;
    if (limit < value.value)
        begin = (integer128)ceil(limit);
    else if (limit > value.value)
        end = (integer128)floor(limit);
    begin = begin < least ? least : begin;
    end = end > most ? most : end;
    d->bits[0] = (uint64_t)begin;
    d->bits[1] = (uint64_t)end;
    return begin <= end;
}

/* As it is among floats of a type. */
static double round_to(rug_dtype dtype, double value)
{
    if (dtype == RUG_F32 && isfinite(value) && fabs(value) >= 0x1.ffffffp127)
        return (double)NAN;
    return dtype == RUG_F32 ? (double)(float)value : value;
}

static int is_real(rug_dtype dtype)
{
    return dtype == RUG_F32 || dtype == RUG_F64;
}

static void seek(rug_file *file, rug_foreground value, double limit, rug_nodata_as as)
{
    rugi_nodata *d = &file->nodata;
    rug_image *shown = &file->shown;
    rug_dtype dtype = file->image.dtype;
    size_t size = rug_dtype_size(dtype);
    file->facts.has_nodata = 1;
    file->facts.nodata = value.value;
    file->facts.nodata_rest = value.rest;
    file->facts.nodata_limit = limit;
    d->as = file->facts.nodata_as = as;
    d->is_sought = is_real(dtype) || seek_integers(d, dtype, value, limit);
    file->facts.is_counted = !d->is_sought; /* there are none */
    if (is_real(dtype)) {                   /* any may be NaN */
        d->is_nan = isnan(value.value);
        d->real[0] = round_to(dtype, fmin(value.value, limit));
        d->real[1] = round_to(dtype, fmax(value.value, limit));
    } else if (d->is_sought && as == RUG_NODATA_AS_NAN) {
        shown->dtype = size <= 2 ? RUG_F32 : RUG_F64;
        for (int a = 0; a < shown->ndim; a++)
            shown->stride[a] *= (ptrdiff_t)(rug_dtype_size(shown->dtype) / size);
    }
}

/* Reads what the file says: a number, "nan", "inf". @return 0: it is none */
static int parse_nodata(rug_foreground *value, const char *text)
{
    char rule[RUGI_NODATA_MAX + 8];
    *value = (rug_foreground){RUG_FOREGROUND_LABEL, (double)NAN, 0};
    if (strcasecmp(text, "nan") == 0 || strcasecmp(text, "-nan") == 0)
        return 1;
    snprintf(rule, sizeof rule, "label=%s", text[0] == '+' ? text + 1 : text);
    return rug_foreground_parse(NULL, value, rule) == RUG_OK;
}

/* Which pixels of a file hold no data, and what its image becomes. */
static rug_status find_nodata(rug_context *ctx, rug_file *file,
                              const rug_read_options *opts)
{
    rug_foreground value = {RUG_FOREGROUND_LABEL, opts->nodata_value, opts->nodata_rest};
    int is_given = opts->nodata == RUG_NODATA_VALUE;
    file->shown = file->image;
    file->facts.values = file->image.dtype;
    if (opts->nodata == RUG_NODATA_NONE || (!is_given && file->nodata_text[0] == '\0'))
        return RUG_OK;
    if (!is_given && !parse_nodata(&value, file->nodata_text)) {
        rug_context_warn(ctx,
                         "%s: says that '%s' stands for no data, which is no number; all "
                         "pixels are read as they are",
                         file->path, file->nodata_text);
        return RUG_OK;
    }
    if (rug_image_pixels(&file->image) > PTRDIFF_MAX / sizeof(double))
        return rug_context_fail(ctx, RUG_E_NOMEM,
                                "%s: more pixels than an address can count", file->path);
    double limit = !is_given && file->has_nodata_limit ? file->nodata_limit : value.value;
    seek(file, value, limit, opts->nodata_as);
    return RUG_OK;
}

/* Pixels that are looked at together. */
#define BLOCK 1024

#define MARK_INTEGERS(type, result, fill)                                       \
    do {                                                                        \
        const type *v = from, begin = (type)d->bits[0], end = (type)d->bits[1]; \
        result *r = to;                                                         \
        for (size_t i = 0; i < n; i++) {                                        \
            int is_none = v[i] >= begin && v[i] <= end;                         \
            n_none += is_none ? 1u : 0u;                                        \
            r[i] = is_none ? (result)(fill) : (result)v[i];                     \
        }                                                                       \
    } while (0)

#define INTEGERS(type, real)                                                   \
    do {                                                                       \
        if (d->as == RUG_NODATA_AS_NAN)                                        \
            MARK_INTEGERS(type, real, NAN);                                    \
        else                                                                   \
            MARK_INTEGERS(type, type, d->as == RUG_NODATA_AS_ZERO ? 0 : v[i]); \
    } while (0)

#define REALS(type)                                                                \
    do {                                                                           \
        const type *v = from, begin = (type)d->real[0], end = (type)d->real[1];    \
        type *r = to;                                                              \
        for (size_t i = 0; i < n; i++) {                                           \
            int is_nan = isnan(v[i]) != 0;                                         \
            int is_none = (v[i] >= begin && v[i] <= end) || (is_nan && d->is_nan); \
            n_none += is_none ? 1u : 0u;                                           \
            n_nan += is_nan && !is_none ? 1u : 0u;                                 \
            r[i] = !is_none || d->as == RUG_NODATA_AS_STORED ? v[i]                \
                   : d->as == RUG_NODATA_AS_ZERO             ? 0                   \
                                                             : (type)NAN;                      \
        }                                                                          \
    } while (0)

/* What becomes of a block of pixels. */
static void mark(rugi_nodata *d, rug_dtype dtype, void *to, const void *from, size_t n)
{
    uint64_t n_none = 0, n_nan = 0;
    switch (dtype) {
    case RUG_U8: INTEGERS(uint8_t, float); break;
    case RUG_I8: INTEGERS(int8_t, float); break;
    case RUG_U16: INTEGERS(uint16_t, float); break;
    case RUG_I16: INTEGERS(int16_t, float); break;
    case RUG_U32: INTEGERS(uint32_t, double); break;
    case RUG_I32: INTEGERS(int32_t, double); break;
    case RUG_U64: INTEGERS(uint64_t, double); break;
    case RUG_I64: INTEGERS(int64_t, double); break;
    case RUG_F32: REALS(float); break;
    default: REALS(double); break;
    }
    d->n += n_none;
    d->n_nan += n_nan;
}

/* Whether doubles hold the 64-bit integers of a block, but for the one that is no data. */
static int are_exact(const rugi_nodata *d, rug_dtype dtype, const uint64_t *v, size_t n)
{
    int all = 1;
    for (size_t i = 0; i < n; i++) {
        uint64_t size = dtype == RUG_I64 && v[i] >> 63 ? 0 - v[i] : v[i];
        all &= v[i] == d->bits[0] || size <= (uint64_t)1 << DBL_MANT_DIG ||
               size / (size & (0 - size)) <= (uint64_t)1 << DBL_MANT_DIG;
    }
    return all;
}

/* Goes through n pixels, which are made wider where they become floats: they stand at the end of
 * the room that they will take, and no block reaches into those behind it. */
static rug_status mark_pixels(rug_context *ctx, rug_file *file, void *to, size_t n)
{
    uint64_t block[BLOCK];
    rugi_nodata *d = &file->nodata;
    rug_dtype dtype = file->image.dtype;
    size_t size = rug_dtype_size(dtype), wide = rug_dtype_size(file->shown.dtype);
    int must_fit = size == 8 && !is_real(dtype) && is_real(file->shown.dtype);
    unsigned char *at = to;
    const unsigned char *from = at + n * (wide - size);
    for (size_t i = 0; i < n; i += BLOCK) {
        size_t m = n - i < BLOCK ? n - i : BLOCK;
        memcpy(block, from + i * size, m * size);
        if (must_fit && !are_exact(d, dtype, block, m))
            return rug_context_fail(
                ctx, RUG_E_UNSUPPORTED,
                "%s: has integers that no double holds, beside pixels that hold no data "
                "and become NaN; read them with --nodata none, and leave them out by a mask",
                file->path);
        mark(d, dtype, at + i * wide, block, m);
    }
    return RUG_OK;
}

/* ---- Both ---- */

rug_status rugi_file_plan_decoding(rug_context *ctx, rug_file *file,
                                   const rug_read_options *opts)
{
    turn_image(file, opts->as_stored != 0);
    return find_nodata(ctx, file, opts);
}

/* Forgets what was seen, unless these layers go on with the pass in work. */
static void begin_pass(rug_file *file, size_t first)
{
    if (first != 0 && first == file->next)
        return;
    file->nodata.n = file->nodata.n_nan = 0;
    file->facts.pass_first = first;
    file->facts.pass_layers = 0;
}

/* Notes what the pass has seen, behind n more layers; of all of them it is what the image has. */
static void note_pass(rug_file *file, size_t n)
{
    rug_file_facts *facts = &file->facts;
    facts->pass_layers += n;
    facts->pass_nodata = file->nodata.n;
    facts->pass_nan = file->nodata.n_nan;
    facts->channels_differ = file->unequal;
    if (facts->pass_layers < file->image.shape[0])
        return;
    facts->equal_channels = file->is_colour && !file->unequal;
    facts->n_nodata = facts->pass_nodata;
    facts->n_nan = facts->pass_nan;
    facts->is_counted = facts->has_nodata;
}

rug_status rugi_file_decode(rug_context *ctx, rug_file *file, void *to, size_t first,
                            size_t n)
{
    size_t n_pixels = n * (size_t)(rug_image_pixels(&file->image) / file->image.shape[0]);
    size_t wider = rug_dtype_size(file->shown.dtype) - rug_dtype_size(file->image.dtype);
    size_t n_stored = file->slabs.whole_only ? file->n_layers : n;
    unsigned char *stored = (unsigned char *)to + n_pixels * wider;
    rugi_nodata *d = &file->nodata;
    begin_pass(file, first);
    file->next = 0;
    rug_status status = file->slabs.read(ctx, file, stored,
                                         first_stored(file, first, n_stored), n_stored);
    if (status == RUG_OK && file->turns)
        status = turn_layers(ctx, file, stored, n_stored);
    if (status == RUG_OK && d->is_sought)
        status = mark_pixels(ctx, file, to, n_pixels);
    if (status != RUG_OK)
        return status;
    file->next = first + n;
    note_pass(file, n);
    return RUG_OK;
}
