/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Reads MetaImage headers, with the values behind them or in files of their own, as MetaIO and
 * ITK write them (https://itk.org/Wiki/MetaIO/Documentation). Their space has x to the left, y
 * to the back and z upwards. What AnatomicalOrientation says, the matrix says as well; it is
 * passed over, as are fields that change no value. */

#include "io/base/text.h"
#include "io/tiff/tiff_text.h"
#include "volume.h"
#include <math.h>
#include <string.h>

/** Axes that a header may have; one more is that of channels. */
#define AXES_MAX 10

/** What a header says. */
typedef struct meta_header {
    rugi_lines lines;
    rugi_volume *volume;
    int n_axes; /* 0 = not said */
    int n_sizes, n_spacings, n_pixel_sizes, n_offsets,
        n_directions; /* numbers of lists, likewise */
    double sizes[AXES_MAX], spacings[AXES_MAX], pixel_sizes[AXES_MAX], offsets[AXES_MAX];
    double directions[AXES_MAX * AXES_MAX]; /* a row for each axis */
    int64_t n_channels, header_size;
    int is_text, is_big, is_packed, has_type, has_values;
    double slope, intercept;
    char unit[RUGI_UNIT_MAX];
} meta_header;

/** Refuses the value of a field. */
static rug_status refuse(rug_context *ctx, const meta_header *h, const char *field,
                         const char *value, const char *expected)
{
    return rug_context_fail(
        ctx, RUG_E_FORMAT,
        "%s: line %zu of the MetaImage header: %s is '%.80s', %s expected", h->lines.path,
        h->lines.number, field, value, expected);
}

/* ---- Fields of every type ---- */

static rug_status take_numbers(rug_context *ctx, const meta_header *h, const char *field,
                               const char *value, double *to, int *n, int n_max)
{
    const char *at = value;
    for (*n = 0; *n < n_max && rugi_take_real(&at, &to[*n]);)
        ++*n;
    at += strspn(at, RUGI_BLANKS);
    return *at == '\0' && *n > 0 ? RUG_OK
                                 : refuse(ctx, h, field, value, "numbers for each axis");
}

static rug_status take_whole(rug_context *ctx, const meta_header *h, const char *field,
                             const char *value, int64_t *to, int64_t least, int64_t most)
{
    const char *at = value;
    return rugi_take_integer(&at, to) && *at == '\0' && *to >= least && *to <= most
               ? RUG_OK
               : refuse(ctx, h, field, value, "a whole number that it can be");
}

static int is_true(const char *value)
{
    return value[0] == 'T' || value[0] == 't' || value[0] == '1';
}

static rug_status take_type(rug_context *ctx, meta_header *h, const char *value)
{
    static const struct {
        const char *name;
        rug_dtype dtype;
    } types[] = {
        {"MET_CHAR", RUG_I8},       {"MET_ASCII_CHAR", RUG_I8},  {"MET_UCHAR", RUG_U8},
        {"MET_SHORT", RUG_I16},     {"MET_USHORT", RUG_U16},     {"MET_INT", RUG_I32},
        {"MET_UINT", RUG_U32},      {"MET_LONG", RUG_I32},       {"MET_ULONG", RUG_U32},
        {"MET_LONG_LONG", RUG_I64}, {"MET_ULONG_LONG", RUG_U64}, {"MET_FLOAT", RUG_F32},
        {"MET_DOUBLE", RUG_F64}};
    size_t n = strlen(value);
    if (n > 6 && rugi_same_word(value + n - 6, "_ARRAY"))
        n -= 6;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strlen(types[i].name) == n && rugi_same_letters(value, types[i].name, n)) {
            h->volume->coding.stored = types[i].dtype;
            h->has_type = 1;
            return RUG_OK;
        }
    return rug_context_fail(ctx, RUG_E_UNSUPPORTED,
                            "%s: MetaImage type '%.40s' is not supported; MET_CHAR to "
                            "MET_ULONG_LONG, MET_FLOAT and MET_DOUBLE are",
                            h->lines.path, value);
}

/* ---- Where the values are ---- */

/** The last line of the header. */
static rug_status take_data_file(rug_context *ctx, meta_header *h, const char *value)
{
    rugi_volume_files *files = &h->volume->files;
    h->has_values = 1;
    if (!rugi_same_word(value, "LOCAL"))
        return rugi_volume_name_files(ctx, files, &h->lines, value);
    files->n_before = h->lines.at;
    return RUG_OK;
}

/* ---- The header ---- */

/** The fields by their names; numbers are kept apart from what they mean. */
static rug_status take_field(rug_context *ctx, meta_header *h, const char *key,
                             const char *value)
{
    const struct {
        const char *name;
        double *to;
        int *n;
        int n_max;
    } lists[] = {
        {"DimSize", h->sizes, &h->n_sizes, AXES_MAX},
        {"ElementSpacing", h->spacings, &h->n_spacings, AXES_MAX},
        {"ElementSize", h->pixel_sizes, &h->n_pixel_sizes, AXES_MAX},
        {"Offset", h->offsets, &h->n_offsets, AXES_MAX},
        {"Position", h->offsets, &h->n_offsets, AXES_MAX},
        {"Origin", h->offsets, &h->n_offsets, AXES_MAX},
        {"TransformMatrix", h->directions, &h->n_directions, AXES_MAX * AXES_MAX},
        {"Rotation", h->directions, &h->n_directions, AXES_MAX * AXES_MAX},
        {"Orientation", h->directions, &h->n_directions, AXES_MAX * AXES_MAX}};
    const struct {
        const char *name;
        int *to;
        int if_true;
    } flags[] = {{"BinaryData", &h->is_text, 0},
                 {"BinaryDataByteOrderMSB", &h->is_big, 1},
                 {"ElementByteOrderMSB", &h->is_big, 1},
                 {"CompressedData", &h->is_packed, 1}};
    int one;
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        if (rugi_same_word(key, lists[i].name))
            return take_numbers(ctx, h, key, value, lists[i].to, lists[i].n,
                                lists[i].n_max);
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        if (rugi_same_word(key, flags[i].name)) {
            *flags[i].to = is_true(value) == flags[i].if_true;
            return RUG_OK;
        }
    if (rugi_same_word(key, "ElementToIntensityFunctionSlope"))
        return take_numbers(ctx, h, key, value, &h->slope, &one, 1);
    if (rugi_same_word(key, "ElementToIntensityFunctionOffset"))
        return take_numbers(ctx, h, key, value, &h->intercept, &one, 1);
    if (rugi_same_word(key, "ElementNumberOfChannels"))
        return take_whole(ctx, h, key, value, &h->n_channels, 1, INT32_MAX);
    if (rugi_same_word(key, "HeaderSize"))
        return take_whole(ctx, h, key, value, &h->header_size, -1, INT64_MAX);
    if (rugi_same_word(key, "ElementType"))
        return take_type(ctx, h, value);
    if (rugi_same_word(key, "ObjectType") && !rugi_same_word(value, "Image"))
        return rug_context_fail(ctx, RUG_E_UNSUPPORTED,
                                "%s: ObjectType is '%.40s', 'Image' expected",
                                h->lines.path, value);
    if (rugi_same_word(key, "DistanceUnits"))
        snprintf(h->unit, sizeof h->unit, "%.*s", RUGI_UNIT_MAX - 1, value);
    return RUG_OK;
}

static rug_status take_line(rug_context *ctx, meta_header *h)
{
    char *line = h->lines.line, *equals = strchr(line, '=');
    if (line[0] == '\0')
        return RUG_OK;
    if (equals == NULL)
        return rug_context_fail(ctx, RUG_E_FORMAT,
                                "%s: line %zu of the MetaImage header is no field",
                                h->lines.path, h->lines.number);
    char *end = equals;
    while (end > line && strchr(RUGI_BLANKS, end[-1]) != NULL)
        end--;
    *end = '\0';
    const char *value = equals + 1 + strspn(equals + 1, RUGI_BLANKS);
    int64_t n;
    if (rugi_same_word(line, "ElementDataFile"))
        return take_data_file(ctx, h, value);
    if (!rugi_same_word(line, "NDims"))
        return take_field(ctx, h, line, value);
    rug_status status = take_whole(ctx, h, line, value, &n, 1, AXES_MAX);
    h->n_axes = status == RUG_OK ? (int)n : 0;
    return status;
}

static rug_status read_lines(rug_context *ctx, meta_header *h)
{
    int got = 1;
    rug_status status = RUG_OK;
    while (status == RUG_OK && !h->has_values) {
        status = rugi_lines_next(ctx, &h->lines, &got);
        if (status == RUG_OK && !got)
            return rug_context_fail(
                ctx, RUG_E_FORMAT,
                "%s: cut off: its MetaImage header does not say ElementDataFile",
                h->lines.path);
        if (status == RUG_OK)
            status = take_line(ctx, h);
    }
    return status;
}

/* ---- From fields to axes ---- */

/** Fails unless a list has a number for each axis, or is not there. */
static rug_status check_list(rug_context *ctx, const meta_header *h, const char *name,
                             int n, int expected)
{
    if (n == expected || n == 0)
        return RUG_OK;
    return rug_context_fail(
        ctx, RUG_E_FORMAT,
        "%s: the MetaImage header has %d numbers of %s, but %d axes; %d expected",
        h->lines.path, n, name, h->n_axes, expected);
}

static rug_status check_sizes(rug_context *ctx, const meta_header *h)
{
    for (int i = 0; i < h->n_axes; i++)
        if (!(h->sizes[i] >= 1 && h->sizes[i] <= 0x1p53 &&
              h->sizes[i] <= floor(h->sizes[i])))
            return rug_context_fail(ctx, RUG_E_FORMAT,
                                    "%s: axis %d of the MetaImage file has %g pixels, at "
                                    "least 1 expected",
                                    h->lines.path, i + 1, h->sizes[i]);
    return RUG_OK;
}

static rug_status check_fields(rug_context *ctx, const meta_header *h)
{
    const int n = h->n_axes;
    const char *missing = n == 0            ? "NDims"
                          : h->n_sizes == 0 ? "DimSize"
                          : !h->has_type    ? "ElementType"
                                            : NULL;
    if (missing != NULL)
        return rug_context_fail(ctx, RUG_E_FORMAT,
                                "%s: the MetaImage header does not say %s", h->lines.path,
                                missing);
    rug_status status = check_list(ctx, h, "DimSize", h->n_sizes, n);
    if (status == RUG_OK)
        status = check_list(ctx, h, "ElementSpacing", h->n_spacings, n);
    if (status == RUG_OK)
        status = check_list(ctx, h, "ElementSize", h->n_pixel_sizes, n);
    if (status == RUG_OK)
        status = check_list(ctx, h, "Offset", h->n_offsets, n);
    if (status == RUG_OK)
        status = check_list(ctx, h, "TransformMatrix", h->n_directions, n * n);
    if (status == RUG_OK)
        status = check_sizes(ctx, h);
    if (status == RUG_OK && h->header_size < 0 && (h->is_packed || h->is_text))
        status = rug_context_fail(ctx, RUG_E_FORMAT,
                                  "%s: HeaderSize is -1, which goes with plain values "
                                  "only; 0 or more expected",
                                  h->lines.path);
    if (status == RUG_OK && h->is_packed && h->is_text)
        status = rug_context_fail(ctx, RUG_E_UNSUPPORTED,
                                  "%s: its values are text that is compressed, which is "
                                  "not supported",
                                  h->lines.path);
    return status;
}

/** Where no unit is stated, programs that write such files mean millimetres. */
static void set_place(meta_header *h)
{
    rugi_volume *v = h->volume;
    const int n = h->n_axes, first = v->n_axes - n;
    const double *spacings = h->n_spacings > 0      ? h->spacings
                             : h->n_pixel_sizes > 0 ? h->pixel_sizes
                                                    : NULL;
    const double to_right[3] = {-1, -1, 1};
    double factor = 1;
    if (!rugi_normalise_unit(h->unit, &factor))
        h->unit[0] = '\0';
    v->unit = h->unit[0] != '\0' ? h->unit : NULL;
    for (int i = 0; i < n; i++) {
        double spacing = factor * (spacings != NULL ? fabs(spacings[i]) : 1);
        v->axis[first + i].spacing = spacings != NULL ? spacing : 0;
        for (int k = 0; k < n && k < 3; k++)
            v->axis[first + i].step[k] =
                to_right[k] * spacing *
                (h->n_directions > 0 ? h->directions[i * n + k] : i == k);
    }
    for (int k = 0; k < n && k < 3 && h->n_offsets > 0; k++)
        v->origin[k] = factor * to_right[k] * h->offsets[k];
    if (h->n_offsets == 0 && h->n_directions == 0)
        return;
    v->located_by = "MetaImage";
    v->affine_unit = strcmp(h->unit, "um") == 0 ? "um" : "mm";
}

static void set_volume(meta_header *h)
{
    rugi_volume *v = h->volume;
    rugi_volume_files *f = &v->files;
    const int is_big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    v->coding.swap = !h->is_text && h->is_big != is_big;
    v->coding.slope = isfinite(h->slope) && (h->slope < 0 || h->slope > 0) ? h->slope : 1;
    v->coding.intercept = isfinite(h->intercept) ? h->intercept : 0;
    v->coding.scaled = v->coding.slope < 1 || v->coding.slope > 1 ||
                       v->coding.intercept < 0 || v->coding.intercept > 0;
    f->is_text = h->is_text;
    f->packing = h->is_packed ? RUGI_ZLIB : RUGI_PLAIN;
    f->from_end = h->header_size < 0;
    if (h->header_size > 0)
        f->n_before = (uint64_t)h->header_size;
    if (h->n_channels > 1)
        v->axis[v->n_axes++] = (rugi_volume_axis){.size = (uint64_t)h->n_channels,
                                                  .kind = RUGI_AXIS_CHANNELS};
    for (int i = 0; i < h->n_axes; i++)
        v->axis[v->n_axes++] = (rugi_volume_axis){.size = (uint64_t)h->sizes[i]};
    set_place(h);
}

/* ---- The reader ---- */

static int begins_with(const rug_file *file, const char *text)
{
    size_t n = strlen(text);
    return file->n_head > n && memcmp(file->head, text, n) == 0 &&
           (file->head[n] == ' ' || file->head[n] == '=');
}

/** Such files begin with one of these fields; a comment may stand before them in any text. */
static int claims(const rug_file *file)
{
    static const char values[] = "\nElementDataFile";
    if (begins_with(file, "ObjectType") || begins_with(file, "NDims"))
        return 1;
    if (!begins_with(file, "Comment"))
        return 0;
    for (size_t i = 0; i + sizeof values - 1 <= file->n_head; i++)
        if (memcmp(file->head + i, values, sizeof values - 1) == 0)
            return 1;
    return 0;
}

static rug_status open_metaimage(rug_context *ctx, rug_file *file,
                                 const rug_read_options *opts)
{
    rugi_volume volume = {.n_axes = 0};
    meta_header h = {.volume = &volume, .n_channels = 1, .slope = 1};
    file->facts.format = "metaimage";
    rug_status status = rugi_lines_open(ctx, &h.lines, file->path);
    if (status == RUG_OK)
        status = read_lines(ctx, &h);
    if (status == RUG_OK)
        status = check_fields(ctx, &h);
    if (status == RUG_OK) {
        set_volume(&h);
        status = rugi_volume_open(ctx, file, opts, &volume);
    }
    rugi_lines_close(ctx, &h.lines);
    rugi_volume_free(ctx, &volume);
    return status;
}

const rugi_reader rugi_metaimage_reader = {claims, open_metaimage};
